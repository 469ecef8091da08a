// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/monitoring/profile_text.h"

#include <algorithm>

#include "records/matrix/prof_file.h"

namespace strata::mpix::monitoring {

void append_profile(std::string& text, const Row& row, int sender, int size) {
  for (int kind = 0; kind < kMessageKinds; ++kind) {
    Row of_kind;
    std::copy_if(row.entries.begin(), row.entries.end(), std::back_inserter(of_kind.entries),
                 [&](const Entry& e) { return static_cast<int>(e.kind) == kind; });
    if (kind == static_cast<int>(Kind::kCollective)) of_kind.to_all = row.to_all;
    for_each_peer(of_kind, sender, size, [&](int receiver, const Amount& amount) {
      append_profile_line(text, static_cast<Kind>(kind), sender, receiver, amount.bytes, amount.messages);
    });
  }
}

}  // namespace strata::mpix::monitoring
