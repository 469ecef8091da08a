// SPDX-License-Identifier: LGPL-2.1-only
// Runs executions of a program ahead of the search that explores it, in several copies of the program at the same time.
//
// For example, a search has three copies. While it waits for the result of the order in which rank 1 sends first, the
// copies already run the orders in which rank 2 and rank 3 send first. When the search asks for these, their results
// are known.
//
// The same steps have the same effect in each copy, at any time. Therefore the search (search.h), which decides which
// orders are explored, gives the same states, executions and first violation with any number of copies. The copies only
// make results available earlier. They run the execution for which the search waits, and otherwise those for which it
// will probably ask next: the same reduction predicts them from the known executions. A wrong prediction costs the time
// of one execution, but cannot change a result.
//
// The usual design gives each worker a part of the tree of orders. Its results depend on timing. Which orders are
// skipped as equal (sleep sets) depends on those explored before, and a race that is found in one part adds orders to
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
    bool reduce = true;          // as in the search
    std::size_t most_steps = 0;  // as in the search
    int most_copies = 1;
    /// Another copy is started when this many executions wait, because starting it costs as much as a few executions.
    long waiting_for_copy = 4;
    /// Copies stop predicting when more states than this are stored, at a few hundred bytes each.
    long most_states = 500'000;
  };
  using Start = std::function<std::unique_ptr<Application>()>;

  /// `start` makes a copy that has not begun; several threads call it. The other functions must be called from one
  /// thread. They throw the exceptions of copies, and std::runtime_error if copies behave differently.
  AheadApplication(Start start, const Options& options);
  /// Waits until each copy has finished its current step.
  ~AheadApplication() override;
  AheadApplication(const AheadApplication&) = delete;
  AheadApplication& operator=(const AheadApplication&) = delete;

  void begin() override;
  void restart(const std::vector<Step>& steps) override;
  std::vector<Actor> actors() override;
  Step take(long actor, int choice) override;
  void finish() override;

  /// The number of executions that the copies have begun so far.
  long begun() const;

 private:
  struct State;

  // A step from a state, and the resulting state.
  struct Edge {
    enum class Known {
      kRunning,  // a copy is taking it
      kTaken,
      kDied,
      kPassed,  // taken, and the search has finished the orders that begin with it
    } known = Known::kRunning;
    std::unique_ptr<State> to = nullptr;  // if kTaken
    Step step = {};                       // if kPassed
  };
  using Way = std::pair<long, int>;  // an actor and its choice

  enum class Finish { kUnknown, kFine, kDied };

  struct State {
    State* from = nullptr;
    Taken taken = {};       // the step from `from`
    std::size_t depth = 0;  // number of steps to this state
    std::vector<Actor> actors = {};
    Finish finish = Finish::kUnknown;
    std::map<Way, Edge> edges = {};
    // The actors that the search is predicted to try here.
    std::set<long> wanted = {};
    std::map<long, std::vector<Step>> asleep = {};
    long open = 0;  // number of wanted ways, here and below, that no copy has taken
  };

  // The next way for a copy.
  struct Task {
    State* state;
    Way way;
  };

  // A copy and its current state.
  struct Runner {
    std::unique_ptr<Application> copy = nullptr;
    State* at = nullptr;   // nullptr: no state
    bool useless = false;  // the search no longer needs its state
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

  mutable std::mutex mutex_;       // protects all members below, and runners_ except the copies
  std::condition_variable known_;  // the search waits for it
  std::condition_variable work_;   // idle copies wait for it
  bool stop_ = false;
  std::exception_ptr error_;
  Dependence dependence_;
  std::unique_ptr<State> root_;
  std::vector<std::unique_ptr<State>> dropped_;  // which copies still use
  State* at_ = nullptr;                          // current state of the search
  std::optional<Task> asked_;                    // for which the search waits
  long states_ = 0;                              // number of stored states
  long begun_ = 0;
};

}  // namespace strata::check
