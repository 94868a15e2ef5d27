#include "ui/widgets/payload_view.h"

#include "ui/models/format.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/hex_layout.h"
#include "ui/widgets/json_highlighter.h"
#include "ui/widgets/json_layout.h"
#include "ui/widgets/json_tree.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/segmented_switch.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPlainTextEdit>
#include <QStringDecoder>
#include <QTextDocument>
#include <QToolButton>

namespace redrive {

namespace {

constexpr qsizetype kColouredUpTo = 128 * 1024; // characters; beyond, colouring would hold up the window
constexpr qsizetype kLongestLine = 4096;        // a line of a megabyte cannot be laid out quickly
constexpr qsizetype kHexUpTo = 64 * 1024;       // bytes; five characters stand for each
enum View { LinesView, TreeView, RawView, HexView };

// Parts of a very long line stand on lines of their own; copying takes the bytes, not this.
QString brokenLines(const QString& text)
{
    QString out;
    qsizetype start = 0;
    while (start <= text.size()) {
        auto end = text.indexOf(u'\n', start);
        if (end < 0)
            end = text.size();
        for (auto at = start; at < end || at == start; at += kLongestLine) {
            if (at > start)
                out += u'\n';
            out += QStringView(text).mid(at, qMin(kLongestLine, end - at));
        }
        if (end < text.size())
            out += u'\n';
        start = end + 1;
    }
    return out;
}

} // namespace

PayloadView::PayloadView(QWidget* parent)
    : QWidget(parent), m_head(new PlainLabel({}, PlainLabel::Step::Small, Emphasis::Tertiary, this)),
      m_switch(new SegmentedSwitch(tr("Payload view"), {tr("Lines"), tr("Tree"), tr("Raw"), tr("Hex")}, true,
                                   this)),
      m_back(makeIconButton(u"ui/chevron-left"_s, tr("Previous piece"), this)),
      m_forward(makeIconButton(u"ui/chevron-right"_s, tr("Next piece"), this)),
      m_text(new QPlainTextEdit(this)), m_tree(new JsonTree(this)),
      m_colours(new JsonHighlighter(static_cast<QObject*>(this)))
{
    const auto& look = Look::current();
    m_head->setMinimumWidth(40);
    auto* copy = makeSmallButton(tr("Copy"), u"copy"_s, this);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(look.space.paneInset, 6, look.space.paneInset, 6);
    head->setSpacing(6);
    head->addWidget(m_head, 1);
    head->addWidget(m_back);
    head->addWidget(m_forward);
    head->addWidget(m_switch);
    head->addWidget(copy);

    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setAccessibleName(tr("Payload"));
    m_text->setFont(look.font.mono);
    m_text->document()->setDocumentMargin(look.space.paneInset);
    m_text->setTabStopDistance(QFontMetricsF(look.font.mono).horizontalAdvance(u' ') * 4);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_text, 1);
    column->addWidget(m_tree, 1);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(QString::fromUtf8(m_bytes)); });
    connect(m_switch, &SegmentedSwitch::chosen, this, &PayloadView::refill);
    connect(m_back, &QToolButton::clicked, this, [this] { goTo(qMax<qint64>(0, m_offset - kPiece)); });
    connect(m_forward, &QToolButton::clicked, this, [this] { goTo(m_offset + kPiece); });
    clear();
}

void PayloadView::setPayload(const QByteArray& bytes)
{
    m_total = bytes.size();
    m_offset = 0;
    show(bytes);
}

void PayloadView::setLargePayload(qint64 totalBytes)
{
    m_total = totalBytes;
    m_offset = 0;
    show({});
    goTo(0);
}

void PayloadView::showPiece(qint64 offset, const QByteArray& bytes)
{
    m_offset = offset;
    show(bytes);
}

void PayloadView::clear()
{
    m_total = 0;
    m_offset = 0;
    show({});
    m_head->clear();
}

void PayloadView::goTo(qint64 offset)
{
    if (offset < m_total)
        Q_EMIT pieceWanted(offset, qMin(kPiece, m_total - offset));
}

