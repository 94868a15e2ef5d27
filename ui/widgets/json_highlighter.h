// Colours JSON by the syntax colours of the look. Window thread.
#pragma once

#include <QSyntaxHighlighter>

namespace redrive {

class JsonHighlighter final : public QSyntaxHighlighter
{
    Q_OBJECT
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override;
};

} // namespace redrive
