#include "ui/dialogs/rescue_dialog.h"

#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QStackedWidget>

namespace redrive {

namespace {

constexpr int kWidth = 620;
constexpr int kListHeight = 150;
constexpr int kProgressMs = 100;
enum { kMessagePage, kBackupPage, kWorkPage };

PlainLabel* sentence(const QString& text, Emphasis emphasis = Emphasis::Primary)
{
    auto* label = new PlainLabel(text, PlainLabel::Step::Body, emphasis);
    label->setWordWrap(true);
    return label;
}

QString backupLine(const RescueBackup& backup)
{
    return RescueDialog::tr("%1 \u00B7 %2 \u00B7 %3")
        .arg(format::fullTime(backup.madeAtMs, format::Zone::Local), format::size(backup.bytes),
             cellText(QFileInfo(backup.path).fileName()));
}

} // namespace

RescueDialog::RescueDialog(RescueOffer offer, QWidget* parent) : QDialog(parent), m_offer(std::move(offer))
{
    setWindowTitle(tr("Redrive cannot start"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    m_pages = new QStackedWidget(this);
    column->addWidget(m_pages);
    setMinimumWidth(kWidth);
    addMessagePage();
    addBackupPage();
    addWorkPage();
    m_progressTimer.setInterval(kProgressMs);
    connect(&m_progressTimer, &QTimer::timeout, this, &RescueDialog::showProgress);
    go(kMessagePage);
    m_quit->setFocus();
}

RescueDialog::~RescueDialog()
{
    endWork();
}

void RescueDialog::done(int result)
{
    if (m_working)
        m_stopping = true; // what cannot be stopped goes on to its end
    else
        QDialog::done(result);
}

QVBoxLayout* RescueDialog::addPage(const QString& title)
{
    auto* page = new QWidget(m_pages);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Look::current().space.section);
    column->addWidget(new PlainLabel(title, PlainLabel::Step::Title));
    m_pages->addWidget(page);
    return column;
}

QHBoxLayout* RescueDialog::addFoot(QVBoxLayout* column)
{
    column->addStretch(1);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    foot->addStretch(1);
    column->addLayout(foot);
    return foot;
}

void RescueDialog::addMessagePage()
{
    auto* column = addPage(tr("The database cannot be opened"));
    auto* message = sentence(m_offer.message);
    message->setSelectable(true);
    column->addWidget(message);
    column->addWidget(sentence(cellText(m_offer.database), Emphasis::Secondary));
    auto* foot = addFoot(column);
    const auto add = [&](const QString& text, const std::function<void()>& act) {
        auto* button = makeButton(text, {}, this);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, act);
        foot->addWidget(button);
    };
    if (m_offer.recover)
        add(tr("Recover into a new file\u2026"), [this] { recover(); });
    if (m_offer.useBackup)
        add(tr("Open a backup\u2026"), [this] { showBackups(); });
    if (m_offer.beginAnew)
        add(tr("Create a new database"),
            [this] { place(tr("Moving the old file aside\u2026"), m_offer.beginAnew); });
    m_quit = makeAccentButton(tr("Quit"), {}, this);
    m_quit->setDefault(true);
    connect(m_quit, &QPushButton::clicked, this, &QDialog::reject);
    foot->addWidget(m_quit);
}

void RescueDialog::addBackupPage()
{
    auto* column = addPage(tr("Open a backup"));
    column->addWidget(
        sentence(m_offer.backups.isEmpty()
                     ? tr("There is no backup beside the database. Any other file can be chosen.")
                     : tr("A copy of it takes the database's place. The present file stays beside it under "
                          "another name."),
                 Emphasis::Secondary));
    m_backups = new QListWidget(this);
    m_backups->setAccessibleName(tr("Backups"));
    m_backups->setMinimumHeight(kListHeight);
    m_backups->setVisible(!m_offer.backups.isEmpty());
    for (const RescueBackup& backup : m_offer.backups) {
        auto* item = new QListWidgetItem(backupLine(backup), m_backups);
        item->setData(Qt::UserRole, backup.path);
        item->setToolTip(format::plainToolTip(backup.path));
    }
    m_backups->setCurrentRow(0);
    column->addWidget(m_backups);
    auto* foot = addFoot(column);
    auto* back = makeButton(tr("Back"), {}, this);
    auto* other = makeButton(tr("Another file\u2026"), {}, this);
    auto* open = makeAccentButton(tr("Open it"), {}, this);
    for (auto* button : {back, other, open}) {
        button->setAutoDefault(false);
        foot->addWidget(button);
    }
    open->setEnabled(!m_offer.backups.isEmpty());
    connect(back, &QPushButton::clicked, this, [this] { go(kMessagePage); });
    connect(other, &QPushButton::clicked, this, &RescueDialog::chooseFile);
    const auto openCurrent = [this] {
        if (const auto* item = m_backups->currentItem())
            place(tr("Checking and copying the backup\u2026"),
                  [this, file = item->data(Qt::UserRole).toString()] { return m_offer.useBackup(file); });
    };
    connect(open, &QPushButton::clicked, this, openCurrent);
    connect(m_backups, &QListWidget::itemActivated, this, openCurrent);
}

void RescueDialog::addWorkPage()
{
    auto* column = addPage(tr("One moment"));
    m_workWords = sentence({});
    m_workProgress = sentence({}, Emphasis::Secondary);
    column->addWidget(m_workWords);
    column->addWidget(m_workProgress);
    auto* foot = addFoot(column);
    m_stop = makeButton(tr("Stop"), {}, this);
    m_stop->setAutoDefault(false);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_stopping = true; });
    foot->addWidget(m_stop);
}

