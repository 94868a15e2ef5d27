// Brings dead letters back from a file: reads it first and says what would come back, what is skipped and
// which lines cannot be used, then has the engine do it. Closed meanwhile, it goes on out of sight. Not
// modal; deletes itself. Window thread.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/latest.h"

#include <QDialog>

class QHBoxLayout;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace redrive {

class PlainLabel;
class PlainTableModel;
class ProgressBar;
class RowTable;

class ImportDialog final : public QDialog
{
    Q_OBJECT
public:
    enum class Phase { Reading, Read, Importing, Over };

    ImportDialog(EngineBridge& bridge, QString path, QString actor, const QString& environment,
                 const QString& environmentColour, QWidget* parent = nullptr);
    ~ImportDialog() override;

    void done(int result) override;

    Phase phase() const { return m_phase; }
    QPushButton* importButton() const { return m_import; }
    QPushButton* stopButton() const { return m_stop; }
    QLineEdit* numberField() const { return m_number; }
    RowTable* badLines() const { return m_badLines; }

Q_SIGNALS:
    void said(const QString& text); // what came of it, one plain line

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    struct Count
    {
        QWidget* row = nullptr;
        PlainLabel* number = nullptr;
        PlainLabel* words = nullptr;
    };

    void buildBody(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    Count addCount(QVBoxLayout* column, const QString& label);
    void start(bool previews);
    void onProgress(const Result<ImportProgress>& progress);
    void finish(const QString& fault);
    static void setCount(const Count& count, qint64 number, const QString& words, bool always);
    void showCounts();
    void showBadLines();
    void judge();
    QString obstacle() const;
    QString outcome() const;

    EngineBridge& m_bridge;
    const QString m_path;
    const QString m_actor;
    Phase m_phase = Phase::Reading;
    ImportProgress m_progress;
    qint64 m_wouldBring = 0;
    QString m_fault; // of the reading or the import as a whole
    Latest m_asked;
    PlainLabel* m_progressWords = nullptr;
    ProgressBar* m_bar = nullptr;
    QWidget* m_barRow = nullptr;
    Count m_brought;
    Count m_there;
    Count m_bad;
    RowTable* m_badLines = nullptr;
    PlainTableModel* m_badModel = nullptr;
    PlainLabel* m_faultWords = nullptr;
    QWidget* m_reasonRow = nullptr;
    QLineEdit* m_reason = nullptr;
    PlainLabel* m_typeWords = nullptr;
    QLineEdit* m_number = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_close = nullptr;
    QPushButton* m_import = nullptr;
};

} // namespace redrive
