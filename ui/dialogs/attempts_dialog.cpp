#include "ui/dialogs/attempts_dialog.h"

#include "core/base/result.h"
#include "ui/dialogs/dialog_parts.h"
#include "ui/models/state_words.h"
#include "ui/widgets/payload_view.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHash>
#include <QSet>

#include <algorithm>

namespace redrive {

namespace {

constexpr qsizetype kShownText = 4'000; // of one fact
constexpr qsizetype kBeforeDifference = 200;

QString valueOf(const AttemptView& attempt, const QString& label)
{
    const auto found = std::find_if(attempt.facts.begin(), attempt.facts.end(),
                                    [&](const FactView& fact) { return fact.label == label; });
    if (found == attempt.facts.end())
        return {};
    return found->whole.isEmpty() ? found->value : PayloadView::readable(found->whole);
}

QStringList labelsOf(const AttemptView& left, const AttemptView& right)
{
    QStringList labels;
    for (const AttemptView* attempt : {&left, &right})
        for (const FactView& fact : attempt->facts)
            if (!labels.contains(fact.label))
                labels.append(fact.label);
    return labels;
}

// The lines that the other text has not.
QString ownLines(const QString& text, const QString& other)
{
    QHash<QString, int> known;
    for (const QString& line : other.split(u'\n'))
        ++known[line];
    QStringList lines = text.split(u'\n');
    lines.removeIf([&](const QString& line) {
        const auto found = known.find(line);
        return found != known.end() && (*found)-- > 0;
    });
    return lines.join(u'\n');
}

QString shared(const QString& left, const QString& right)
{
    QStringList lines = left.split(u'\n');
    const QStringList rightLines = right.split(u'\n');
    const QSet<QString> others(rightLines.begin(), rightLines.end());
    lines.removeIf([&](const QString& line) { return !others.contains(line); });
    return lines.join(u'\n');
}

// Of a long text what stands around the place where it begins to differ.
QString excerpt(const QString& text, const QString& other)
{
    if (text.size() <= kShownText)
        return text;
    const auto differs = std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first;
    const auto place = text == other ? 0 : differs - text.begin();
    const auto from = std::clamp<qsizetype>(place - kBeforeDifference, 0, text.size() - kShownText);
    return (from > 0 ? u"\u2026"_s : QString()) + text.mid(from, kShownText) +
           (from + kShownText < text.size() ? u"\u2026"_s : QString());
}

PlainLabel* cell(const QString& text, bool differs)
{
    auto* label = new PlainLabel(text.isEmpty() ? format::unknown() : text, PlainLabel::Step::Body,
                                 differs ? Emphasis::Strong : Emphasis::Tertiary);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

QList<AttemptDifference> compareAttempts(const AttemptView& left, const AttemptView& right, format::Zone zone)
{
    const auto duration = [](const AttemptView& attempt) {
        return attempt.totalMs < 0 ? QString() : format::elapsed(attempt.totalMs);
    };
    QList<AttemptDifference> lines{{AttemptsDialog::tr("Started"), format::fullTime(left.startedMs, zone),
                                    format::fullTime(right.startedMs, zone)},
                                   {AttemptsDialog::tr("Outcome"), left.outcome, right.outcome},
                                   {AttemptsDialog::tr("Took"), duration(left), duration(right)}};
    for (const QString& label : labelsOf(left, right)) {
        const QString one = valueOf(left, label);
        const QString other = valueOf(right, label);
        const QString both = shared(one, other);
        if (one == other || both.isEmpty() || !(one + other).contains(u'\n')) {
            lines.append({label, one, other});
            continue;
        }
        lines.append({label, ownLines(one, other), ownLines(other, one)});
        lines.append({AttemptsDialog::tr("%1, the same").arg(label), both, both});
    }
    return lines;
}

AttemptsDialog::AttemptsDialog(const QString& title, QList<AttemptView> attempts, format::Zone zone,
                               QWidget* parent)
    : QDialog(parent), m_attempts(std::move(attempts)), m_zone(zone)
{
    resize(860, 560);
    auto* column = beginDialog(this);
    addDialogTitle(column, this, tr("Attempts of %1").arg(cellText(title)));

    auto* choices = new QHBoxLayout;
    choices->setSpacing(12);
    m_left = makeChoice(1, tr("One attempt"));
    m_right = makeChoice(0, tr("The other attempt"));
    m_only = new QCheckBox(tr("Only what differs"), this);
    m_only->setChecked(true);
    choices->addWidget(m_left);
    choices->addWidget(m_right);
    choices->addStretch(1);
    choices->addWidget(m_only);
    column->addLayout(choices);

    m_area = new QScrollArea(this);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    column->addWidget(m_area, 1);
    addCloseButton(column, this);
    connect(m_left, &QComboBox::currentIndexChanged, this, &AttemptsDialog::refill);
    connect(m_right, &QComboBox::currentIndexChanged, this, &AttemptsDialog::refill);
    connect(m_only, &QCheckBox::toggled, this, &AttemptsDialog::refill);
    refill();
}

QComboBox* AttemptsDialog::makeChoice(int index, const QString& name)
{
    auto* choice = new QComboBox(this);
    choice->setAccessibleName(name);
    for (const AttemptView& attempt : m_attempts)
        choice->addItem(tr("Attempt %1, %2").arg(attempt.number).arg(attempt.outcome));
    choice->setCurrentIndex(std::min(index, choice->count() - 1));
    return choice;
}

void AttemptsDialog::refill()
{
    m_shown.clear();
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(12, 10, 12, 10);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(10);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    const auto& left = m_attempts.at(m_left->currentIndex());
    const auto& right = m_attempts.at(m_right->currentIndex());
    int row = 0;
    for (const AttemptDifference& line : compareAttempts(left, right, m_zone)) {
        if (m_only->isChecked() && !line.differs())
            continue;
        m_shown.append(line.label);
        auto* label = new PlainLabel(line.label, PlainLabel::Step::Body, Emphasis::Secondary);
        grid->addWidget(label, row, 0, Qt::AlignTop);
        grid->addWidget(cell(excerpt(line.left, line.right), line.differs()), row, 1);
        grid->addWidget(cell(excerpt(line.right, line.left), line.differs()), row, 2);
        ++row;
    }
    if (row == 0)
        grid->addWidget(
            new PlainLabel(tr("They do not differ."), PlainLabel::Step::Body, Emphasis::Secondary), 0, 0);
    grid->setRowStretch(row + 1, 1);
    m_area->setWidget(page);
}

} // namespace redrive
