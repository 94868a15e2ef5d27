#include "core/base/json_gate.h"

#include "core/base/result.h"

#include <QTest>

#include <ctime>
#include <limits>

using namespace redrive;

Q_DECLARE_METATYPE(redrive::JsonProblem)

namespace {

// Ten times what it takes on a slow machine, and a tenth of what a second reading of each part would.
constexpr qint64 kBudgetNs = 200'000'000;

qint64 cpuNs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return qint64(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}
} // namespace

class JsonGateTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
    void refusesUtf8_data();
    void refusesUtf8();
    void saysWhatIsWrong();
    void keepsTheDepth();
    void countsKeys();
    void findsLateDuplicates();
    void staysFast_data();
    void staysFast();
    void refusesEveryPrefix();
};

void JsonGateTest::accepts_data()
{
    QTest::addColumn<QByteArray>("text");
    int n = 0;
    for (const char* text : {"null",
                             " true ",
                             "false",
                             "0",
                             "-0",
                             "12",
                             "-1.5",
                             "0.0",
                             "1e5",
                             "1E+05",
                             "1e-05",
                             "1e999",
                             "18446744073709551615",
                             "9007199254740993",
                             "\"\"",
                             "\"a\"",
                             "[]",
                             "{}",
                             "[ ]",
                             "{ }",
                             "[1,2 , 3]",
                             "\t\r\n {\"a\" : [ {} , [ ] ] , \"b\":null }\n",
                             "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
                             "\"\\ud83d\\uDE00\"",
                             "\"\x7f\"",
                             "\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"",
                             "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"",
                             "{\"a\":{\"x\":1,\"x\":2}}",
                             "[{\"a\":1},{\"a\":2}]",
                             "{\"a\":1,\"A\":2,\"\":3,\" a\":4}"})
        QTest::addRow("%d", ++n) << QByteArray(text);
    QTest::newRow("400 digits") << QByteArray(400, '7');
}

void JsonGateTest::accepts()
{
    QFETCH(QByteArray, text);
    const auto fault = checkJson(text);
    QVERIFY2(!fault, fault ? qPrintable(fault->text()) : "");
}

void JsonGateTest::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<JsonProblem>("problem");
    QTest::addColumn<int>("offset");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* name, QByteArray text, JsonProblem problem, int offset,
                        const char* field = "") {
        QTest::newRow(name) << text << problem << offset << QString::fromUtf8(field);
    };
    using P = JsonProblem;
    row("empty", "", P::InvalidJson, 0);
    row("white space", " \n ", P::InvalidJson, 3);
    row("unclosed object", "{\"a\":1", P::InvalidJson, 6, "a");
    row("leading zero", "{\"a\":01}", P::InvalidJson, 6, "a");
    row("minus leading zero", "-012", P::InvalidJson, 2);
    row("point without digits", "{\"a\":1.}", P::InvalidJson, 7, "a");
    row("point first", ".5", P::InvalidJson, 0);
    row("lone minus", "-", P::InvalidJson, 1);
    row("minus letter", "[-x]", P::InvalidJson, 2, "[0]");
    row("plus", "+1", P::InvalidJson, 0);
    row("empty exponent", "1e", P::InvalidJson, 2);
    row("signed empty exponent", "[1e+]", P::InvalidJson, 4, "[0]");
    row("exponent with point", "1e1.5", P::InvalidJson, 3);
    row("two points", "1.2.3", P::InvalidJson, 3);
    row("hexadecimal", "0x10", P::InvalidJson, 1);
    row("NaN", "NaN", P::InvalidJson, 0);
    row("Infinity", "[-Infinity]", P::InvalidJson, 2, "[0]");
    row("unknown escape", "{\"a\":\"\\q\"}", P::InvalidJson, 7, "a");
    row("short unicode escape", "\"\\u12\"", P::InvalidJson, 5);
    row("raw newline", "{\"a\":\"x\ny\"}", P::InvalidJson, 7, "a");
    row("raw tab", "\"\t\"", P::InvalidJson, 1);
    row("unclosed string", "\"abc", P::InvalidJson, 4);
    row("backslash at the end", "\"abc\\", P::InvalidJson, 5);
    row("text after the end", "{} x", P::InvalidJson, 3);
    row("two values", "1 2", P::InvalidJson, 2);
    row("comma after the last", "[1,]", P::InvalidJson, 3, "[1]");
    row("comma after the last member", "{\"a\":1,}", P::InvalidJson, 7, "a");
    row("no comma", "[1 2]", P::InvalidJson, 3, "[0]");
    row("no colon", "{\"a\" 1}", P::InvalidJson, 5, "a");
    row("no value", "{\"a\":}", P::InvalidJson, 5, "a");
    row("unquoted key", "{a:1}", P::InvalidJson, 1);
    row("single quotes", "{'a':1}", P::InvalidJson, 1);
    row("wrong bracket", "[1}", P::InvalidJson, 2, "[0]");
    row("comment", "{/*x*/}", P::InvalidJson, 1);
    row("word", "nulL", P::InvalidJson, 3);
    row("cut word", "tru", P::InvalidJson, 3);
    row("byte order mark", "\xef\xbb\xbf{}", P::InvalidJson, 0);
    row("bad byte outside a string", "{\xff", P::InvalidUtf8, 1);
    row("bad byte in a string", "{\"a\":\"\xff\"}", P::InvalidUtf8, 6, "a");
    row("raw NUL in a string", QByteArray("{\"a\":\"x\0\"}", 10), P::NulCharacter, 7, "a");
    row("raw NUL outside", QByteArray("{\0}", 3), P::NulCharacter, 1);
    row("escaped NUL", "{\"payload\":{\"name\":\"a\\u0000\"}}", P::NulCharacter, 21, "payload.name");
    row("escaped NUL in a key", "{\"payload\":{\"\\u0000\":1}}", P::NulCharacter, 13, "payload");
    row("lone high", "{\"payload\":{\"name\":\"\\ud800\"}}", P::UnpairedSurrogate, 20, "payload.name");
    row("lone low", "[[\"\\udc00\"]]", P::UnpairedSurrogate, 3, "[0][0]");
    row("two highs", "\"\\ud800\\ud800\"", P::UnpairedSurrogate, 1);
    row("high before text", "\"\\ud800x\"", P::UnpairedSurrogate, 1);
    row("high before an escape", "\"\\ud800\\n\"", P::UnpairedSurrogate, 1);
    row("in an array", "{\"payload\":{\"endpoints\":[{\"url\":\"a\"},{\"url\":\"\\ud800\"}]}}",
        P::UnpairedSurrogate, 45, "payload.endpoints[1].url");
    row("odd key", "{\"a.b\":{\"c d\":\"\\ud800\"}}", P::UnpairedSurrogate, 15, "[\"a.b\"][\"c d\"]");
    row("duplicate", "{\"type\":\"a\",\"type\":\"b\"}", P::DuplicateKey, 12, "type");
    row("duplicate by escape", "{\"type\":1,\"\\u0074ype\":2}", P::DuplicateKey, 10, "type");
    row("duplicate, both escaped", "{\"\\u00e9\":1,\"\\u00E9\":2}", P::DuplicateKey, 12, "é");
}

