#include "ui/models/undo_hold.h"

#include "core/base/result.h"

#include <QSettings>

namespace redrive {

namespace {

const QString kKey = u"actions/undoSeconds"_s;

} // namespace

const QList<int>& UndoHold::choices()
{
    static const QList<int> seconds{0, 5, kUsualSeconds, 30};
    return seconds;
}

UndoHold::UndoHold(QString iniFile, QObject* parent) : QObject(parent), m_iniFile(std::move(iniFile))
{
    if (m_iniFile.isEmpty())
        return;
    const int kept = QSettings(m_iniFile, QSettings::IniFormat).value(kKey, kUsualSeconds).toInt();
    if (choices().contains(kept))
        m_seconds = kept;
}

void UndoHold::setSeconds(int seconds)
{
    if (seconds == m_seconds || !choices().contains(seconds))
        return;
    m_seconds = seconds;
    if (!m_iniFile.isEmpty())
        QSettings(m_iniFile, QSettings::IniFormat).setValue(kKey, seconds);
    Q_EMIT changed();
}

} // namespace redrive
