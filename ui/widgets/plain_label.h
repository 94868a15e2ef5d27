// A label that never interprets its text: everything that came from outside, and every other dynamic text,
// goes into one of these. Takes its font and colour from the look. Window thread.
#pragma once

#include "ui/models/roles.h"

#include <QLabel>

namespace redrive {

class PlainLabel final : public QLabel
{
    Q_OBJECT
public:
    enum class Step { Body, Strong, Small, Heading, Title, Mono, MonoSmall };

    explicit PlainLabel(const QString& text = {}, Step step = Step::Body,
                        Emphasis emphasis = Emphasis::Primary, QWidget* parent = nullptr);

    void setEmphasis(Emphasis emphasis);
    void setStateColour(const QString& state); // text in state.x.text; empty: the emphasis again
    void setSelectable(bool selectable);

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();

    Step m_step;
    Emphasis m_emphasis;
    QString m_state;
    bool m_restyling = false;
};

} // namespace redrive
