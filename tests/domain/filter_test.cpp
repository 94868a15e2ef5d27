#include "core/domain/filter_edit.h"

#include <QTest>

#include <random>

using namespace redrive;

namespace {

QString show(const FilterTerm& term)
{
    static const char* const names[] = {"",     "status",  "type",   "queue",   "endpoint", "error",
                                        "id",   "attempt", "age",    "next",    "redrive",  "by",
                                        "kind", "tenant",  "source", "payload", "since",    "until"};
    static const char* const relations[] = {"=", "<", "<=", ">", ">="};
    QString text = QString::fromLatin1(names[int(term.field)]);
    if (term.field == FilterField::Payload)
        text += u'.' + term.path;
    text += u'[';
    if (term.field == FilterField::Payload && term.relation != FilterRelation::Is)
        text += QString::fromLatin1(relations[int(term.relation)]);
    const bool isNumber = term.field >= FilterField::Attempt && term.field <= FilterField::Redrive;
    if (isNumber || term.field == FilterField::Since || term.field == FilterField::Until)
        return text + QString::fromLatin1(relations[int(term.relation)]) + QString::number(term.number) +
               u']';
    return text + (term.anyStart ? u"*"_s : QString()) + term.text + (term.anyEnd ? u"*"_s : QString()) +
           u']';
}

QString show(const FilterNode& node)
{
    switch (node.kind) {
    case FilterNode::All:
        return "all";
    case FilterNode::Term:
        return show(node.term);
    case FilterNode::Not:
        return "!" + show(node.parts.front());
    case FilterNode::And:
    case FilterNode::Or:
        break;
    }
    QStringList parts;
    for (const FilterNode& part : node.parts)
        parts.append(show(part));
    return u'(' + parts.join(node.kind == FilterNode::And ? " & " : " | ") + u')';
}

} // namespace

class FilterTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void parses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tree");
        const auto row = [](const char* text, const char* tree) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(tree);
        };
        row("", "all");
        row("  \t ", "all");
        row("boom", "[boom]");
        row("status:dead", "status[dead]");
        row("Status:dead", "status[dead]");
        row("status:dead endpoint:acme", "(status[dead] & endpoint[acme])");
        row("status:dead AND type:mail", "(status[dead] & type[mail])");
        row("a OR b c", "([a] | ([b] & [c]))");
        row("(a OR b) c", "(([a] | [b]) & [c])");
        row("NOT a", "![a]");
        row("-status:done x", "(!status[done] & [x])");
        row("- a", "([-] & [a])");
        row("--", "[--]");
        row("a -- b", "([a] & [--] & [b])");
        row("-(a OR b)", "!([a] | [b])");
        row("NOT NOT a", "!![a]");
        row("and or not", "([and] & [or] & [not])");
        row("type:mail*", "type[mail*]");
        row("type:*mail", "type[*mail]");
        row("type:*a*b*", "type[*a*b*]");
        row("type:\"mail*\"", "type[mail*]");
        row("id:*", "id[*]");
        row("a*b*", "[a*b*]");
        row("queue:\"my/ Queue\"", "queue[my/ Queue]");
        row("\"two words\"", "[two words]");
        row("\"a \\\" b \\\\ c \\n\"", "[a \" b \\ c \\n]");
        row("error:\"\"", "error[]");
        row("\"AND\"", "[AND]");
        row("f(x) y", "([f(x)] & [y])");
        row("(f(x))", "[f(x)]");
        row("a) b", "([a)] & [b])");
        row("https://a.example/x?y=1", "[https://a.example/x?y=1]");
        row("12:30", "[12:30]");
        row("id:a:b", "id[a:b]");
        row("attempt:3", "attempt[=3]");
        row("attempt:>3", "attempt[>3]");
        row("attempt:<=0", "attempt[<=0]");
        row("age:>1h", "age[>3600000]");
        row("age:90s", "age[>90000]");
        row("age:>=1.5m", "age[>=90000]");
        row("next:<5m", "next[<300000]");
        row("next:7d", "next[<604800000]");
        row("tenant:acme*", "tenant[acme*]");
        row("Source:audit", "source[audit]");
        row("payload.user.id:42", "payload.user.id[42]");
        row("Payload.User.ID:*x", "payload.User.ID[*x]");
        row("payload.items.0.note:\"a*\"", "payload.items.0.note[a*]");
        row("payload.n:>10", "payload.n[>10]");
        row("payload.n:<=-0.5e3", "payload.n[<=-0.5e3]");
        row("payload.n:\">10\"", "payload.n[>10]");
        row("payload.n:=10", "payload.n[=10]");
        row("since:2030-03-17T17:46:40Z", "since[=1900000000000]");
        row("until:2030-03-17T17:46", "until[=1899999960000]");
        row("until:2030-03-17T18:46:40.5+01:00", "until[=1900000000500]");
        row("since:2030-03-17", "since[=1899936000000]");
        row("ü:x", "[ü:x]");
        row("'; DROP TABLE jobs;--", "([';] & [DROP] & [TABLE] & [jobs;--])");
    }

    void parses()
    {
        QFETCH(QString, text);
        QFETCH(QString, tree);
        const auto filter = parseFilter(text);
        QVERIFY2(filter, qPrintable(filter ? QString() : filter.error().message));
        QCOMPARE(show(filter->root), tree);
        QVERIFY(!filter->shortened);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("position");
        QTest::addColumn<int>("length");
        const QString unknown =
            "'%1:' is not a field (use status, type, queue, endpoint, error, id, attempt, age, "
            "next, redrive, by, kind, since, until, tenant, source or payload.…; put text with a colon in "
            "quotes).";
        QTest::newRow("time") << "since:yesterday"
                              << "'yesterday' is not a time (use 2031-05-02T14:05Z)." << 6 << 9;
        QTest::newRow("no place") << "a payload:42"
                                  << "'payload' needs a place (use payload.user.id:42)." << 2 << 8;
        QTest::newRow("empty key") << "payload.user..id:42"
                                   << "'payload' needs a place (use payload.user.id:42)." << 0 << 17;
        for (const char* text : {"x", "", "1x", "inf", "nan", "1*", "<1"})
            QTest::addRow("compared %s", text)
                << QString("payload.n:>%1").arg(text)
                << QString("'%1' is not a number (use >10 or <=0.5; put text in quotes).").arg(text) << 10
                << int(1 + qstrlen(text));
        QTest::newRow("duration") << "age:>3x"
                                  << "'3x' is not a duration (use 90s, 5m, 2h, 7d)." << 4 << 3;
        QTest::newRow("no unit") << "a age:5"
                                 << "'5' is not a duration (use 90s, 5m, 2h, 7d)." << 6 << 1;
        QTest::newRow("infinite") << "age:infd"
                                  << "'infd' is not a duration (use 90s, 5m, 2h, 7d)." << 4 << 4;
        QTest::newRow("field") << "status:dead colour:red" << unknown.arg("colour") << 12 << 7;
        QTest::newRow("scope operator") << "std::bad_alloc" << unknown.arg("std") << 0 << 4;
        QTest::newRow("count") << "attempt:many"
                               << "'many' is not a number (use 3, >3 or <=3)." << 8 << 4;
        QTest::newRow("negative count") << "attempt:-1"
                                        << "'-1' is not a number (use 3, >3 or <=3)." << 8 << 2;
        QTest::newRow("no value") << "a status: b"
                                  << "'status:' needs a value." << 2 << 7;
        QTest::newRow("quote") << "error:\"abc"
                               << "The quotation mark is not closed." << 6 << 4;
        QTest::newRow("open group") << "a (b"
                                    << "'(' is not closed." << 2 << 1;
        QTest::newRow("closed group") << "a ) b"
                                      << "')' has no '(' before it." << 2 << 1;
        QTest::newRow("empty group") << "()"
                                     << "A term is missing here." << 1 << 1;
        QTest::newRow("OR at the start") << "OR a"
                                         << "A term is missing here." << 0 << 2;
        QTest::newRow("OR at the end") << "a OR"
                                       << "A term is missing here." << 4 << 0;
        QTest::newRow("AND at the end") << "a AND"
                                        << "A term is missing here." << 5 << 0;
        QTest::newRow("NOT at the end") << "a NOT"
                                        << "A term is missing here." << 5 << 0;
        QTest::newRow("deep") << QString(200, '(') << "The filter is nested too deeply." << 100 << 1;
    }

    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        QFETCH(int, position);
        QFETCH(int, length);
        const auto filter = parseFilter(text);
        QVERIFY(!filter);
        QCOMPARE(filter.error().message, message);
        QCOMPARE(int(filter.error().position), position);
        QCOMPARE(int(filter.error().length), length);
        QVERIFY(filterError(filter.error()).message.endsWith(message));
    }

    void cutsLongTexts_data()
    {
        QTest::addColumn<QString>("unit");
        QTest::newRow("one word") << "x";
        QTest::newRow("words") << "a ";
        QTest::newRow("quotes") << "\"a b\" ";
        QTest::newRow("groups") << "(a OR b) ";
        QTest::newRow("negations") << "NOT a ";
        QTest::newRow("ands") << "a AND ";
        QTest::newRow("surrogates") << "x😀";
    }

    void cutsLongTexts()
    {
        QFETCH(QString, unit);
        const auto filter = parseFilter(unit.repeated(1'000'000 / unit.size()));
        QVERIFY2(filter, qPrintable(filter ? QString() : filter.error().message));
        QVERIFY(filter->shortened);
        QCOMPARE(filterNotice(), QString("The filter was shortened to 4096 characters."));
        QVERIFY(!parseFilter(QString(4'096, 'x'))->shortened);
    }

    void neverFallsOver()
    {
        std::mt19937 random(20'260'101);
        const QStringList pieces{"(",
                                 ")",
                                 "\"",
                                 "\\",
                                 "-",
                                 " ",
                                 "AND",
                                 "OR",
                                 "NOT",
                                 "age:",
                                 ">",
                                 "3h",
                                 "*",
                                 "x",
                                 ":",
                                 "status:",
                                 "😀",
                                 QString(QChar(0xd800)),
                                 QString(QChar(0)),
                                 "'"};
        for (int i = 0; i < 20'000; ++i) {
            QString text;
            for (int n = int(random() % 12); n > 0; --n)
                text += pieces[qsizetype(random() % unsigned(pieces.size()))];
            const auto filter = parseFilter(text);
            if (!filter) {
                QVERIFY(!filter.error().message.isEmpty());
                QVERIFY(filter.error().position >= 0 && filter.error().position <= text.size());
                QVERIFY(filter.error().position + filter.error().length <= text.size());
            }
        }
    }

    void isEdited_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("without"); // since: and until:
        QTest::addColumn<QString>("with");    // tenant:x
        const auto row = [](const char* filter, const char* without, const char* with) {
            QTest::newRow(filter) << QString(filter) << QString(without) << QString(with);
        };
        row("", "", "tenant:x");
        row("a", "a", "a tenant:x");
        row("since:2030-01-01 a  until:2030-01-02", "a", "since:2030-01-01 a  until:2030-01-02 tenant:x");
        row("a OR b", "a OR b", "(a OR b) tenant:x");
        row("(a OR b) c", "(a OR b) c", "((a OR b) c) tenant:x");
        row("\"a OR since:b\"", "\"a OR since:b\"", "\"a OR since:b\" tenant:x");
        row("a OR since:2030-01-01", "a OR since:2030-01-01", "(a OR since:2030-01-01) tenant:x");
        row("a (", "a (", "a ( tenant:x");
    }

    void isEdited()
    {
        QFETCH(QString, filter);
        QTEST(withoutFields(filter, {"since", "until"}), "without");
        QTEST(withTerm(filter, "tenant:x"), "with");
    }

    void termsAreWritten()
    {
        QCOMPARE(filterTermText("tenant", "acme-2"), QString("tenant:acme-2"));
        for (const QString& value : {u"two words"_s, u"star*"_s, u"a\"b\\c"_s, u"(x)"_s, u"ü"_s, u""_s}) {
            const auto parsed = parseFilter("x " + filterTermText("tenant", value));
            QVERIFY2(parsed, qPrintable(value));
            const auto term = requiredTerm(parsed->root, FilterField::Tenant);
            QVERIFY(term && !term->anyStart && !term->anyEnd);
            QCOMPARE(term->text, value);
        }
        for (const qint64 ms : {1'900'000'020'000, 1'900'000'020'123}) {
            const auto parsed = parseFilter(filterTimeText("since", ms));
            QVERIFY(parsed);
            QCOMPARE(requiredTerm(parsed->root, FilterField::Since)->number, ms);
        }
        QVERIFY(!requiredTerm(parseFilter("tenant:a OR b")->root, FilterField::Tenant));
        QVERIFY(!requiredTerm(parseFilter("-tenant:a")->root, FilterField::Tenant));
    }

    void findsTheRequiredStatus()
    {
        QCOMPARE(requiredStatus(parseFilter("a status:Dead")->root), QString("dead"));
        QCOMPARE(requiredStatus(parseFilter("status:done")->root), QString("done"));
        QVERIFY(requiredStatus(parseFilter("status:dead OR a")->root).isEmpty());
        QVERIFY(requiredStatus(parseFilter("-status:dead")->root).isEmpty());
        QVERIFY(requiredStatus(parseFilter("")->root).isEmpty());
    }
};

QTEST_APPLESS_MAIN(FilterTest)
#include "filter_test.moc"
