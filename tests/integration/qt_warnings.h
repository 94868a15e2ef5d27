// Collects every warning of Qt while it lives ("connection … is still in use", timers stopped from another
// thread, …), so that a test can fail on it. One object at a time; any thread warns.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <mutex>

namespace redrive::test {

class QtWarnings final
{
public:
    QtWarnings()
    {
        s_current = this;
        s_previous = qInstallMessageHandler(&QtWarnings::onMessage);
    }
    ~QtWarnings()
    {
        qInstallMessageHandler(s_previous);
        s_current = nullptr;
    }
    QtWarnings(const QtWarnings&) = delete;
    QtWarnings& operator=(const QtWarnings&) = delete;

    // Those that came since the last call.
    QStringList take()
    {
        std::lock_guard lock(m_mutex);
        return std::exchange(m_texts, {});
    }

private:
    static void onMessage(QtMsgType type, const QMessageLogContext& context, const QString& text)
    {
        if (type == QtWarningMsg || type == QtCriticalMsg) {
            std::lock_guard lock(s_current->m_mutex);
            s_current->m_texts.append(text);
        }
        s_previous(type, context, text);
    }

    static inline QtWarnings* s_current = nullptr;
    static inline QtMessageHandler s_previous = nullptr;
    std::mutex m_mutex; // guards m_texts
    QStringList m_texts;
};

} // namespace redrive::test
