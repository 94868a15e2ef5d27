#include "ui/widgets/json_highlighter.h"

#include "ui/widgets/json_layout.h"
#include "ui/widgets/look.h"

namespace redrive {

void JsonHighlighter::highlightBlock(const QString& text)
{
    const auto& syntax = Look::current().syntax;
    for (auto span = nextJsonToken(text, 0); span.length > 0;
         span = nextJsonToken(text, span.from + span.length)) {
        QColor colour;
        switch (span.token) {
        case JsonToken::Key:
            colour = syntax.key;
            break;
        case JsonToken::String:
            colour = syntax.string;
            break;
        case JsonToken::Number:
        case JsonToken::Word:
            colour = syntax.number;
            break;
        case JsonToken::Punctuation:
            colour = syntax.punctuation;
            break;
        case JsonToken::None:
            break;
        }
        if (colour.isValid())
            setFormat(int(span.from), int(span.length), colour);
    }
}

} // namespace redrive
