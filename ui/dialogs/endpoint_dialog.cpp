#include "ui/dialogs/endpoint_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace redrive {

namespace {

constexpr int kWidth = 640;
constexpr int kMostText = 8'000;

QStringList listOf(const QString& text)
{
    QStringList items;
    for (const QString& item : text.split(u',', Qt::SkipEmptyParts)) {
        if (const QString word = item.trimmed(); !word.isEmpty())
            items.append(word);
    }
    return items;
}

QString joined(const QJsonValue& value)
{
    QStringList items;
    for (const QJsonValue& item : value.toArray())
        items.append(item.isDouble() ? QString::number(item.toDouble(), 'g', 12) : item.toString());
    return items.join(u", "_s);
}

// A number where it is one: the engine says what is wrong with the rest.
QJsonValue numberOrText(const QString& text)
{
    bool ok = false;
    const double number = text.toDouble(&ok);
    return ok ? QJsonValue(number) : QJsonValue(text);
}

QJsonValue orNull(const QString& text)
{
    return text.isEmpty() ? QJsonValue(QJsonValue::Null) : numberOrText(text);
}

QJsonValue headersOf(const QString& text)
{
    QJsonObject headers;
    for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts)) {
        const auto colon = line.indexOf(u':');
        headers.insert(line.left(colon).trimmed(), colon < 0 ? QString() : line.mid(colon + 1).trimmed());
    }
    return headers.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(headers);
}

QJsonValue textsOf(const QString& text)
{
    const QStringList items = listOf(text);
    return items.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(QJsonArray::fromStringList(items));
}

// A list of seconds, or the name of a schedule.
QJsonValue scheduleOf(const QString& text)
{
    const QStringList items = listOf(text);
    if (items.isEmpty())
        return QJsonValue::Null;
    bool ok = false;
    items.first().toDouble(&ok);
    if (!ok && items.size() == 1)
        return items.first();
    QJsonArray seconds;
    for (const QString& item : items)
        seconds.append(numberOrText(item));
    return seconds;
}

} // namespace

EndpointDialog::EndpointDialog(const EndpointRow& known, QWidget* parent) : QDialog(parent), m_known(known)
{
    setMinimumWidth(kWidth);
    const bool isNew = m_known.version == 0;
    const QString title = isNew ? tr("New endpoint") : tr("Edit %1").arg(cellText(m_known.id));
    auto* column = beginDialog(this);
    addDialogTitle(column, this, title);
    build(column);
    m_id->setText(m_known.id);
    m_id->setEnabled(isNew);
    if (isNew)
        m_url->setText(m_known.url);
    else
        fill(m_known.settings);
    (isNew && m_known.id.isEmpty() ? m_id : m_url)->setFocus();
    judge();
}

QLineEdit* EndpointDialog::addField(QVBoxLayout* column, const QString& label, const QString& hint)
{
    auto* field = new QLineEdit(this);
    field->setMaxLength(kMostText);
    field->setAccessibleName(label);
    field->setPlaceholderText(hint);
    addFormRow(column, label)->addWidget(field, 1);
    connect(field, &QLineEdit::textChanged, this, &EndpointDialog::judge);
    return field;
}

