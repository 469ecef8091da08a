// SPDX-License-Identifier: LGPL-2.1-only
#include "records/matrix/pattern.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace strata {
namespace {

void check(const Flow& flow, int order) {
  const auto is_rank = [&](int rank) { return rank >= 0 && rank < order; };
  if (!is_rank(flow.from) || !is_rank(flow.to)) {
    throw std::invalid_argument("pattern: an entry from " + std::to_string(flow.from) + " to " +
                                std::to_string(flow.to) + ": ranks must be from 0 to " + std::to_string(order - 1));
  }
  if (!(flow.bytes >= 0) || !std::isfinite(flow.bytes)) {
    throw std::invalid_argument("pattern: " + std::to_string(flow.bytes) + " bytes from " + std::to_string(flow.from) +
                                " to " + std::to_string(flow.to) + ": must be finite and not negative");
  }
}

// Sorts the entries of a row by peer; those of equal peers stay in order.
void sort_row(std::span<int> peer, std::span<double> bytes) {
  if (std::is_sorted(peer.begin(), peer.end())) return;
  std::vector<std::pair<int, double>> row(peer.size());
  for (size_t i = 0; i < row.size(); ++i) row[i] = {peer[i], bytes[i]};
  std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < row.size(); ++i) std::tie(peer[i], bytes[i]) = row[i];
}

}  // namespace

Pattern::Pattern(int order, std::vector<Flow> flows) {
  if (order < 0) throw std::invalid_argument("pattern: its order must not be negative");
  first_.assign(order + 1, 0);
  for (const Flow& flow : flows) {
    check(flow, order);
    if (flow.bytes > 0) ++first_[flow.from + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  peer_.resize(first_.back());
  bytes_.resize(first_.back());
  std::vector<long> next(first_.begin(), first_.end() - 1);
  for (const Flow& flow : flows) {
    if (flow.bytes == 0) continue;
    const long at = next[flow.from]++;
    peer_[at] = flow.to;
    bytes_[at] = flow.bytes;
  }
  std::vector<Flow>().swap(flows);  // for a dense matrix they are most of the memory

  long end = 0;
  for (int rank = 0; rank < order; ++rank) {
    const long begin = std::exchange(first_[rank], end), size = first_[rank + 1] - begin;
    sort_row(std::span(peer_).subspan(begin, size), std::span(bytes_).subspan(begin, size));
    for (long i = begin; i < begin + size; ++i) {
      if (end > first_[rank] && peer_[end - 1] == peer_[i]) {
        bytes_[end - 1] += bytes_[i];
      } else {
        peer_[end] = peer_[i];
        bytes_[end++] = bytes_[i];
      }
    }
  }
  first_[order] = end;
  peer_.resize(end);
  bytes_.resize(end);
}

Pattern Pattern::symmetric() const {
  // The rows of the transpose are sorted, because the rows are visited in order.
  std::vector<long> first(order() + 1, 0);
  for (int peer : peer_) ++first[peer + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<int> sender(peer_.size());
  std::vector<double> received(peer_.size());
  {
    std::vector<long> next(first.begin(), first.end() - 1);
    for (int rank = 0; rank < order(); ++rank) {
      for (long i = first_[rank]; i < first_[rank + 1]; ++i) {
        const long at = next[peer_[i]]++;
        sender[at] = rank;
        received[at] = bytes_[i];
      }
    }
  }

  Pattern both;
  both.first_.assign(order() + 1, 0);
  both.peer_.reserve(peer_.size());
  both.bytes_.reserve(peer_.size());
  for (int rank = 0; rank < order(); ++rank) {
    long s = first_[rank], r = first[rank];
    while (s < first_[rank + 1] || r < first[rank + 1]) {
      const int to = s < first_[rank + 1] ? peer_[s] : order(), from = r < first[rank + 1] ? sender[r] : order();
      const int peer = std::min(to, from);
      double bytes = 0;
      if (to == peer) bytes += bytes_[s++];
      if (from == peer) bytes += received[r++];
      if (peer == rank) continue;
      both.peer_.push_back(peer);
      both.bytes_.push_back(bytes);
    }
    both.first_[rank + 1] = static_cast<long>(both.peer_.size());
  }
  return both;
}

}  // namespace strata
