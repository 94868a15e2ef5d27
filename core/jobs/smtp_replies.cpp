#include "core/jobs/smtp_replies.h"

namespace redrive {

namespace {

constexpr qsizetype kKeptBytes = 500;
constexpr qsizetype kCodeDigits = 3;
constexpr int kGoAhead = 354;

} // namespace

void SmtpReplies::takeLine(QByteArrayView line)
{
    const QByteArray trimmed = line.trimmed().toByteArray();
    bool isNumber = false;
    const int code = trimmed.left(kCodeDigits).toInt(&isNumber);
    if (!isNumber || trimmed.size() < kCodeDigits)
        return;
    const QByteArray words = trimmed.mid(kCodeDigits + 1).trimmed();
    if (m_lines.isEmpty())
        m_lines = trimmed.left(kCodeDigits);
    if (!words.isEmpty() && m_lines.size() < kKeptBytes)
        m_lines += ' ' + words.left(kKeptBytes - m_lines.size());
    if (trimmed.size() > kCodeDigits && trimmed[kCodeDigits] == '-')
        return;
    m_accepted = m_accepted || (m_dataBegun && code / 100 == 2);
    m_dataBegun = code == kGoAhead;
    m_code = code;
    m_text = QString::fromUtf8(m_lines);
    m_lines.clear();
}

} // namespace redrive
