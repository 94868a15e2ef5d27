#include "ui/widgets/text_colour.h"

#include "ui/widgets/look.h"

namespace redrive {

QColor textColour(Emphasis emphasis)
{
    const auto& text = Look::current().text;
    switch (emphasis) {
    case Emphasis::Secondary:
        return text.secondary;
    case Emphasis::Tertiary:
        return text.tertiary;
    case Emphasis::Link:
        return text.link;
    case Emphasis::Primary:
    case Emphasis::Strong:
        break;
    }
    return text.primary;
}

} // namespace redrive
