// Pages with sample values, for the gallery and for tests that walk the widgets.
#pragma once

#include "core/base/result.h"
#include "ui/widgets/detail_pane.h"
#include "ui/widgets/page.h"
#include "ui/widgets/row_table.h"

#include <QStandardItemModel>

namespace redrive::samples {

inline constexpr qint64 kNowMs = 1'796'048'482'000; // 2026-11-30 14:21:22 UTC

class FixedClock final : public Clock
{
public:
    qint64 wallMs() const override { return kNowMs; }
    qint64 steadyMs() const override { return 1'000'000; }
    qint64 bootMs() const override { return 1'000'000; }
};

// Rows of dead letters in the columns of the page: state and reason, job, type, where, error, attempt, dead
// for.
QStandardItemModel* deadLetters(QObject* parent);
QStandardItemModel* groups(QObject* parent);
QStandardItemModel* timers(QObject* parent);
QWidget* tiles(QWidget* parent);
DetailPane* detail(QWidget* parent);

class DeadPage final : public Page
{
    Q_OBJECT
public:
    explicit DeadPage(QWidget* parent = nullptr);

    NavEntry entry() const override;
    QString filterPlaceholder() const override;
    QString filter() const override { return m_filter; }
    void setFilter(const QString& filter) override;
    QString scopeText() const override;
    QList<QAction*> pageActions() const override { return m_actions; }
    QWidget* detail() override { return m_detail; }
    QWidget* focusTarget() override { return m_table; }
    QString currentId() const override { return m_table->currentRowId(); }
    void setZone(format::Zone zone) override { m_table->setZone(zone); }
    QByteArray saveState() const override { return m_table->saveColumns(); }
    void restoreState(const QByteArray& state) override { m_table->restoreColumns(state); }

    RowTable* table() const { return m_table; }
    int requeues() const { return m_requeues; }

private:
    FixedClock m_clock;
    RowTable* m_table;
    DetailPane* m_detail;
    QList<QAction*> m_actions;
    QString m_filter;
    int m_requeues = 0;
};

// A page with nothing but an entry, or with tiles, timers, an empty table and a broken bar.
class PlainPage final : public Page
{
    Q_OBJECT
public:
    PlainPage(const NavEntry& entry, int group, const QList<NavEntry>& children = {},
              QWidget* parent = nullptr);

    NavEntry entry() const override { return m_entry; }
    QList<NavEntry> children() const override { return m_children; }
    int navGroup() const override { return m_group; }
    QString filterPlaceholder() const override;
    QString filter() const override { return m_filter; }
    void setFilter(const QString& filter) override { m_filter = filter; }

private:
    void fillOverview();
    void fillTimers();
    void fillEmpty();

    FixedClock m_clock;
    NavEntry m_entry;
    QList<NavEntry> m_children;
    QString m_filter;
    int m_group;
};

QList<Page*> allPages();

} // namespace redrive::samples
