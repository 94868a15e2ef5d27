// One HTTP connection that stays open from request to request. One thread.
#pragma once

#include <QByteArray>

namespace redrive::test {

class KeptConnection final
{
public:
    KeptConnection() = default;
    ~KeptConnection() { close(); }
    KeptConnection(const KeptConnection&) = delete;
    KeptConnection& operator=(const KeptConnection&) = delete;

    bool open(quint16 port);
    void close();
    bool isOpen() const { return m_socket >= 0; }

    struct Answer
    {
        int status = 0; // 0: none came
        QByteArray body;
    };
    // Closes itself where no whole answer came, or where the server asked for it. `headers`: whole lines.
    Answer post(const QByteArray& path, const QByteArray& body, const QByteArray& headers = {});

private:
    Answer readAnswer();

    int m_socket = -1;
    QByteArray m_buffer;
};

} // namespace redrive::test
