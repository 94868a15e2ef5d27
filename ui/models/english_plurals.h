// English needs a plural even without a translation file: tr("%1 job(s)", "", n) reads "1 job" or "2 jobs".
// Install it before any real translation, which then wins. Window thread.
#pragma once

#include <QTranslator>

namespace redrive {

class EnglishPlurals final : public QTranslator
{
    Q_OBJECT
public:
    using QTranslator::QTranslator;

    QString translate(const char* context, const char* source, const char* disambiguation,
                      int n) const override;
    bool isEmpty() const override { return false; }
};

} // namespace redrive
