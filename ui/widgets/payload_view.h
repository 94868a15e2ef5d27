// Shows a payload: its exact bytes, in mono, coloured when it is JSON, as a tree, or in hex. Up to 1 MiB at
// once; above that in pieces, which the owner fetches on pieceWanted(). Window thread; nothing of a payload is
// ever interpreted.
#pragma once

#include <QByteArray>
#include <QWidget>

class QPlainTextEdit;
class QToolButton;

namespace redrive {

class JsonHighlighter;
class JsonTree;
class PlainLabel;
class SegmentedSwitch;

class PayloadView final : public QWidget
{
    Q_OBJECT
public:
    static constexpr qint64 kPiece = 1 << 20;

    explicit PayloadView(QWidget* parent = nullptr);

    // The whole payload, when it is at most kPiece bytes.
    void setPayload(const QByteArray& bytes);
    // A larger one: its size now, its first piece through showPiece(). Emits pieceWanted(0, kPiece).
    void setLargePayload(qint64 totalBytes);
    void showPiece(qint64 offset, const QByteArray& bytes);
    void clear();

    // Bytes as text: UTF-8 where valid, \xNN for every other byte, control characters as their pictures.
    static QString readable(const QByteArray& bytes, bool* exactText = nullptr);

Q_SIGNALS:
    void pieceWanted(qint64 offset, qint64 length);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void show(const QByteArray& bytes);
    void refill();
    QString hexText() const;
    void updateHead(bool exactText);
    void goTo(qint64 offset);

    PlainLabel* m_head;
    SegmentedSwitch* m_switch;
    QToolButton* m_back;
    QToolButton* m_forward;
    QPlainTextEdit* m_text;
    JsonTree* m_tree;
    JsonHighlighter* m_colours;
    QByteArray m_bytes;
    QString m_readable;
    QString m_laidOut;
    qint64 m_total = 0;
    qint64 m_offset = 0;
};

} // namespace redrive
