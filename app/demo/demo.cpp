#include "app/demo/demo.h"

#include "app/demo/demo_archive.h"
#include "app/demo/demo_endpoints.h"
#include "app/demo/demo_files.h"
#include "app/demo/demo_mailbox.h"
#include "app/demo/demo_settings.h"
#include "app/demo/demo_traffic.h"
#include "core/base/clock.h"
#include "core/store/engine_locks.h"

#include <QDir>
#include <QFileInfo>

namespace redrive {

namespace {

Result<DatabaseTarget> emptyDatabase(const QString& dataFolder)
{
    const QString folder = dataFolder + u"/demo"_s;
    const QString path = folder + u"/redrive.db"_s;
    if (engine_locks::anyLive(path))
        return fail(ErrorKind::Refused, u"a demo is running already in %1"_s.arg(folder));
    QDir(folder).removeRecursively();
    if (!QDir().mkpath(folder))
        return fail(ErrorKind::ReadOnly, u"the folder %1 cannot be made"_s.arg(folder));
    return DatabaseTarget{path};
}

} // namespace

Demo::Demo() : m_mailbox(std::make_unique<DemoMailbox>()), m_traffic(std::make_unique<DemoTraffic>()) {}

Result<std::unique_ptr<Demo>> Demo::prepare(Place& place)
{
    REDRIVE_ASSIGN(target, emptyDatabase(place.dataFolder));
    std::unique_ptr<Demo> demo(new Demo);
    REDRIVE_ASSIGN(receiver, startDemoReceiver());
    demo->m_receiver = std::move(receiver);
    REDRIVE_TRY(demo->m_mailbox->listen());
    const QString files = QFileInfo(target.path).absolutePath() + u"/files"_s;
    REDRIVE_TRY(writeDemoFiles(files));
    const QString archive = QFileInfo(target.path).absolutePath() + u"/archive"_s;
    REDRIVE_TRY(writeDemoArchive(archive, SystemClock().wallMs()));
    const QString listen = place.settings.listen;
    place.settings = demoSettings({[&](const QString& id) { return demoEndpointUrl(*demo->m_receiver, id); },
                                   demo->m_mailbox->url(), files, archive});
    place.settings.listen = listen;
    place.target = target;
    demo->m_mailbox->moveToThread(&demo->m_thread);
    demo->m_traffic->moveToThread(&demo->m_thread);
    demo->m_thread.setObjectName(u"demo"_s);
    demo->m_thread.start();
    return demo;
}

void Demo::startTraffic(const QString& listenUrl)
{
    QMetaObject::invokeMethod(
        m_traffic.get(),
        [traffic = m_traffic.get(), listenUrl] { traffic->start(QUrl(listenUrl), demoIngestToken()); },
        Qt::QueuedConnection);
}

Demo::~Demo()
{
    if (m_thread.isRunning()) { // deferred deletes are done where the objects live, before the thread ends
        m_traffic.release()->deleteLater();
        m_mailbox.release()->deleteLater();
    }
    m_thread.quit();
    m_thread.wait();
}

} // namespace redrive
