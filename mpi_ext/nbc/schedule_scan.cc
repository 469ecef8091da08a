// SPDX-License-Identifier: LGPL-2.1-only
// Inclusive scan along a chain, as in libNBC. Each rank receives the prefix that ends before it, combines its own data
// after it, and sends the result on. size - 1 messages, one after another. The result replaces the later of the two
// operands, and sendbuf must not change. So an operation that does not commute needs a copy unless it is in place.
#include "mpi_ext/nbc/schedule_parts.h"

namespace strata::mpix {

Schedule schedule_scan(const NbcCase& what) {
  Schedule schedule;
  auto& rounds = schedule.on_thread;
  const BlockRange own = {Buffer::kSend, 0, 1}, prefix = {Buffer::kReceive, 0, 1}, scratch = {Buffer::kScratch, 0, 1};
  const int before = what.rank - 1, after = what.rank + 1;
  if (what.rank > 0) {
    if (!what.in_place && what.commutes) {
      rounds.push_back({receive(before, prefix, what.rank)});
      rounds.push_back({combine(own, prefix)});
    } else {
      rounds.push_back({receive(before, scratch, what.rank)});
      if (!what.in_place) rounds.back().push_back(copy(own, prefix));
      rounds.push_back({combine(scratch, prefix)});
    }
    if (after < what.size) rounds.push_back({send(after, prefix, after)});
  } else if (what.in_place) {
    rounds.push_back({send(after, prefix, after)});
  } else {
    rounds.push_back({send(after, own, after), copy(own, prefix)});
  }
  return schedule;
}

}  // namespace strata::mpix
