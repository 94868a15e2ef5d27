// The console's verifier of signatures: its dialog, with the secrets as they are when it is asked. Window
// thread.
#pragma once

#include <QByteArray>
#include <QHash>

#include <functional>

class QWidget;

namespace redrive {

// `secrets` reads those that are known now; it may block, and is called in a thread of the pool.
void openVerifier(QWidget* window, std::function<QHash<QString, QByteArray>()> secrets);

} // namespace redrive
