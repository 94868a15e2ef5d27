// Completes the term of a filter at the cursor, not the whole text. Belongs to a line edit by
// QLineEdit::setCompleter(). Window thread.
#pragma once

#include <QCompleter>

#include <functional>

class QLineEdit;
class QStringListModel;

namespace redrive {

class FilterCompleter final : public QCompleter
{
    Q_OBJECT
public:
    explicit FilterCompleter(QLineEdit* field);

    // Asked at every edit; the words that are offered first come first.
    void setWords(std::function<QStringList()> words);

    QStringList splitPath(const QString& path) const override;
    QString pathFromIndex(const QModelIndex& index) const override;

private:
    void refresh();

    QLineEdit* m_field;
    QStringListModel* m_model;
    std::function<QStringList()> m_words;
    mutable QString m_before; // the text before and after the term that is completed
    mutable QString m_after;
};

} // namespace redrive
