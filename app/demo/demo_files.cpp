#include "app/demo/demo_files.h"

#include <QDir>
#include <QFile>

namespace redrive {

namespace {

Status write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush())
        return {};
    return fail(ErrorKind::ReadOnly, u"%1 cannot be written"_s.arg(path), file.errorString());
}

} // namespace

Status writeDemoFiles(const QString& folder)
{
    if (!QDir().mkpath(folder + u"/inbox"_s))
        return fail(ErrorKind::ReadOnly, u"the folder %1 cannot be made"_s.arg(folder));
    REDRIVE_TRY(write(folder + u"/prices.csv"_s, "article,price\nteapot,19.90\ncup,4.50\nsaucer,2.20\n"));
    return write(folder + u"/stock.csv"_s, "article,pieces\nteapot,12\ncup,140\nsaucer,96\nspoon,0\n");
}

} // namespace redrive
