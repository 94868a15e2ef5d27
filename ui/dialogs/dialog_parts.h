// What the dialogs are laid out with, beside addFormRow(). Window thread.
#pragma once

#include <QString>

class QDialog;
class QLineEdit;
class QVBoxLayout;
class QWidget;

namespace redrive {

class PlainLabel;

// The dialog deletes itself once it is closed.
QVBoxLayout* beginDialog(QDialog* dialog);

// As the head and as the window's title; without an environment there is no label of it. Plain text.
PlainLabel* addDialogTitle(QVBoxLayout* column, QDialog* dialog, const QString& title,
                           const QString& environment = {}, const QString& environmentColour = {});

PlainLabel* addSentence(QVBoxLayout* column, const QString& text);

// What is written into the activity with an action.
QLineEdit* makeReasonField(QWidget* dialog);

// At the foot, alone: "Close".
void addCloseButton(QVBoxLayout* column, QDialog* dialog);

// An action on more is allowed by typing their number.
inline constexpr int kTypeAbove = 1'000;
// The digits of a number that was typed to allow something, however it is grouped; empty: it is none.
QString typedDigits(const QString& text);

} // namespace redrive
