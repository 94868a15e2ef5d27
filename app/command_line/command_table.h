// The commands and which options each of them takes: one table for parsing and for --help. Pure.
#pragma once

#include <QList>
#include <QStringList>

namespace redrive {

struct OptionEntry
{
    QString name;      // without dashes
    QString valueName; // empty: a switch
    QString help;
};

struct CommandEntry
{
    QString name;  // empty: the console
    QString names; // what stands without an option, for people
    int leastNames = 0;
    int mostNames = 0; // -1: any number
    bool namesOrWhere = false;
    QStringList options; // beside the common ones
    QString help;
    QString notes = {}; // below the options, in lines of its own
};

const QList<CommandEntry>& commandTable();
const QList<OptionEntry>& optionTable();
const QStringList& commonOptions();

const CommandEntry* findCommand(const QString& name);
const OptionEntry* findOption(const QString& name);

// The text of --help; of one command when it is named.
QString helpText(const QString& command);

} // namespace redrive
