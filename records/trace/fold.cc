// SPDX-License-Identifier: LGPL-2.1-only
#include "records/trace/fold.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace strata {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr int kMostLengths = 8;                // tried as a loop's body when a step is added
constexpr std::size_t kLongestBody = 1 << 14;  // steps
constexpr int kMostLoops = 8;                  // tried for another iteration

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  // The finalizer of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
  hash += value + 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

}  // namespace

bool StepFolder::Node::operator==(const Node& other) const {
  return hash == other.hash && count == other.count && step == other.step && body == other.body;
}

std::uint64_t StepFolder::hash_of(const Node& node) {
  const TraceStep& s = node.step;
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(node.count), static_cast<std::uint64_t>(s.kind) << 8 | s.modes);
  for (const std::int32_t n : {s.peer, s.tag, s.number, s.passed}) hash = mixed(hash, static_cast<std::uint32_t>(n));
  for (const double d : {s.amount, s.moved}) hash = mixed(hash, std::bit_cast<std::uint64_t>(d));
  for (const Node& n : node.body) hash = mixed(hash, n.hash);
  return hash;
}

void StepFolder::add(const TraceStep& step) {
  Node node;
  node.step = step;
  push(std::move(node));
  while (grow_loop() || make_loop()) {
  }
}

void StepFolder::push(Node node) {
  node.hash = hash_of(node);
  node.size = 1;
  for (const Node& n : node.body) node.size += n.size;
  size_ += node.size;
  const auto [at, first] = latest_.try_emplace(node.hash, nodes_.size());
  before_.push_back(first || at->second >= nodes_.size() ? kNone : at->second);
  at->second = nodes_.size();
  if (!node.body.empty()) loops_.push_back(nodes_.size());
  nodes_.push_back(std::move(node));
}

void StepFolder::cut(std::size_t size) {
  while (!loops_.empty() && loops_.back() >= size) loops_.pop_back();
  for (std::size_t i = nodes_.size(); i-- > size;) {
    size_ -= nodes_[i].size;
    // The previous equal node becomes the latest again.
    if (before_[i] == kNone) {
      latest_.erase(nodes_[i].hash);
    } else {
      latest_[nodes_[i].hash] = before_[i];
    }
  }
  nodes_.resize(size);
  before_.resize(size);
}

bool StepFolder::equal(std::size_t a, std::size_t b, std::size_t length) const {
  // Backwards, because the nodes that were added last differ first.
  for (std::size_t i = length; i-- > 0;) {
    if (!(nodes_[a + i] == nodes_[b + i])) return false;
  }
  return true;
}

// Merges the end of the sequence into a loop directly before it, if it is another iteration of that loop.
bool StepFolder::grow_loop() {
  int tried = 0;
  for (std::size_t l = loops_.size(); l-- > 0 && tried < kMostLoops; ++tried) {
    const std::size_t at = loops_[l], length = nodes_.size() - 1 - at;
    const Node& loop = nodes_[at];
    if (length != loop.body.size()) continue;
    if (!std::equal(loop.body.rbegin(), loop.body.rend(), nodes_.rbegin())) continue;
    Node grown = loop;
    ++grown.count;
    cut(at);
    push(std::move(grown));
    return true;
  }
  return false;
}

// Makes a loop of the end of the sequence, if it repeats the nodes before it.
bool StepFolder::make_loop() {
  const std::size_t last = nodes_.size() - 1;
  std::size_t earlier = before_[last];
  for (int tried = 0; tried < kMostLengths && earlier != kNone; ++tried, earlier = before_[earlier]) {
    const std::size_t length = last - earlier;
    if (length > kLongestBody || 2 * length > nodes_.size()) return false;
    const std::size_t first = nodes_.size() - 2 * length;
    if (!equal(first, first + length, length)) continue;
    Node loop;
    loop.count = 2;
    loop.body.assign(std::make_move_iterator(nodes_.begin() + static_cast<long>(first + length)),
                     std::make_move_iterator(nodes_.end()));
    // cut() needs the hashes and sizes, which the moved nodes keep.
    cut(first);
    push(std::move(loop));
    return true;
  }
  return false;
}

std::vector<TraceStep> StepFolder::take_older_half() {
  const std::size_t count = nodes_.size() / 2;
  std::vector<TraceStep> older;
  flatten(std::span(nodes_).first(count), older);
  for (std::size_t i = 0; i < count; ++i) size_ -= nodes_[i].size;
  const auto shift = [count](std::size_t& place) { place = place < count || place == kNone ? kNone : place - count; };
  for (std::size_t& place : loops_) shift(place);
  std::erase(loops_, kNone);
  for (auto& [hash, place] : latest_) shift(place);
  std::erase_if(latest_, [](const auto& entry) { return entry.second == kNone; });
  before_.erase(before_.begin(), before_.begin() + static_cast<long>(count));
  for (std::size_t& place : before_) shift(place);
  nodes_.erase(nodes_.begin(), nodes_.begin() + static_cast<long>(count));
  return older;
}

void StepFolder::flatten(std::span<const Node> nodes, std::vector<TraceStep>& into) {
  for (const Node& n : nodes) {
    if (n.body.empty()) {
      into.push_back(n.step);
      continue;
    }
    const std::size_t at = into.size();
    into.push_back({.kind = TraceStep::Kind::kRepeat, .amount = static_cast<double>(n.count)});
    flatten(n.body, into);
    into[at].number = static_cast<std::int32_t>(into.size() - at - 1);
  }
}

std::vector<TraceStep> StepFolder::steps() const {
  std::vector<TraceStep> flat;
  flatten(nodes_, flat);
  return flat;
}

std::vector<TraceStep> unfold(const std::vector<TraceStep>& folded) {
  std::vector<TraceStep> all;
  const auto run = [&all](const auto& self, const TraceStep* from, const TraceStep* to) -> void {
    while (from != to) {
      if (from->kind != TraceStep::Kind::kRepeat) {
        all.push_back(*from++);
        continue;
      }
      const TraceStep* end = from + 1 + from->number;
      for (double i = 0; i < from->amount; ++i) self(self, from + 1, end);
      from = end;
    }
  };
  run(run, folded.data(), folded.data() + folded.size());
  return all;
}

}  // namespace strata
