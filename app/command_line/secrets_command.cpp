#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/kept_secrets.h"
#include "app/operator_name.h"
#include "app/place.h"
#include "core/base/bounded_read.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/engine/audit_note.h"
#include "core/net/signing_secret.h"

#include <QFile>

#include <cstdio>

namespace redrive {

namespace {

Status list(const SecretStore& store, const Invocation& invocation)
{
    REDRIVE_ASSIGN(kept, store.all());
    const QHash<QString, QByteArray> found = loadSettings(loadRequestOf(invocation)).settings.secrets;
    QStringList names = kept.keys();
    names.sort();
    TextTable table({u"NAME"_s, u"FINGERPRINT"_s, u"IN USE"_s});
    for (const QString& name : names) {
        const bool used = found.value(name) == kept.value(name);
        const QString fingerprint = secretFingerprint(kept.value(name));
        if (invocation.json)
            JsonLine().add("name", name).add("fingerprint", fingerprint).add("inUse", used).print();
        else
            table.add(
                {name, fingerprint, used ? u"yes"_s : u"no: the environment or .dev.vars has another"_s});
    }
    if (!invocation.json && !names.isEmpty())
        table.print();
    return {};
}

void printChanged(const char* what, const QString& name, const QByteArray& value, const SecretStore& store,
                  bool json)
{
    if (json)
        JsonLine().add("name", name).add("fingerprint", secretFingerprint(value)).print();
    else
        printNotice(u"%1 %2 (%3), in %4"_s.arg(QString::fromLatin1(what), name, secretFingerprint(value),
                                               store.place()));
}

Status make(SecretStore& store, const QString& name, bool json)
{
    REDRIVE_ASSIGN(names, store.names());
    if (names.contains(name))
        return fail(
            ErrorKind::Conflict,
            u"there is a secret '%1' already: another name lets both sign while it is rotated"_s.arg(name));
    const QByteArray secret = makeSigningSecret();
    REDRIVE_TRY(store.put(name, secret));
    if (json) {
        JsonLine()
            .add("name", name)
            .add("fingerprint", secretFingerprint(secret))
            .add("secret", QString::fromLatin1(secret))
            .print();
        return {};
    }
    printLine(secret);
    printChanged("kept", name, secret, store, false);
    printNotice(u"the receiver needs it to verify; it is not shown again"_s);
    return {};
}

Status put(SecretStore& store, const QString& name, bool json)
{
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return fail(ErrorKind::Internal, u"standard input cannot be read"_s);
    REDRIVE_ASSIGN(value, readAtMost(input, kMostSecretBytes + 2, u"the secret"_s)); // and a line end
    if (value.endsWith('\n'))
        value.chop(value.endsWith("\r\n") ? 2 : 1);
    REDRIVE_TRY(store.put(name, value));
    printChanged("kept", name, value, store, json);
    return {};
}

Status removeOne(SecretStore& store, const QString& name, bool json)
{
    REDRIVE_TRY(store.remove(name));
    if (json)
        JsonLine().add("name", name).print();
    else
        printNotice(u"removed %1"_s.arg(name));
    return {};
}

// Who changed it and why: for whoever keeps standard error, and for the audit of the database in effect,
// where there is one. The change stays when the audit cannot be written.
void note(const Invocation& invocation, const QString& what, const QString& name)
{
    const QString actor = operatorName();
    const QString source = u"command line"_s;
    setLogLevel(LogLevel::Notice);
    logEvent(LogLevel::Notice, "secret_changed",
             {{"verb", what},
              {"secret", name},
              {"actor", actor},
              {"source", source},
              {"reason", invocation.reason}});
    const auto target = databaseOf(invocation); // removing one may make the configuration wrong
    if (!target)
        return;
    const AuditEntry entry{actor, source, u"secret-"_s + what, name, 1, 0, invocation.reason, u"done"_s};
    if (const auto noted = noteInAudit(*target, entry, SystemClock().wallMs()); !noted)
        printNotice(u"the audit of %1 could not be written: %2"_s.arg(target->path, noted.error().text()));
}

} // namespace

int runSecrets(const Invocation& invocation)
{
    const QString what = invocation.names.value(0, u"list"_s);
    const QString name = invocation.names.value(1);
    const bool lists = what == u"list";
    const bool known = lists || what == u"make" || what == u"put" || what == u"remove";
    if (!known || invocation.names.size() > 2 || lists == !name.isEmpty()) {
        printError(u"secrets takes list, make NAME, put NAME or remove NAME"_s);
        return exit_code::kUsage;
    }
    const auto store = secretStoreIn(dataFolderOf(invocation));
    Status done;
    if (lists)
        done = list(*store, invocation);
    else if (done = mayChange(invocation); !done)
        return failed(done.error());
    else if (what == u"make")
        done = make(*store, name, invocation.json);
    else if (what == u"put")
        done = put(*store, name, invocation.json);
    else
        done = removeOne(*store, name, invocation.json);
    if (done && !lists)
        note(invocation, what, name);
    return done ? exit_code::kDone : failed(done.error());
}

} // namespace redrive
