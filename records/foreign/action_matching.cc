// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/action_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace strata {
namespace {

constexpr const char* kSameCalls = "all ranks make the same collective calls, in the same order";
// A replayed collective call has buffers, and counts its bytes in an int.
constexpr double kMostBytes = std::numeric_limits<int>::max();

// B of an element of SMPI's datatypes, by their number in actions (src/smpi/mpi/smpi_datatype.cpp), on x86-64 and
// AArch64 with Linux.
constexpr std::array kSizes = {8, 4,  1, 2,  8,  4, 1,  8,  1, 1,  2,  4,  8,  8,  16, 4, 1,  1,  2, 4,
                               8, 1,  2, 4,  8,  8, 16, 32, 8, 8,  8,  16, 16, 8,  8,  8, 16, 16, 4, 4,
                               8, 16, 8, 16, 16, 4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8, 8};

double number(std::string_view word) {
  double n = 0;
  std::from_chars(word.data(), word.data() + word.size(), n);
  return n;
}
int integer(std::string_view word) { return static_cast<int>(number(word)); }

// Mixes the bits of a number (SplitMix64), so that sums of different pairs differ.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
std::uint64_t pair_of(int from, int to, double bytes) {
  return mixed(mixed(mixed(static_cast<std::uint64_t>(from)) + static_cast<std::uint64_t>(to)) +
               static_cast<std::uint64_t>(bytes));
}

double sum_of(const std::vector<double>& blocks) { return std::accumulate(blocks.begin(), blocks.end(), 0.0); }

}  // namespace

std::string ActionMatching::Place::text() const { return fmt::format("{}:{}", *file, line); }

void ActionMatching::fail(const Place& place, const std::string& what, const std::string& remedy) {
  throw InputError(place.text(), what, remedy);
}

// The size of an element of the type in a word; of the default type if the word is missing.
double ActionMatching::size_of(std::size_t at, const std::vector<std::string_view>& words) const {
  if (at >= words.size()) return default_bytes_;
  return kSizes[integer(words[at])];
}

ActionMatching::Part ActionMatching::part_of(int rank, const Place& place,
                                             const std::vector<std::string_view>& words) const {
  const auto ranks = static_cast<std::size_t>(ranks_);
  const auto root = [&](std::size_t at) { return at < words.size() ? integer(words[at]) : 0; };
  const auto blocks = [&](std::size_t at, double size) {
    std::vector<double> all;
    for (std::size_t i = 0; i < ranks; ++i) all.push_back(number(words[at + i]) * size);
    return all;
  };
  Part p{.name = std::string(words[1])};
  if (p.name == "bcast") {
    p.root = root(3);
    p.block = p.largest = number(words[2]) * size_of(4, words);
  } else if (p.name == "reduce") {
    p.root = root(4);
    p.block = p.largest = number(words[2]) * size_of(5, words);
  } else if (p.name == "allreduce" || p.name == "scan" || p.name == "exscan") {
    p.block = p.largest = number(words[2]) * size_of(4, words);
  } else if (p.name == "allgather" || p.name == "alltoall") {
    const double sent = number(words[2]) * size_of(4, words), received = number(words[3]) * size_of(5, words);
    if (sent != received)
      fail(place, fmt::format("rank {} sends blocks of {:.0f} B and receives blocks of {:.0f} B", rank, sent, received),
           fmt::format("{} exchanges blocks of one size", p.name));
    p.block = sent;
    p.largest = sent * ranks_;
  } else if (p.name == "gather" || p.name == "scatter") {
    p.root = root(4);
    const double sent = number(words[2]) * size_of(5, words), received = number(words[3]) * size_of(6, words);
    p.block = p.name == "gather" ? sent : received;
    if (rank == p.root) {
      p.root_block = p.name == "gather" ? received : sent;
      if (p.block == 0) p.block = p.root_block;  // MPI_IN_PLACE
    }
    p.largest = std::max(p.block, p.root_block * ranks_);
  } else if (p.name == "gatherv" || p.name == "scatterv") {
    const bool gathers = p.name == "gatherv";
    p.root = root(3 + ranks);
    const double sent_size = size_of(4 + ranks, words), received_size = size_of(5 + ranks, words);
    p.own = gathers ? number(words[2]) * sent_size : number(words[2 + ranks]) * received_size;
    if (rank == p.root) p.blocks = gathers ? blocks(3, received_size) : blocks(2, sent_size);
    p.largest = std::max(p.own, sum_of(p.blocks));
  } else if (p.name == "allgatherv") {
    const std::size_t more = words.size() - 3 - ranks;
    const bool typed = more <= 2 || more > ranks;  // otherwise displacements follow, as SMPI reads it
    const double sent_size = typed ? size_of(3 + ranks, words) : default_bytes_;
    p.blocks = blocks(3, typed ? size_of(4 + ranks, words) : default_bytes_);
    p.own = number(words[2]) * sent_size;
    p.largest = std::max(p.own, sum_of(p.blocks));
  } else if (p.name == "reducescatter") {
    p.blocks = blocks(2, size_of(3 + ranks, words));
    p.largest = sum_of(p.blocks);
  } else if (p.name == "alltoallv") {
    const double sent_size = size_of(4 + 2 * ranks, words), received_size = size_of(5 + 2 * ranks, words);
    const std::vector<double> sent = blocks(3, sent_size), received = blocks(4 + ranks, received_size);
    const double sends = number(words[2]) * sent_size, receives = number(words[3 + ranks]) * received_size;
    for (int peer = 0; peer < ranks_; ++peer) {
      const auto i = static_cast<std::size_t>(peer);
      if (sent[i] > sends || received[i] > receives)
        fail(place, fmt::format("a block with rank {} is larger than its buffer", peer),
             "the counts are at most the buffer's");
      p.pairs += pair_of(rank, peer, sent[i]) - pair_of(peer, rank, received[i]);
    }
    p.largest = std::max({sends, receives, sum_of(sent), sum_of(received)});
  }
  if (p.largest > kMostBytes)
    fail(place, fmt::format("a collective call moves {:.0f} B", p.largest),
         fmt::format("SMPI replays up to {:.0f} B", kMostBytes));
  return p;
}

