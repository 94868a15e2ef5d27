// The navigator: entries in groups, live counts, one of them current. Window thread.
#pragma once

#include <QTreeView>

class QStandardItem;
class QStandardItemModel;

namespace redrive {

enum NavRole {
    NavIdRole = Qt::UserRole + 1,
    NavIconRole,
    NavCountRole,   // qint64, -1: none or unknown
    NavGrowingRole, // bool, an arrow beside the count
    NavAlarmRole,   // bool, the count in the colour of dead while it is above 0
    NavStartsGroupRole,
    NavKeyRole, // the letter after G, for the tooltip
};

class NavView final : public QTreeView
{
    Q_OBJECT
public:
    explicit NavView(QWidget* parent = nullptr);

    struct Item
    {
        QString id;
        QString title;
        QString iconName;
        QString goKey;
        int group = 0;
        bool alarm = false; // only dead letters colour their count
    };
    // Groups appear in the order of their number, items in the order added. `parentId` empty: a top entry.
    void addEntry(const Item& item, const QString& parentId = {});
    void setCount(const QString& id, qint64 count, bool growing);
    void setCurrentId(const QString& id); // does not emit
    QString currentId() const;

    QSize sizeHint() const override;

Q_SIGNALS:
    void entryChosen(const QString& id);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyboardSearch(const QString&) override {} // G and a letter is the quick way
    void changeEvent(QEvent* event) override;

private:
    QStandardItem* find(const QString& id) const;

    QStandardItemModel* m_model;
    QHash<QString, QStandardItem*> m_items;
    bool m_silent = false;
};

} // namespace redrive
