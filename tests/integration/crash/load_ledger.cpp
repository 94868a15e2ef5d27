#include "tests/integration/crash/load_ledger.h"

#include <QFile>

#include <fcntl.h>
#include <unistd.h>

namespace redrive::test {

LoadLedger::LoadLedger(const QString& path)
    : m_file(::open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600))
{
    if (m_file < 0)
        qFatal("%s cannot be written", qPrintable(path));
}

LoadLedger::~LoadLedger()
{
    ::close(m_file);
}

int LoadLedger::invoke()
{
    int number = 0;
    {
        std::lock_guard lock(m_mutex);
        number = m_next++;
    }
    write("invoke " + QByteArray::number(number) + '\n');
    return number;
}

void LoadLedger::again(int number)
{
    write("again " + QByteArray::number(number) + '\n');
}

void LoadLedger::acknowledged(int number, const QByteArray& id)
{
    acknowledged(QList<int>{number}, {id});
}

void LoadLedger::acknowledged(const QList<int>& numbers, const QByteArrayList& ids)
{
    QByteArray lines;
    for (qsizetype i = 0; i < numbers.size(); ++i)
        lines += "ok " + QByteArray::number(numbers[i]) + ' ' + ids[i] + '\n';
    write(lines);
    ::fdatasync(m_file);
}

void LoadLedger::refused(int number)
{
    write("refused " + QByteArray::number(number) + '\n');
}

void LoadLedger::write(const QByteArray& line)
{
    if (::write(m_file, line.constData(), size_t(line.size())) != line.size())
        qFatal("the ledger cannot be written");
}

LoadLedger::Account LoadLedger::read(const QString& path)
{
    Account account;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(path));
    while (!file.atEnd()) {
        const QList<QByteArray> words = file.readLine().trimmed().split(' ');
        const int number = words.value(1).toInt();
        if (words[0] == "invoke")
            account.invoked.insert(number);
        else if (words[0] == "again")
            ++account.again[number];
        else if (words[0] == "refused")
            account.refused.insert(number);
        else
            account.acknowledged.insert(number, QString::fromLatin1(words.value(2)));
    }
    return account;
}

} // namespace redrive::test
