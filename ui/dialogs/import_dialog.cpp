#include "ui/dialogs/import_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/dialogs/form_row.h"
#include "ui/models/format.h"
#include "ui/models/plain_table_model.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/progress_bar.h"
#include "ui/widgets/row_table.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kWidth = 640;
constexpr int kCountWidth = 64;
constexpr int kNumberWidth = 96;
constexpr int kMostRows = 5;
constexpr int kThousand = 1'000; // parts of the bar

QWidget* addRowWidget(QVBoxLayout* column, QHBoxLayout*& row, const QString& label,
                      Qt::Alignment alignment = Qt::AlignVCenter)
{
    auto* widget = new QWidget;
    auto* inner = new QVBoxLayout(widget);
    inner->setContentsMargins(0, 0, 0, 0);
    row = addFormRow(inner, label, alignment);
    column->addWidget(widget);
    return widget;
}

QList<Column> badLineColumns()
{
    return {{u"line"_s, ImportDialog::tr("Line"), CellKind::Number, 9},
            {u"why"_s, ImportDialog::tr("Why it cannot be used"), CellKind::Text, 30, true}};
}

} // namespace

ImportDialog::ImportDialog(EngineBridge& bridge, QString path, QString actor, const QString& environment,
                           const QString& environmentColour, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_path(std::move(path)), m_actor(std::move(actor))
{
    auto* column = beginDialog(this);
    addDialogTitle(column, this, tr("Import dead letters"), environment, environmentColour);
    buildBody(column);
    column->addStretch(1);
    buildFoot(column);
    setMinimumWidth(kWidth);
    start(true);
}

ImportDialog::~ImportDialog()
{
    if (m_phase == Phase::Reading)
        m_bridge.stopImports(); // nobody wants to know any more
}

void ImportDialog::buildBody(QVBoxLayout* column)
{
    const QFileInfo file(m_path);
    auto* fileRow = addFormRow(column, tr("File"));
    auto* name = new PlainLabel(cellText(file.fileName()), PlainLabel::Step::Body);
    name->setToolTip(format::plainToolTip(m_path));
    fileRow->addWidget(name);
    if (file.exists())
        fileRow->addWidget(
            new PlainLabel(format::size(file.size()), PlainLabel::Step::Body, Emphasis::Tertiary));
    fileRow->addStretch(1);

    QHBoxLayout* bar = nullptr;
    m_barRow = addRowWidget(column, bar, tr("Progress"));
    m_bar = new ProgressBar(this);
    m_bar->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_progressWords = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary);
    bar->addWidget(m_bar, 1);
    bar->addWidget(m_progressWords);

    auto* counts = new QVBoxLayout;
    counts->setSpacing(4);
    column->addLayout(counts);
    m_brought = addCount(counts, tr("Letters"));
    m_there = addCount(counts, tr("Skipped"));
    m_bad = addCount(counts, tr("Unusable"));

    m_badModel = new PlainTableModel(badLineColumns(), this);
    m_badLines = new RowTable(tr("Lines that cannot be used"), this);
    m_badLines->setModel(m_badModel);
    m_badLines->setSelectionMode(QAbstractItemView::SingleSelection);
    m_badLines->showSort(-1, Qt::AscendingOrder);
    m_badLines->setFrameShape(QFrame::StyledPanel);
    column->addWidget(m_badLines);
    m_badLines->hide();

    m_faultWords = new PlainLabel({}, PlainLabel::Step::Body);
    m_faultWords->setStateColour(u"dead"_s);
    m_faultWords->setWordWrap(true);
    m_faultWords->setSelectable(true);
    column->addWidget(m_faultWords);
    m_faultWords->hide();

    QHBoxLayout* reason = nullptr;
    m_reasonRow = addRowWidget(column, reason, tr("Reason"));
    m_reason = makeReasonField(this);
    reason->addWidget(m_reason, 1);
}