void ActionMatching::collective(int rank, const Place& place, Part part) {
  const std::size_t number = collectives_[rank]++;
  if (number - forgotten_ == waiting_.size()) waiting_.push_back({.part = part, .first = rank, .place = place});
  Collective& all = waiting_[number - forgotten_];
  Part& known = all.part;
  const auto other = [&] { return fmt::format("rank {} ({})", all.first, all.place.text()); };
  if (part.name != known.name)
    fail(place, fmt::format("rank {} calls {} where {} calls {}", rank, part.name, other(), known.name), kSameCalls);
  if (part.root != known.root)
    fail(place, fmt::format("the root of {} is {}, and {} says {}", part.name, part.root, other(), known.root),
         "all ranks name the same root");
  if (part.block != known.block)
    fail(place,
         fmt::format("rank {} calls {} with a block of {:.0f} B, and {} with {:.0f} B", rank, part.name, part.block,
                     other(), known.block),
         "blocks of all ranks are equal");
  if (part.root_block >= 0 && part.root_block != known.block)
    fail(place,
         fmt::format("the root of {} counts {:.0f} B for each rank, and {} has {:.0f} B", part.name, part.root_block,
                     other(), known.block),
         "what is sent is what is received");
  if (!part.blocks.empty()) {
    if (!known.blocks.empty() && part.blocks != known.blocks)
      fail(place, fmt::format("rank {} calls {} with other counts than {}", rank, part.name, other()),
           "all ranks give the same counts");
    known.blocks = std::move(part.blocks);
  }
  if (part.own >= 0) all.owns[rank] = part.own;
  if (!known.blocks.empty()) {
    for (const auto& [owner, bytes] : all.owns) {
      const double counted = known.blocks[owner];
      if (bytes != counted)
        fail(place,
             fmt::format("the block of rank {} in {} has {:.0f} B, and {:.0f} B are counted for it", owner, known.name,
                         bytes, counted),
             "what is sent is what is received");
    }
    all.owns.clear();
  }
  all.pairs += part.pairs;
  if (++all.came < ranks_) return;
  if (all.pairs != 0)
    fail(all.place,
         fmt::format("the ranks' counts of this {} differ: some rank sends to another what it does not "
                     "expect",
                     known.name),
         "what is sent is what is received");
  for (; !waiting_.empty() && waiting_.front().came == ranks_; ++forgotten_) waiting_.pop_front();
}

