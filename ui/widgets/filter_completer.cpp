#include "ui/widgets/filter_completer.h"

#include <QLineEdit>
#include <QStringListModel>

namespace redrive {

namespace {

constexpr int kShown = 10;

// Where the term that ends at the cursor begins; -1 inside quotes, whose text is the operator's own.
qsizetype beginOfTerm(const QString& text, qsizetype cursor)
{
    qsizetype begin = 0;
    bool quoted = false;
    for (qsizetype i = 0; i < cursor; ++i) {
        if (text[i] == u'"')
            quoted = !quoted;
        else if (!quoted && (text[i].isSpace() || text[i] == u'(' || (text[i] == u'-' && i == begin)))
            begin = i + 1;
    }
    return quoted ? -1 : begin;
}

} // namespace

FilterCompleter::FilterCompleter(QLineEdit* field)
    : QCompleter(field), m_field(field), m_model(new QStringListModel(this))
{
    setModel(m_model);
    setCaseSensitivity(Qt::CaseInsensitive);
    setMaxVisibleItems(kShown);
    connect(field, &QLineEdit::textEdited, this, &FilterCompleter::refresh);
}

void FilterCompleter::setWords(std::function<QStringList()> words)
{
    m_words = std::move(words);
    refresh();
}

void FilterCompleter::refresh()
{
    const QStringList words = m_words ? m_words() : QStringList();
    if (words != m_model->stringList())
        m_model->setStringList(words);
}

QStringList FilterCompleter::splitPath(const QString& path) const
{
    static const QString nothing(1, QChar(0)); // no word begins so
    const qsizetype cursor = qMin<qsizetype>(m_field->cursorPosition(), path.size());
    const qsizetype begin = beginOfTerm(path, cursor);
    if (begin < 0 || begin >= cursor)
        return {nothing};
    m_before = path.left(begin);
    m_after = path.mid(cursor);
    const QString term = path.mid(begin, cursor - begin);
    return {m_model->stringList().contains(term) ? nothing : term};
}

QString FilterCompleter::pathFromIndex(const QModelIndex& index) const
{
    return m_before + index.data().toString() + m_after;
}

} // namespace redrive
