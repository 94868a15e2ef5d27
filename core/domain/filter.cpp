#include "core/domain/filter.h"

#include "core/domain/filter_term.h"

namespace redrive {

namespace {

constexpr int kMaxNesting = 100;

using Parsed = tl::expected<FilterNode, FilterFault>;

FilterNode join(FilterNode::Kind kind, std::vector<FilterNode> parts)
{
    if (parts.size() == 1)
        return std::move(parts.front());
    FilterNode node;
    node.kind = kind;
    node.parts = std::move(parts);
    return node;
}

class Parser final
{
public:
    Parser(QStringView text, bool wasCut) : m_lexer(text, wasCut), m_wasCut(wasCut) {}

    Parsed parse()
    {
        if (auto fault = advance())
            return tl::unexpected(*fault);
        if (m_token.kind == FilterToken::End)
            return FilterNode();
        return alternatives();
    }

private:
    std::optional<FilterFault> advance()
    {
        auto token = m_lexer.next();
        if (!token)
            return token.error();
        m_token = std::move(*token);
        return std::nullopt;
    }

    bool endsGroup() const { return m_token.kind == FilterToken::End || m_token.kind == FilterToken::Close; }

    Parsed alternatives()
    {
        std::vector<FilterNode> parts;
        for (;;) {
            auto part = conjunction();
            if (!part)
                return part;
            parts.push_back(std::move(*part));
            if (m_token.kind != FilterToken::Or)
                return join(FilterNode::Or, std::move(parts));
            if (auto fault = advance())
                return tl::unexpected(*fault);
        }
    }

    Parsed conjunction()
    {
        std::vector<FilterNode> parts;
        do {
            auto part = negation();
            if (!part)
                return part;
            parts.push_back(std::move(*part));
            if (m_token.kind == FilterToken::And) {
                if (auto fault = advance())
                    return tl::unexpected(*fault);
                if (endsGroup())
                    return missingTerm();
            }
        } while (!endsGroup() && m_token.kind != FilterToken::Or);
        return join(FilterNode::And, std::move(parts));
    }

    Parsed negation()
    {
        if (m_token.kind != FilterToken::Not)
            return primary();
        if (++m_nesting > kMaxNesting)
            return tooDeep();
        if (auto fault = advance())
            return tl::unexpected(*fault);
        auto inner = negation();
        --m_nesting;
        if (!inner)
            return inner;
        FilterNode node;
        node.kind = FilterNode::Not;
        node.parts.push_back(std::move(*inner));
        return node;
    }

    Parsed primary()
    {
        if (m_token.kind == FilterToken::Open)
            return group();
        if (m_token.kind != FilterToken::Value)
            return missingTerm();
        auto term = filterTerm(m_token);
        if (!term)
            return tl::unexpected(term.error());
        if (auto fault = advance())
            return tl::unexpected(*fault);
        FilterNode node;
        node.kind = FilterNode::Term;
        node.term = std::move(*term);
        return node;
    }

    Parsed group()
    {
        const FilterToken open = m_token;
        if (++m_nesting > kMaxNesting)
            return tooDeep();
        if (auto fault = advance())
            return tl::unexpected(*fault);
        auto inner = alternatives();
        --m_nesting;
        if (!inner)
            return inner;
        if (m_token.kind == FilterToken::Close) {
            if (auto fault = advance())
                return tl::unexpected(*fault);
        } else if (!m_wasCut) {
            return tl::unexpected(FilterFault{u"'(' is not closed."_s, open.position, 1});
        }
        return inner;
    }

    // A cut text may end anywhere: what is missing then matches everything.
    Parsed missingTerm()
    {
        if (m_wasCut && m_token.kind == FilterToken::End)
            return FilterNode();
        return tl::unexpected(FilterFault{u"A term is missing here."_s, m_token.position, m_token.length});
    }

    Parsed tooDeep()
    {
        return tl::unexpected(
            FilterFault{u"The filter is nested too deeply."_s, m_token.position, m_token.length});
    }

    FilterLexer m_lexer;
    FilterToken m_token;
    bool m_wasCut;
    int m_nesting = 0;
};

QStringView cutText(const QString& text)
{
    QStringView cut = QStringView(text).left(Filter::kMaxCharacters);
    if (cut.size() < text.size() && cut.back().isHighSurrogate())
        cut.chop(1);
    return cut;
}

} // namespace

tl::expected<Filter, FilterFault> parseFilter(const QString& text)
{
    const QStringView cut = cutText(text);
    const bool shortened = cut.size() < text.size();
    auto root = Parser(cut, shortened).parse();
    if (!root)
        return tl::unexpected(root.error());
    return Filter{std::move(*root), shortened};
}

QString filterNotice()
{
    return u"The filter was shortened to %1 characters."_s.arg(Filter::kMaxCharacters);
}

Error filterError(const FilterFault& fault)
{
    return {ErrorKind::InvalidInput,
            u"filter, character %1: %2"_s.arg(QString::number(fault.position + 1), fault.message),
            {},
            u"filter"_s};
}

QString requiredStatus(const FilterNode& root)
{
    if (root.kind == FilterNode::Term && root.term.field == FilterField::State)
        return root.term.text.toLower();
    if (root.kind == FilterNode::And) {
        for (const FilterNode& part : root.parts) {
            if (const QString status = requiredStatus(part); !status.isEmpty())
                return status;
        }
    }
    return {};
}

} // namespace redrive
