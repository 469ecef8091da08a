#include "mpi_ext/monitoring/profile.h"

#include <algorithm>

namespace strata::mpix::monitoring {

void append_profile(std::string& text, const Row& row, int sender, int size) {
  for (int kind = 0; kind < kKinds; ++kind) {
    Row of_kind;
    std::copy_if(row.entries.begin(), row.entries.end(), std::back_inserter(of_kind.entries),
                 [&](const Entry& e) { return static_cast<int>(e.kind) == kind; });
    if (kind == static_cast<int>(Kind::kCollective)) of_kind.to_all = row.to_all;
    for_each_peer(of_kind, sender, size, [&](int receiver, const Amount& amount) {
      text += "EICS"[kind];
      text += '\t' + std::to_string(sender) + '\t' + std::to_string(receiver) + '\t' + std::to_string(amount.bytes) +
              " bytes\t" + std::to_string(amount.messages) + " msgs sent\n";
    });
  }
}

}  // namespace strata::mpix::monitoring
