// SPDX-License-Identifier: LGPL-2.1-only
// A process's messages and bytes in a session, by kind and receiver. The table is sparse, because under SMPI all ranks
// share one address space, in which P rows of P numbers would not fit. A peer without messages costs nothing, and a
// collective in which all have data for all (Meaning::kToAll) is one number, not P - 1.
//
// A flat hash table with open addressing, 24 B per entry; adding is O(1). Numbers saturate at 2^64 - 1 and set a flag.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "records/exchange/tap.h"

namespace strata::mpix {

using Kind = MessageKind;

/// A number of messages and a number of bytes. Larger values saturate at 2^64 - 1 and set the flag.
struct Amount {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  bool more_messages = false;
  bool more_bytes = false;

  void add(const Amount& other);
  bool operator==(const Amount&) const = default;
};

/// Messages to rank `peer`.
struct Entry {
  int peer = 0;
  Kind kind = Kind::kExternal;
  Amount amount;
  bool operator==(const Entry&) const = default;
};

/// One process's messages: a row of the matrix.
struct Row {
  Amount to_all;               // kCollective: sent to every other process equally, in addition to the entries
  std::vector<Entry> entries;  // by peer, then kind
  bool operator==(const Row&) const = default;
};

/// Not thread-safe.
class Counters {
 public:
  void add(Kind kind, int peer, const Amount& amount);
  /// Adds to every other process of the session, as kCollective.
  void add_to_all(const Amount& amount) { to_all_.add(amount); }
  void clear();
  bool empty() const { return used_ == 0 && to_all_ == Amount{}; }

  /// The row of the kinds whose bits (1 << kind) are set.
  Row row(unsigned kinds) const;

 private:
  struct Slot {
    std::uint32_t key = 0;   // encodes peer and kind; 0: free
    std::uint32_t more = 0;  // 1: messages, 2: bytes
    std::uint64_t messages = 0, bytes = 0;
  };
  Slot& slot_of(std::uint32_t key);
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most three quarters used
  int shift_ = 32;           // 32 - log2 of their number
  std::size_t used_ = 0;
  Amount to_all_;
};

/// Appends a row as numbers that can be sent. Several rows can be packed one after another.
void pack(const Row& row, std::vector<std::uint64_t>& numbers);
/// Reads one row and removes its numbers from the span.
Row unpack(std::span<const std::uint64_t>& numbers);

/// The total over all kinds that rank `self` of `size` has sent to each rank. Calls `to` in increasing order, only for
/// ranks to which something was sent. O(size).
template <class To>
void for_each_peer(const Row& row, int self, int size, const To& to) {
  const bool all = row.to_all != Amount{};
  std::size_t next = 0;
  const auto sum = [&](int peer, Amount amount) {
    for (; next < row.entries.size() && row.entries[next].peer == peer; ++next) amount.add(row.entries[next].amount);
    if (amount != Amount{}) to(peer, amount);
  };
  if (all) {
    for (int peer = 0; peer < size; ++peer) sum(peer, peer == self ? Amount{} : row.to_all);
  } else {
    while (next < row.entries.size()) sum(row.entries[next].peer, {});
  }
}

}  // namespace strata::mpix
