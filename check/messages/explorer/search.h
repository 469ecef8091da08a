// SPDX-License-Identifier: LGPL-2.1-only
// Explores the orders in which the actors of a program can take their steps, depth first, until one is wrong.
//
// Orders that differ only in the order of independent steps (dependence.h) are equal. With reduction, at least one of
// each set of equal orders is explored, with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal
// dynamic partial order reduction, POPL 2014, algorithm 1). For example, ranks 1 and 2 each send a message to rank 0.
// If rank 0's receives name their source, one order is explored; if they accept any source, two.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "check/messages/explorer/application.h"
#include "check/messages/explorer/dependence.h"
#include "check/messages/explorer/races.h"

namespace strata::check {

struct SearchCounts {
  long states = 0;
  long transitions = 0;
  long replayed = 0;    // transitions that repeat the start of an order
  long executions = 0;  // including the two below
  long redundant = 0;   // abandoned, because an equal one is explored
  long cut = 0;         // stopped at the limit of steps
};

enum class Wrong { kNothing, kDeadlock, kDied };

struct SearchResult {
  Wrong wrong = Wrong::kNothing;
  std::vector<Step> steps = {};  // the steps to the error
};

class Search {
 public:
  /// `progressed` is called after every step.
  Search(Application& application, bool reduce, std::size_t most_steps,
         std::function<void(const SearchCounts&)> progressed);

  /// Explores only the orders that begin with `steps`. Other searches have explored the steps in `asleep`; an actor
  /// with such a step only continues after a step that may depend on it (Dependence::may_be).
  void start_after(std::vector<Step> steps, std::map<long, std::vector<Step>> asleep);

  SearchResult run();
  const SearchCounts& counts() const { return counts_; }

 private:
  // An actor in a state.
  struct Choices {
    Actor actor;
    int tried = 0;        // number of its choices tried
    bool wanted = false;  // an order in which it continues from here must be explored
    bool done = false;    // all orders in which it continues from here have been explored
  };

  // A state on the current path, and the step taken from it.
  struct Place {
    std::map<long, Choices> actors;
    Taken taken = {};
    std::map<long, std::vector<Step>> explored;            // steps explored from here before, by actor
    std::map<long, std::vector<Step>> asleep;              // steps explored before, without a dependent step since
    std::map<long, std::vector<Step>> asleep_since_start;  // the same for other searches
    bool is_asleep(long actor) const { return asleep.count(actor) > 0 || asleep_since_start.count(actor) > 0; }
  };

  void enter();
  bool has_next(const Place& place, long* next = nullptr) const;
  void note_step();
  void reverse_race(const Execution& execution, std::size_t earlier);
  bool deadlocked(const Place& place) const;
  bool go_back();
  void begin();
  std::vector<Step> steps() const;

  Application& application_;
  bool reduce_;
  std::size_t most_steps_;
  std::function<void(const SearchCounts&)> progressed_;
  std::vector<Step> first_steps_;
  std::map<long, std::vector<Step>> asleep_at_start_;
  Dependence dependence_;
  bool relation_has_grown_ = false;
  std::vector<Place> stack_;
  SearchCounts counts_;
};

}  // namespace strata::check
