// An archive over a store, driven round by round with a clock moved by hand, and read with the real zcat. One
// thread.
#pragma once

#include "core/deadletter/archive_round.h"
#include "core/engine/lone_turn.h"
#include "tests/deadletter/letter_maker.h"
#include "tests/support/manual_clock.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace redrive::test {

struct ArchiveRig
{
    ManualClock clock{1'900'000'000'000}; // 2030-03-17T17:46:40Z
    TestStore store;
    QTemporaryDir place;
    ArchiveSettings settings{place.filePath(u"archive"_s)};
    LetterMaker make{store, clock.wallMs()};
    std::function<Status()> beforeTurn = [] { return Status(); }; // an error: the turn fails

    QString pathOf(const QString& name) const { return settings.dir + u'/' + name; }
    QString today() const { return ArchiveFolder::fileName(clock.wallMs()); }
    StoreTurn turn()
    {
        return [this](const std::function<Status(Cycle&)>& work) -> Status {
            REDRIVE_TRY(beforeTurn());
            return runLoneTurn(store.db(), clock, work);
        };
    }
    Result<ArchiveRound::Report> round()
    {
        ArchiveRound archiving(settings, RetentionSettings(), turn(), [] { return true; });
        return archiving.run(store.db(), clock.wallMs());
    }
    // What is wrong with a round; nothing: it worked and archived so many.
    QString archived(qint64 letters)
    {
        const auto report = round();
        if (!report)
            return report.error().text();
        return report->letters == letters ? QString() : u"archived %1"_s.arg(report->letters);
    }

    static QByteArray zcat(const QString& path)
    {
        QProcess process;
        process.start(u"zcat"_s, {path});
        process.waitForFinished();
        return process.exitCode() == 0 ? process.readAllStandardOutput()
                                       : "zcat: " + process.readAllStandardError();
    }
    QList<QJsonObject> lines(const QString& name) const
    {
        QList<QJsonObject> found;
        for (const QByteArray& line : zcat(pathOf(name)).split('\n'))
            if (!line.isEmpty())
                found.append(QJsonDocument::fromJson(line).object());
        return found;
    }
    QString idsIn(const QString& name) const
    {
        QStringList ids;
        for (const QJsonObject& line : lines(name))
            ids.append(line.value(u"id"_s).toString());
        return ids.join(u',');
    }
    QString idsInStore()
    {
        return store.text(u"SELECT group_concat(subject_id) FROM (SELECT subject_id FROM dead_letters "
                          "ORDER BY no)"_s);
    }
};

} // namespace redrive::test
