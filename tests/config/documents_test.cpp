#include "core/config/dev_vars.h"
#include "core/config/jsonc_reader.h"
#include "core/config/listen_address.h"
#include "core/config/quoted.h"
#include "core/config/source_text.h"
#include "core/config/toml_reader.h"

#include <QTest>

using namespace redrive;

namespace {

struct Read
{
    std::optional<ConfigValue> root;
    Diagnostics problems;
};

Read toml(const QByteArray& text)
{
    Read read;
    read.root = readToml(text, u"f.toml"_s, read.problems);
    return read;
}

Read jsonc(const QByteArray& text)
{
    Read read;
    read.root = readJsonc(text, u"f.jsonc"_s, read.problems);
    return read;
}

// "path key-line:key-column value-line:value-column", a line for each value.
void list(const ConfigValue& value, QStringList& out)
{
    for (const ConfigValue& item : value.items) {
        out.append(u"%1 %2:%3 %4:%5"_s.arg(item.keyPath)
                       .arg(item.keyLine)
                       .arg(item.keyColumn)
                       .arg(item.line)
                       .arg(item.column));
        list(item, out);
    }
}

QStringList places(const ConfigValue& root)
{
    QStringList out;
    list(root, out);
    return out;
}

QString only(const Diagnostics& problems)
{
    return problems.list().size() == 1 ? problems.list().first().text()
                                       : u"%1 diagnostics"_s.arg(problems.list().size());
}

} // namespace

class DocumentsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void tomlKeepsPlaces()
    {
        const Read read = toml("name = \"x\"\n"
                               "  \"äöü\" = [1, 2.5,\n"
                               "         true]\n"
                               "[[queues.consumers]]\n"
                               "queue = 'jobs'\n"
                               "max = { a = 1 }\n"
                               "[[queues.consumers]]\n"
                               "\"my/ Queue\" = 2026-11-01\n");
        QVERIFY2(read.root, qPrintable(only(read.problems)));
        const QStringList expected{
            u"name 1:1 1:8"_s,
            u"äöü 2:3 2:11"_s,
            u"äöü[0] 2:12 2:12"_s,
            u"äöü[1] 2:15 2:15"_s,
            u"äöü[2] 3:10 3:10"_s,
            u"queues 4:3 4:1"_s,
            u"queues.consumers 4:10 4:1"_s,
            u"queues.consumers[0] 4:1 4:1"_s,
            u"queues.consumers[0].queue 5:1 5:9"_s,
            u"queues.consumers[0].max 6:1 6:7"_s,
            u"queues.consumers[0].max.a 6:9 6:13"_s,
            u"queues.consumers[1] 7:1 7:1"_s,
            u"queues.consumers[1].\"my/ Queue\" 8:1 8:15"_s,
        };
        QCOMPARE(places(*read.root), expected);
    }

    void jsoncKeepsPlaces()
    {
        const Read read = jsonc("{\n"
                                "  // \"not a key\": 1\n"
                                "  \"name\": \"x\", /* \"nor\" this */ \"äöü\" : [1, 2.5,\n"
                                "     true, ], // trailing\n"
                                "  \"queues\": {\"consumers\": [\n"
                                "    { \"queue\": \"jo\\\"bs\",\n"
                                "      \"a\": null }\n"
                                "  ]},\n"
                                "}\n");
        QVERIFY2(read.root, qPrintable(only(read.problems)));
        const QStringList expected{
            u"name 3:3 3:11"_s,
            u"äöü 3:33 3:41"_s,
            u"äöü[0] 3:42 3:42"_s,
            u"äöü[1] 3:45 3:45"_s,
            u"äöü[2] 4:6 4:6"_s,
            u"queues 5:3 5:13"_s,
            u"queues.consumers 5:14 5:27"_s,
            u"queues.consumers[0] 6:5 6:5"_s,
            u"queues.consumers[0].queue 6:7 6:16"_s,
            u"queues.consumers[0].a 7:7 7:12"_s,
        };
        QCOMPARE(places(*read.root), expected);
        QCOMPARE(read.root->find(u"queues"_s)->find(u"consumers"_s)->items[0].find(u"queue"_s)->string,
                 u"jo\"bs"_s);
    }

    void valuesKeepTheirKind()
    {
        const Read read =
            jsonc(R"({"i": -3, "big": 9223372036854775807, "huge": 18446744073709551615, "f": 0.5, "e": 1e3,
                                    "b": false, "s": "\u00e4", "n": null})");
        QVERIFY(read.root);
        const auto& root = *read.root;
        QCOMPARE(root.find(u"i"_s)->integer, -3);
        QCOMPARE(root.find(u"big"_s)->integer, std::numeric_limits<qint64>::max());
        QVERIFY(root.find(u"huge"_s)->kind == ConfigValue::Kind::Float);
        QCOMPARE(root.find(u"f"_s)->number, 0.5);
        QCOMPARE(root.find(u"e"_s)->number, 1000.0);
        QVERIFY(root.find(u"b"_s)->kind == ConfigValue::Kind::Bool);
        QCOMPARE(root.find(u"s"_s)->string, u"ä"_s);
        QVERIFY(root.find(u"n"_s)->kind == ConfigValue::Kind::Null);
        QCOMPARE(root.find(u"missing"_s), nullptr);
    }

    void tomlTextKeepsEveryLetter()
    {
        const Read read = toml("a = \"\"\"x\\\n  \xef\xb3\xbf\"\"\"\nb = '\xef\xac\xa6' # \xef\xb3\xbf\n");
        QVERIFY2(read.root, qPrintable(only(read.problems)));
        QCOMPARE(read.root->find(u"a"_s)->string, u"x\ufcff"_s);
        QCOMPARE(read.root->find(u"b"_s)->string, u"\ufb26"_s);
    }

    void syntaxErrorsHaveTheirPlace_data()
    {
        QTest::addColumn<bool>("isToml");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("begins");
        QTest::newRow("toml value") << true << QByteArray("a = 1\nb = \n")
                                    << u"f.toml:2:5: error: not valid TOML: "_s;
        QTest::newRow("toml key twice") << true << QByteArray("a = 1\na = 2\n") << u"f.toml:2:"_s;
        QTest::newRow("toml table twice") << true << QByteArray("[a]\nb = 1\n[a]\n") << u"f.toml:3:"_s;
        QTest::newRow("toml empty key")
            << true << QByteArray("a = 1\n\n[.a]\nb = 2\n") << u"f.toml:3:1: error: not valid TOML: "_s;
        QTest::newRow("toml no key") << true << QByteArray("[[=]]") << u"f.toml:1:"_s;
        QTest::newRow("toml null") << true << QByteArray("[queues]\nconsumers = null\n")
                                   << u"f.toml:2:14: error: "_s;
        QTest::newRow("json key twice") << false << QByteArray("{\"ä\": 1,\n \"b\": 1, \"b\": 2}")
                                        << u"f.jsonc:2:10: error: not valid JSON: Duplicate key"_s;
        QTest::newRow("json colon") << false << QByteArray("{\n  \"ä\", \"b\" 1}")
                                    << u"f.jsonc:2:6: error: not valid JSON: "_s;
        QTest::newRow("json rest") << false << QByteArray("{}\n{}")
                                   << u"f.jsonc:2:1: error: not valid JSON: "_s;
        QTest::newRow("json array") << false << QByteArray("\n [1]")
                                    << u"f.jsonc:2:2: error: the file must hold one object"_s;
        QTest::newRow("json only text")
            << false << QByteArray("\"a\"") << u"f.jsonc:1:1: error: the file must hold one object"_s;
        QTest::newRow("json line break in text") << false << QByteArray("{\"a\": \"b\n\"}")
                                                 << u"f.jsonc:1:9: error: not valid JSON: a text in quotes"_s;
        QTest::newRow("json open comment") << false << QByteArray("{\"a\": 1 /* }") << u"f.jsonc:1:"_s;
        QTest::newRow("json two commas") << false << QByteArray("{\"a\": 1,,}") << u"f.jsonc:1:"_s;
    }

    void syntaxErrorsHaveTheirPlace()
    {
        QFETCH(bool, isToml);
        QFETCH(QByteArray, text);
        QFETCH(QString, begins);
        const Read read = isToml ? toml(text) : jsonc(text);
        QVERIFY(!read.root);
        QVERIFY2(only(read.problems).startsWith(begins), qPrintable(only(read.problems)));
    }

    void sourceTextIsChecked_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("good") << QByteArray("a\r\n\tä€😀") << QString();
        QTest::newRow("empty") << QByteArray() << u"f: error: is empty"_s;
        QTest::newRow("blank") << QByteArray("\xEF\xBB\xBF \r\n ") << u"f: error: is empty"_s;
        QTest::newRow("latin1") << QByteArray("x\nä\xE4") << u"f:2:2: error: byte 0xe4 is not valid UTF-8"_s;
        QTest::newRow("overlong") << QByteArray("\xC0\xAF") << u"f:1:1: error: byte 0xc0"_s;
        QTest::newRow("overlong3") << QByteArray("\xE0\x80\xAF") << u"f:1:1: error: byte 0xe0"_s;
        QTest::newRow("surrogate") << QByteArray("a\xED\xA0\x80") << u"f:1:2: error: byte 0xed"_s;
        QTest::newRow("too high") << QByteArray("\xF4\x90\x80\x80") << u"f:1:1: error: byte 0xf4"_s;
        QTest::newRow("cut") << QByteArray("ab\xE2\x82") << u"f:1:3: error: byte 0xe2"_s;
        QTest::newRow("NUL") << QByteArray("ab\0c", 4) << u"f:1:3: error: control character 0x00"_s;
        QTest::newRow("binary") << QByteArray("\x7F\x45LF") << u"f:1:1: error: control character 0x7f"_s;
        QTest::newRow("largest") << QByteArray(1 << 20, 'a') << QString();
        QTest::newRow("too large") << QByteArray((1 << 20) + 1, 'a') << u"f: error: is larger than 1 MiB"_s;
    }

    void sourceTextIsChecked()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, error);
        Diagnostics problems;
        const auto checked = checkSourceText(text, u"f"_s, problems);
        QCOMPARE(checked.has_value(), error.isEmpty());
        QVERIFY2(error.isEmpty() || only(problems).startsWith(error), qPrintable(only(problems)));
    }

    void byteOrderMarkIsDropped()
    {
        Diagnostics problems;
        QCOMPARE(checkSourceText("\xEF\xBB\xBF{}", u"f"_s, problems), QByteArray("{}"));
    }

    void messagesStayOnOneLine()
    {
        const Diagnostic diagnostic{Severity::Warning, u"a\nb"_s, 1, 2, u"k\x1b[31m"_s, u"x\r\ny"_s};
        QCOMPARE(diagnostic.text(), u"a\\u000ab:1:2: warning: k\\u001b[31m: x\\u000d\\u000ay"_s);
    }

    void longTextIsCutBetweenCharacters()
    {
        const QString text = QString(59, u'a') + u"😀😀"_s;
        QCOMPARE(quoted(text), u'"' + QString(59, u'a') + u"…\""_s);
        QCOMPARE(quoted(QString(60, u'a')), u'"' + QString(60, u'a') + u'"');
    }

    void devVars()
    {
        Diagnostics problems;
        const auto values = parseDevVars("# comment\n"
                                         "\n"
                                         "A=\"x y\"\n"
                                         "export B='a\\n#b'\r\n"
                                         "C = plain # comment\n"
                                         "D=\"one\\ntwo\\\"q\\\\\" # c\n"
                                         "E=\n"
                                         "F=a#b=c\n"
                                         "G=\"line\nbreak\"\n"
                                         "A=later\n"
                                         "not a line with s3cret\n"
                                         "H=\"tail\" s3cret\n"
                                         "I=\"never s3cret closed\n",
                                         u".dev.vars"_s, problems);
        const QHash<QString, QByteArray> expected{
            {u"A"_s, "later"}, {u"B"_s, "a\\n#b"}, {u"C"_s, "plain"},       {u"D"_s, "one\ntwo\"q\\"},
            {u"E"_s, ""},      {u"F"_s, "a#b=c"},  {u"G"_s, "line\nbreak"}, {u"H"_s, "tail"}};
        QCOMPARE(values, expected);
        QStringList lines;
        for (const Diagnostic& problem : problems.list())
            lines.append(problem.text());
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith(u".dev.vars:12:1: warning: "_s));
        QVERIFY(lines[1].startsWith(u".dev.vars:13:10: warning: "_s));
        QVERIFY(lines[2].startsWith(u".dev.vars:14:3: warning: "_s));
        QVERIFY(!lines.join(u' ').contains(u"s3cret"_s));
    }

    void listenAddresses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("result");
        QTest::newRow("usual") << u"127.0.0.1:8787"_s << u"127.0.0.1 8787"_s;
        QTest::newRow("free port") << u"127.0.0.1:0"_s << u"127.0.0.1 0"_s;
        QTest::newRow("name") << u"LocalHost:80"_s << u"127.0.0.1 80"_s;
        QTest::newRow("v6") << u"[::1]:8787"_s << u"::1 8787"_s;
        QTest::newRow("other loopback") << u"127.9.9.9:1"_s << u"127.9.9.9 1"_s;
        QTest::newRow("all") << u"0.0.0.0:8787"_s << u"0.0.0.0 8787"_s;
        QTest::newRow("all v6") << u"[::]:8787"_s << u":: 8787"_s;
        QTest::newRow("no host") << u":8787"_s << u"names no address"_s;
        QTest::newRow("star") << u"*:8787"_s << u"names no address"_s;
        QTest::newRow("lan") << u"192.168.0.2:8787"_s << u"192.168.0.2 8787"_s;
        QTest::newRow("no port") << u"127.0.0.1"_s << u"does not end in :PORT"_s;
        QTest::newRow("high port") << u"127.0.0.1:65536"_s << u"does not end in :PORT"_s;
        QTest::newRow("bare v6") << u"::1:8787"_s << u"is no address and port"_s;
        QTest::newRow("name elsewhere") << u"example.com:80"_s << u"is no address and port"_s;
        QTest::newRow("brackets") << u"[127.0.0.1]:80"_s << u"is no address and port"_s;
    }

    void listenAddresses()
    {
        QFETCH(QString, text);
        QFETCH(QString, result);
        const auto address = parseListenAddress(text);
        if (address)
            QCOMPARE(u"%1 %2"_s.arg(address->host.toString()).arg(address->port), result);
        else
            QVERIFY2(address.error().message.contains(result), qPrintable(address.error().message));
    }
};

QTEST_APPLESS_MAIN(DocumentsTest)
#include "documents_test.moc"
