#include "tests/intake/http_table.h"

#include "tests/intake/session_rig.h"

#include <QRegularExpression>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

HttpOptions optionsFor(const TableRow& row)
{
    HttpOptions options;
    options.processFileRoots = {u"/srv/files"_s};
    if (row.token)
        options.tokens = bookOf({"secret"});
    return options;
}

// The output with what differs between two runs left out.
QByteArray comparable(const QByteArray& output)
{
    static const QRegularExpression id(u"\"requestId\":\"[0-9a-f-]{36}\""_s);
    return QString::fromUtf8(output).replace(id, u"\"requestId\":\"\""_s).toUtf8();
}

} // namespace

class HttpTableTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answers_data() { addRows(); }
    void answers();
    void answersTheSameInPieces_data() { addRows(); }
    void answersTheSameInPieces();

private:
    void addRows()
    {
        QTest::addColumn<int>("index");
        m_rows = httpTable();
        for (int i = 0; i < m_rows.size(); ++i)
            QTest::addRow("%s #%d", m_rows[i].name, i) << i;
    }
    QList<TableRow> m_rows;
};

void HttpTableTest::answers()
{
    QFETCH(int, index);
    const TableRow& row = m_rows[index];
    SessionRig rig(optionsFor(row));
    rig.feed(row.request);
    const auto replies = rig.replies();
    QCOMPARE(replies.size(), 1);
    const HttpReply& reply = replies.first();
    QCOMPARE(reply.status, row.status);
    QCOMPARE(reply.closes(), row.close);
    QCOMPARE(rig.session.isFinished(), row.close);
    QCOMPARE(reply.headers.value("cache-control"), "no-store");
    QCOMPARE(rig.port.calls.load(), row.calls);
    const QByteArray header(row.header);
    if (!header.isEmpty())
        QCOMPARE(reply.headers.value(header.left(header.indexOf(':'))), header.mid(header.indexOf(':') + 2));
    if (*row.code == 0)
        return;
    QCOMPARE(reply.headers.value("content-type"), "application/json");
    const QJsonObject json = reply.json();
    QCOMPARE(json[u"code"_s].toString(), QString::fromUtf8(row.code));
    QVERIFY(looksLikeId(json[u"requestId"_s].toString()));
    QVERIFY(!json[u"error"_s].toString().isEmpty());
    if (*row.text)
        QCOMPARE(json[u"error"_s].toString(), QString::fromUtf8(row.text));
    QCOMPARE(json[u"field"_s].toString(), QString::fromUtf8(row.field));
    QCOMPARE(json[u"detail"_s].toString(), QString::fromUtf8(row.detail));
    QCOMPARE(json[u"offset"_s].toInt(-1), row.offset);
    QCOMPARE(json[u"index"_s].toInt(-1), row.index);
}

// Cut in two at every byte, and byte by byte. The largest are cut at every 97th.
void HttpTableTest::answersTheSameInPieces()
{
    QFETCH(int, index);
    const TableRow& row = m_rows[index];
    const QByteArray& request = row.request;
    SessionRig whole(optionsFor(row));
    whole.feed(request);
    const QByteArray expected = comparable(whole.output);

    const qsizetype step = request.size() > 3000 ? request.size() / 97 : 1;
    for (qsizetype cut = 1; cut < request.size(); cut += step) {
        SessionRig rig(optionsFor(row));
        rig.feed(QByteArray(request.constData(), cut));
        rig.feed(QByteArray(request.constData() + cut, request.size() - cut));
        QVERIFY2(comparable(rig.output) == expected, qPrintable(u"cut at %1: %2"_s.arg(cut).arg(rig.output)));
        QCOMPARE(rig.port.calls.load(), row.calls);
    }
    SessionRig rig(optionsFor(row));
    for (const char byte : request)
        rig.feed(QByteArray(1, byte));
    QCOMPARE(comparable(rig.output), expected);
    QCOMPARE(rig.port.calls.load(), row.calls);
}

QTEST_GUILESS_MAIN(HttpTableTest)
#include "http_table_test.moc"