ImportDialog::Count ImportDialog::addCount(QVBoxLayout* column, const QString& label)
{
    Count count;
    QHBoxLayout* row = nullptr;
    count.row = addRowWidget(column, row, label, Qt::AlignTop);
    count.number = new PlainLabel({}, PlainLabel::Step::Strong);
    count.number->setAlignment(Qt::AlignRight | Qt::AlignTop);
    count.number->setFixedWidth(kCountWidth);
    count.words = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary);
    count.words->setWordWrap(true);
    row->addWidget(count.number, 0, Qt::AlignTop);
    row->addWidget(count.words, 1);
    return count;
}

void ImportDialog::buildFoot(QVBoxLayout* column)
{
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    m_typeWords = new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary);
    m_number = new QLineEdit(this);
    m_number->setFixedWidth(kNumberWidth);
    m_number->setMaxLength(24);
    m_stop = makeButton(tr("Stop"), {}, this);
    m_close = makeButton(tr("Cancel"), {}, this);
    m_import = makeAccentButton(tr("Import"), {}, this);
    foot->addWidget(m_typeWords);
    foot->addWidget(m_number);
    foot->addStretch(1);
    for (auto* button : {m_stop, m_close, m_import})
        foot->addWidget(button);
    column->addLayout(foot);
    connect(m_number, &QLineEdit::textChanged, this, &ImportDialog::judge);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_bridge.stopImports(); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_import, &QPushButton::clicked, this, [this] { start(false); });
}

void ImportDialog::start(bool previews)
{
    m_phase = previews ? Phase::Reading : Phase::Importing;
    m_progress = {};
    m_fault.clear();
    showCounts();
    judge();
    m_bridge.importLetters(
        this, {m_path, previews, m_actor, u"console"_s, m_reason->text().trimmed()},
        m_asked.guard([this](const Result<ImportProgress>& progress) { onProgress(progress); }));
}

void ImportDialog::onProgress(const Result<ImportProgress>& progress)
{
    if (!progress) {
        finish(progress.error().text());
        return;
    }
    m_progress = *progress;
    if (m_progress.isLast)
        finish(m_progress.fault);
    else
        showCounts();
}

void ImportDialog::finish(const QString& fault)
{
    const bool imported = m_phase == Phase::Importing;
    m_fault = fault;
    m_wouldBring = m_progress.counts.brought;
    m_phase = imported ? Phase::Over : Phase::Read;
    showCounts();
    showBadLines();
    judge();
    if (!imported) {
        (m_number->isVisible() ? m_number : m_reason)->setFocus();
        return;
    }
    m_close->setFocus();
    Q_EMIT said(outcome());
    if (!isVisible())
        deleteLater();
}

QString ImportDialog::outcome() const
{
    const ImportCounts& counts = m_progress.counts;
    QStringList parts{tr("%1 dead letter(s) came back", nullptr, format::plural(counts.brought))
                          .arg(format::number(counts.brought))};
    if (counts.there > 0)
        parts.append(tr("%1 skipped").arg(format::number(counts.there)));
    if (counts.bad > 0)
        parts.append(
            tr("%1 line(s) unusable", nullptr, format::plural(counts.bad)).arg(format::number(counts.bad)));
    if (m_progress.wasStopped)
        parts.append(tr("stopped before the end of the file"));
    if (!m_fault.isEmpty())
        parts.append(cellText(m_fault));
    return parts.join(u", "_s);
}

void ImportDialog::setCount(const Count& count, qint64 number, const QString& words, bool always)
{
    count.number->setText(format::number(number));
    count.words->setText(words);
    count.row->setVisible(always || number > 0);
}

