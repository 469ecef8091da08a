// SPDX-License-Identifier: LGPL-2.1-only
// The algorithms of Open MPI's components tuned and HAN, by number and name, as `ompi_info --param coll tuned` lists
// them:
//
//   tuned_algorithms(Operation::kBcast, kOpenMpi41)[6]       "binomial"
//   tuned_algorithms(Operation::kAllgather, kOpenMpi50)[7]   "sparbit", which 4.1 does not have
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "collectives/operation.h"
#include "collectives/rules/library.h"

namespace strata::collectives {

/// By number, from 0 on: "ignore", the fixed decision. An Open MPI that is asked for a larger number returns
/// MPI_ERR_ARG from the collective.
std::span<const char* const> tuned_algorithms(Operation operation, const Library& library);

/// HAN's by number, from 0 on: "default". Empty for operations that HAN does not have, and before Open MPI 5.0, whose
/// files do not name algorithms.
std::span<const char* const> han_algorithms(Operation operation, const Library& library);

/// The number of a name; empty if there is no such algorithm.
std::optional<int> number_of(std::span<const char* const> algorithms, std::string_view name);

}  // namespace strata::collectives
