// SPDX-License-Identifier: LGPL-2.1-only
// `strata merge` of the documents of `strata check AREA --shard i/N --json`: what the whole check says.
#pragma once

#include "records/json.h"
#include "records/shard.h"

namespace strata::command {

inline constexpr const char* kCheckSchema = "strata.check/1";

/// The `shard` of a document: number, of, version, and the hash of the program with the code under check.
Json shard_json(const Shard& shard);

}  // namespace strata::command
