// Errors are values: every call that can fail returns Result<T>. Any thread.
#pragma once

#include <QString>

#include <tl/expected.hpp>

namespace redrive {

using namespace Qt::Literals::StringLiterals; // u"text"_s makes a QString

// What a caller may do about an error, not where it came from.
enum class ErrorKind {
    InvalidInput, // the caller's data; trying again changes nothing
    NotFound,
    Conflict, // the row is not in the state that the action needs
    Refused,  // a rule of the engine forbids it (paused, stopping, read-only profile)
    Busy,     // another writer holds the store; try again
    StorageFull,
    ReadOnly,
    Corrupt,    // the store is damaged, foreign, newer than this program, or gone
    Constraint, // the database refused the row
    ConnectionLost,
    Cancelled,
    Internal,
};

struct Error
{
    ErrorKind kind = ErrorKind::Internal;
    QString message; // for people: one line, no trailing full stop needed
    QString detail;  // the source's own words (SQLite, curl, errno), may be empty
    QString field;   // the input field concerned, may be empty

    bool retryable() const
    {
        return kind == ErrorKind::Busy || kind == ErrorKind::StorageFull || kind == ErrorKind::ConnectionLost;
    }
    QString text() const { return detail.isEmpty() ? message : message + u": "_s + detail; }
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorKind kind, QString message, QString detail = {}, QString field = {})
{
    return tl::unexpected<Error>(Error{kind, std::move(message), std::move(detail), std::move(field)});
}

inline tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

} // namespace redrive

// Leaves the function with the error of a Status or Result expression.
#define REDRIVE_TRY(expression)                                                                              \
    do {                                                                                                     \
        if (auto redriveStatus_ = (expression); !redriveStatus_)                                             \
            return tl::unexpected(std::move(redriveStatus_.error()));                                        \
    } while (false)

#define REDRIVE_CONCAT_(a, b) a##b
#define REDRIVE_CONCAT(a, b) REDRIVE_CONCAT_(a, b)

// Declares `variable` with the value of a Result expression, or leaves the function with its error.
#define REDRIVE_ASSIGN(variable, expression)                                                                 \
    auto REDRIVE_CONCAT(redriveResult_, __LINE__) = (expression);                                            \
    if (!REDRIVE_CONCAT(redriveResult_, __LINE__))                                                           \
        return tl::unexpected(std::move(REDRIVE_CONCAT(redriveResult_, __LINE__).error()));                  \
    auto variable = std::move(*REDRIVE_CONCAT(redriveResult_, __LINE__))
