#include "core/net/near_misses.h"
#include "core/net/signature_check.h"
#include "core/net/signature_code.h"
#include "core/net/signer.h"

#include <QJsonDocument>
#include <QTest>

using namespace redrive;

namespace {

constexpr char kSecret[] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr char kOther[] = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
constexpr char kId[] = "msg_p5jXN8AQM9LWM0D4loKWxJek";
constexpr qint64 kSeconds = 1614265330;
constexpr char kBody[] = R"({"test": 2432232314})";
constexpr char kSignature[] = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

const QList<NamedSecret> kKnown{{u"ACME_SECRET"_s, kSecret, true}, {u"OTHER_SECRET"_s, kOther, true}};

QByteArray textFor(const QByteArray& id, const QByteArray& timestamp, const QByteArray& body)
{
    return signedPrefix(id, timestamp) + body;
}

QByteArray signedWith(const QByteArray& key, const QByteArray& text)
{
    return "v1," + signatureCode(key, {}, text).toBase64();
}

QByteArray keyOf(const QByteArray& secret)
{
    return parseSigningSecret(secret)->bytes;
}

HeaderFields fieldsWith(const QByteArray& signature, const QByteArray& id = kId,
                        const QByteArray& timestamp = QByteArray::number(kSeconds))
{
    return {{"Webhook-Id", id}, {"webhook-timestamp", timestamp}, {"webhook-signature", signature}};
}

SignatureFinding check(const HeaderFields& fields, const QByteArray& body = kBody,
                       const QList<NamedSecret>& secrets = kKnown, qint64 now = kSeconds)
{
    const SignatureFinding finding = checkSignature(fields, body, secrets, now);
    for (const char* secret : {kSecret, kOther})
        if (finding.text.contains(QString::fromLatin1(secret).mid(6)))
            qFatal("the secret is told");
    return finding;
}

// A signature as a sender makes it that signs something else than it sends.
SignatureFinding checkSigned(const QByteArray& text, const QByteArray& body = kBody,
                             const QByteArray& key = keyOf(kSecret))
{
    return check(fieldsWith(signedWith(key, text)), body);
}

QByteArray textOf(const QByteArray& body)
{
    return textFor(kId, QByteArray::number(kSeconds), body);
}

} // namespace

class SignatureCheckTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void thePublicVectorIsGood()
    {
        const SignatureFinding finding = check(fieldsWith(kSignature));
        QCOMPARE(finding.verdict, SignatureVerdict::Good);
        QCOMPARE(finding.key, u"ACME_SECRET"_s);
        QCOMPARE(finding.scheme, u"Standard Webhooks v1"_s);
    }

    void oneOfSeveralSignaturesIsEnough()
    {
        const QByteArray both = webhookSignature({*parseSigningSecret(kOther), *parseSigningSecret(kSecret)},
                                                 kId, kSeconds, kBody);
        const SignatureFinding old = check(fieldsWith(both), kBody, {kKnown[0]});
        QVERIFY(old.isGood());
        QVERIFY2(old.text.contains(u"signature 2 of 2"_s), qPrintable(old.text));
        QVERIFY(check(fieldsWith("v1a,xyz " + both), kBody, {kKnown[1]}).isGood());
    }

    void olderFieldNamesAreRead()
    {
        const SignatureFinding finding = check({{"svix-id", kId},
                                                {"svix-timestamp", QByteArray::number(kSeconds)},
                                                {"svix-signature", kSignature}});
        QVERIFY(finding.isGood());
        QCOMPARE(finding.scheme, u"Standard Webhooks v1 (svix)"_s);
    }

    void theClock_data()
    {
        QTest::addColumn<qint64>("off");
        QTest::addColumn<bool>("good");
        QTest::addColumn<QString>("words");
        QTest::newRow("300 early") << qint64(300) << true << u"300 s off"_s;
        QTest::newRow("300 late") << qint64(-300) << true << u"300 s off"_s;
        QTest::newRow("301 early") << qint64(301) << false << u"301 s in the future"_s;
        QTest::newRow("301 late") << qint64(-301) << false << u"301 s ago"_s;
        QTest::newRow("old") << qint64(-90'000'000) << false << u"1041 days ago"_s;
    }
    void theClock()
    {
        QFETCH(qint64, off);
        QFETCH(QString, words);
        const SignatureFinding finding = check(fieldsWith(kSignature), kBody, kKnown, kSeconds - off);
        QTEST(finding.isGood(), "good");
        QCOMPARE(finding.verdict == SignatureVerdict::ClockOff, !finding.isGood());
        QCOMPARE(finding.clockOffSeconds, off);
        QVERIFY2(finding.text.contains(words), qPrintable(finding.text));
    }

    void aTimeInMillisecondsIsSaidToBeOne()
    {
        const QByteArray ms = QByteArray::number(kSeconds) + "000";
        const SignatureFinding finding =
            check(fieldsWith(signedWith(keyOf(kSecret), textFor(kId, ms, kBody)), kId, ms));
        QCOMPARE(finding.verdict, SignatureVerdict::ClockOff);
        QVERIFY2(finding.text.contains(u"milliseconds"_s), qPrintable(finding.text));
    }

    void somebodyElsesKeyIsNamed()
    {
        const QList<NamedSecret> secrets{{u"ACME_SECRET"_s, kSecret, false},
                                         {u"OTHER_SECRET"_s, kOther, true}};
        const SignatureFinding finding = check(fieldsWith(kSignature), kBody, secrets);
        QCOMPARE(finding.verdict, SignatureVerdict::OtherKey);
        QCOMPARE(finding.key, u"ACME_SECRET"_s);
        const QList<NamedSecret> twice{{u"A"_s, kSecret, false}, {u"B"_s, kSecret, true}};
        QCOMPARE(check(fieldsWith(kSignature), kBody, twice).key, u"B"_s);
    }

    // The body that was signed, the one that arrived, what is said about it.
    void changedBodies_data()
    {
        QTest::addColumn<QByteArray>("wasSigned");
        QTest::addColumn<QByteArray>("arrived");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QByteArray& wasSigned, const QByteArray& arrived,
                            const QString& words) { QTest::newRow(name) << wasSigned << arrived << words; };
        row("newline added", kBody, QByteArray(kBody) + "\n", u"without the line end"_s);
        row("newline lost", QByteArray(kBody) + "\n", kBody, u"with a line end (LF)"_s);
        row("CR LF", "{\r\n}", "{\n}", u"CR LF, not LF"_s);
        row("LF", "{\n}", "{\r\n}", u"LF, not CR LF"_s);
        row("white space", kBody, QByteArray("  ") + kBody + "  ", u"white space around"_s);
        row("byte order mark", kBody, QByteArray("\xEF\xBB\xBF") + kBody, u"byte order mark"_s);
        row("emptied", "", kBody, u"empty body"_s);
        row("made compact", R"({"a": 1, "b": [1, 2]})", R"({"a":1,"b":[1,2]})",
            u"a space after each comma"_s);
        row("was compact", R"({"a":1,"b":[1,2],"c":{}})", R"({"a": 1, "b": [1, 2], "c": {}})",
            u"without white space"_s);
        row("was indented", "{\n  \"a\": [\n    1\n  ]\n}", R"({"a":[1]})", u"indented by 2"_s);
        row("large number stays", R"({"n":12345678901234567890})", R"({ "n": 12345678901234567890 })",
            u"without white space"_s);
        row("escaped by PHP", R"({"u":"https:\/\/x","n":"\u00e9"})",
            "{\"u\":\"https://x\",\"n\":\"\xC3\xA9\"}", u"each slash escaped"_s);
        row("escaped by Python", R"({"n": "\u00e9"})", "{\"n\": \"\xC3\xA9\"}", u"beyond ASCII escaped"_s);
        row("was plain", "{\"n\":\"\xC3\xA9\"}", R"({"n":"\u00e9"})", u"escapes that are not needed"_s);
        row("keys were sorted", R"({"a":1,"b":2})", R"({"b":2,"a":1})", u"its keys sorted"_s);
    }
    void changedBodies()
    {
        QFETCH(QByteArray, wasSigned);
        QFETCH(QByteArray, arrived);
        QFETCH(QString, words);
        const SignatureFinding finding = checkSigned(textOf(wasSigned), arrived);
        QCOMPARE(finding.verdict, SignatureVerdict::NearMiss);
        QCOMPARE(finding.key, u"ACME_SECRET"_s);
        QVERIFY2(finding.text.contains(u"the body changed on the way"_s), qPrintable(finding.text));
        QVERIFY2(finding.text.contains(words), qPrintable(finding.text));
    }

    void secretsUsedWrongly()
    {
        const auto words = [](const QByteArray& key) { return checkSigned(textOf(kBody), kBody, key).text; };
        QVERIFY(words(kSecret).contains(u"\"whsec_\" included"_s));
        QVERIFY(words(QByteArray(kSecret).mid(6)).contains(u"not decoded"_s));
        const auto finding =
            check(fieldsWith(kSignature), kBody, {{u"BARE"_s, QByteArray(kSecret).mid(6), true}});
        QCOMPARE(finding.verdict, SignatureVerdict::NearMiss);
        QVERIFY2(finding.text.contains(u"without its prefix"_s), qPrintable(finding.text));
    }

    void keysInTheAlphabetForUrls()
    {
        const QByteArray key = "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1\xf0\xef\xee\xed"
                               "\xec\xeb\xea\xe9\xe8";
        const QByteArray secret = "whsec_" + key.toBase64(QByteArray::Base64UrlEncoding);
        const auto finding =
            check(fieldsWith(signedWith(key, textOf(kBody))), kBody, {{u"URL"_s, secret, true}});
        QCOMPARE(finding.verdict, SignatureVerdict::NearMiss);
        QVERIFY2(finding.text.contains(u"alphabet for URLs"_s), qPrintable(finding.text));
    }

    void signaturesWrittenWrongly()
    {
        const QByteArray code = signatureCode(keyOf(kSecret), {}, textOf(kBody));
        const auto words = [](const QByteArray& signature) {
            const SignatureFinding finding = check(fieldsWith(signature));
            return verdictWord(finding.verdict) + u": "_s + finding.text;
        };
        QVERIFY(words("v1," + code.toHex())
                    .contains(u"near miss: The key ACME_SECRET nearly fits: the signature is "
                              "written in hexadecimal"_s));
        QVERIFY(words(code.toBase64()).contains(u"without \"v1,\""_s));
        QVERIFY(words("sha256=" + code.toHex()).contains(u"hexadecimal"_s));
        const QByteArray urlSafe = code.toBase64(QByteArray::Base64UrlEncoding);
        QVERIFY(urlSafe.contains('-') || urlSafe.contains('_'));
        QVERIFY(words("v1," + urlSafe).contains(u"alphabet for URLs"_s));
        QCOMPARE(check(fieldsWith("v1,abc")).verdict, SignatureVerdict::Unreadable);
        QCOMPARE(check(fieldsWith("")).verdict, SignatureVerdict::Unreadable);
        const SignatureFinding other = check(fieldsWith("v1a,abcd"));
        QVERIFY2(other.text.contains(u"only of v1a"_s), qPrintable(other.text));
    }

    // Before the comma may stand a signature, or anything.
    void whatIsNoVersionIsNotRepeated()
    {
        for (const char* field : {"c2lnbmF0dXJlIG9mIGl0,x", "vc2lnbmF0dXJl,x", "v<b>,x", "v,x"}) {
            const SignatureFinding finding = check(fieldsWith(field));
            QCOMPARE(finding.verdict, SignatureVerdict::Unreadable);
            QVERIFY2(finding.text.contains(u"cannot be read"_s), qPrintable(finding.text));
            QVERIFY(!finding.text.contains(u"c2lnbmF0dXJl"_s) && !finding.text.contains(u"<b>"_s));
        }
    }

    // Whoever asks: some hundred times the work of a long body would take minutes.
    void aLongBodyIsOnlyCheckedExactly()
    {
        const QByteArray body(kNearMissBytes + 1, 'x');
        QVERIFY(checkSigned(textOf(body), body).isGood());
        const SignatureFinding finding = checkSigned(textOf(body + '\n'), body);
        QCOMPARE(finding.verdict, SignatureVerdict::NoMatch);
        QVERIFY2(finding.text.contains(u"the body has 65537 bytes, and at most 65536 are tried"_s),
                 qPrintable(finding.text));
        const QByteArray shorter = body.chopped(1);
        QCOMPARE(checkSigned(textOf(shorter + '\n'), shorter).verdict, SignatureVerdict::NearMiss);
    }

    void otherTextsThatWereSigned()
    {
        const QByteArray time = QByteArray::number(kSeconds);
        QVERIFY(checkSigned(kBody).text.contains(u"the body alone"_s));
        QVERIFY(checkSigned(time + '.' + kBody).text.contains(u"the id is missing"_s));
        QVERIFY(checkSigned(QByteArray(kId) + '.' + kBody).text.contains(u"the time is missing"_s));
        QVERIFY(checkSigned(kId + time + kBody).text.contains(u"the dots are missing"_s));
        QVERIFY(checkSigned(textFor(kId, time + "000", kBody)).text.contains(u"milliseconds"_s));
        const QByteArray body = R"({"id":"evt_7"})";
        QVERIFY(checkSigned(textFor("evt_7", time, body), body).text.contains(u"member \"id\""_s));
    }

    void severalDeviationsAtOnce()
    {
        const SignatureFinding finding =
            checkSigned(textOf(R"({"test":2432232314})"), kBody, QByteArray(kOther).mid(6));
        QCOMPARE(finding.verdict, SignatureVerdict::NearMiss);
        QCOMPARE(finding.key, u"OTHER_SECRET"_s);
        QVERIFY(finding.text.contains(u"not decoded"_s) && finding.text.contains(u"without white space"_s));
    }

    void whatFitsNothing()
    {
        QCOMPARE(checkSigned(textOf("something else")).verdict, SignatureVerdict::NoMatch);
        QCOMPARE(check(fieldsWith(kSignature), kBody, {}).verdict, SignatureVerdict::NothingKnown);
        QCOMPARE(check(fieldsWith(kSignature, kId, "soon")).verdict, SignatureVerdict::Unreadable);
        const SignatureFinding missing = check({{"webhook-id", kId}, {"webhook-timestamp", "7"}});
        QCOMPARE(missing.verdict, SignatureVerdict::NotSigned);
        QCOMPARE(missing.text, u"Not signed: webhook-signature is missing."_s);
        QCOMPARE(check({}).verdict, SignatureVerdict::NotSigned);
        QCOMPARE(checkSignature(fieldsWith(kSignature), QByteArray(kBody) + '\n', kKnown, kSeconds,
                                SignatureSearch::Exact)
                     .verdict,
                 SignatureVerdict::NoMatch);
    }

    void pastedRequests_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("body");
        const QByteArray fields = "webhook-id: msg_1\nWebhook-Timestamp:7\n";
        QTest::newRow("fields and body") << fields + "\nbody\n" << QByteArray("body\n");
        QTest::newRow("request line") << "POST /x HTTP/1.1\n" + fields + "\nbody" << QByteArray("body");
        QTest::newRow("CR LF")
            << QByteArray("POST / HTTP/1.1\r\nwebhook-id: msg_1\r\nwebhook-timestamp: 7\r\n\r\na\r\nb")
            << QByteArray("a\r\nb");
        QTest::newRow("curl -v")
            << QByteArray("> POST / HTTP/1.1\n> webhook-id: msg_1\n> webhook-timestamp: 7\n>\n{}")
            << QByteArray("{}");
        QTest::newRow("without body") << fields << QByteArray();
        QTest::newRow("blank lines before") << "\n \n" + fields + "\n\nx" << QByteArray("\nx");
        QTest::newRow("cut to its length") << "Content-Length: 2\n" + fields + "\n{}\r\n \n"
                                           << QByteArray("{}");
        QTest::newRow("longer than its length")
            << "Content-Length: 2\n" + fields + "\n{}{}" << QByteArray("{}{}");
    }
    void pastedRequests()
    {
        QFETCH(QByteArray, text);
        const auto request = readPastedRequest(text);
        QVERIFY(request);
        QTEST(request->body, "body");
        QCOMPARE(fieldValue(request->fields, "WEBHOOK-ID"), QByteArray("msg_1"));
        QCOMPARE(fieldValue(request->fields, "webhook-timestamp"), QByteArray("7"));
        QVERIFY(fieldValue(request->fields, "webhook-signature").isNull());
    }

    void whatIsNoRequestSaysWhere()
    {
        QVERIFY(!readPastedRequest(""));
        QVERIFY(!readPastedRequest("\n\n"));
        const auto bad = readPastedRequest("webhook-id: 1\n{\"a b\":1}\n");
        QVERIFY(!bad);
        QVERIFY(bad.error().message.startsWith(u"line 2 "_s));
    }
};

QTEST_APPLESS_MAIN(SignatureCheckTest)
#include "signature_check_test.moc"
