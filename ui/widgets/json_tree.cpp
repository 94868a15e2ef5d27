#include "ui/widgets/json_tree.h"

#include "core/base/json_slice.h"
#include "core/base/result.h"
#include "ui/models/format.h"
#include "ui/widgets/look.h"

#include <QHeaderView>

namespace redrive {

namespace {

constexpr int kOffset = Qt::UserRole; // of the branch's value in the text
constexpr int kLength = Qt::UserRole + 1;
constexpr qsizetype kLongestText = 300; // characters of a cell
constexpr int kKeyWidth = 160;

bool isBranch(const JsonSlice& value)
{
    return value.isObject() || value.isArray();
}

QString sizeText(const JsonSlice& value)
{
    int count = 0;
    if (value.isObject()) {
        for (JsonMembers members(value); members.next();)
            ++count;
        return u"{%1}"_s.arg(count);
    }
    for (JsonElements elements(value); elements.next();)
        ++count;
    return u"[%1]"_s.arg(count);
}

QString oneLine(const QString& text)
{
    QString line = text.left(kLongestText);
    for (QChar& c : line)
        if (c.unicode() < 0x20 || c.unicode() == 0x7F || c.unicode() == 0x2028 || c.unicode() == 0x2029)
            c = u' ';
    return text.size() > kLongestText ? line + u'\u2026' : line;
}

QString valueText(const JsonSlice& value)
{
    if (isBranch(value))
        return sizeText(value);
    const auto text = value.toText();
    return text ? u'"' + oneLine(*text) + u'"' : oneLine(QString::fromUtf8(value.bytes()));
}

} // namespace

JsonTree::JsonTree(QWidget* parent) : QTreeWidget(parent)
{
    setColumnCount(2);
    setHeaderLabels({tr("Member"), tr("Value")});
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setFont(Look::current().font.mono);
    header()->setStretchLastSection(true);
    header()->resizeSection(0, kKeyWidth);
    setAccessibleName(tr("Payload as a tree"));
    connect(this, &QTreeWidget::itemExpanded, this, &JsonTree::open);
}

void JsonTree::setJson(const QByteArray& json)
{
    if (json == m_json && topLevelItemCount() > 0)
        return; // the same again: what is open stays open
    clear();
    m_json = json;
    const JsonSlice whole{QByteArrayView(m_json)};
    if (!isBranch(whole)) {
        add(invisibleRootItem(), {}, whole);
        return;
    }
    fill(invisibleRootItem(), whole);
    for (int i = 0; i < topLevelItemCount(); ++i)
        topLevelItem(i)->setExpanded(true);
}

void JsonTree::fill(QTreeWidgetItem* branch, const JsonSlice& value)
{
    int count = 0;
    if (value.isObject()) {
        for (JsonMembers members(value); members.next(); ++count)
            if (count < kMostChildren)
                add(branch, oneLine(QString::fromUtf8(members.key())), members.value());
    } else {
        for (JsonElements elements(value); elements.next(); ++count)
            if (count < kMostChildren)
                add(branch, QString::number(elements.index()), elements.value());
    }
    if (count > kMostChildren)
        new QTreeWidgetItem(branch, {{}, tr("%1 more").arg(format::number(count - kMostChildren))});
}

void JsonTree::add(QTreeWidgetItem* branch, const QString& key, const JsonSlice& value)
{
    auto* item = new QTreeWidgetItem(branch, {key, valueText(value)});
    item->setForeground(0, Look::current().text.secondary);
    if (!isBranch(value) || value.text().size() <= 2)
        return;
    item->setData(0, kOffset, qint64(value.text().data() - m_json.constData()));
    item->setData(0, kLength, qint64(value.text().size()));
    item->setChildIndicatorPolicy(QTreeWidgetItem::ShowIndicator);
}

void JsonTree::open(QTreeWidgetItem* branch)
{
    const auto length = branch->data(0, kLength).toLongLong();
    if (branch->childCount() == 0 && length > 0)
        fill(branch, JsonSlice(QByteArrayView(m_json).sliced(branch->data(0, kOffset).toLongLong(), length)));
}

} // namespace redrive