void EndpointDialog::build(QVBoxLayout* column)
{
    m_id = addField(column, tr("Name"), tr("Short and lasting: it never changes"));
    m_url = addField(column, tr("URL"), u"https://example.com/webhooks"_s);
    m_events = addField(column, tr("Events"), tr("All; or such as order.*, user.created"));
    m_secrets = addField(column, tr("Signed with"), tr("Not signed; or names of secrets, the newest first"));
    m_headers = new QPlainTextEdit(this);
    m_headers->setAccessibleName(tr("Headers"));
    m_headers->setPlaceholderText(tr("Name: value, one a line"));
    m_headers->setTabChangesFocus(true);
    m_headers->setFixedHeight(m_headers->fontMetrics().lineSpacing() * 3 + 14);
    addFormRow(column, tr("Headers"), Qt::AlignTop)->addWidget(m_headers, 1);
    connect(m_headers, &QPlainTextEdit::textChanged, this, &EndpointDialog::judge);
    m_inFlight = addField(column, tr("In flight"), tr("4 at once"));
    m_rate = addField(column, tr("Rate"), tr("No limit; or requests a second"));
    m_schedule = addField(column, tr("Retries"), tr("The backoff of jobs; or seconds, such as 5, 300, 1800"));
    m_override = new QCheckBox(tr("An event's payload may name another URL"), this);
    addFormRow(column, {})->addWidget(m_override, 1);
    m_paused = new QCheckBox(tr("Paused: its deliveries are held"), this);
    addFormRow(column, {})->addWidget(m_paused, 1);

    m_problem = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Strong);
    m_problem->setWordWrap(true);
    column->addWidget(m_problem);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    auto* cancel = makeButton(tr("Cancel"), {}, this);
    m_save = makeAccentButton(m_known.version == 0 ? tr("Register") : tr("Save"), u"check"_s, this);
    foot->addStretch(1);
    foot->addWidget(cancel);
    foot->addWidget(m_save);
    column->addLayout(foot);
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_save, &QPushButton::clicked, this, [this] {
        EndpointChange change;
        change.verb = m_known.version == 0 ? EndpointVerb::Create : EndpointVerb::Edit;
        change.id = m_id->text();
        change.settings = settings();
        if (m_known.version > 0)
            change.baseVersion = m_known.version;
        m_save->setEnabled(false);
        Q_EMIT decided(change);
    });
}

void EndpointDialog::fill(const QByteArray& json)
{
    const QJsonObject known = QJsonDocument::fromJson(json).object();
    m_url->setText(known[u"url"].toString());
    m_events->setText(joined(known[u"events"]));
    m_secrets->setText(joined(known[u"secret"]));
    QStringList lines;
    const QJsonObject headers = known[u"headers"].toObject();
    for (auto header = headers.begin(); header != headers.end(); ++header)
        lines.append(header.key() + u": "_s + header->toString());
    m_headers->setPlainText(lines.join(u'\n'));
    m_inFlight->setText(QString::number(known[u"max_in_flight"].toInt(4)));
    if (known.contains(u"rate"))
        m_rate->setText(QString::number(known[u"rate"].toDouble(), 'g', 12));
    m_schedule->setText(joined(known[u"schedule"]));
    m_override->setChecked(known[u"allow_override"].toBool());
    m_paused->setChecked(known[u"paused"].toBool());
}

QByteArray EndpointDialog::settings() const
{
    const QJsonObject object{{u"id"_s, m_id->text()},
                             {u"url"_s, m_url->text().trimmed()},
                             {u"events"_s, textsOf(m_events->text())},
                             {u"secret"_s, textsOf(m_secrets->text())},
                             {u"headers"_s, headersOf(m_headers->toPlainText())},
                             {u"max_in_flight"_s, orNull(m_inFlight->text().trimmed())},
                             {u"rate"_s, orNull(m_rate->text().trimmed())},
                             {u"schedule"_s, scheduleOf(m_schedule->text())},
                             {u"allow_override"_s, m_override->isChecked()},
                             {u"paused"_s, m_paused->isChecked()}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

void EndpointDialog::judge()
{
    QString obstacle;
    if (m_id->text().trimmed().isEmpty())
        obstacle = tr("It needs a name.");
    else if (m_url->text().trimmed().isEmpty())
        obstacle = tr("It needs a URL.");
    m_save->setEnabled(obstacle.isEmpty());
    m_save->setToolTip(format::plainToolTip(obstacle));
    say({});
}

void EndpointDialog::answered(const Result<EndpointChanged>& changed)
{
    if (changed) {
        close();
        return;
    }
    m_save->setEnabled(true);
    say(changed.error().text());
}

QString EndpointDialog::problem() const
{
    return m_problem->text();
}

void EndpointDialog::say(const QString& problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    adjustSize();
}

} // namespace redrive
