// SPDX-License-Identifier: LGPL-2.1-only
// Explores the orders in which the actors of a program can take their steps, depth first, until one goes wrong.
//
// Orders that differ only in the order of independent steps (dependence.h) are equal. With reduction, at least one of
// each set of equal orders is explored: source sets with sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic
// partial order reduction, POPL 2014, algorithm 1). For example, ranks 1 and 2 each send a message to rank 0. If rank 0
// receives by name, one order is explored; if it receives from anybody, two.
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
  long replayed = 0;    // transitions to where another order begins
  long executions = 0;  // the two below included
  long redundant = 0;   // given up: an equal one is explored
  long cut = 0;         // longer than the limit
};

enum class Wrong { kNothing, kDeadlock, kDied };

struct SearchResult {
  Wrong wrong = Wrong::kNothing;
  std::vector<Step> steps = {};  // that lead there
};

class Search {
 public:
  /// `progressed` is called after every step.
  Search(Application& application, bool reduce, std::size_t most_steps,
         std::function<void(const SearchCounts&)> progressed);

  /// Explores only the orders that begin with these steps. Actors whose steps in `asleep` were explored before in
  /// another search go on only after a step that may depend on these (Dependence::may_be).
  void start_after(std::vector<Step> steps, std::map<long, std::vector<Step>> asleep);

  SearchResult run();
  const SearchCounts& counts() const { return counts_; }

 private:
  // An actor in a place.
  struct Choices {
    Actor actor;
    int tried = 0;        // of its choices
    bool wanted = false;  // an order in which it goes on from here is to be explored
    bool done = false;    // all orders that begin with it are explored
  };

  // A state, and the step that the exploration has taken from there.
  struct Place {
    std::map<long, Choices> actors;
    Taken taken = {};
    std::map<long, std::vector<Step>> explored;            // steps taken from here before, by actor
    std::map<long, std::vector<Step>> asleep;              // steps explored before, which nothing has touched since
    std::map<long, std::vector<Step>> asleep_since_start;  // the same, by other searches
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
