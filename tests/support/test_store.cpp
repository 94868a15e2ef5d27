#include "tests/support/test_store.h"

#include "core/db/migrator.h"

namespace redrive::test {

namespace {

template <typename T>
T orAbort(Result<T> result)
{
    if (!result)
        qFatal("%s", qUtf8Printable(result.error().text()));
    return std::move(*result);
}

} // namespace

TestStore::TestStore(qint64 nowMs) : m_connection(orAbort(openStore(target(), Access::Writer, nowMs))) {}

DatabaseTarget TestStore::target() const
{
    return {m_folder.filePath(QStringLiteral("jobs.db"))};
}

std::unique_ptr<Connection> TestStore::openReader() const
{
    return orAbort(openStore(target(), Access::Reader));
}

std::unique_ptr<Connection> TestStore::openWriter() const
{
    return orAbort(openStore(target(), Access::Writer));
}

void TestStore::execute(const QString& statement)
{
    if (auto done = m_connection->execute(statement); !done)
        qFatal("%s in %s", qUtf8Printable(done.error().text()), qUtf8Printable(statement));
}

qint64 TestStore::number(const QString& statement)
{
    auto query = m_connection->dynamicQuery(statement);
    const qint64 value = query.next() ? query.int64(0) : 0;
    if (auto status = query.status(); !status)
        qFatal("%s in %s", qUtf8Printable(status.error().text()), qUtf8Printable(statement));
    return value;
}

QString TestStore::text(const QString& statement)
{
    auto query = m_connection->dynamicQuery(statement);
    const QString value = query.next() ? query.text(0) : QString();
    if (auto status = query.status(); !status)
        qFatal("%s in %s", qUtf8Printable(status.error().text()), qUtf8Printable(statement));
    return value;
}

} // namespace redrive::test
