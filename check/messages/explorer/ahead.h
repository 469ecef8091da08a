// SPDX-License-Identifier: LGPL-2.1-only
// A program whose executions are run ahead of the search that explores it, by several copies of the program at a time.
//
// For example, a search with three copies: while it waits for what happens if rank 1 sends first, the copies already
// run the orders in which rank 2 and rank 3 send first. When the search asks for these, they are known.
//
// The same steps have the same effect in each copy, at any time. So the search (search.h), which decides which orders
// are explored, is the same with any number of copies: the same states, executions and first violation. The copies only
// make its answers known earlier. They run the execution that the search waits for, and otherwise those that it will
// probably ask for next: the same reduction guesses these from the executions that are known. A wrong guess costs the
// time of an execution that the search does not ask for. It cannot change a result.
//
// The usual design gives each worker a part of the tree of orders. Its results depend on timing: the orders that are
// left out as equal (sleep sets) depend on those explored before, and a race that is found in one part adds orders to
// another.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "check/messages/explorer/application.h"
#include "check/messages/explorer/dependence.h"
#include "check/messages/explorer/races.h"

namespace strata::check {

class AheadApplication final : public Application {
 public:
  struct Options {
    bool reduce = true;          // as the search does
    std::size_t most_steps = 0;  // as of the search
    int most_copies = 1;
    /// A copy after the first is started once this many executions wait: it costs as much as a few of them.
    long waiting_for_copy = 4;
    /// Copies do not guess while more states than these are known: some hundred bytes each.
    long most_states = 500'000;
  };
  using Start = std::function<std::unique_ptr<Application>()>;

  /// `start` makes a copy that has not begun; it is called by several threads. The other functions are for one thread.
  /// They throw what a copy throws, and std::runtime_error where the copies do not behave alike.
  AheadApplication(Start start, const Options& options);
  /// Waits until each copy has taken the step that it is about to take.
  ~AheadApplication() override;
  AheadApplication(const AheadApplication&) = delete;
  AheadApplication& operator=(const AheadApplication&) = delete;

  void begin() override;
  void restart(const std::vector<Step>& steps) override;
  std::vector<Actor> actors() override;
  Step take(long actor, int choice) override;
  void finish() override;

  /// Executions that the copies have begun so far.
  long begun() const;

 private:
  struct State;

  // A step from a state, and where it leads.
  struct Edge {
    enum class Known {
      kRunning,  // a copy is taking it
      kTaken,
      kDied,
      kPassed,  // taken, and the search is through with the orders that begin with it
    } known = Known::kRunning;
    std::unique_ptr<State> to = nullptr;  // if kTaken
    Step step = {};                       // if kPassed
  };
  using Way = std::pair<long, int>;  // an actor and its choice

  enum class Finish { kUnknown, kFine, kDied };

  struct State {
    State* from = nullptr;
    Taken taken = {};       // from there
    std::size_t depth = 0;  // steps to here
    std::vector<Actor> actors = {};
    Finish finish = Finish::kUnknown;
    std::map<Way, Edge> edges = {};
    // The search's next steps here, as far as they can be guessed.
    std::set<long> wanted = {};
    std::map<long, std::vector<Step>> asleep = {};
    long open = 0;  // ways from here and below that are wanted, and that no copy has gone
  };

  // A way that a copy goes next.
  struct Task {
    State* state;
    Way way;
  };

  // A copy, and where it is.
  struct Runner {
    std::unique_ptr<Application> copy = nullptr;
    State* at = nullptr;   // nullptr: nowhere
    bool useless = false;  // the search has gone past it
    std::thread thread = {};
  };

  using Lock = std::unique_lock<std::mutex>;

  const Step& go(Way way, Lock& lock);
  void run(Runner& runner);
  void run_execution(Runner& runner, Task task, Lock& lock);
  std::optional<Task> next_task(bool has_copy) const;
  std::optional<Task> first_open(State& state, const std::vector<Way>& searched) const;
  Edge& start_edge(State& state, Way way);
  State& add(State& from, Way way, Step step, std::vector<Actor> actors);
  void guess(State& state);
  void guess_all_again(bool from_the_beginning);
  void want(State& state, long actor);
  std::optional<Way> open_way(const State& state, Way least = {0, 0}) const;
  void drop(State& from, Way way);

  const Start start_;
  const Options options_;
  std::vector<Runner> runners_;

  mutable std::mutex mutex_;       // of all below, and of what is in runners_ except the copies
  std::condition_variable known_;  // the search waits for it
  std::condition_variable work_;   // idle copies wait for it
  bool stop_ = false;
  std::exception_ptr error_;
  Dependence dependence_;
  std::unique_ptr<State> root_;
  std::vector<std::unique_ptr<State>> dropped_;  // in which copies still are
  State* at_ = nullptr;                          // where the search is
  std::optional<Task> asked_;                    // the search waits for it
  long states_ = 0;                              // that are held
  long begun_ = 0;
};

}  // namespace strata::check
