// Carries an operator's action from a page to the engine: few items act at once, more are asked about with
// the exact number first; what became of it is one quiet line. Window thread.
#pragma once

#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/edit_dialog.h"
#include "ui/models/row_value.h"
#include "ui/pages/page_context.h"

#include <QPointer>
#include <QWidget>

namespace redrive {

// What a page would act on. Keys are those of its list.
struct ActionChoice
{
    ActionVerb verb = ActionVerb::Requeue;
    ListKind list = ListKind::Jobs;
    std::vector<qint64> selected;
    std::vector<qint64> loaded;
    qint64 matching = 0; // rows of the list
    QString filter;
    bool allSelected = false; // the selection is everything that matches
    int deliveredChosen = 0;  // of the selected ones, each chosen by itself
    QString endpointId;       // whose missed events; nothing is selected then
    QStringList missed;       // or these, as missed_event.h writes them
};

class ActionRunner final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kAskAbove = 10;

    ActionRunner(PageContext context, QWidget* page);

    // On the selection; asks when it is more than kAskAbove items, or in production.
    void run(const ActionChoice& choice);
    // Asks in any case, with the scope to choose.
    void ask(const ActionChoice& choice);
    // Opens the editor on the only selected row; what it is called and how it is written stands in the row.
    void edit(const ActionChoice& choice, const RowValue& row);
    // Without a question: ids of jobs, messages or deliveries, or a queue.
    void act(ActionRequest request);
    ActionDialog* dialog() const { return m_dialog; } // the open question, if any
    EditDialog* editor() const { return m_editor; }   // the open editor, if any

Q_SIGNALS:
    void reported(const QString& line);
    void settled(); // every item of an action is

private:
    // The ids of rows that are perhaps not loaded.
    void resolve(ListKind list, std::vector<qint64> keys, std::function<void(QStringList)> then);
    void resolveRest(ListKind list, std::vector<qint64> keys, QStringList found,
                     std::function<void(QStringList)> then);
    void openEditor(EditQuestion question);
    ActionRequest request(const ActionChoice& choice) const;

    PageContext m_context;
    QWidget* m_page;
    QPointer<ActionDialog> m_dialog;
    QPointer<EditDialog> m_editor;
};

} // namespace redrive
