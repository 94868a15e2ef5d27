#include "app/start_failure.h"

#include "app/operator_name.h"
#include "app/place.h"
#include "core/base/clock.h"
#include "core/db/store_check.h"
#include "core/db/store_files.h"
#include "core/engine/store_rescue.h"
#include "ui/dialogs/rescue_dialog.h"

#include <QCoreApplication>
#include <QMessageBox>

#include <unistd.h>

namespace redrive {

namespace {

void showMessage(const Error& error)
{
    if (::isatty(STDERR_FILENO) != 0)
        return; // said there
    QMessageBox box;
    box.setTextFormat(Qt::PlainText);
    box.setIcon(QMessageBox::Critical);
    box.setWindowTitle(QCoreApplication::translate("Console", "Redrive cannot start"));
    box.setText(error.message);
    box.setInformativeText(error.detail);
    box.exec();
}

qint64 nowMs()
{
    return SystemClock().wallMs();
}

store_rescue::AskedBy askedHere()
{
    return {operatorName(), u"console"_s, {}};
}

Result<RescuedFile> recover(const DatabaseTarget& target, const RecoveryProgress& progress)
{
    REDRIVE_ASSIGN(recovered, store_rescue::recover(target, nowMs(), progress, askedHere()));
    RescuedFile file{recovered.path, {}};
    for (const RecoveredTable& table : std::as_const(recovered.tables))
        file.tables.append({table.name, table.rows, table.complete});
    return file;
}

RescueOffer offerFor(const Error& error, const DatabaseTarget& target)
{
    RescueOffer offer;
    offer.database = target.path;
    offer.message = withoutRecoverHint(target, error).message;
    const bool damaged = error.field == store_trouble::kDamaged;
    const bool emptied = error.field == store_trouble::kEmptied;
    if (damaged || emptied)
        for (const StoreCopy& backup : backupsOf(target))
            offer.backups.append({backup.path, backup.bytes, backup.changedAtMs});
    if (emptied || !offer.backups.isEmpty())
        offer.useBackup = [target](const QString& file) {
            return store_rescue::useBackup(target, file, nowMs(), askedHere());
        };
    if (emptied)
        offer.beginAnew = [target] { return store_rescue::beginAnew(target, nowMs(), askedHere()); };
    if (damaged) {
        offer.recover = [target](const RecoveryProgress& progress) { return recover(target, progress); };
        offer.useRecovered = [target](const QString& file) {
            return store_rescue::useRecovered(target, file, nowMs(), askedHere());
        };
    }
    return offer;
}

} // namespace

bool askAfterStartFailure(const Error& error, const Invocation& invocation)
{
    const auto place = findPlace(invocation);
    if (!place || !error.field.startsWith(store_trouble::kPrefix)) {
        showMessage(error);
        return false;
    }
    return RescueDialog(offerFor(error, place->target)).exec() == QDialog::Accepted;
}

} // namespace redrive
