// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/monitoring/counters.h"

#include <algorithm>
#include <limits>

namespace strata::mpix {
namespace {

constexpr std::uint32_t kMoreMessages = 1, kMoreBytes = 2;

// A saturated sum. Sets `more` if the sum does not fit.
std::uint64_t sum(std::uint64_t a, std::uint64_t b, bool& more) {
  std::uint64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  more = true;
  return std::numeric_limits<std::uint64_t>::max();
}

std::uint32_t flags_of(const Amount& amount) {
  return (amount.more_messages ? kMoreMessages : 0) | (amount.more_bytes ? kMoreBytes : 0);
}

Amount amount_of(std::uint64_t messages, std::uint64_t bytes, std::uint64_t flags) {
  return {messages, bytes, (flags & kMoreMessages) != 0, (flags & kMoreBytes) != 0};
}

// Never 0. Ranks up to 2^30 fit, which is more than any machine has.
std::uint32_t key_of(int peer, Kind kind) {
  return (static_cast<std::uint32_t>(peer) * kMessageKinds + static_cast<std::uint32_t>(kind)) + 1;
}

}  // namespace

void Amount::add(const Amount& other) {
  messages = sum(messages, other.messages, more_messages);
  bytes = sum(bytes, other.bytes, more_bytes);
  more_messages |= other.more_messages;
  more_bytes |= other.more_bytes;
}

// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): 2^32 divided by the golden ratio.
Counters::Slot& Counters::slot_of(std::uint32_t key) {
  const std::size_t last = slots_.size() - 1;
  std::size_t at = (key * 2654435769U) >> shift_;
  while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & last;
  return slots_[at];
}

void Counters::grow() {
  std::vector<Slot> old(std::max<std::size_t>(8, slots_.size() * 2));
  old.swap(slots_);
  for (shift_ = 32; (std::size_t{1} << (32 - shift_)) < slots_.size();) --shift_;
  for (const Slot& slot : old) {
    if (slot.key != 0) slot_of(slot.key) = slot;
  }
}

void Counters::add(Kind kind, int peer, const Amount& amount) {
  if ((used_ + 1) * 4 > slots_.size() * 3) grow();
  Slot& slot = slot_of(key_of(peer, kind));
  if (slot.key == 0) {
    slot.key = key_of(peer, kind);
    ++used_;
  }
  Amount total = amount_of(slot.messages, slot.bytes, slot.more);
  total.add(amount);
  slot.messages = total.messages;
  slot.bytes = total.bytes;
  slot.more = flags_of(total);
}

void Counters::clear() { *this = {}; }

Row Counters::row(unsigned kinds) const {
  Row row;
  if ((kinds >> static_cast<int>(Kind::kCollective) & 1U) != 0) row.to_all = to_all_;
  for (const Slot& slot : slots_) {
    if (slot.key == 0) continue;
    const int peer = static_cast<int>((slot.key - 1) / kMessageKinds),
              kind = static_cast<int>((slot.key - 1) % kMessageKinds);
    if ((kinds >> kind & 1U) == 0) continue;
    row.entries.push_back({peer, static_cast<Kind>(kind), amount_of(slot.messages, slot.bytes, slot.more)});
  }
  std::sort(row.entries.begin(), row.entries.end(),
            [](const Entry& a, const Entry& b) { return key_of(a.peer, a.kind) < key_of(b.peer, b.kind); });
  return row;
}

// Appends the number of entries, the amount for all peers with its flags, and for each entry: key and flags in one
// number, messages, bytes.
void pack(const Row& row, std::vector<std::uint64_t>& numbers) {
  numbers.insert(numbers.end(),
                 {row.entries.size(), row.to_all.messages, row.to_all.bytes, std::uint64_t{flags_of(row.to_all)}});
  for (const Entry& e : row.entries) {
    numbers.insert(numbers.end(), {std::uint64_t{key_of(e.peer, e.kind)} << 2 | flags_of(e.amount), e.amount.messages,
                                   e.amount.bytes});
  }
}

Row unpack(std::span<const std::uint64_t>& numbers) {
  const std::size_t entries = numbers[0];
  Row row;
  row.to_all = amount_of(numbers[1], numbers[2], numbers[3]);
  numbers = numbers.subspan(4);
  row.entries.reserve(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::uint64_t key = (numbers[3 * i] >> 2) - 1;
    row.entries.push_back({static_cast<int>(key / kMessageKinds), static_cast<Kind>(key % kMessageKinds),
                           amount_of(numbers[3 * i + 1], numbers[3 * i + 2], numbers[3 * i] & 3)});
  }
  numbers = numbers.subspan(3 * entries);
  return row;
}

}  // namespace strata::mpix
