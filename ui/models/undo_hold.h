// How long an action of this window is held before it begins, so that it can be taken back; kept with the
// window's layout. Window thread.
#pragma once

#include <QObject>
#include <QString>

namespace redrive {

class UndoHold final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kUsualSeconds = 10;
    // What the operator may choose; 0: actions begin at once.
    static const QList<int>& choices();

    // Of an INI file; empty: nothing is kept.
    explicit UndoHold(QString iniFile, QObject* parent = nullptr);

    int seconds() const { return m_seconds; }
    void setSeconds(int seconds);

Q_SIGNALS:
    void changed();

private:
    QString m_iniFile;
    int m_seconds = kUsualSeconds;
};

} // namespace redrive
