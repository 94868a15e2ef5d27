#include "core/store/filter_sql.h"

#include "core/store/list_store.h"
#include "tests/support/test_store.h"

#include <QTest>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000;

QString joined(Result<QStringList> ids)
{
    if (!ids)
        return "error: " + ids.error().text();
    ids->sort();
    return ids->join(',');
}

} // namespace

class FilterSqlTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_store.emplace(kNow);
        m_store->execute("CREATE TABLE victim (secret TEXT)");
        m_store->execute("INSERT INTO victim VALUES ('still here')");
        m_store->execute(
            "INSERT INTO jobs (id, type, status, queue, error, attempts, due_at_ms, created_at_ms) VALUES "
            "('j1', 'mail', 'pending', 'jobs', NULL, 0, NULL, 1899999999000), "
            "('j2', 'mail.bulk', 'pending', 'jobs', 'Timeout after 30 s', 2, 1900000060000, 1899999990000), "
            "('j3', 'fan', 'done', 'my/ Queue', NULL, 1, NULL, 1899990000000), "
            "('j4', 'fan', 'dead', 'my/ Queue', '100% wrong_name \\ x', 4, NULL, 1899990000000), "
            "('j5', 'odd', 'queued', NULL, NULL, 0, NULL, NULL)");
        m_store->execute("UPDATE jobs SET created_at = 1800000000 WHERE id = 'j5'");
        m_store->execute(
            "UPDATE jobs SET payload = CASE id WHEN 'j1' THEN "
            "'{\"user\":{\"id\":42},\"list\":[\"a\",\"b\"]}' "
            "WHEN 'j2' THEN 'no JSON' WHEN 'j3' THEN x'ff00' WHEN 'j4' THEN '{\"n\": 9007199254740993}' END");
        m_store->execute(
            "INSERT INTO system_telemetry (id, source, tenant_id, payload, created_at) VALUES "
            "('t1', 'audit', 'acme', '{\"user\":{\"id\":42},\"action\":\"login\"}', 1899999999000), "
            "('t2', 'metric', 'bolt', '{\"user\":{\"id\":\"7\"},\"name\":\"caf\\u00e9\"}', 1899999990000), "
            "('t3', 'metric', 'acme', '{\"user\":null,\"ok\":true,\"note\":\"100% sure\"}', 1899990000000), "
            "('t4', 'audit', 'system', '{}', 1899990000000)");
        m_store->execute(
            "INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) VALUES "
            "('e1', 'j3', 1, 'order.paid', '{}', 1)");
        m_store->execute(
            "INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, error, event_id, job_id, "
            "attempts, "
            "due_at_ms, created_at_ms) VALUES "
            "('d1', 'acme', 'order.paid', 'delivered', NULL, 'e1', 'j3', 1, NULL, 1899990000000), "
            "('d2', 'acme-eu', 'order.paid', 'failed', '500', 'e1', 'j3', 2, 1900000010000, 1899990000000), "
            "('d3', 'other', 'user.made', 'dead', 'gone', NULL, NULL, 4, NULL, NULL)");
        m_store->execute(
            "INSERT INTO dead_letters (kind, subject_id, state, source_queue, type, endpoint_id, attempts, "
            "reason, "
            "error, sent_at_ms, dead_at_ms, changed_at_ms) VALUES "
            "('job', 'j4', 'open', 'my/ Queue', 'fan', NULL, 4, 'retries_used_up', '100% wrong_name', 1, "
            "1899999000000, 1), "
            "('delivery', 'd3', 'open', NULL, 'user.made', 'other', 4, 'gone', 'gone', 1, 1800000000000, 1), "
            "('job', 'j9', 'discarded', 'jobs', 'mail', NULL, 1, 'permanent', NULL, 1, 1, 1)");
        m_store->execute(
            "INSERT INTO audit (at_ms, actor, source, verb, target, count, redrive_no, reason, result) "
            "VALUES "
            "(1800000000000, 'anna', 'console', 'requeue', 'matching tls', 214, 88, NULL, '212 done'), "
            "(1800000000001, 'bob', 'console', 'pause', 'queue mail', 1, NULL, 'lunch', '1 done')");
        m_store->execute("INSERT INTO alerts (kind, signature, title, is_digest, count, first_at_ms, "
                         "last_at_ms, examples, at_ms) VALUES "
                         "('dead_letters', 'a', 'HTTP 503 (acme)', 0, 1, 1, 1, '[]', 1899999999000), "
                         "('breaker_open', 'b', 'acme', 0, 1, 1, 1, '[]', 1899999999001), "
                         "('redrive_finished', 'c', '#88', 0, 1, 1, 1, '[]', 1899999999002)");
        m_store->execute(
            "INSERT INTO alert_posts (alert_no, target_id, state, due_at_ms, error, changed_at_ms) "
            "VALUES (1, 't', 'sent', NULL, 'HTTP 500', 1), (2, 't', 'waiting', 1, 'HTTP 500', 1)");
    }

    void finds_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("ids");
        const auto row = [](ListKind kind, const char* filter, const char* ids) {
            QTest::addRow("%d %s", int(kind), filter)
                << int(kind) << QString::fromUtf8(filter) << QString(ids);
        };
        row(ListKind::Jobs, "", "j1,j2,j3,j4,j5");
        row(ListKind::Jobs, "status:pending", "j1,j2");
        row(ListKind::Jobs, "status:DEAD", "j4");
        row(ListKind::Jobs, "status:queued", "j5");
        row(ListKind::Jobs, "-status:pending", "j3,j4,j5");
        row(ListKind::Jobs, "type:mail", "j1");
        row(ListKind::Jobs, "type:mail*", "j1,j2");
        row(ListKind::Jobs, "type:*bulk", "j2");
        row(ListKind::Jobs, "type:*il.b*", "j2");
        row(ListKind::Jobs, "NOT type:mail*", "j3,j4,j5");
        row(ListKind::Jobs, "queue:\"my/ Queue\"", "j3,j4");
        row(ListKind::Jobs, "queue:my*", "j3,j4");
        row(ListKind::Jobs, "-queue:jobs", "j3,j4,j5");
        row(ListKind::Jobs, "error:timeout", "j2");
        row(ListKind::Jobs, "error:\"100% w\"", "j4");
        row(ListKind::Jobs, "error:%", "j4");
        row(ListKind::Jobs, "error:_", "j4");
        row(ListKind::Jobs, "error:\\", "j4");
        row(ListKind::Jobs, "error:wrongXname", "");
        row(ListKind::Jobs, "id:j2", "j2");
        row(ListKind::Jobs, "id:J2", "");
        row(ListKind::Jobs, "MAIL", "j1,j2");
        row(ListKind::Jobs, "j3", "j3");
        row(ListKind::Jobs, "mail OR status:dead", "j1,j2,j4");
        row(ListKind::Jobs, "(mail OR fan) -status:dead", "j1,j2,j3");
        row(ListKind::Jobs, "endpoint:acme", "j3");
        row(ListKind::Jobs, "endpoint:nobody", "");
        row(ListKind::Jobs, "attempt:>1", "j2,j4");
        row(ListKind::Jobs, "attempt:0", "j1,j5");
        row(ListKind::Jobs, "age:>1h", "j3,j4,j5");
        row(ListKind::Jobs, "age:<5s", "j1");
        row(ListKind::Jobs, "next:<5m", "j2");
        row(ListKind::Jobs, "next:<1m", "");
        row(ListKind::Jobs, "next:<=1m", "j2");
        row(ListKind::Jobs, "-next:<5m", "j1,j3,j4,j5");
        row(ListKind::Timers, "", "d2,j2");
        row(ListKind::Timers, "type:order.*", "d2");
        row(ListKind::Timers, "queue:jobs", "j2");
        row(ListKind::Deliveries, "", "d1,d2,d3");
        row(ListKind::Deliveries, "endpoint:acme", "d1");
        row(ListKind::Deliveries, "endpoint:acme*", "d1,d2");
        row(ListKind::Deliveries, "status:dead", "d3");
        row(ListKind::Deliveries, "status:dead status:failed", "");
        row(ListKind::Deliveries, "id:j3", "d1,d2");
        row(ListKind::Deliveries, "queue:my*", "d1,d2");
        row(ListKind::Deliveries, "-queue:my*", "d3");
        row(ListKind::Deliveries, "type:order.paid 500", "d2");
        row(ListKind::DeadLetters, "", "d3,j4");
        row(ListKind::DeadLetters, "status:dead endpoint:other", "d3");
        row(ListKind::DeadLetters, "status:pending", "");
        row(ListKind::DeadLetters, "queue:my*", "j4");
        row(ListKind::DeadLetters, "age:>1d", "d3");
        row(ListKind::DeadLetters, "next:<5m", "");
        row(ListKind::DeadLetters, "-next:<5m", "d3,j4");
        row(ListKind::Activity, "", "1,1,2,2,3");
        row(ListKind::Activity, "kind:action", "1,2");
        row(ListKind::Activity, "kind:ALERT", "1,2,3");
        row(ListKind::Activity, "by:anna", "1");
        row(ListKind::Activity, "by:a*", "1");
        row(ListKind::Activity, "type:requeue", "1");
        row(ListKind::Activity, "type:breaker_open OR type:pause", "2,2");
        row(ListKind::Activity, "redrive:88", "1");
        row(ListKind::Activity, "status:sent", "1");
        row(ListKind::Activity, "status:retrying", "2");
        row(ListKind::Activity, "status:waiting", "2");
        row(ListKind::Activity, "status:shown", "3");
        row(ListKind::Activity, "status:failed", "");
        row(ListKind::Activity, "lunch", "2");
        row(ListKind::Activity, "kind:alert 503", "1");
        row(ListKind::Activity, "queue:jobs", "");
        row(ListKind::Activity, "attempt:1", "");
        row(ListKind::Activity, "-kind:alert age:>1d", "1,2");
        row(ListKind::Bin, "", "j9");
        row(ListKind::Bin, "kind:job", "j9");
        row(ListKind::Jobs, "kind:job", "");
        row(ListKind::Jobs, "by:anna", "");
        row(ListKind::Bin, "type:mail", "j9");
        row(ListKind::Jobs, "payload.user.id:42", "j1");
        row(ListKind::Jobs, "payload.user.id:4*", "j1");
        row(ListKind::Jobs, "payload.user.ID:42", "");
        row(ListKind::Jobs, "-payload.user.id:42", "j2,j3,j4,j5");
        row(ListKind::Jobs, "payload.list.1:b", "j1");
        row(ListKind::DeadLetters, "payload.n:9007199254740993", "j4");
        row(ListKind::Jobs, "tenant:acme", "");
        row(ListKind::Jobs, "since:2030-03-17T17:46:36Z", "j1");
        row(ListKind::Jobs, "until:2030-03-17T17:46:36Z age:<50m", "j2");
        row(ListKind::Telemetry, "", "t1,t2,t3,t4");
        row(ListKind::Telemetry, "tenant:acme", "t1,t3");
        row(ListKind::Telemetry, "tenant:ac*", "t1,t3");
        row(ListKind::Telemetry, "-tenant:acme", "t2,t4");
        row(ListKind::Telemetry, "source:metric", "t2,t3");
        row(ListKind::Telemetry, "source:metric tenant:acme", "t3");
        row(ListKind::Telemetry, "tenant:acme OR tenant:bolt", "t1,t2,t3");
        row(ListKind::Telemetry, "age:<1h", "t1,t2");
        row(ListKind::Telemetry, "age:>1h tenant:acme", "t3");
        row(ListKind::Telemetry, "since:2030-03-17T17:46:00Z until:2030-03-17T17:46:31Z", "t2");
        row(ListKind::Telemetry, "id:t4", "t4");
        row(ListKind::Telemetry, "id:t4 tenant:acme", "");
        row(ListKind::Telemetry, "LOGIN", "t1");
        row(ListKind::Telemetry, "100%", "t3");
        row(ListKind::Telemetry, "payload.user.id:42", "t1");
        row(ListKind::Telemetry, "payload.user.id:7", "t2");
        row(ListKind::Telemetry, "payload.user:null", "t3");
        row(ListKind::Telemetry, "payload.name:café", "t2");
        row(ListKind::Telemetry, "payload.action:LOGIN", "");
        row(ListKind::Telemetry, "payload.ok:true", "t3");
        row(ListKind::Telemetry, "status:dead OR type:x OR queue:y OR error:z OR attempt:1 OR next:5m", "");
    }

    void finds()
    {
        QFETCH(int, kind);
        QFETCH(QString, filter);
        QFETCH(QString, ids);
        QCOMPARE(joined(matchingIds(m_store->db(), ListKind(kind), filter, kNow)), ids);
    }

    void comparesNumbers_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("ids");
        QTest::newRow("above") << "payload.n:>9"
                               << "n2,n9";
        QTest::newRow("at least") << "payload.n:>=9"
                                  << "n1,n2,n9";
        QTest::newRow("below") << "payload.n:<10"
                               << "n1,n6";
        QTest::newRow("at most, a fraction") << "payload.n:<=10.5"
                                             << "n1,n2,n6";
        QTest::newRow("between") << "payload.n:>-3 payload.n:<10.5"
                                 << "n1";
        QTest::newRow("negated") << "-payload.n:<=1e3"
                                 << "n3,n4,n5,n7,n8,n9";
        QTest::newRow("whole numbers to the last digit") << "payload.n:>9007199254740992"
                                                         << "n9";
        QTest::newRow("and none above") << "payload.n:>9007199254740993"
                                        << "";
        QTest::newRow("deeper") << "payload.n.0:>49"
                                << "n5";
        QTest::newRow("a text") << "payload.n:\">10\""
                                << "n8";
        QTest::newRow("absent") << "payload.m:>0"
                                << "";
    }

    // Neither a text that holds a number nor what else stands there is above or below one.
    void comparesNumbers()
    {
        QFETCH(QString, filter);
        QFETCH(QString, ids);
        test::TestStore store(kNow);
        int row = 0;
        for (const char* value :
             {"9", "10.5", "\"11\"", "true", "[50]", "-3", "null", "\">10\"", "9007199254740993"}) {
            const QString id = u"n%1"_s.arg(++row);
            const QString json = u"{\"n\":%1}"_s.arg(QLatin1String(value));
            store.execute(u"INSERT INTO system_telemetry (id, source, tenant_id, payload, created_at) "
                          "VALUES ('%1', 'metric', 'acme', '%2', 1000)"_s.arg(id, json));
            store.execute(
                u"INSERT INTO jobs (id, type, status, payload) VALUES ('%1', 'a', 'done', '%2')"_s.arg(id,
                                                                                                       json));
        }
        QCOMPARE(joined(matchingIds(store.db(), ListKind::Telemetry, filter, kNow)), ids);
        QCOMPARE(joined(matchingIds(store.db(), ListKind::Jobs, filter, kNow)), ids);
    }

    void hostileTextIsText_data()
    {
        QTest::addColumn<QString>("text");
        const char* const payloads[] = {"'; DROP TABLE victim;--",
                                        "\"; DROP TABLE victim;--",
                                        "1; DELETE FROM victim",
                                        "' OR '1'='1",
                                        "' OR 1=1 --",
                                        "') OR ('1'='1",
                                        "x' UNION SELECT secret FROM victim --",
                                        "\\'; DROP TABLE victim; --",
                                        "%' OR '%'='",
                                        "_' ; UPDATE victim SET secret = 'x",
                                        "'||(SELECT secret FROM victim)||'",
                                        "' AND 1=(SELECT count(*) FROM victim) --",
                                        "admin'--",
                                        "admin'/*",
                                        "*/ DROP TABLE victim /*",
                                        "' ESCAPE '' OR 1=1",
                                        "?",
                                        "?1",
                                        ":a",
                                        "@a",
                                        "$a",
                                        "{rowkey}",
                                        "{exact:?}",
                                        "{bytes:payload}",
                                        "%",
                                        "_",
                                        "\\",
                                        "\\%",
                                        "\\\\",
                                        "[a-z]",
                                        "x'00'",
                                        "0x27",
                                        "char(39)",
                                        "ATTACH DATABASE 'x' AS y",
                                        "PRAGMA writable_schema=1",
                                        "load_extension('x')",
                                        "randomblob(1000000000)",
                                        "zeroblob(1e9)",
                                        "' OR rowid IN (SELECT 1) --",
                                        "NULL",
                                        "'\n; DROP TABLE victim",
                                        "\xe2\x80\x99 OR 1=1",
                                        "\xef\xbc\x87 OR 1=1 --",
                                        "\xf0\x9f\x98\x80'",
                                        "e\xcc\x81'",
                                        "<img src=/dev/zero>",
                                        "=cmd|'/c calc'!A1",
                                        "../../etc/passwd",
                                        "${jndi:x}",
                                        "%s%n%x",
                                        "\x01\x02\x1b[31m"};
        for (const char* payload : payloads)
            QTest::newRow(payload) << QString::fromUtf8(payload);
        QTest::newRow("a NUL") << QString(QChar(0)) + "' OR 1=1";
        QTest::newRow("half a surrogate") << QString(QChar(0xd800)) + "' OR 1=1";
        QTest::newRow("long") << QString(4'000, '\'');
    }

    void hostileTextIsText()
    {
        QFETCH(QString, text);
        QString quoted = text;
        quoted = '"' + quoted.replace('\\', "\\\\").replace('"', "\\\"") + '"';
        const QStringList fields{"",    "status:", "type:", "queue:",  "endpoint:", "error:",
                                 "id:", "by:",     "kind:", "tenant:", "source:",   "payload.user.id:"};
        for (const ListKind kind : {ListKind::Jobs, ListKind::Timers, ListKind::DeadLetters, ListKind::Bin,
                                    ListKind::Deliveries, ListKind::Activity, ListKind::Telemetry}) {
            for (const QString& field : fields) {
                const auto ids = matchingIds(m_store->db(), kind, field + quoted, kNow);
                QVERIFY2(ids, qPrintable(ids ? QString() : ids.error().text()));
                const bool inPayload = kind == ListKind::Telemetry && field.isEmpty() && text == "NULL";
                const bool mayMatch = inPayload || ((field == "error:" || field.isEmpty()) &&
                                                    (text == "%" || text == "_" || text == "\\"));
                QVERIFY2(mayMatch || ids->isEmpty(), qPrintable(field + text));
            }
            // Unquoted it may be no filter at all, but it is never more than one.
            (void)matchingIds(m_store->db(), kind, text, kNow);
        }
        QCOMPARE(m_store->text("SELECT secret FROM victim"), QString("still here"));
        QCOMPARE(m_store->number("SELECT count(*) FROM jobs"), 5);

        // A row with this very text is found by it.
        auto insert =
            m_store->db().dynamicQuery("INSERT INTO jobs (id, type, error) VALUES ('hostile', ?, ?)");
        QVERIFY(insert.bind(text).bind(text).run());
        const auto found = matchingIds(m_store->db(), ListKind::Jobs, "type:" + quoted, kNow);
        m_store->execute("DELETE FROM jobs WHERE id = 'hostile'");
        QVERIFY(found);
        QCOMPARE(*found, QStringList{"hostile"});
    }

    void manyTermsAreNotTooDeep()
    {
        for (const QString& unit : {u"a "_s, u"a OR "_s, u"-a "_s, u"NOT a OR "_s}) {
            const QString filter = unit.repeated(2'000);
            const auto ids = matchingIds(m_store->db(), ListKind::Jobs, filter, kNow);
            QVERIFY2(ids, qPrintable(ids ? QString() : ids.error().text()));
        }
    }

    void faultsSayWhere()
    {
        const auto ids = matchingIds(m_store->db(), ListKind::Jobs, "age:>3x", kNow);
        QVERIFY(!ids);
        QCOMPARE(ids.error().message,
                 QString("filter, character 5: '3x' is not a duration (use 90s, 5m, 2h, 7d)."));
    }

private:
    std::optional<test::TestStore> m_store;
};

QTEST_GUILESS_MAIN(FilterSqlTest)
#include "filter_sql_test.moc"