void JsonGateTest::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(JsonProblem, problem);
    QFETCH(int, offset);
    QFETCH(QString, field);
    const auto fault = checkJson(text);
    QVERIFY(fault);
    QCOMPARE(int(fault->problem), int(problem));
    QCOMPARE(fault->offset, offset);
    QCOMPARE(fault->field, field);
}

// After Markus Kuhn's "UTF-8 decoder capability and stress test".
void JsonGateTest::refusesUtf8_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const char* bytes) { QTest::newRow(name) << QByteArray(bytes); };
    row("5 bytes", "\xf8\x88\x80\x80\x80");
    row("6 bytes", "\xfc\x84\x80\x80\x80\x80");
    row("above the last", "\xf4\x90\x80\x80");
    row("far above the last", "\xf7\xbf\xbf\xbf");
    row("stray continuation 80", "\x80");
    row("stray continuation BF", "\xbf");
    row("seven continuations", "\x80\xbf\x80\xbf\x80\xbf\x80");
    row("lonely start of 2", "\xc3 ");
    row("lonely start of 3", "\xe2 ");
    row("lonely start of 4", "\xf1 ");
    row("last byte missing of 2", "\xdf");
    row("last byte missing of 3", "\xe0\xa0");
    row("two bytes missing of 3", "\xef");
    row("last byte missing of 4", "\xf0\x90\x80");
    row("two bytes missing of 4", "\xf0\x90");
    row("FE", "\xfe");
    row("FF", "\xff");
    row("FE FE FF FF", "\xfe\xfe\xff\xff");
    row("overlong slash in 2", "\xc0\xaf");
    row("overlong slash in 3", "\xe0\x80\xaf");
    row("overlong slash in 4", "\xf0\x80\x80\xaf");
    row("largest overlong of 2", "\xc1\xbf");
    row("largest overlong of 3", "\xe0\x9f\xbf");
    row("largest overlong of 4", "\xf0\x8f\xbf\xbf");
    row("overlong NUL", "\xc0\x80");
    row("surrogate D800", "\xed\xa0\x80");
    row("surrogate DFFF", "\xed\xbf\xbf");
    row("CESU pair", "\xed\xa0\xbd\xed\xb8\x80");
}

void JsonGateTest::refusesUtf8()
{
    QFETCH(QByteArray, bytes);
    for (const QByteArray& text : {"{\"a\":\"" + bytes + "\"}", "{\"ok\":" + bytes, "{\"a\":\"" + bytes}) {
        const auto fault = checkJson(text);
        QVERIFY(fault);
        QCOMPARE(int(fault->problem), int(JsonProblem::InvalidUtf8));
        QCOMPARE(fault->offset, 6);
        QCOMPARE(fault->text(), u"Invalid UTF-8 at byte 6."_s);
    }
}

