// The program as a process of its own, over a database in a temporary folder. One thread.
#pragma once

#include "core/base/result.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace redrive::test {

struct Outcome
{
    int code = -1;
    QString out;
    QString err;

    QStringList lines() const { return out.split(u'\n', Qt::SkipEmptyParts); }
    QJsonObject json(int line = 0) const
    {
        return QJsonDocument::fromJson(lines().value(line).toUtf8()).object();
    }
};

class Program final
{
public:
    static constexpr int kPatienceMs = 60'000;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString database() const { return path(u"data/redrive.db"_s); }

    // In the temporary folder, without a display and without configuration but the one in that folder.
    Outcome run(const QStringList& words, const QByteArray& input = {}) const
    {
        QProcess process;
        prepare(process, words);
        process.start();
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(kPatienceMs))
            process.kill();
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

    void prepare(QProcess& process, const QStringList& words) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "CLOUDFLARE_ENV"})
            environment.remove(QString::fromLatin1(name));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.setProgram(QStringLiteral(REDRIVE_PROGRAM));
        process.setArguments(QStringList{u"--data"_s, path(u"data"_s)} + words);
    }

    void write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        QDir().mkpath(QFileInfo(file).absolutePath());
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("%s cannot be written", qUtf8Printable(file.fileName()));
    }

private:
    QTemporaryDir m_folder;
};

} // namespace redrive::test
