#include "core/base/json_slice.h"

#include "core/base/json_gate.h"
#include "core/base/json_text.h"
#include "core/base/result.h"

#include <QTest>

#include <limits>

using namespace redrive;

class JsonSliceTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsBytes_data();
    void keepsBytes();
    void findsMembers();
    void walksElements();
    void readsText();
    void readsNumbers_data();
    void readsNumbers();
    void survivesOtherText();
    void writesStrings();
};

void JsonSliceTest::keepsBytes_data()
{
    QTest::addColumn<QByteArray>("payload");
    int n = 0;
    for (const char* text :
         {"9007199254740993", "18446744073709551615", "1.0", "1e2", "1E+400", "-0",
          "\"\\u00e9\\/\\ud83d\\ude00\"", "\"😀 é\"", "{\"z\":1,\"a\":2,\"m\":{\"b\" : [ 1 , 2.50 ]}}", "[ ]",
          "{ \"k\\\"}\" : \"]}\\\\\" }", "null", "{\"x\":1,\"x\":2}"})
        QTest::addRow("%d", ++n) << QByteArray(text);
    QTest::newRow("400 digits") << QByteArray(400, '8');
}

void JsonSliceTest::keepsBytes()
{
    QFETCH(QByteArray, payload);
    for (const QByteArray& body : {"{\"type\":\"t\",\"payload\":" + payload + "}",
                                   " {\n \"payload\" :\t" + payload + " , \"type\" : \"t\"\n} ",
                                   "{\"pay\\u006coad\":" + payload + "}"}) {
        QVERIFY(!checkJson(body));
        QCOMPARE(JsonSlice(body).member("payload").bytes(), payload);
    }
}

void JsonSliceTest::findsMembers()
{
    const QByteArray text = "{\"a\":1,\"b\":{\"a\":2},\"c\\n\":[],\"a\":\"last\"}";
    const JsonSlice root(text);
    QCOMPARE(root.type(), JsonType::Object);
    QCOMPARE(root.member("a").bytes(), "\"last\"");
    QCOMPARE(root.member("b").member("a").bytes(), "2");
    QCOMPARE(root.member("c\n").type(), JsonType::Array);
    QVERIFY(!root.member("d").exists());
    QVERIFY(!root.member("b").member("x").member("y").exists());
    QList<QByteArray> keys;
    JsonMembers members(root);
    while (members.next())
        keys += members.key();
    QCOMPARE(keys, (QList<QByteArray>{"a", "b", "c\n", "a"}));
}

void JsonSliceTest::walksElements()
{
    const QByteArray text = "[ 1 ,\"a,]\", [2,[3]],{\"x\":[1]} ,null ]";
    JsonElements elements{JsonSlice(text)};
    QList<QByteArray> found;
    while (elements.next()) {
        QCOMPARE(elements.index(), found.size());
        found += elements.value().bytes();
    }
    QCOMPARE(found, (QList<QByteArray>{"1", "\"a,]\"", "[2,[3]]", "{\"x\":[1]}", "null"}));
    QCOMPARE(JsonSlice(text).element(3).bytes(), "{\"x\":[1]}");
    QVERIFY(!JsonSlice(text).element(5).exists());
    QVERIFY(!JsonElements(JsonSlice("[]")).next());
    QVERIFY(!JsonElements(JsonSlice("{}")).next());
}

void JsonSliceTest::readsText()
{
    QCOMPARE(JsonSlice("\"a\\u00e9\\ud83d\\ude00\\n\\\"\\\\\\/\"").toText(), u"aé😀\n\"\\/"_s);
    QCOMPARE(JsonSlice("\"é\"").toUtf8(), QByteArray("é"));
    QCOMPARE(JsonSlice("\"\"").toText(), u""_s);
    QCOMPARE(JsonSlice("\"\xef\xbb\xbfx\"").toText(), u"\ufeffx"_s);
    QCOMPARE(JsonSlice("\"\\ufeffx\"").toText(), u"\ufeffx"_s);
    QVERIFY(!JsonSlice("5").toText());
    QCOMPARE(JsonSlice("true").toBool(), true);
    QCOMPARE(JsonSlice("false").toBool(), false);
    QVERIFY(!JsonSlice("null").toBool());
}

void JsonSliceTest::readsNumbers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("whole");
    QTest::addColumn<qint64>("value");
    QTest::newRow("0") << QByteArray("0") << true << qint64(0);
    QTest::newRow("-0") << QByteArray("-0") << true << qint64(0);
    QTest::newRow("2^53+1") << QByteArray("9007199254740993") << true << 9007199254740993LL;
    QTest::newRow("largest") << QByteArray("9223372036854775807") << true
                             << std::numeric_limits<qint64>::max();
    QTest::newRow("beyond") << QByteArray("9223372036854775808") << false << qint64(0);
    QTest::newRow("5.0") << QByteArray("5.0") << true << qint64(5);
    QTest::newRow("6e1") << QByteArray("6e1") << true << qint64(60);
    QTest::newRow("5.5") << QByteArray("5.5") << false << qint64(0);
    QTest::newRow("1e999") << QByteArray("1e999") << false << qint64(0);
    QTest::newRow("text") << QByteArray("\"5\"") << false << qint64(0);
}

void JsonSliceTest::readsNumbers()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, whole);
    QFETCH(qint64, value);
    const auto number = JsonSlice(text).toInteger();
    QCOMPARE(number.has_value(), whole);
    if (whole)
        QCOMPARE(*number, value);
}

void JsonSliceTest::survivesOtherText()
{
    QVERIFY(!JsonSlice("1e999").toDouble());
    QVERIFY(!JsonSlice("1x").toDouble());
    QCOMPARE(JsonSlice("-2.5e-1").toDouble(), -0.25);
    const QByteArray text = "{\"a\\\\\":[1,{\"b\":\"x\\u12\\\"\"}],\"c\":\"\\ud800\"}";
    for (qsizetype size = 0; size <= text.size(); ++size) {
        const QByteArray part(text.constData(), size);
        JsonMembers members{JsonSlice(part)};
        while (members.next()) {
            members.value().toText();
            JsonElements elements(members.value());
            while (elements.next())
                elements.value().member("b").toText();
        }
    }
    for (const char* odd : {"{,,", "[,]", "{\"a\"}", "[:]", "\\", "\"\\"})
        QVERIFY(!JsonSlice(odd).member("a").exists());
}

void JsonSliceTest::writesStrings()
{
    QByteArray out;
    appendJsonString(out, QStringView(u"a\"b\\\n\u0001é😀\x7f"));
    QCOMPARE(out, QByteArray("\"a\\\"b\\\\\\u000a\\u0001é😀\\u007f\""));
    out.clear();
    const char16_t lone[] = {u'a', 0xD800, u'b'};
    appendJsonString(out, QStringView(lone, 3));
    QCOMPARE(out, QByteArray("\"a\uFFFDb\""));
    QVERIFY(!checkJson(out));
}

QTEST_APPLESS_MAIN(JsonSliceTest)
#include "json_slice_test.moc"