void ImportDialog::showCounts()
{
    const ImportCounts& counts = m_progress.counts;
    const bool isUnderWay = m_phase == Phase::Reading || m_phase == Phase::Importing;
    m_barRow->setVisible(isUnderWay);
    const int part = m_progress.bytes > 0 ? int(m_progress.bytesRead * kThousand / m_progress.bytes) : 0;
    m_bar->setProgress(part, 0, kThousand);
    m_progressWords->setText(m_phase == Phase::Reading
                                 ? tr("reading, %1").arg(format::percent(part / double(kThousand), 0))
                                 : tr("importing, %1").arg(format::percent(part / double(kThousand), 0)));
    setCount(
        m_brought, counts.brought,
        m_phase == Phase::Importing || m_phase == Phase::Over
            ? tr("came back as dead letter(s), under the same ids", nullptr, format::plural(counts.brought))
            : tr("will come back as dead letter(s), under the same ids, for as long as new ones", nullptr,
                 format::plural(counts.brought)),
        true);
    setCount(m_there, counts.there, tr("are there already, or what they are about has gone on since"), false);
    setCount(m_bad, counts.bad,
             tr("line(s) without a letter that can be read", nullptr, format::plural(counts.bad)), false);
}

void ImportDialog::showBadLines()
{
    QList<PlainRow> rows;
    for (const ImportProgress::BadLine& bad : std::as_const(m_progress.badLines))
        rows.append({QString::number(bad.line), {{bad.line}, {cellText(bad.why), {}, 0, {}, bad.why}}});
    if (const qint64 more = m_progress.counts.bad - rows.size(); more > 0 && !rows.isEmpty())
        rows.append({u"more"_s, {{}, {tr("and %1 more").arg(format::number(more))}}});
    m_badModel->setRows(rows);
    m_badLines->setVisible(!rows.isEmpty());
    m_badLines->setFixedHeight(m_badLines->horizontalHeader()->sizeHint().height() + 4 +
                               std::clamp(int(rows.size()), 1, kMostRows) *
                                   m_badLines->verticalHeader()->defaultSectionSize());
    QString fault = cellText(m_fault);
    if (m_progress.wasStopped)
        fault = tr("Stopped before the end of the file. What came back stays.");
    else if (!fault.isEmpty() && m_progress.counts.brought + m_progress.counts.there > 0)
        fault = tr("Read no further: %1. What comes before that is counted above.").arg(fault);
    m_faultWords->setText(fault);
    m_faultWords->setVisible(!fault.isEmpty());
}

QString ImportDialog::obstacle() const
{
    if (m_phase == Phase::Reading)
        return tr("The file is still being read.");
    if (m_wouldBring == 0)
        return tr("There is nothing to bring back.");
    if (m_wouldBring > kTypeAbove && typedDigits(m_number->text()) != QString::number(m_wouldBring))
        return tr("Type %1 first.").arg(format::number(m_wouldBring));
    return {};
}

void ImportDialog::judge()
{
    const bool asks = m_phase == Phase::Reading || m_phase == Phase::Read;
    const bool typed = m_phase == Phase::Read && m_wouldBring > kTypeAbove;
    const auto number = format::number(m_wouldBring);
    m_typeWords->setVisible(typed);
    m_number->setVisible(typed);
    m_typeWords->setText(tr("Type %1").arg(number));
    m_number->setAccessibleName(tr("Type %1 to allow it").arg(number));
    m_reasonRow->setVisible(asks);
    m_import->setVisible(asks);
    m_import->setText(m_phase == Phase::Read && m_wouldBring > 0
                          ? tr("Import %1 letter(s)", nullptr, format::plural(m_wouldBring)).arg(number)
                          : tr("Import"));
    m_import->setAccessibleName(m_import->text());
    m_import->setEnabled(asks && obstacle().isEmpty());
    m_import->setToolTip(format::plainToolTip(asks ? obstacle() : QString()));
    m_stop->setVisible(m_phase == Phase::Importing);
    m_close->setText(asks                          ? tr("Cancel")
                     : m_phase == Phase::Importing ? tr("Go on out of sight")
                                                   : tr("Close"));
    layout()->activate();
    resize(width(), std::max(minimumHeight(), layout()->totalHeightForWidth(width())));
}

void ImportDialog::done(int result)
{
    if (m_phase == Phase::Importing)
        hide();
    else
        QDialog::done(result);
}

void ImportDialog::closeEvent(QCloseEvent* event)
{
    if (m_phase != Phase::Importing) {
        QDialog::closeEvent(event);
        return;
    }
    event->ignore();
    hide();
}

} // namespace redrive
