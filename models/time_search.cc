// SPDX-License-Identifier: LGPL-2.1-only
#include "models/time_search.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

#include "models/links_taken.h"

namespace strata::models {
namespace {

// Exchanges per rank that a descent tries.
constexpr long kDescent = 60;
// Only the best of this many exchanges is evaluated.
constexpr int kChoices = 12;
// After kPatience exchanges without improvement, kKick exchanges are made at once.
constexpr int kPatience = 24, kKick = 4;
// Chooses the message over the busiest links from kHottest random messages, and the rank that ends last from kLatest
// random ranks.
constexpr int kHottest = 8, kLatest = 3;
// With more processes, the paths between them are not stored.
constexpr size_t kMostStored = 1024;
// The smallest relevant gain, relative to the whole; smaller ones may be rounding.
constexpr double kRelevant = 1e-9;

struct Message {
  int from, to;  // the application's ranks
  double bytes;
};

struct LinkPart {
  size_t link;
  double seconds_per_byte;
};
using Way = std::vector<LinkPart>;

// Two lists of processes of equal length. The ranks on corresponding processes change places.
struct Exchange {
  std::vector<int> these, those;
};

// How long the links are busy under a mapping.
class Loads {
 public:
  Loads(const MessageCosts& costs, const std::vector<int>& cores, const Pattern& bytes)
      : costs_(costs),
        cores_(cores),
        of_rank_(cores.size()),
        seen_(0),
        busy_(num_link_indexes(costs.machine()), 0),
        stored_(cores.size() <= kMostStored ? cores.size() * cores.size() : 0) {
    for (int from = 0; from < bytes.order(); ++from) {
      for (size_t i = 0; i < bytes.peers(from).size(); ++i) {
        const int to = bytes.peers(from)[i];
        if (to == from) continue;
        of_rank_[from].push_back(static_cast<int>(messages_.size()));
        of_rank_[to].push_back(static_cast<int>(messages_.size()));
        messages_.push_back({from, to, bytes.bytes(from)[i]});
      }
    }
    seen_.assign(messages_.size(), 0);
  }

  void set(const std::vector<int>& process_of) {
    process_of_ = process_of;
    rank_on_.assign(process_of.size(), 0);
    for (size_t r = 0; r < process_of.size(); ++r) rank_on_[process_of[r]] = static_cast<int>(r);
    std::fill(busy_.begin(), busy_.end(), 0);
    sum_ = 0;
    for (const Message& m : messages_) add(m, 1);
  }

  const std::vector<int>& process_of() const { return process_of_; }
  int rank_on(int process) const { return rank_on_[process]; }
  const std::vector<Message>& messages() const { return messages_; }
  const std::vector<int>& messages_of(int rank) const { return of_rank_[rank]; }
  // The sum over links of the squared busy time, s^2.
  double sum() const { return sum_; }

  // A second call with the same exchange undoes it.
  void make(const Exchange& x) {
    affected_.clear();
    ++turn_;
    for (const std::vector<int>* side : {&x.these, &x.those}) {
      for (const int process : *side) {
        for (const int m : of_rank_[rank_on_[process]]) {
          if (std::exchange(seen_[m], turn_) != turn_) affected_.push_back(m);
        }
      }
    }
    for (const int m : affected_) add(messages_[m], -1);
    for (size_t i = 0; i < x.these.size(); ++i) {
      std::swap(rank_on_[x.these[i]], rank_on_[x.those[i]]);
      process_of_[rank_on_[x.these[i]]] = x.these[i];
      process_of_[rank_on_[x.those[i]]] = x.those[i];
    }
    for (const int m : affected_) add(messages_[m], 1);
  }

  // The message's effect on the sum: half of the first-order change if the message is removed.
  double heat(const Message& m) {
    double heat = 0;
    for (const LinkPart& p : way(process_of_[m.from], process_of_[m.to])) heat += busy_[p.link] * p.seconds_per_byte;
    return heat * m.bytes;
  }

 private:
  void add(const Message& m, double sign) {
    for (const LinkPart& p : way(process_of_[m.from], process_of_[m.to])) {
      const double change = sign * m.bytes * p.seconds_per_byte;
      sum_ += change * (2 * busy_[p.link] + change);
      busy_[p.link] += change;
    }
  }

  const Way& way(int from, int to) {
    Way& way = stored_.empty() ? scratch_ : stored_[static_cast<size_t>(from) * cores_.size() + to];
    if (stored_.empty()) way.clear();
    if (!way.empty()) return way;
    for_each_link(costs_, cores_[from], cores_[to], [&](const Link& link) {
      way.push_back({link_index(link, costs_.machine()), link.weight / link.capacity_bytes_per_s});
    });
    return way;
  }

