// Where alerts are posted to, with what the configuration only names filled in. Pure; any thread.
#pragma once

#include "core/config/settings.h"
#include "core/domain/alert.h"

namespace redrive {

struct PostTarget
{
    QString id; // the same as long as form, place and the name of the key are
    AlertForm form = AlertForm::Json;
    QString place;   // for people: the host, or the name of the secret that holds the URL
    QString url;     // secret
    QByteArray key;  // secret
    QString problem; // why nothing can be posted; empty: it can

    AlertTargetRow row() const;
    // The text without what is secret of this target.
    QString masked(QString text) const;
};

QString toText(AlertForm form); // slack, pagerduty, json

QList<PostTarget> postTargets(const Settings& settings);

} // namespace redrive
