#include "core/engine/store_checker.h"

#include "core/base/log.h"
#include "core/db/held_data.h"
#include "core/db/quick_check.h"

#include <QFileInfo>

#include <pthread.h>

namespace redrive {

namespace {
constexpr std::chrono::milliseconds kInterruptEvery(5); // one that comes before the statement is lost
}

void StoreChecker::start(std::function<void(const Error&)> onDamage)
{
    if (!isDue())
        return;
    m_running = true;
    m_thread = std::thread([this, onDamage = std::move(onDamage)] { run(onDamage); });
}

bool StoreChecker::isDue() const
{
    if (QFileInfo(m_target.path).size() < kLargeBytes)
        return true;
    const auto held = readHeldData(m_target);
    return !held || m_clock.wallMs() - held->checkedAtMs >= kLargeEveryMs;
}

void StoreChecker::stop()
{
    {
        std::unique_lock lock(m_mutex);
        m_stopping = true;
        while (m_running) {
            if (m_interrupt)
                m_interrupt();
            m_changed.wait_for(lock, kInterruptEvery, [this] { return !m_running; });
        }
    }
    if (m_thread.joinable())
        m_thread.join();
}

void StoreChecker::run(const std::function<void(const Error&)>& onDamage)
{
    pthread_setname_np(pthread_self(), "checker");
    const Status checked = check();
    if (!checked && checked.error().kind == ErrorKind::Corrupt)
        onDamage(checked.error());
    else if (!checked && checked.error().kind != ErrorKind::Cancelled)
        logEvent(LogLevel::Warning, "store_not_checked", {{"error", checked.error().text()}});
    std::lock_guard lock(m_mutex);
    m_running = false;
    m_changed.notify_all();
}

Status StoreChecker::check()
{
    REDRIVE_ASSIGN(connection, Connection::open(m_target, Access::Reader));
    {
        std::lock_guard lock(m_mutex);
        if (m_stopping)
            return fail(ErrorKind::Cancelled, u"the engine is stopping"_s);
        m_interrupt = connection->interrupter();
    }
    const Status checked = quickCheck(*connection);
    std::lock_guard lock(m_mutex);
    m_interrupt = {};
    if (checked)
        noteChecked(m_target, m_clock.wallMs());
    return checked;
}

} // namespace redrive