void JsonGateTest::saysWhatIsWrong()
{
    QCOMPARE(checkJson("{\"a\":1.}")->text(),
             u"JSON error at byte 7: a digit was expected after the point."_s);
    QCOMPARE(checkJson("")->text(), u"JSON error at byte 0: the text is empty."_s);
    QCOMPARE(checkJson(QByteArray(120'000, '['))->text(), u"JSON is nested deeper than 64 levels."_s);
    QCOMPARE(checkJson("{\"type\":\"a\",\"type\":\"b\"}")->text(), u"Key 'type' appears twice."_s);
    QCOMPARE(checkJson("\"\\u0000\"")->text(), u"NUL characters are not allowed."_s);
    QCOMPARE(checkJson("\"\\ud800\"")->text(), u"Unpaired surrogate."_s);
    const QByteArray longKey(100'000, 'k');
    const auto fault = checkJson("{\"" + longKey + "\":1,\"" + longKey + "\":2}");
    QVERIFY(fault->text().size() < 100);
    QVERIFY(fault->field.size() <= 64);
}

void JsonGateTest::keepsTheDepth()
{
    QVERIFY(!checkJson(QByteArray(64, '[') + QByteArray(64, ']')));
    QCOMPARE(int(checkJson(QByteArray(65, '[') + QByteArray(65, ']'))->problem), int(JsonProblem::TooDeep));
    QByteArray objects;
    for (int i = 0; i < 64; ++i)
        objects += "{\"a\":";
    QVERIFY(!checkJson(objects + "1" + QByteArray(64, '}')));
    QCOMPARE(checkJson(objects + "[]" + QByteArray(64, '}'))->offset, objects.size());
    QVERIFY(checkJson("[[1]]", {.depth = 1}));
}

void JsonGateTest::countsKeys()
{
    const auto object = [](int keys) {
        QByteArray text = "{\"x\":{";
        for (int i = 1; i < keys; ++i)
            text += (i > 1 ? ",\"k" : "\"k") + QByteArray::number(i) + "\":1";
        return text + "}}";
    };
    QVERIFY(!checkJson(object(10'000)));
    const auto fault = checkJson(object(10'001));
    QCOMPARE(int(fault->problem), int(JsonProblem::TooManyKeys));
    QCOMPARE(fault->text(), u"JSON has more than 10000 keys."_s);
}

void JsonGateTest::findsLateDuplicates()
{
    for (int keys : {1, 15, 16, 17, 18, 9'000}) {
        QByteArray text = "{";
        for (int i = 0; i < keys; ++i)
            text += "\"k" + QByteArray::number(i) + "\":1,";
        QVERIFY(!checkJson(text + "\"last\":1}"));
        for (int twin : {0, keys / 2, keys - 1}) {
            const auto fault = checkJson(text + "\"k" + QByteArray::number(twin) + "\":1}");
            QVERIFY(fault);
            QCOMPARE(int(fault->problem), int(JsonProblem::DuplicateKey));
            QCOMPARE(fault->field, "k" + QString::number(twin));
        }
    }
}

void JsonGateTest::staysFast_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("120,000 brackets") << QByteArray(120'000, '[');
    QTest::newRow("1 MB of brackets") << QByteArray(1'000'000, '[');
    QTest::newRow("1 MB string") << "\"" + QByteArray(1'000'000, 'x') + "\"";
    QTest::newRow("1 MB of escapes") << "\"" + QByteArray("\\ud83d\\ude00").repeated(83'333) + "\"";
    QTest::newRow("1 MB of é") << "\"" + QByteArray("\xc3\xa9").repeated(500'000) + "\"";
    QTest::newRow("1 M elements") << "[" + QByteArray("1,").repeated(1'000'000) + "1]";
    QByteArray keys = "{";
    for (int i = 0; i < 100'000; ++i)
        keys += "\"key" + QByteArray::number(i) + "\":1,";
    QTest::newRow("100,000 keys") << keys + "\"z\":1}";
}

void JsonGateTest::staysFast()
{
    QFETCH(QByteArray, text);
    qint64 best =
        std::numeric_limits<qint64>::max(); // of several runs: this is about the gate, not about neighbours
    for (int run = 0; run < 5; ++run) {
        const qint64 start = cpuNs();
        const auto fault = checkJson(text);
        best = std::min(best, cpuNs() - start);
        Q_UNUSED(fault);
    }
    QVERIFY2(best < kBudgetNs, qPrintable(QString::number(best)));
}

void JsonGateTest::refusesEveryPrefix()
{
    const QByteArray text =
        "{\"type\":\"a\\u00e9\xc3\xa9\",\"payload\":[1.5e+3,true,null,{\"\\ud83d\\ude00\":-0.1}]}";
    QVERIFY(!checkJson(text));
    for (qsizetype size = 0; size < text.size(); ++size) {
        const QByteArray prefix = text.left(size); // a copy of its own, so that a sanitizer sees its end
        const auto fault = checkJson(QByteArray(prefix.constData(), prefix.size()));
        QVERIFY(fault);
        QVERIFY(fault->offset <= size);
    }
}

QTEST_APPLESS_MAIN(JsonGateTest)
#include "json_gate_test.moc"
