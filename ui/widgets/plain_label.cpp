#include "ui/widgets/plain_label.h"

#include "ui/widgets/look.h"
#include "ui/widgets/text_colour.h"

#include <QEvent>

namespace redrive {

PlainLabel::PlainLabel(const QString& text, Step step, Emphasis emphasis, QWidget* parent)
    : QLabel(parent), m_step(step), m_emphasis(emphasis)
{
    setTextFormat(Qt::PlainText);
    setForegroundRole(QPalette::WindowText); // else a parent's background role would choose it
    setText(text);
    restyle();
}

void PlainLabel::setEmphasis(Emphasis emphasis)
{
    m_emphasis = emphasis;
    restyle();
}

void PlainLabel::setStateColour(const QString& state)
{
    m_state = state;
    restyle();
}

void PlainLabel::setSelectable(bool selectable)
{
    setTextInteractionFlags(selectable ? Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard
                                       : Qt::NoTextInteraction);
}

void PlainLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::ApplicationFontChange)
        restyle();
}

void PlainLabel::restyle()
{
    if (m_restyling)
        return;
    m_restyling = true;
    const auto& look = Look::current();
    const auto& f = look.font;
    switch (m_step) {
    case Step::Body:
        setFont(f.body);
        break;
    case Step::Strong:
        setFont(f.bodyStrong);
        break;
    case Step::Small:
        setFont(f.small);
        break;
    case Step::Heading:
        setFont(f.heading);
        break;
    case Step::Title:
        setFont(f.title);
        break;
    case Step::Mono:
        setFont(f.mono);
        break;
    case Step::MonoSmall:
        setFont(f.monoSmall);
        break;
    }
    auto own = look.palette();
    own.setColor(QPalette::Active, QPalette::WindowText,
                 m_state.isEmpty() ? textColour(m_emphasis) : look.state(m_state).text);
    own.setColor(QPalette::Inactive, QPalette::WindowText, own.color(QPalette::Active, QPalette::WindowText));
    setPalette(own);
    m_restyling = false;
}

} // namespace redrive