  const MessageCosts& costs_;
  const std::vector<int>& cores_;
  std::vector<Message> messages_;
  std::vector<std::vector<int>> of_rank_;  // indexes into messages_, sent and received
  std::vector<int> process_of_, rank_on_;
  std::vector<int> affected_;
  std::vector<long> seen_;  // by message: its last exchange
  long turn_ = 0;
  std::vector<double> busy_;  // by link index, s
  double sum_ = 0;
  std::vector<Way> stored_;  // by pair of processes
  Way scratch_;
};

// The processes below the vertices of each depth of the tree.
class Groups {
 public:
  Groups(const Topology& topology, const std::vector<int>& cores) : topology_(topology), cores_(cores) {
    std::vector<int> in_order(cores.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    std::stable_sort(in_order.begin(), in_order.end(), [&](int a, int b) { return cores[a] < cores[b]; });
    for (const int process : in_order) {
      for (int v = cores[process]; v >= 0; v = v == 0 ? -1 : topology.parent(v)) below_[v].push_back(process);
    }
    // Vertices of the same depth with equally many processes can change places.
    std::map<std::pair<int, size_t>, std::vector<int>> alike;
    for (const auto& [v, processes] : below_) alike[{topology.depth(v), processes.size()}].push_back(v);
    for (const auto& [kind, vertices] : alike) {
      if (vertices.size() < 2) continue;
      for (const int v : vertices) alike_[v] = vertices;
    }
  }

  const std::vector<int>& below(int v) const { return below_.at(v); }
  int above(int process, int depth) const {
    int v = cores_[process];
    while (topology_.depth(v) > depth) v = topology_.parent(v);
    return v;
  }
  int parent(int v) const { return v == 0 ? 0 : topology_.parent(v); }

  // The vertices above a process that can change places with others, except those with the same processes as a vertex
  // below them.
  std::vector<int> movable(int process) const {
    std::vector<int> vertices;
    size_t held = 0;
    for (int v = cores_[process]; v > 0; v = topology_.parent(v)) {
      if (alike_.contains(v) && below(v).size() > held) vertices.push_back(v);
      held = std::max(held, below(v).size());
    }
    return vertices;
  }
  const std::vector<int>& alike(int v) const { return alike_.at(v); }
  int depth(int v) const { return topology_.depth(v); }

 private:
  const Topology& topology_;
  const std::vector<int>& cores_;
  std::map<int, std::vector<int>> below_;  // by vertex, in the order of their cores
  std::map<int, std::vector<int>> alike_;  // by vertex: vertices of its depth with as many processes, including itself
};

class Search {
 public:
  Search(const MessageCosts& costs, const std::vector<int>& cores, const Pattern& bytes, const Judge& judge,
         const TimeSearchOptions& options)
      : loads_(costs, cores, bytes),
        groups_(costs.topology(), cores),
        judge_(judge),
        options_(options),
        engine_(options.seed) {}

  TimeSearchResult run(const std::vector<NamedMapping>& starts) {
    search(starts);
    // A start may still be better by less than a relevant gain.
    for (size_t i = 0; i < starts.size(); ++i) {
      if (found_.start_seconds[i] >= found_.seconds) continue;
      found_.seconds = found_.start_seconds[i];
      found_.process_of = starts[i].process_of;
      found_.start = starts[i].name;
    }
    return std::move(found_);
  }

 private:
  void search(const std::vector<NamedMapping>& starts) {
    for (const NamedMapping& start : starts) {
      found_.start_seconds.push_back(evaluate(start.process_of, start.name));
    }
    // With one process, or without messages, all mappings are equal.
    if (loads_.messages().empty()) return;
    for (const NamedMapping& start : starts) {
      if (done()) return;
      loads_.set(start.process_of);
      descend();
      evaluate(loads_.process_of(), start.name);
    }
    int failures = 0;
    while (!done()) {
      loads_.set(found_.process_of);
      if (failures >= kPatience) {
        failures = 0;
        for (int i = 0; i < kKick; ++i) loads_.make(proposal());
        descend();
      } else {
        loads_.make(best_of_some());
      }
      const double before = found_.seconds;
      evaluate(loads_.process_of(), found_.start);
      failures = found_.seconds < before ? 0 : failures + 1;
    }
  }

