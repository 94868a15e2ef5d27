// Reads the keys of one list: once in slices as they come, and again, quietly, whenever the list may have
// changed. How often depends on what reading costs; of a very long list only the newest rows are read again.
// Window thread.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/latest.h"

#include <QElapsedTimer>
#include <QTimer>

namespace redrive {

class ListReader final : public QObject
{
    Q_OBJECT
public:
    static constexpr size_t kLongList = 50'000;
    static constexpr int kFirstHead = 1'000;
    static constexpr int kLongestHead = 100'000;
    static constexpr int kShortPauseMs = 250; // lists up to kFirstHead rows
    static constexpr int kPauseMs = 2'000;

    // `name` tells its questions from those of other readers.
    ListReader(EngineBridge& bridge, const QString& name, QObject* parent = nullptr);

    void open(const ListRequest& request); // drops what is under way
    const ListRequest& request() const { return m_request; }
    bool isComplete() const { return m_complete; }
    void touch();   // the list may have changed: read it again soon
    void readNow(); // and without waiting; what is under way is dropped
    void lengthenHead();
    void stop(); // what has come is the list until it is opened again; it is not read again
    void setLength(size_t rows) { m_length = rows; }
    void setPaused(bool paused);

Q_SIGNALS:
    void sliceCame(const std::vector<qint64>& keys, bool first, bool last, bool cut);
    void searched(qint64 rows); // looked at so far
    void failed(const redrive::Error& error);
    void readAgain(const std::vector<qint64>& keys, bool cut); // the whole list
    void headRead(const std::vector<qint64>& keys);            // its newest rows

private:
    bool readsHeadOnly() const;
    void startReading();
    void onOpened(Result<ListSlice> slice);
    void onReadAgain(Result<ListSlice> slice);
    void rest(int atLeastMs);
    void onRested();

    EngineBridge& m_bridge;
    QString m_name;
    ListRequest m_request;
    Latest m_opening;
    Latest m_rereading;
    QTimer m_pause;
    QElapsedTimer m_took;
    std::vector<qint64> m_gathered;
    size_t m_length = 0;
    int m_head = kFirstHead;
    bool m_headOnly = false; // what is being read
    bool m_complete = false;
    bool m_reading = false;
    bool m_touched = false;
    bool m_reopen = false; // opening failed and is worth another try
    bool m_paused = false;
};

} // namespace redrive
