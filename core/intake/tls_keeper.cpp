#include "core/intake/tls_keeper.h"

#include "core/base/log.h"

#include <QDateTime>
#include <QFile>

#include <sys/stat.h>

namespace redrive {

namespace {

constexpr qint64 kDayMs = 86'400'000;

QByteArray stampOf(const QString& path)
{
    struct stat info = {};
    if (::stat(QFile::encodeName(path).constData(), &info) != 0)
        return "none";
    const auto& changed = info.st_mtim;
    return QByteArray::number(qint64(info.st_ino)) + '.' + QByteArray::number(qint64(info.st_size)) + '.' +
           QByteArray::number(qint64(changed.tv_sec)) + '.' + QByteArray::number(qint64(changed.tv_nsec));
}

} // namespace

Status TlsKeeper::load()
{
    m_stamp = stamp();
    REDRIVE_ASSIGN(context, TlsContext::load(m_files));
    m_current = std::move(context);
    setState({m_current->endsAtMs(), {}});
    return {};
}

void TlsKeeper::look(qint64 nowMs)
{
    if (const QByteArray now = stamp(); now != m_stamp) {
        m_stamp = now;
        if (auto context = TlsContext::load(m_files); context) {
            m_current = std::move(*context);
            setState({m_current->endsAtMs(), {}});
            m_warnedAtMs = 0;
            logEvent(LogLevel::Notice, "intake.certificate_taken_over", {{"file", m_files.certificate}});
        } else {
            setState({m_current->endsAtMs(), context.error().text()});
            logEvent(LogLevel::Warning, "intake.certificate_refused", {{"error", context.error().text()}});
        }
    }
    const bool endsSoon = m_current->endsAtMs() - nowMs < kCertificateWarningMs;
    if (!endsSoon || (m_warnedAtMs > 0 && nowMs - m_warnedAtMs < kDayMs))
        return;
    m_warnedAtMs = nowMs;
    logEvent(LogLevel::Warning, "intake.certificate_ends",
             {{"at", QDateTime::fromMSecsSinceEpoch(m_current->endsAtMs(), Qt::UTC).toString(Qt::ISODate)}});
}

TlsState TlsKeeper::state() const
{
    std::lock_guard lock(m_mutex);
    return m_state;
}

QByteArray TlsKeeper::stamp() const
{
    return stampOf(m_files.certificate) + ' ' + stampOf(m_files.key);
}

void TlsKeeper::setState(TlsState state)
{
    std::lock_guard lock(m_mutex);
    m_state = std::move(state);
}

} // namespace redrive
