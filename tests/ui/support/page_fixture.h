// A page over an engine, shown offscreen, with what it said. Window thread.
#pragma once

#include "ui/pages/page_context.h"
#include "ui/widgets/page.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPushButton>
#include <QTest>

namespace redrive::test {

template <typename PageT>
struct PageFixture
{
    explicit PageFixture(EngineApi& engine, std::function<void(PageContext&)> change = {})
        : bridge(engine, clock)
    {
        PageContext context;
        context.bridge = &bridge;
        context.actor = u"anna"_s;
        context.environment = u"STAGING"_s;
        context.environmentColour = u"ochre"_s;
        if (change)
            change(context);
        page = std::make_unique<PageT>(context);
        QObject::connect(page.get(), &Page::messageRaised, page.get(),
                         [this](const QString& text) { messages.append(text); });
        page->resize(1200, 640);
        page->show();
        page->setCurrent(true);
        page->focusTarget()->setFocus();
    }

    // The visible button whose text begins so, or nothing.
    static QPushButton* button(const QWidget* parent, const QString& text)
    {
        const auto buttons = parent->findChildren<QPushButton*>();
        for (auto* candidate : buttons)
            if (candidate->isVisible() && candidate->text().startsWith(text))
                return candidate;
        return nullptr;
    }
    QPushButton* button(const QString& text) const { return button(page.get(), text); }

    void clickRow(int row, Qt::KeyboardModifiers modifiers = {})
    {
        auto* table = page->table();
        const auto cell = table->visualRect(table->model()->index(row, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, cell.center());
    }

    SystemClock clock;
    EngineBridge bridge;
    std::unique_ptr<PageT> page;
    QStringList messages;
};

} // namespace redrive::test
