// SPDX-License-Identifier: LGPL-2.1-only
// The text of a profile (records/matrix/prof_file.h), which sessions write.
#pragma once

#include <string>

#include "mpi_ext/monitoring/counters.h"

namespace strata::mpix::monitoring {

/// Appends the messages that rank `sender` of `size` has sent: a line for each kind and receiver, in this order.
void append_profile(std::string& text, const Row& row, int sender, int size);

}  // namespace strata::mpix::monitoring
