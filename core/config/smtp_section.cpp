#include "core/config/smtp_section.h"

#include "core/config/secret_names.h"
#include "core/config/smtp_url.h"
#include "core/config/table_reader.h"
#include "core/domain/mailbox.h"

namespace redrive {

void readSmtp(const ConfigValue& table, Settings& settings, Diagnostics& out)
{
    TableReader reader(table, out);
    bool hasUser = false;
    if (const auto text = reader.text(u"url"_s)) {
        const ConfigValue& at = *table.find(u"url"_s);
        const Result<SmtpUrl> url = parseSmtpUrl(*text);
        if (url) {
            settings.smtpUrl = *text;
            hasUser = !url->user.isEmpty();
            if (!url->password.isEmpty())
                out.warning(at, u"holds a password; everybody who can read this file can read it"_s);
        } else {
            out.error(at, url.error().message);
        }
    }
    if (const auto from = reader.text(u"from"_s)) {
        const Result<Mailbox> box = readMailbox(*from, u"from"_s);
        if (box)
            settings.smtpFrom = *from;
        else
            out.error(*table.find(u"from"_s),
                      u"is no mail address, allowed are NAME@DOMAIN and \"Name <NAME@DOMAIN>\""_s);
    }
    if (const ConfigValue* secret = reader.take(u"password"_s)) {
        settings.smtpPasswordSecret = readSecretName(*secret, settings.secrets, out).value_or(QString());
        if (!settings.smtpUrl.isEmpty() && !hasUser)
            out.warning(*secret, u"is not used: smtp.url names no user, as in smtp://USER@HOST"_s);
    }
    reader.finish();
}

} // namespace redrive
