// What every page is given. Plain value; window thread. The bridge outlives the pages.
#pragma once

#include "ui/bridge/engine_bridge.h"

#include <functional>

namespace redrive {

class ThemeController;
class UndoHold;

struct PageContext
{
    EngineBridge* bridge = nullptr;
    QString environment;               // shown beside the number before a grave act; empty: no label
    QString environmentColour;         // token name
    bool production = false;           // every action is asked before
    bool readOnly = false;             // nothing is changed from here: it was opened to look
    ThemeController* themes = nullptr; // nothing: the theme is not chosen here
    UndoHold* undo = nullptr;          // nothing: actions begin at once
    QString actor;                     // who acts: the user's login name
    std::function<void()> startDemo;   // nothing: no demo traffic can be started
};

} // namespace redrive
