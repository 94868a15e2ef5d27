#include "core/deadletter/letter_import.h"

#include "core/base/line_reader.h"
#include "core/domain/archive_line.h"
#include "core/store/letter_import_store.h"
#include "core/store/lone_change.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace redrive {

namespace {
constexpr qsizetype kLettersInTurn = 100;
constexpr qint64 kBytesInTurn = 4LL * 1024 * 1024;
constexpr qint64 kLinesUnwatched = 100;
} // namespace

LetterImport::LetterImport(Connection& db, StoreTurn turn, OnBadLine onBadLine)
    : m_db(db), m_turn(std::move(turn)), m_onBadLine(std::move(onBadLine))
{
}

Status LetterImport::read(QIODevice& device, const QString& name)
{
    m_name = name;
    UnpackedText text(device);
    LineReader lines(text, kMostLineBytes);
    for (LineReader::Line line;;) {
        const Result<bool> more = lines.next(line);
        if (!more || !*more) {
            REDRIVE_TRY(flush());
            return more ? Status() : fail(more.error());
        }
        if (line.tooLong)
            bad(line.number,
                {ErrorKind::InvalidInput, u"is longer than %1 bytes"_s.arg(kMostLineBytes), {}, {}});
        else if (!line.text.trimmed().isEmpty())
            take(line.text, line.number);
        const bool isFull = m_waiting.size() >= kLettersInTurn || m_waitingBytes >= kBytesInTurn;
        if (isFull)
            REDRIVE_TRY(flush());
        if ((isFull || line.number % kLinesUnwatched == 0) && !m_goOn())
            return fail(ErrorKind::Cancelled, u"the import was stopped"_s); // what waits is left out
    }
}

void LetterImport::take(const QByteArray& text, qint64 line)
{
    auto letter = readArchiveLine(text);
    if (!letter) {
        bad(line, letter.error());
        return;
    }
    m_waiting.append({line, *std::move(letter)});
    m_waitingBytes += text.size();
}

void LetterImport::bad(qint64 line, const Error& error)
{
    ++m_counts.bad;
    m_onBadLine(m_name, line, error.text());
}

Status LetterImport::flush()
{
    auto waiting = std::exchange(m_waiting, {});
    m_waitingBytes = 0;
    if (waiting.isEmpty())
        return {};
    return m_turn ? bringBack(std::move(waiting)) : count(waiting);
}

Status LetterImport::count(const QList<Waiting>& waiting)
{
    for (const Waiting& each : waiting) {
        REDRIVE_ASSIGN(there, letter_import_store::isThere(m_db, each.letter));
        ++(there ? m_counts.there : m_counts.brought);
    }
    return {};
}

// A turn that is not waited for any more may still come: it owns all that it works with.
Status LetterImport::bringBack(QList<Waiting> waiting)
{
    struct Outcome
    {
        ImportCounts counts;
        QList<std::pair<qint64, Error>> refused;
    };
    const auto outcome = std::make_shared<Outcome>();
    const Status written = m_turn([outcome, waiting = std::move(waiting)](Cycle& cycle) -> Status {
        *outcome = {};
        for (const Waiting& each : waiting) {
            const Result<bool> brought = changeAlone(cycle, [&]() -> Result<bool> {
                REDRIVE_ASSIGN(there, letter_import_store::isThere(cycle.db, each.letter));
                if (!there)
                    REDRIVE_TRY(letter_import_store::bringBack(cycle, each.letter));
                return !there;
            });
            if (!brought && concernsTheStore(brought.error()))
                return fail(brought.error());
            if (brought)
                ++(*brought ? outcome->counts.brought : outcome->counts.there);
            else
                outcome->refused.append({each.line, brought.error()});
        }
        return {};
    });
    REDRIVE_TRY(written);
    m_counts.brought += outcome->counts.brought;
    m_counts.there += outcome->counts.there;
    for (const auto& [line, error] : outcome->refused)
        bad(line, error);
    return {};
}

Status LetterImport::record(AuditEntry entry)
{
    entry.verb = u"import"_s;
    entry.count = int(std::min<qint64>(m_counts.brought, std::numeric_limits<int>::max()));
    if (entry.result.isEmpty())
        entry.result = u"ok"_s;
    if (m_counts.there > 0)
        entry.result += u", %1 there already"_s.arg(m_counts.there);
    if (m_counts.bad > 0)
        entry.result += u", %1 bad lines"_s.arg(m_counts.bad);
    return m_turn([entry](Cycle& cycle) { return audit_store::add(cycle, entry); });
}

} // namespace redrive
