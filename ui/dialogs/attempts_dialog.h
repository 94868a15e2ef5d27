// Two attempts of a delivery or job beside each other: what differs stands out, what is the same can be left
// out. Not modal; deletes itself. Window thread.
#pragma once

#include "ui/widgets/attempts_list.h"

#include <QDialog>

class QCheckBox;
class QComboBox;

namespace redrive {

// A line of the comparison. Pure.
struct AttemptDifference
{
    QString label;
    QString left;
    QString right;
    bool differs() const { return left != right; }
};

// Facts by label, in the order in which either attempt has them; time and duration first. A fact of several
// lines is taken apart where only some of them differ.
QList<AttemptDifference> compareAttempts(const AttemptView& left, const AttemptView& right,
                                         format::Zone zone);

class AttemptsDialog final : public QDialog
{
    Q_OBJECT
public:
    // At least two, newest first: the newest two are shown.
    AttemptsDialog(const QString& title, QList<AttemptView> attempts, format::Zone zone, QWidget* parent);

    QComboBox* left() const { return m_left; }
    QComboBox* right() const { return m_right; }
    QCheckBox* onlyDifferences() const { return m_only; }
    // What is shown, as text: a line a fact.
    QStringList shownLabels() const { return m_shown; }

private:
    QComboBox* makeChoice(int index, const QString& name);
    void refill();

    const QList<AttemptView> m_attempts;
    const format::Zone m_zone;
    QComboBox* m_left = nullptr;
    QComboBox* m_right = nullptr;
    QCheckBox* m_only = nullptr;
    QScrollArea* m_area = nullptr;
    QStringList m_shown;
};

} // namespace redrive
