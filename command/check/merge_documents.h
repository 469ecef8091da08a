// SPDX-License-Identifier: LGPL-2.1-only
// `strata submit merge` for the documents of `strata check AREA --shard i/N --json`: combines them into the result of
// the whole check.
#pragma once

#include "base/json.h"
#include "records/shard.h"

namespace strata::command {

inline constexpr const char* kCheckSchema = "strata.check/1";

/// The field `shard` of a document: number, of, version, and a hash of the program with the checked code.
Json shard_json(const Shard& shard);

}  // namespace strata::command
