#include "core/deadletter/letter_import.h"

#include "core/base/gzip.h"
#include "core/base/line_reader.h"
#include "core/domain/archive_line.h"
#include "tests/deadletter/archive_rig.h"

#include <QBuffer>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

// A store that letters are brought back to.
struct Import
{
    ArchiveRig rig;
    QStringList bad;

    ImportCounts read(QByteArray text, bool dryRun = false, ErrorKind* failure = nullptr)
    {
        QBuffer buffer(&text);
        buffer.open(QIODevice::ReadOnly);
        bad.clear();
        LetterImport import(rig.store.db(), dryRun ? StoreTurn() : rig.turn(),
                            [this](const QString&, qint64 line, const QString& why) {
                                bad.append(u"%1: %2"_s.arg(line).arg(why));
                            });
        const Status done = import.read(buffer, u"f"_s);
        if (!done && !failure)
            qFatal("%s", qPrintable(done.error().text()));
        if (!done)
            *failure = done.error().kind;
        return import.counts();
    }
};

QByteArray fileOf(const ArchiveRig& rig)
{
    QFile file(rig.pathOf(rig.today()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Everything about letters, jobs and deliveries but when they were changed.
QString everything(TestStore& store)
{
    const auto rows = [&](const QString& columns, const QString& from) {
        return store.text(u"SELECT group_concat(r, char(10)) FROM (SELECT "_s + columns + u" AS r FROM "_s +
                          from + u')');
    };
    return rows(
               u"quote(kind) || quote(subject_id) || quote(source_queue) || quote(dead_letter_queue) || "
               "quote(type) || quote(endpoint_id) || quote(run) || quote(attempts) || quote(max_attempts) || "
               "quote(reason) || quote(error) || quote(content_type) || hex(body) || typeof(body) || "
               "quote(sent_at_ms) || quote(dead_at_ms)"_s,
               u"dead_letters ORDER BY subject_id"_s) +
           rows(u"quote(id) || quote(type) || quote(status) || hex(payload) || typeof(payload) || "
                u"quote(error) || "
                "quote(queue) || quote(run) || quote(attempts) || quote(crashes) || quote(reason) || "
                "quote(created_at_ms)"_s,
                u"jobs ORDER BY id"_s) +
           rows(u"quote(id) || quote(endpoint_id) || quote(event_type) || quote(status) || quote(error) || "
                "quote(event_id) || quote(job_id) || quote(url) || hex(settings) || quote(attempts) || "
                "quote(spent) || quote(budget) || quote(retry_base_ms) || quote(reason) || "
                "quote(created_at_ms)"_s,
                u"webhook_deliveries ORDER BY id"_s) +
           rows(u"quote(id) || quote(job_id) || quote(run) || quote(event_type) || hex(body) || "
                "typeof(body) || quote(created_at_ms)"_s,
                u"webhook_events ORDER BY id"_s);
}

void clear(TestStore& store)
{
    for (const QString& table : {u"dead_letters"_s, u"jobs"_s, u"webhook_deliveries"_s, u"webhook_events"_s})
        store.execute(u"DELETE FROM "_s + table);
}

} // namespace

class LetterImportTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyKindComesBackAsItWas()
    {
        Import import;
        ArchiveRig& rig = import.rig;
        rig.make.job(u"job"_s, u"open"_s, 14,
                     u"'{ \"z\": 12345678901234567890, \"a\":\"\\u0041\\/ n\u00f6 \U0001F600\" ,\"z\":1}'"_s);
        rig.make.job(u"no-payload"_s, u"open"_s, 14, u"NULL"_s);
        rig.make.letter(u"text"_s, u"message"_s, u"open"_s, 14,
                        u"'a' || char(10) || char(9) || '\"\\ \u20ac'"_s, u"text"_s);
        rig.make.letter(u"empty"_s, u"message"_s, u"open"_s, 14, u"''"_s, u"text"_s);
        rig.make.letter(u"bytes"_s, u"message"_s, u"open"_s, 14, u"x'00ff80fe0a22'"_s, u"bytes"_s);
        rig.make.letter(u"odd"_s, u"message"_s, u"open"_s, 14, u"CAST(x'22c3' AS TEXT)"_s, u"text"_s);
        rig.make.delivery(u"del"_s, u"open"_s, 14, u"'{\"event\":\"t\", \"data\":\"\u00fc\"}'"_s);
        const QString before = everything(rig.store);
        QCOMPARE(rig.archived(7), QString());
        clear(rig.store);

        QCOMPARE(import.read(fileOf(rig), true).brought, 7); // nothing changes
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM dead_letters"_s), 0);
        const ImportCounts counts = import.read(fileOf(rig));
        QCOMPARE(counts.brought, 7);
        QCOMPARE(import.bad, QStringList());
        QCOMPARE(everything(rig.store), before);
        // They are kept as long as new ones.
        QCOMPARE(rig.archived(0), QString());
        const ImportCounts again = import.read(fileOf(rig));
        QCOMPARE(again.brought, 0);
        QCOMPARE(again.there, 7);
        QCOMPARE(everything(rig.store), before);
        rig.clock.advance(14 * kDayMs);
        QCOMPARE(rig.archived(7), QString());
    }

    void discardedOnesComeBackAsDeadLetters()
    {
        Import import;
        ArchiveRig& rig = import.rig;
        rig.make.job(u"binned"_s, u"discarded"_s, 7);
        QCOMPARE(rig.archived(1), QString()); // the job is still there
        QCOMPARE(import.read(fileOf(rig)).brought, 1);
        QCOMPARE(rig.store.text(u"SELECT state FROM dead_letters"_s), u"open"_s);
        QCOMPARE(rig.store.text(u"SELECT status || discarded FROM jobs"_s), u"dead0"_s);
    }

    void whatHasGoneOnSinceIsLeftAlone()
    {
        Import import;
        ArchiveRig& rig = import.rig;
        rig.make.job(u"runs"_s, u"open"_s, 14);
        rig.make.job(u"dead-anew"_s, u"open"_s, 14);
        rig.make.letter(u"waits"_s, u"message"_s, u"open"_s, 14, u"'1'"_s);
        rig.make.letter(u"copy"_s, u"message"_s, u"open"_s, 14, u"'1'"_s);
        QCOMPARE(rig.archived(4), QString());
        rig.store.execute(u"UPDATE jobs SET status = 'pending' WHERE id = 'runs'"_s);
        rig.make.letter(u"dead-anew"_s, u"job"_s, u"open"_s, 1);
        rig.store.execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) VALUES "
                          "('waits', 'jobs', 0, 1, 1, 1), ('copy', 'jobs-dlq', 0, 1, 1, 1)"_s);
        const ImportCounts counts = import.read(fileOf(rig));
        QCOMPARE(counts.there, 3);
        QCOMPARE(counts.brought, 1);
        QCOMPARE(rig.idsInStore(), u"dead-anew,copy"_s);
    }

    void badLinesAreNamedAndCostNoOther()
    {
        Import import;
        ArchiveRig& rig = import.rig;
        rig.make.job(u"a"_s, u"open"_s, 14);
        rig.make.job(u"b"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(2), QString());
        const QByteArrayList good = ArchiveRig::zcat(rig.pathOf(rig.today())).split('\n');
        clear(rig.store);
        QByteArray newer = good[0];
        newer.replace("\"v\":1", "\"v\":2");
        QByteArray noId = good[0];
        noId.replace("\"id\":\"", "\"ix\":\"");
        const QByteArray tooLong(kMostLineBytes + 1, ' ');
        const ImportCounts counts =
            import.read(good[0] + "\r\n\n{\n" + newer + "\n" + noId + "\n" + tooLong + "\n{}\n" + good[1]);
        QCOMPARE(counts.brought, 2);
        QCOMPARE(counts.bad, 5);
        QVERIFY2(import.bad[0].startsWith(u"3: is no JSON"), qPrintable(import.bad[0]));
        QVERIFY2(import.bad[1].startsWith(u"4: is of a newer Redrive"), qPrintable(import.bad[1]));
        QCOMPARE(import.bad[2], u"5: 'id' is missing or wrong"_s);
        QVERIFY2(import.bad[3].startsWith(u"6: is longer than"), qPrintable(import.bad[3]));
        QCOMPARE(import.bad[4], u"7: is no line of an archive"_s);
    }

    void aRowTheDatabaseRefusesIsABadLine()
    {
        Import import;
        ArchiveRig& rig = import.rig;
        for (const QString& id : {u"a"_s, u"b"_s, u"c"_s})
            rig.make.job(id, u"open"_s, 14);
        QCOMPARE(rig.archived(3), QString());
        clear(rig.store);
        rig.store.execute(u"CREATE TRIGGER no_b BEFORE INSERT ON jobs WHEN NEW.id = 'b' "
                          "BEGIN SELECT RAISE(ABORT, 'not b'); END"_s);
        QCOMPARE(import.read(fileOf(rig)).brought, 2);
        QCOMPARE(import.bad.size(), 1);
        QVERIFY2(import.bad[0].startsWith(u"2: ") && import.bad[0].contains(u"not b"),
                 qPrintable(import.bad[0]));
        QCOMPARE(rig.idsInStore(), u"a,c"_s);
    }

    void aTornFileGivesWhatItHolds()
    {
        Import import;
        ArchiveRig& rig = import.rig;
        rig.make.job(u"a"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        const QByteArray first = fileOf(rig);
        rig.make.job(u"b"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        const QByteArray both = fileOf(rig);
        clear(rig.store);
        ErrorKind failure = ErrorKind::Busy;
        QCOMPARE(import.read(both.left(both.size() - 60), false, &failure).brought, 1);
        QCOMPARE(failure, ErrorKind::InvalidInput);
        QCOMPARE(rig.idsInStore(), u"a"_s);
        failure = ErrorKind::Busy;
        QCOMPARE(import.read(first + "rubbish", false, &failure).there, 1);
        QCOMPARE(failure, ErrorKind::InvalidInput);
        QCOMPARE(import.read(both + QByteArray(100, '\0')).brought, 1); // as tapes fill up
    }

    void whatIsStoppedKeepsWhatCameBack()
    {
        Import import;
        ArchiveRig& rig = import.rig;
        for (int i = 0; i < 250; ++i)
            rig.make.letter(u"l%1"_s.arg(i), u"message"_s, u"open"_s, 14, u"'1'"_s);
        QCOMPARE(rig.archived(250), QString());
        QByteArray file = fileOf(rig);
        QBuffer buffer(&file);
        QVERIFY(buffer.open(QIODevice::ReadOnly));
        LetterImport stopped(rig.store.db(), rig.turn(), [](const QString&, qint64, const QString&) {});
        stopped.setGoOn([] { return false; });
        const Status done = stopped.read(buffer, u"f"_s);
        QVERIFY(!done && done.error().kind == ErrorKind::Cancelled);
        QCOMPARE(stopped.counts().brought, 100); // a turn's
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM dead_letters"_s), 100);
        const ImportCounts rest = import.read(file);
        QCOMPARE(rest.brought, 150);
        QCOMPARE(rest.there, 100);
    }

    // The turn comes after nobody waits for it any more.
    void aTurnThatComesLateHarmsNothing()
    {
        Import import;
        ArchiveRig& rig = import.rig;
        rig.make.job(u"a"_s, u"open"_s, 14);
        QCOMPARE(rig.archived(1), QString());
        QByteArray file = fileOf(rig);
        std::function<Status(Cycle&)> late;
        {
            QBuffer buffer(&file);
            QVERIFY(buffer.open(QIODevice::ReadOnly));
            LetterImport abandoned(
                rig.store.db(),
                [&late](std::function<Status(Cycle&)> work) -> Status {
                    late = std::move(work);
                    return fail(ErrorKind::Cancelled, u"the engine is stopping"_s);
                },
                [](const QString&, qint64, const QString&) {});
            QVERIFY(!abandoned.read(buffer, u"f"_s));
            QCOMPARE(abandoned.counts().brought, 0);
        }
        QVERIFY(rig.turn()(late).has_value());
        QCOMPARE(rig.idsInStore(), u"a"_s);
    }

    // 300 MiB in a file of 300 KiB are one line that is too long.
    void aBombCostsNoMemory()
    {
        Import import;
        const QByteArray member = gzipMember(QByteArray(1 << 20, 'x'));
        QByteArray bomb;
        for (int i = 0; i < 300; ++i)
            bomb += member;
        QBuffer buffer(&bomb);
        QVERIFY(buffer.open(QIODevice::ReadOnly));
        UnpackedText text(buffer);
        LineReader lines(text, 1'000);
        LineReader::Line line;
        QVERIFY(lines.next(line).value_or(false));
        QVERIFY(line.tooLong && line.text.isEmpty());
        QVERIFY(!lines.next(line).value_or(true));
    }

    void plainLinesAndGzipAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArrayList>("lines");
        QTest::newRow("empty") << QByteArray() << QByteArrayList();
        QTest::newRow("plain") << QByteArray("a\nbc\r\n\nd") << QByteArrayList{"a", "bc", "", "d"};
        QTest::newRow("one byte") << QByteArray("\x1f") << QByteArrayList{"\x1f"};
        QTest::newRow("members") << gzipMember("a\nb") + gzipMember("") + gzipMember("c\n")
                                 << QByteArrayList{"a", "bc"};
    }
    void plainLinesAndGzipAreRead()
    {
        QFETCH(QByteArray, text);
        QBuffer buffer(&text);
        QVERIFY(buffer.open(QIODevice::ReadOnly));
        UnpackedText unpacked(buffer);
        LineReader lines(unpacked, 10);
        QByteArrayList found;
        for (LineReader::Line line; lines.next(line).value_or(false);)
            found.append(line.text);
        QTEST(found, "lines");
    }
};

QTEST_GUILESS_MAIN(LetterImportTest)
#include "letter_import_test.moc"
