// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/straight_cut.h"

#include <algorithm>
#include <utility>

namespace strata::mpix {
namespace {

// The number of searches for a corner. Among three different corners of a rectangle, two are on the same side; among
// five corners of a box, two are on the same edge.
constexpr int kCorners = 8;
// An edge of a vertex is heavy if it has at least this part of the bytes of the vertex's heaviest edge.
constexpr double kHeavy = 0.25;

class Walk {
 public:
  explicit Walk(const AffinityGraph& graph) : graph_(graph), least_(graph.size(), 0) {
    for (int v = 0; v < graph.size(); ++v) {
      for (double bytes : graph.bytes_of(v)) least_[v] = std::max(least_[v], kHeavy * bytes);
    }
    from(0);
    if (static_cast<int>(queue_.size()) < graph.size()) least_.assign(graph.size(), 0);
  }

  // The number of steps to each vertex. Vertices that cannot be reached get one step more than the farthest.
  std::vector<int> from(int start) {
    std::vector<int> steps(graph_.size(), -1);
    queue_.assign(1, start);
    steps[start] = 0;
    for (size_t i = 0; i < queue_.size(); ++i) {
      const int v = queue_[i];
      for (long e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
        const int peer = graph_.peer[e];
        if (steps[peer] >= 0 || graph_.bytes[e] < least_[v]) continue;
        steps[peer] = steps[v] + 1;
        queue_.push_back(peer);
      }
    }
    if (static_cast<int>(queue_.size()) < graph_.size())
      std::replace(steps.begin(), steps.end(), -1, steps[last()] + 1);
    return steps;
  }

  // The farthest vertex of the last walk.
  int last() const { return queue_.back(); }

 private:
  const AffinityGraph& graph_;
  std::vector<double> least_;  // by vertex: minimum bytes of a heavy edge
  std::vector<int> queue_;
};

// The steps from each corner found to each vertex.
std::vector<std::vector<int>> steps_from_corners(const AffinityGraph& graph, Random& random) {
  Walk walk(graph);
  std::vector<int> corners;
  std::vector<std::vector<int>> steps;
  for (int i = 0; i < kCorners; ++i) {
    walk.from(random.below(graph.size()));
    const int corner = walk.last();
    if (std::find(corners.begin(), corners.end(), corner) != corners.end()) continue;
    corners.push_back(corner);
    steps.push_back(walk.from(corner));
  }
  return steps;
}

double bytes_between(const AffinityGraph& graph, const std::vector<char>& side) {
  double bytes = 0;
  for (int v = 0; v < graph.size(); ++v) {
    if (side[v] != 0) continue;
    for (long e = graph.first[v]; e < graph.first[v + 1]; ++e) {
      if (side[graph.peer[e]] != 0) bytes += graph.bytes[e];
    }
  }
  return bytes;
}

}  // namespace

std::vector<char> straight_cut(const AffinityGraph& graph, int size0, Random& random) {
  const std::vector<std::vector<int>> steps = steps_from_corners(graph, random);
  const int size = graph.size();
  long most = 0;
  for (const std::vector<int>& from : steps) most = std::max<long>(most, *std::max_element(from.begin(), from.end()));
  std::vector<std::pair<long, int>> order(size);
  std::vector<char> side(size), best;
  double least = 0;
  for (size_t a = 0; a < steps.size(); ++a) {
    for (size_t b = a + 1; b < steps.size(); ++b) {
      // Within one plane, nearer vertices come first.
      for (int v = 0; v < size; ++v) order[v] = {(steps[a][v] - steps[b][v]) * (most + 1) + steps[a][v], v};
      std::nth_element(order.begin(), order.begin() + size0, order.end());
      for (int i = 0; i < size; ++i) side[order[i].second] = i < size0 ? 0 : 1;
      const double bytes = bytes_between(graph, side);
      if (!best.empty() && bytes >= least) continue;
      best = side;
      least = bytes;
    }
  }
  return best;
}

}  // namespace strata::mpix