void ActionMatching::compare(const Key& key, const Message& sent, const Message& received) {
  if (received.bytes < 0 || sent.bytes <= received.bytes || too_long_.contains(key.to)) return;
  too_long_[key.to] = {received.place,
                       fmt::format("rank {} receives at most {:.0f} B of a message of {:.0f} B from rank {} ({})",
                                   key.to, received.bytes, sent.bytes, key.from, sent.place.text())};
}

void ActionMatching::send(const Key& key, Message message) {
  const auto found = received_.find(key);
  if (found == received_.end()) {
    sent_[key].push_back(message);
    return;
  }
  compare(key, message, found->second.front());
  found->second.pop_front();
  if (found->second.empty()) received_.erase(found);
}

void ActionMatching::receive(const Key& key, Message message) {
  const auto found = sent_.find(key);
  if (found == sent_.end()) {
    received_[key].push_back(message);
    return;
  }
  compare(key, found->second.front(), message);
  found->second.pop_front();
  if (found->second.empty()) sent_.erase(found);
}

void ActionMatching::add(int rank, const std::string& file, long line, const std::vector<std::string_view>& words) {
  const Place place{&file, line};
  const std::string_view name = words[1];
  if (name == "init") {
    const double bytes = words.size() > 2 ? 8 : 1;
    if (default_bytes_ != 0 && default_bytes_ != bytes)
      fail(place,
           fmt::format("rank {} calls init {} an argument, unlike an earlier rank", rank,
                       words.size() > 2 ? "with" : "without"),
           "it sets the default datatype of all ranks, so give it to all or to none");
    default_bytes_ = bytes;
  } else if (name == "send" || name == "isend") {
    send({rank, integer(words[2]), integer(words[3])}, {place, number(words[4]) * size_of(5, words)});
  } else if (name == "recv" || name == "irecv") {
    const double count = number(words[4]);
    if (integer(words[2]) < 0 || integer(words[3]) < 0) {
      Any& any = any_[rank];
      if (any.receives++ == 0) any.place = place;
    } else {
      receive({integer(words[2]), rank, integer(words[3])}, {place, count < 0 ? -1 : count * size_of(5, words)});
    }
  } else if (name == "sendRecv") {
    send({rank, integer(words[3]), 0}, {place, number(words[2]) * size_of(6, words)});
    receive({integer(words[5]), rank, 0}, {place, number(words[4]) * size_of(7, words)});
  } else if (name == "barrier" || name == "bcast" || name == "reduce" || name == "allreduce" || name == "scan" ||
             name == "exscan" || name == "allgather" || name == "allgatherv" || name == "alltoall" ||
             name == "alltoallv" || name == "gather" || name == "gatherv" || name == "scatter" || name == "scatterv" ||
             name == "reducescatter") {
    collective(rank, place, part_of(rank, place, words));
  }
}

void ActionMatching::finish() const {
  if (!waiting_.empty()) {
    const Collective& first = waiting_.front();
    const auto missing = std::find(collectives_.begin(), collectives_.end(), forgotten_);
    fail(first.place,
         fmt::format("rank {} does not take part in this {} of rank {}", missing - collectives_.begin(),
                     first.part.name, first.first),
         kSameCalls);
  }
  // The first fault in the order of files and lines.
  const Place* place = nullptr;
  std::string what;
  const auto note = [&](const Place& at, const std::string& text) {
    if (place != nullptr && !(at < *place)) return;
    place = &at;
    what = text;
  };
  std::vector<long> left(any_.size());  // by receiver: messages for receives from any source or with any tag
  for (const auto& [key, messages] : received_)
    note(messages.front().place, fmt::format("no rank sends the message from rank {} with tag {} that rank {} receives",
                                             key.from, key.tag, key.to));
  for (const auto& [key, messages] : sent_) left[key.to] += static_cast<long>(messages.size());
  for (const auto& [key, messages] : sent_) {
    const auto to = static_cast<std::size_t>(key.to);
    if (left[to] > any_[to].receives)
      note(messages.front().place,
           fmt::format("rank {} does not receive the message from rank {} with tag {}", key.to, key.from, key.tag));
  }
  for (std::size_t r = 0; r < any_.size(); ++r) {
    if (any_[r].receives > left[r])
      note(any_[r].place, fmt::format("rank {} receives more messages than are sent to it", r));
  }
  for (const auto& [to, fault] : too_long_) {
    if (any_[to].receives == 0) note(fault.first, fault.second);
  }
  if (place != nullptr) fail(*place, what, "each message has one send and one receive that is large enough");
}

}  // namespace strata
