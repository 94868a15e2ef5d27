#include "core/db/sql_splitter.h"

#include "core/db/sql_scanner.h"

#include <QTest>

using namespace redrive;

class SqlSplitterTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void splits_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QStringList>("statements");
        const auto row = [](const char* name, const char* script, const QStringList& statements) {
            QTest::newRow(name) << QString::fromUtf8(script) << statements;
        };
        row("nothing", "", {});
        row("space", " \r\n\t", {});
        row("only semicolons", ";;; ;", {});
        row("only comments", "-- a;b\n/* c; */", {});
        row("two", "SELECT 1; SELECT 2;", {"SELECT 1", "SELECT 2"});
        row("last without semicolon", "SELECT 1;\nSELECT 2", {"SELECT 1", "SELECT 2"});
        row("empty ones between", "SELECT 1;;;\n;SELECT 2;", {"SELECT 1", "SELECT 2"});
        row("string", "INSERT INTO t VALUES ('a;b''c;d');x", {"INSERT INTO t VALUES ('a;b''c;d')", "x"});
        row("quoted names", "SELECT \"a;\"\"b\", `c;``d`, [e;f];x",
            {"SELECT \"a;\"\"b\", `c;``d`, [e;f]", "x"});
        row("quote in a comment", "-- it's\nSELECT 1; /* don't; */ SELECT 2", {"SELECT 1", "SELECT 2"});
        row("comment in a string", "SELECT '--;', '/*;';x", {"SELECT '--;', '/*;'", "x"});
        row("comment inside a statement", "SELECT 1 -- one;\n + 2; x", {"SELECT 1 -- one;\n + 2", "x"});
        row("comments around are dropped", "/* a */ SELECT 1 /* b */; -- c", {"SELECT 1"});
        row("comment after the last", "SELECT 1; -- the end", {"SELECT 1"});
        row("open comment", "SELECT 1; /* never; closed", {"SELECT 1"});
        row("open string", "SELECT 'a;b", {"SELECT 'a;b"});
        row("windows lines", "SELECT 1;\r\nSELECT 'a\r\nb';\r\n", {"SELECT 1", "SELECT 'a\r\nb'"});
        row("trigger", "CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END; SELECT 3",
            {"CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END", "SELECT 3"});
        row("trigger, lower case", "create trigger a after insert on t begin select 1; end; select 3",
            {"create trigger a after insert on t begin select 1; end", "select 3"});
        row("trigger with case",
            "CREATE TRIGGER a UPDATE ON t BEGIN UPDATE t SET x = CASE WHEN y THEN 1 ELSE CASE z WHEN 1 THEN "
            "2 END "
            "END; SELECT CASE 1 WHEN 1 THEN 2 END; END; SELECT 3",
            {"CREATE TRIGGER a UPDATE ON t BEGIN UPDATE t SET x = CASE WHEN y THEN 1 ELSE CASE z WHEN 1 THEN "
             "2 END "
             "END; SELECT CASE 1 WHEN 1 THEN 2 END; END",
             "SELECT 3"});
        row("temporary trigger", "CREATE TEMP TRIGGER IF NOT EXISTS a DELETE ON t BEGIN SELECT 1; END;x",
            {"CREATE TEMP TRIGGER IF NOT EXISTS a DELETE ON t BEGIN SELECT 1; END", "x"});
        row("trigger in CRLF", "CREATE TRIGGER a INSERT ON t\r\nBEGIN\r\n SELECT 1;\r\nEND;\r\nSELECT 3;\r\n",
            {"CREATE TRIGGER a INSERT ON t\r\nBEGIN\r\n SELECT 1;\r\nEND", "SELECT 3"});
        row("trigger with comments", "CREATE /* x; */ TRIGGER a INSERT ON t BEGIN SELECT 1; -- END;\n END; y",
            {"CREATE /* x; */ TRIGGER a INSERT ON t BEGIN SELECT 1; -- END;\n END", "y"});
        row("trigger last, no semicolon", "CREATE TRIGGER a INSERT ON t BEGIN SELECT 1; END",
            {"CREATE TRIGGER a INSERT ON t BEGIN SELECT 1; END"});
        row("a table named trigger", "CREATE TABLE \"trigger\" (a); SELECT 1",
            {"CREATE TABLE \"trigger\" (a)", "SELECT 1"});
        row("transaction", "BEGIN TRANSACTION; SELECT 1; COMMIT;",
            {"BEGIN TRANSACTION", "SELECT 1", "COMMIT"});
        row("other scripts", "SELECT 'ü;😀'; SELECT 2", {"SELECT 'ü;😀'", "SELECT 2"});
    }

    void splits()
    {
        QFETCH(QString, script);
        QFETCH(QStringList, statements);
        QStringList texts;
        for (const SqlStatement& statement : splitSql(script))
            texts.append(statement.text);
        QCOMPARE(texts, statements);
    }

    void knowsTheLines()
    {
        const auto statements = splitSql(u"-- head\n\nSELECT 1;\r\nSELECT '\n\n';\n/* x\n */ SELECT 3");
        QCOMPARE(statements.size(), 3);
        QCOMPARE(statements[0].line, 3);
        QCOMPARE(statements[1].line, 4);
        QCOMPARE(statements[2].line, 8);
    }

    void findsAddedColumns()
    {
        const auto plain = addedColumn("ALTER TABLE jobs ADD COLUMN queue TEXT");
        QVERIFY(plain);
        QCOMPARE(plain->table, QString("jobs"));
        QCOMPARE(plain->column, QString("queue"));
        const auto quoted = addedColumn("alter table \"a\"\"b\" add [c d] TEXT");
        QVERIFY(quoted);
        QCOMPARE(quoted->table, QString("a\"b"));
        QCOMPARE(quoted->column, QString("c d"));
        QVERIFY(!addedColumn("ALTER TABLE a RENAME TO b"));
        QVERIFY(!addedColumn("CREATE TABLE a (b)"));
        QVERIFY(!addedColumn(""));
    }

    void knowsTransactionWords_data()
    {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<int>("word");
        QTest::newRow("begin") << "BEGIN" << int(TransactionWord::Begin);
        QTest::newRow("begin immediate")
            << "begin /* x */ immediate transaction" << int(TransactionWord::Begin);
        QTest::newRow("commit") << "Commit Transaction" << int(TransactionWord::Commit);
        QTest::newRow("end") << "END" << int(TransactionWord::Commit);
        QTest::newRow("rollback") << "ROLLBACK" << int(TransactionWord::Rollback);
        QTest::newRow("rollback to") << "ROLLBACK TRANSACTION TO a" << int(TransactionWord::None);
        QTest::newRow("savepoint") << "SAVEPOINT a" << int(TransactionWord::None);
        QTest::newRow("a name") << "\"BEGIN\"" << int(TransactionWord::None);
    }

    void knowsTransactionWords()
    {
        QFETCH(QString, statement);
        QFETCH(int, word);
        QCOMPARE(int(transactionWord(statement)), word);
    }

    void quotesNames()
    {
        QCOMPARE(quotedSqlName("a\"b"), QString("\"a\"\"b\""));
        QCOMPARE(sqlName(u"`a``b`"), QString("a`b"));
        QCOMPARE(sqlName(u"a"), QString("a"));
    }
};

QTEST_APPLESS_MAIN(SqlSplitterTest)
#include "sql_splitter_test.moc"
