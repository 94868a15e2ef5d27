#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/kept_secrets.h"
#include "app/place.h"
#include "core/net/signing_secret.h"

#include <QFile>

#include <cstdio>

namespace redrive {

namespace {

Status list(const SecretStore& store, const Invocation& invocation)
{
    REDRIVE_ASSIGN(kept, allSecrets(store));
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
    QByteArray value = input.read(kMostSecretBytes + 2);
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
    return done ? exit_code::kDone : failed(done.error());
}

} // namespace redrive
