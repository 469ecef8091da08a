// SPDX-License-Identifier: LGPL-2.1-only
// The quantities in JSON documents that can be compared (compared.h).
#pragma once

#include "analysis/compared.h"
#include "analysis/document.h"

namespace strata::analysis {

/// The quantities of two documents with the same schema. `kind`: one of document_kinds().
Sides document_sides(const std::string& kind, const Document& base, const Document& now);

/// The verdicts on one scenario in a strata.check/1 document: metric "model" or "claim", by name.
std::vector<Quantity> verdicts_of(const Document& scenario);

/// "exec", "hsplit", ..., for the schemas strata.KIND/1.
const std::vector<std::string>& document_kinds();

}  // namespace strata::analysis
