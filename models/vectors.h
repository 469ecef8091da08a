// SPDX-License-Identifier: LGPL-2.1-only
// Hierarchical processing of vectors: RR-9077, Section 7.4, Algorithm 5.
//
// From the innermost level outwards, on each bridge of a hierarchy: a linear gather of the members' vectors on the
// first member, which then reduces them to one: p - 1 additions and a division, element by element, p combinations in
// all.
#pragma once

#include "models/hierarchy.h"
#include "models/schedule.h"

namespace strata::models {

/// The schedule for vectors of `bytes` each. O(np). Vectors of 0 bytes are not sent.
Schedule vectors_schedule(const Hierarchy& hierarchy, double bytes);

}  // namespace strata::models
