// The members of a JSON text as a tree: keys beside their values, numbers as they stand in the text. Branches
// are read when they are opened. Window thread; all of it is plain text.
#pragma once

#include <QByteArray>
#include <QTreeWidget>

namespace redrive {

class JsonSlice;

class JsonTree final : public QTreeWidget
{
    Q_OBJECT
public:
    static constexpr int kMostChildren = 1'000; // of one branch; the rest is counted

    explicit JsonTree(QWidget* parent = nullptr);

    // The two upper levels are open. `json` is valid JSON, else there are fewer rows.
    void setJson(const QByteArray& json);

private:
    void fill(QTreeWidgetItem* branch, const JsonSlice& value);
    void add(QTreeWidgetItem* branch, const QString& key, const JsonSlice& value);
    void open(QTreeWidgetItem* branch);

    QByteArray m_json;
};

} // namespace redrive
