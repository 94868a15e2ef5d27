// One term of a filter from its token. Pure.
#pragma once

#include "core/domain/filter_lexer.h"

namespace redrive {

tl::expected<FilterTerm, FilterFault> filterTerm(const FilterToken& token);

} // namespace redrive
