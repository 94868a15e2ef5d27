#include "ui/pages/secret_rows.h"

#include "core/base/result.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QGridLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace redrive {

namespace {

QJsonObject settingsOf(const EndpointRow& endpoint)
{
    return QJsonDocument::fromJson(endpoint.settings).object();
}

} // namespace

QStringList secretNames(const EndpointRow& endpoint)
{
    QStringList names;
    for (const QJsonValue& name : settingsOf(endpoint)[u"secret"].toArray())
        names.append(name.toString());
    return names;
}

QStringList secretsBeside(const EndpointRow& endpoint, const QString& name, qint64 nowMs)
{
    QStringList others = secretNames(endpoint);
    others.removeOne(name);
    const QJsonObject until = settingsOf(endpoint)[u"secret_until"].toObject();
    QStringList signing;
    for (const QString& other : std::as_const(others))
        if (!until.contains(other) || qint64(until[other].toDouble()) > nowMs)
            signing.append(other);
    return signing.isEmpty() ? others.mid(0, 1) : signing; // the engine lets the first one sign on
}

SecretRows::SecretRows(QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(Look::current().space.paneInset, 8, Look::current().space.paneInset, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    hide();
}

void SecretRows::setEndpoint(const EndpointRow& endpoint, qint64 nowMs)
{
    const QStringList names = secretNames(endpoint);
    const QJsonObject until = settingsOf(endpoint)[u"secret_until"].toObject();
    QStringList words;
    for (const QString& name : names) {
        const qint64 endMs = qint64(until[name].toDouble());
        words.append(endMs > nowMs ? tr("signs for %1 more").arg(format::duration(endMs - nowMs))
                     : endMs > 0   ? tr("signs no more")
                                   : QString());
    }
    if (names == m_names && words == m_words)
        return;
    m_names = names;
    m_words = words;
    rebuild();
}

void SecretRows::rebuild()
{
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    m_buttons.clear();
    auto* grid = static_cast<QGridLayout*>(layout());
    for (int row = 0; row < m_names.size(); ++row) {
        const QString& name = m_names[row];
        auto* button = makeSmallButton(tr("Revoke\u2026"), {}, this);
        button->setAccessibleName(tr("Revoke %1").arg(cellText(name)));
        connect(button, &QPushButton::clicked, this, [this, name] { Q_EMIT revokeAsked(name); });
        grid->addWidget(new PlainLabel(cellText(name), PlainLabel::Step::MonoSmall), row, 0);
        grid->addWidget(new PlainLabel(m_words[row], PlainLabel::Step::Small, Emphasis::Secondary), row, 1);
        grid->addWidget(button, row, 2);
        m_buttons.append(button);
    }
    setVisible(!m_names.isEmpty());
    setObstacle(m_obstacle);
}

void SecretRows::setObstacle(const QString& obstacle)
{
    m_obstacle = obstacle;
    const QString last = m_names.size() > 1 ? QString()
                                            : tr("It is the only one: choose a new secret first, or edit the "
                                                 "endpoint to send unsigned.");
    const QString why = m_obstacle.isEmpty() ? last : m_obstacle;
    for (QPushButton* button : std::as_const(m_buttons)) {
        button->setEnabled(why.isEmpty());
        button->setToolTip(format::plainToolTip(why));
    }
}

QPushButton* SecretRows::revokeButton(const QString& name) const
{
    return m_buttons.value(m_names.indexOf(name));
}

} // namespace redrive