void RescueDialog::go(int page)
{
    m_pages->setCurrentIndex(page);
    layout()->activate();
    resize(width(), qMax(minimumHeight(), layout()->totalHeightForWidth(width())));
}

void RescueDialog::showBackups()
{
    go(kBackupPage);
    m_backups->setFocus();
}

void RescueDialog::chooseFile()
{
    auto* chooser = new QFileDialog(this, tr("Open a backup"), QFileInfo(m_offer.database).absolutePath());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& file) {
        place(tr("Checking and copying the backup\u2026"), [this, file] { return m_offer.useBackup(file); });
    });
    chooser->open();
}

void RescueDialog::showProgress()
{
    Progress progress;
    {
        std::lock_guard lock(m_mutex);
        progress = m_progress;
    }
    m_workProgress->setText(progress.table.isEmpty()
                                ? QString()
                                : tr("%1: %2 row(s)", nullptr, format::plural(progress.rows))
                                      .arg(cellText(progress.table), format::number(progress.rows)));
}

template <typename T>
void RescueDialog::run(const QString& words, bool canStop, std::function<Result<T>()> work,
                       std::function<void(const T&)> then)
{
    endWork();
    m_stopping = false;
    {
        std::lock_guard lock(m_mutex);
        m_progress = {};
    }
    m_workWords->setText(words);
    m_stop->setVisible(canStop);
    showProgress();
    m_progressTimer.start();
    m_working = true;
    go(kWorkPage);
    m_thread = std::thread([this, work = std::move(work), then = std::move(then)] {
        auto result = std::make_shared<Result<T>>(work());
        QMetaObject::invokeMethod(
            this,
            [this, result, then] {
                m_progressTimer.stop();
                m_working = false;
                if (*result)
                    then(**result);
                else if (result->error().kind == ErrorKind::Cancelled)
                    go(kMessagePage);
                else
                    showFailure(result->error());
            },
            Qt::QueuedConnection);
    });
}

void RescueDialog::endWork()
{
    m_stopping = true;
    if (m_thread.joinable())
        m_thread.join();
}

void RescueDialog::place(const QString& words, std::function<Result<QString>()> work)
{
    run<QString>(words, false, std::move(work), [this](const QString&) { accept(); });
}

void RescueDialog::recover()
{
    run<RescuedFile>(
        tr("Reading what can still be read into a new file\u2026"), true,
        [this] {
            return m_offer.recover([this](const QString& table, qint64 rows) {
                std::lock_guard lock(m_mutex);
                m_progress = {table, rows};
                return !m_stopping;
            });
        },
        [this](const RescuedFile& file) { showRecovered(file); });
}

void RescueDialog::showNote(const QString& title, const QString& text, bool selectable,
                            const QList<QPushButton*>& buttons)
{
    delete m_note;
    auto* column = addPage(title);
    m_note = column->parentWidget();
    auto* words = sentence(text);
    words->setSelectable(selectable);
    column->addWidget(words);
    auto* foot = addFoot(column);
    for (auto* button : buttons) {
        button->setAutoDefault(false);
        foot->addWidget(button);
    }
    go(m_pages->indexOf(m_note));
    buttons.constLast()->setFocus();
}

void RescueDialog::showRecovered(const RescuedFile& file)
{
    QStringList lines;
    bool whole = true;
    for (const RescuedTable& table : file.tables) {
        whole = whole && table.complete;
        if (table.rows == 0 && table.complete)
            continue;
        const auto rows = format::number(table.rows);
        const auto name = cellText(table.name);
        lines.append(
            table.complete
                ? tr("%1: %2 row(s), all of them", nullptr, int(table.rows)).arg(name, rows)
                : tr("%1: %2 row(s); others could not be read", nullptr, int(table.rows)).arg(name, rows));
    }
    lines.prepend(whole ? tr("Everything could be read. The new file was checked and is sound.")
                        : tr("Not everything could be read. The new file was checked and is sound."));
    lines.append(cellText(file.path));
    auto* quit = makeButton(tr("Quit"), {}, this);
    auto* start = makeAccentButton(tr("Start with it"), {}, this);
    connect(quit, &QPushButton::clicked, this, &QDialog::reject);
    connect(start, &QPushButton::clicked, this, [this, path = file.path] {
        place(tr("Putting the new file into its place\u2026"),
              [this, path] { return m_offer.useRecovered(path); });
    });
    showNote(tr("Recovered"), lines.join(u'\n'), true, {quit, start});
}

void RescueDialog::showFailure(const Error& error)
{
    auto* back = makeButton(tr("Back"), {}, this);
    connect(back, &QPushButton::clicked, this, [this] { go(kMessagePage); });
    showNote(tr("That did not work"), error.text(), true, {back});
}

} // namespace redrive
