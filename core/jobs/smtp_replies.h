// What a mail server says, line by line. One exchange, one thread.
#pragma once

#include <QByteArrayView>
#include <QString>

namespace redrive {

class SmtpReplies final
{
public:
    // "250-SIZE" goes on, "250 OK" ends a reply.
    void takeLine(QByteArrayView line);

    int code() const { return m_code; } // of the last whole reply; 0: none
    // "550 5.1.1 no such user", its lines joined.
    QString text() const { return m_text; }
    // The server answered 2xx to the mail's last dot: it has the mail.
    bool accepted() const { return m_accepted; }

private:
    QByteArray m_lines; // of the reply under way
    int m_code = 0;
    QString m_text;
    bool m_dataBegun = false; // the last whole reply was 354
    bool m_accepted = false;
};

} // namespace redrive