void PayloadView::show(const QByteArray& bytes)
{
    if (bytes == m_bytes && !bytes.isEmpty()) {
        updateHead(true);
        return; // the same again: keep the scroll position
    }
    m_bytes = bytes;
    bool exactText = true;
    m_readable = readable(bytes, &exactText);
    const bool whole = bytes.size() == m_total;
    m_laidOut = whole && exactText && m_readable.size() <= kColouredUpTo ? layOutJson(m_readable) : QString();
    m_switch->setVisible(!bytes.isEmpty());
    refill();
    updateHead(exactText);
}

void PayloadView::refill()
{
    const int view = m_switch->current();
    const bool lines = !m_laidOut.isNull() && view == LinesView;
    const bool tree = !m_laidOut.isNull() && view == TreeView;
    m_tree->setVisible(tree);
    m_text->setVisible(!tree);
    m_colours->setDocument(nullptr);
    if (tree) {
        m_tree->setJson(m_bytes);
        return;
    }
    if (view == HexView)
        m_text->setPlainText(hexText());
    else
        m_text->setPlainText(lines ? m_laidOut : brokenLines(m_readable));
    // Sixteen bytes are one line, whatever the width.
    m_text->setLineWrapMode(view == HexView ? QPlainTextEdit::NoWrap : QPlainTextEdit::WidgetWidth);
    if (!m_laidOut.isNull() && view != HexView)
        m_colours->setDocument(m_text->document());
}

QString PayloadView::hexText() const
{
    const QString text = hexLines(m_bytes.left(kHexUpTo), m_offset);
    return m_bytes.size() > kHexUpTo
               ? text + u'\n' + tr("The first %1 are shown so.").arg(format::bytes(kHexUpTo))
               : text;
}

void PayloadView::updateHead(bool exactText)
{
    const bool pieces = m_total > kPiece;
    auto words = tr("Payload \u00B7 %1, exact").arg(format::bytes(m_total));
    if (pieces)
        words = tr("Payload \u00B7 %1 \u00B7 %2\u2013%3 shown")
                    .arg(format::bytes(m_total), format::number(m_offset),
                         format::number(m_offset + m_bytes.size()));
    else if (!exactText)
        words = tr("Payload \u00B7 %1 \u00B7 bytes that are no text as \\xNN").arg(format::bytes(m_total));
    m_head->setText(words);
    m_back->setVisible(pieces);
    m_forward->setVisible(pieces);
    m_back->setEnabled(m_offset > 0);
    m_forward->setEnabled(m_offset + kPiece < m_total);
}

QString PayloadView::readable(const QByteArray& bytes, bool* exactText)
{
    bool exact = true;
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    QString text = decoder(bytes);
    if (decoder.hasError()) {
        exact = false;
        text.clear();
        // Byte for byte: a run that decodes stays text, a byte that does not is written as \xNN.
        qsizetype at = 0;
        while (at < bytes.size()) {
            const auto lead = uchar(bytes[at]);
            const int length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
            QStringDecoder one(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
            const QString piece =
                length > 0 && at + length <= bytes.size() ? QString(one(bytes.mid(at, length))) : QString();
            if (piece.isEmpty() || one.hasError()) {
                text += u"\\x"_s + QString::number(lead, 16).toUpper().rightJustified(2, u'0');
                ++at;
            } else {
                text += piece;
                at += length;
            }
        }
    }
    for (auto& c : text) {
        const auto code = c.unicode();
        if ((code < 0x20 && code != u'\n' && code != u'\t') || code == 0x7F) {
            if (code == u'\r')
                continue;
            c = QChar(code == 0x7F ? 0x2421 : 0x2400 + code);
            exact = false;
        } else if (code == 0x2028 || code == 0x2029) { // the editor would turn them into line ends
            c = QChar(0x2424);
            exact = false;
        }
    }
    if (exactText)
        *exactText = exact;
    return text;
}

void PayloadView::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), Look::current().background.base);
}

void PayloadView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        if (m_text->font() != Look::current().font.mono)
            m_text->setFont(Look::current().font.mono);
        m_tree->setFont(Look::current().font.mono);
        m_colours->rehighlight();
    }
}

} // namespace redrive
