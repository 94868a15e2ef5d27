// Tokens of a filter text. Pure.
#pragma once

#include "core/domain/filter.h"

namespace redrive {

struct FilterToken
{
    enum Kind { Value, Open, Close, And, Or, Not, End };

    Kind kind = End;
    QString field; // lower case, without the colon; empty for bare words
    QString path;  // of the field payload: what follows its dot, as it was written
    QString text;  // the value, quotes removed
    bool quoted = false;
    qsizetype position = 0;
    qsizetype length = 0;
    qsizetype valuePosition = 0;
};

class FilterLexer final
{
public:
    // A text that was cut may end inside quotes.
    FilterLexer(QStringView text, bool wasCut) : m_text(text), m_wasCut(wasCut) {}

    tl::expected<FilterToken, FilterFault> next();

private:
    FilterToken simple(FilterToken::Kind kind, qsizetype length);
    bool startsNegation() const;
    void takeField(FilterToken& token);
    tl::expected<QString, FilterFault> takeQuoted();
    QString takeWord();
    bool atEnd() const { return m_at >= m_text.size(); }

    QStringView m_text;
    bool m_wasCut;
    qsizetype m_at = 0;
    int m_groups = 0; // open parentheses
};

} // namespace redrive