  bool done() const { return found_.evaluations >= options_.evaluations || (options_.stop && options_.stop()); }

  int below(size_t bound) { return static_cast<int>(engine_() % bound); }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

  double evaluate(const std::vector<int>& process_of, const std::string& start) {
    Judged judged = judge_(process_of);
    ++found_.evaluations;
    if (found_.process_of.empty() || judged.seconds < found_.seconds * (1 - kRelevant)) {
      found_.process_of = process_of;
      found_.seconds = judged.seconds;
      found_.start = start;
      ended_ = std::move(judged.ended);
    }
    if (options_.told) options_.told(found_.evaluations, found_.seconds);
    return judged.seconds;
  }

  // Returns a rank that sends or receives over busy links, or one that ends late.
  int rank_to_move() {
    if (below(3) == 0 && !ended_.empty()) {
      int latest = below(ended_.size());
      for (int i = 1; i < kLatest; ++i) {
        const int other = below(ended_.size());
        if (ended_[other] > ended_[latest]) latest = other;
      }
      return latest;
    }
    const Message* hottest = nullptr;
    double most = -1;
    for (int i = 0; i < kHottest; ++i) {
      const Message& m = one_of(loads_.messages());
      if (const double heat = loads_.heat(m); heat > most) {
        most = heat;
        hottest = &m;
      }
    }
    return below(2) == 0 ? hottest->from : hottest->to;
  }

  Exchange proposal() {
    const int rank = rank_to_move(), process = loads_.process_of()[rank];
    const std::vector<int> vertices = groups_.movable(process);
    if (vertices.empty()) return swapped(process, below(loads_.process_of().size()));
    const int v = one_of(vertices);
    // In half of the cases, move near one of the rank's peers.
    int w = one_of(groups_.alike(v));
    if (const std::vector<int>& its = loads_.messages_of(rank); !its.empty() && below(2) == 0) {
      const Message& m = loads_.messages()[one_of(its)];
      const int peer = loads_.process_of()[m.from == rank ? m.to : m.from];
      const int near = groups_.parent(groups_.above(peer, groups_.depth(v)));
      const int there = groups_.above(one_of(groups_.below(near)), groups_.depth(v));
      if (groups_.below(there).size() == groups_.below(v).size() && groups_.depth(there) == groups_.depth(v)) w = there;
    }
    if (v == w) return {};
    return {groups_.below(v), groups_.below(w)};
  }

  static Exchange swapped(int a, int b) { return a == b ? Exchange{} : Exchange{{a}, {b}}; }

  Exchange best_of_some() {
    Exchange best;
    double least = 0;
    for (int i = 0; i < kChoices; ++i) {
      Exchange x = proposal();
      if (x.these.empty()) continue;
      loads_.make(x);
      if (const double sum = loads_.sum(); best.these.empty() || sum < least) {
        least = sum;
        best = x;
      }
      loads_.make(x);
    }
    return best;
  }

  void descend() {
    const long tries = kDescent * static_cast<long>(loads_.process_of().size());
    for (long i = 0; i < tries; ++i) {
      const Exchange x = proposal();
      if (x.these.empty()) continue;
      const double before = loads_.sum();
      loads_.make(x);
      if (!(loads_.sum() < before * (1 - kRelevant))) loads_.make(x);
    }
  }

  Loads loads_;
  const Groups groups_;
  const Judge& judge_;
  const TimeSearchOptions& options_;
  std::mt19937_64 engine_;
  TimeSearchResult found_;
  std::vector<double> ended_;  // ranks' ends for the best mapping
};

void check_permutation(const std::vector<int>& process_of, size_t processes) {
  std::vector<char> taken(processes, 0);
  bool valid = process_of.size() == processes;
  for (const int p : process_of) {
    valid = valid && p >= 0 && static_cast<size_t>(p) < processes && std::exchange(taken[p], 1) == 0;
  }
  if (!valid) throw std::invalid_argument("a start must name each process once");
}

}  // namespace

TimeSearchResult search_by_time(const MessageCosts& costs, const std::vector<int>& cores, const Pattern& bytes,
                                const std::vector<NamedMapping>& starts, const Judge& judge,
                                const TimeSearchOptions& options) {
  if (starts.empty()) throw std::invalid_argument("a search needs a start");
  if (bytes.order() != static_cast<int>(cores.size())) throw std::invalid_argument("as many ranks as processes");
  for (const NamedMapping& start : starts) check_permutation(start.process_of, cores.size());
  return Search(costs, cores, bytes, judge, options).run(starts);
}

}  // namespace strata::models
