#include "ui/pages/font_choice.h"

#include "ui/models/state_words.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/theme_controller.h"

#include <QFontDialog>
#include <QHBoxLayout>

namespace redrive {

FontChoice::FontChoice(ThemeController& themes, Of of, const QString& accessibleName, QWidget* parent)
    : QWidget(parent), m_themes(themes), m_of(of)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_font = makeButton({}, {}, this);
    m_font->setAccessibleName(accessibleName);
    m_system = makeSmallButton(tr("As the system"), {}, this);
    row->addWidget(m_font);
    row->addWidget(m_system);
    connect(m_font, &QPushButton::clicked, this, &FontChoice::ask);
    connect(m_system, &QPushButton::clicked, this, [this] { choose({}); });
    connect(&themes, &ThemeController::changed, this, &FontChoice::show);
    show();
}

QString FontChoice::chosen() const
{
    return m_of == Of::Lists ? m_themes.listFont() : m_themes.payloadFont();
}

void FontChoice::choose(const QString& font)
{
    if (m_of == Of::Lists)
        m_themes.chooseFonts(font, m_themes.payloadFont());
    else
        m_themes.chooseFonts(m_themes.listFont(), font);
}

void FontChoice::ask()
{
    auto* dialog =
        new QFontDialog(m_of == Of::Lists ? Look::current().font.body : Look::current().font.mono, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(m_font->accessibleName());
    dialog->setOption(QFontDialog::DontUseNativeDialog);
    if (m_of == Of::Payloads)
        dialog->setOption(QFontDialog::MonospacedFonts);
    connect(dialog, &QFontDialog::fontSelected, this, [this](const QFont& font) { choose(font.toString()); });
    dialog->open();
}

void FontChoice::show()
{
    const QFont font = m_of == Of::Lists ? Look::current().font.body : Look::current().font.mono;
    m_font->setText(tr("%1, %2 pt\u2026").arg(cellText(font.family()), QString::number(font.pointSizeF())));
    m_system->setVisible(!chosen().isEmpty());
}

} // namespace redrive
