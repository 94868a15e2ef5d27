#include "ui/models/list_reader.h"

namespace redrive {

namespace {

constexpr int kCostFactor = 20; // reading again takes at most this part of the time
constexpr int kLongestPauseMs = 30'000;

} // namespace

ListReader::ListReader(EngineBridge& bridge, const QString& name, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_name(name)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &ListReader::onRested);
}

void ListReader::open(const ListRequest& request)
{
    m_request = request;
    m_complete = false;
    m_reading = false;
    m_touched = false;
    m_reopen = false;
    m_length = 0;
    m_head = kFirstHead;
    m_rereading.cancel();
    m_took.start();
    m_bridge.openList(this, m_name, request,
                      m_opening.guard([this](Result<ListSlice> slice) { onOpened(std::move(slice)); }));
}

void ListReader::onOpened(Result<ListSlice> slice)
{
    if (!slice) {
        m_opening.cancel();
        m_reopen = slice.error().retryable();
        if (m_reopen)
            rest(kPauseMs);
        Q_EMIT failed(slice.error());
        return;
    }
    m_length += slice->keys.size();
    m_complete = slice->last;
    Q_EMIT searched(slice->searched);
    if (slice->keys.empty() && !slice->last)
        return;
    if (m_complete)
        rest(0);
    Q_EMIT sliceCame(slice->keys, slice->first, slice->last, slice->cut);
}

void ListReader::stop()
{
    m_opening.cancel();
    m_bridge.closeList(m_name);
    m_complete = false;
    m_reopen = false;
}

void ListReader::touch()
{
    m_touched = true;
    if (m_complete && !m_reading && !m_paused && !m_pause.isActive())
        startReading();
}

void ListReader::readNow()
{
    m_touched = true;
    if (m_complete && !m_paused)
        startReading();
}

void ListReader::setPaused(bool paused)
{
    m_paused = paused;
    if (!paused && !m_pause.isActive())
        onRested();
}

void ListReader::lengthenHead()
{
    m_head = m_head < kLongestHead ? m_head * 10 : 0;
    readNow();
}

bool ListReader::readsHeadOnly() const
{
    return m_length > kLongList && m_head > 0 && m_request.sort == SortField::Newest && !m_request.ascending;
}

void ListReader::startReading()
{
    m_pause.stop();
    m_touched = false;
    m_reading = true;
    m_gathered.clear();
    m_headOnly = readsHeadOnly();
    auto request = m_request;
    request.limit = m_headOnly ? m_head : 0;
    m_took.start();
    m_bridge.openList(this, m_name + u".again"_s, std::move(request),
                      m_rereading.guard([this](Result<ListSlice> slice) { onReadAgain(std::move(slice)); }));
}

void ListReader::onReadAgain(Result<ListSlice> slice)
{
    if (!slice) {
        m_reading = false;
        m_touched = true;
        rest(kPauseMs);
        return;
    }
    m_gathered.insert(m_gathered.end(), slice->keys.begin(), slice->keys.end());
    if (!slice->last)
        return;
    m_reading = false;
    const auto keys = std::move(m_gathered);
    m_gathered = {};
    rest(0);
    if (m_headOnly) {
        Q_EMIT headRead(keys);
        return;
    }
    m_length = keys.size();
    m_head = kFirstHead;
    Q_EMIT readAgain(keys, slice->cut);
}

void ListReader::rest(int atLeastMs)
{
    const int usual = m_length <= size_t(kFirstHead) ? kShortPauseMs : kPauseMs;
    const auto cost = int(qMin<qint64>(m_took.elapsed() * kCostFactor, kLongestPauseMs));
    m_pause.start(qMax(atLeastMs, qMax(usual, cost)));
}

void ListReader::onRested()
{
    if (m_paused)
        return;
    if (m_reopen)
        open(ListRequest(m_request));
    else if (m_touched && m_complete && !m_reading)
        startReading();
}

} // namespace redrive
