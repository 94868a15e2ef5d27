// No input crashes the reader, and each that is no configuration is an error.
#include "tests/config/config_support.h"

#include "core/base/result.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

using namespace redrive;

namespace {

QByteArray repeated(const QByteArray& text, int times)
{
    return text.repeated(times);
}

const QByteArray seedToml = R"(# comment
name = "x" # trailing
[[queues.producers]]
binding = "A"
queue = 'jobs'
[[queues.consumers]]
queue = """jobs"""
max_batch_timeout = 0.5
dead_letter_queue = "d\u00e4"
[env.a.queues]
producers = [ { binding = "B", queue = "q" }, ]
[triggers]
crons = ["*/5 * * * *", "0 0 L-3W * 6L"]
[redrive]
listen = "127.0.0.1:1"
endpoints = [{ id = "e", url = "http://h/", headers = { X = "y" }, schedule = [1, 2.5] }]
handlers.a = { command = ["/bin/x"], timeout = 1979-05-27T07:32:00Z }
)";

const QByteArray seedJsonc = R"({ // comment
 "name": "x", /* c */ "queues": { "producers": [{ "binding": "A", "queue": "jobs" }],
  "consumers": [{ "queue": "jobs", "max_batch_timeout": 0.5, "max_concurrency": null, "dead_letter_queue": "d\u00e4\ud83d\ude00" },] },
 "env": { "a": { "triggers": { "crons": ["0 0 L-3W * 6L"] } } },
 "redrive": { "endpoints": [{ "id": "e", "url": "http://h/", "schedule": [1, 2.5e0, -3] }], "hosts": ["a"] }, "x": true,
})";

QByteArray mutated(QByteArray text, const QByteArray& other, QRandomGenerator& random)
{
    const int changes = random.bounded(1, 5);
    for (int i = 0; i < changes && !text.isEmpty(); ++i) {
        const auto at = random.bounded(text.size());
        const auto length = random.bounded(1, 20);
        switch (random.bounded(6)) {
        case 0:
            text[at] = static_cast<char>(random.bounded(256));
            break;
        case 1:
            text.remove(at, length);
            break;
        case 2:
            text.insert(at, text.mid(random.bounded(text.size()), length));
            break;
        case 3:
            text.insert(at, other.mid(random.bounded(other.size()), length));
            break;
        case 4:
            text.insert(at, repeated(text.mid(at, 1), random.bounded(1, 60)));
            break;
        default:
            text.insert(at, QByteArray("[]{}\"'.,=:#\n\\/*").mid(random.bounded(15), 1));
        }
    }
    return text;
}

} // namespace

class HostileInputTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isRefused_data()
    {
        QTest::addColumn<bool>("isToml");
        QTest::addColumn<QByteArray>("text");
        const auto toml = [](const char* name, const QByteArray& text) {
            QTest::newRow(name) << true << text;
        };
        const auto json = [](const char* name, const QByteArray& text) {
            QTest::newRow(name) << false << text;
        };
        const int many = 500'000;
        toml("toml empty", {});
        json("json empty", {});
        toml("toml huge", QByteArray(3 << 20, 'a'));
        json("json huge", QByteArray(3 << 20, ' '));
        toml("toml arrays", "a = " + repeated("[", many));
        toml("toml tables", "a = " + repeated("{a=", many / 2));
        toml("toml tables and dots", "a = " + repeated("{a.a.a.a.a.a.a.a.a=", 40'000));
        toml("toml dotted key", repeated("a.", many) + "a = 1");
        toml("toml dotted key in quotes", repeated("\"a\".", many / 2) + "a = 1");
        toml("toml dotted key in other quotes", repeated("'' . ", many / 4) + "a = 1");
        toml("toml dotted header", "[" + repeated("a.", many) + "a]");
        toml("toml dotted array header", "[[" + repeated("a .", many / 2) + "a]]");
        toml("toml dots behind text", "b = \"\"\"\\\"\"\"\"\n" + repeated("a.", many) + "a = 1");
        toml("toml dots behind an open text", "b = \"x\n" + repeated("a.", many) + "a = 1");
        toml("toml letter that the parser does not know", "\xef\xb3\xbf[\n");
        toml("toml letter in a key", "a\xef\xac\xa6 = 1\n");
        toml("toml quotes", repeated("\"", many));
        toml("toml open long text", "a = \"\"\"" + repeated("x\n", many / 2));
        json("json arrays", repeated("[", many));
        json("json objects", repeated("{\"a\":", many / 8));
        json("json closed arrays", repeated("[", many) + repeated("]", many));
        json("json brackets behind a comment", "// \"\n" + repeated("[", many));
        json("json quotes", repeated("\"", many));
        json("json slashes", repeated("/", many));
        json("json comments", repeated("/*", many));
        json("json errors", "{\"a\": [" + repeated("{\"a\" 1},", 100'000) + "]}");
        json("json surrogate", R"({"a": "\ud800"})");
        json("json escape", R"({"a": "\x"})");
        json("json number", R"({"a": 1e99999999999})");
        json("json words", R"({"a": nul})");
        json("toml as json", seedToml);
        toml("json as toml", seedJsonc);
        for (const bool isToml : {true, false}) {
            const char* format = isToml ? "toml" : "json";
            QTest::addRow("%s binary", format) << isToml << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
            QTest::addRow("%s zeros", format) << isToml << QByteArray(1'000, '\0');
            QTest::addRow("%s not UTF-8", format) << isToml
                                                  << QByteArray("\xFF\xFE"
                                                                "a\0",
                                                                4);
        }
    }

    void isRefused()
    {
        QFETCH(bool, isToml);
        QFETCH(QByteArray, text);
        QElapsedTimer timer;
        timer.start();
        const LoadResult result = isToml ? loadToml(text) : loadJsonc(text);
        QVERIFY2(!result.ok, qPrintable(result.text().left(1'000)));
        QVERIFY(result.diagnostics.size() < 200);
        QVERIFY(result.text().size() < 100'000);
        QVERIFY2(timer.elapsed() < 20'000, "takes far too long");
    }

    void largeButGoodFilesRead()
    {
        QByteArray toml;
        for (int i = 0; i < 5'000; ++i)
            toml += "[[queues.consumers]]\nqueue = \"q" + QByteArray::number(i) +
                    "\"\ndead_letter_queue = \"q0\"\n";
        const LoadResult result =
            loadToml(toml.replace("queue = \"q0\"\ndead_letter_queue = \"q0\"", "queue = \"q0\""));
        QVERIFY(result.ok);
        QCOMPARE(result.settings.consumers.size(), 5'000);
    }

    void mutationsNeverCrash_data()
    {
        QTest::addColumn<bool>("isToml");
        QTest::newRow("toml") << true;
        QTest::newRow("jsonc") << false;
    }

    void mutationsNeverCrash()
    {
        QFETCH(bool, isToml);
        const int rounds = qEnvironmentVariableIntValue("REDRIVE_FUZZ_ROUNDS");
        QRandomGenerator random(qEnvironmentVariableIsSet("REDRIVE_FUZZ_SEED")
                                    ? static_cast<quint32>(qEnvironmentVariableIntValue("REDRIVE_FUZZ_SEED"))
                                    : 20'261'130U);
        for (int i = 0; i < (rounds > 0 ? rounds : 5'000); ++i) {
            const QByteArray text =
                isToml ? mutated(seedToml, seedJsonc, random) : mutated(seedJsonc, seedToml, random);
            const LoadResult result = isToml ? loadToml(text) : loadJsonc(text);
            QCOMPARE(result.ok, errorsOf(result).isEmpty());
            for (const Diagnostic& diagnostic : result.diagnostics)
                QVERIFY2(!diagnostic.text().contains(u'\n'), text.constData());
        }
    }
};

QTEST_APPLESS_MAIN(HostileInputTest)
#include "hostile_input_test.moc"
