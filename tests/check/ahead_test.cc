// SPDX-License-Identifier: LGPL-2.1-only
// A search whose executions run ahead of it. With any number of copies of the program, it visits the same states and
// finds the same violation as a search that runs the executions itself.
#include "check/messages/explorer/ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "check/messages/explorer/search.h"
#include "tests/check/drawn_application.h"
#include "tests/check/programs/drawn_program.h"

namespace strata::check {
namespace {

// The result of a search as text, for failure messages.
std::string search(Application& application, bool reduce, std::size_t most_steps) {
  Search search(application, reduce, most_steps, [](const SearchCounts&) {});
  const SearchResult result = search.run();
  const SearchCounts& c = search.counts();
  std::string text = std::to_string(c.states) + " states, " + std::to_string(c.transitions) + " transitions, " +
                     std::to_string(c.replayed) + " replayed, " + std::to_string(c.executions) + " executions, " +
                     std::to_string(c.redundant) + " redundant, " + std::to_string(c.cut) + " cut, wrong " +
                     std::to_string(static_cast<int>(result.wrong)) + ":";
  for (const Step& step : result.steps) text += " " + std::to_string(step.actor) + "/" + std::to_string(step.choice);
  return text;
}

struct Setting {
  bool reduce = true;
  std::size_t most_steps = 1000;
  long most_states = 1'000'000;
};

// Compares a search that runs ahead with one that does not. The seed is for failure messages.
template <class Start>
void compare(const Start& start, unsigned seed, const Setting& setting = {}) {
  const std::string alone = search(*start(), setting.reduce, setting.most_steps);
  for (const int copies : {1, 2, 3, 5}) {
    AheadApplication ahead(start, {.reduce = setting.reduce,
                                   .most_steps = setting.most_steps,
                                   .most_copies = copies,
                                   .waiting_for_copy = 0,
                                   .most_states = setting.most_states});
    EXPECT_EQ(search(ahead, setting.reduce, setting.most_steps), alone) << "seed " << seed << ", copies " << copies;
  }
}

auto start_of(const std::vector<Operation>& program) {
  return [&program] { return std::make_unique<DrawnApplication>(program); };
}

TEST(Ahead, IsTheSearchAloneOnDrawnPrograms) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    const std::vector<Operation> program = drawn_program(seed);
    compare(start_of(program), seed);
  }
}

TEST(Ahead, IsTheSearchAloneWithoutReduction) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const std::vector<Operation> program = drawn_program(seed);
    compare(start_of(program), seed, {.reduce = false, .most_steps = 7});
  }
}

TEST(Ahead, IsTheSearchAloneAtLimits) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const std::vector<Operation> program = drawn_program(seed);
    compare(start_of(program), seed, {.most_steps = 7});
    compare(start_of(program), seed, {.most_states = 10});
  }
}

// Dies when rank 0 gets a certain outcome: at the end of the execution, or in the middle, before its next step.
class Mistaken : public DrawnApplication {
 public:
  Mistaken(const std::vector<Operation>& program, unsigned remainder, bool in_the_middle)
      : DrawnApplication(program), remainder_(remainder), in_the_middle_(in_the_middle) {}

  Step take(long actor, int choice) override {
    if (in_the_middle_) die_if_wrong();
    return DrawnApplication::take(actor, choice);
  }
  void finish() override { die_if_wrong(); }

 private:
  void die_if_wrong() const {
    if (const unsigned outcome = state().ranks[0].outcome; outcome > 0 && outcome % 7 == remainder_) throw Died();
  }
  unsigned remainder_;
  bool in_the_middle_;
};

TEST(Ahead, FindsTheSameViolationFirst) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const std::vector<Operation> program = drawn_program(seed);
    for (const bool in_the_middle : {false, true})
      compare([&] { return std::make_unique<Mistaken>(program, seed % 7, in_the_middle); }, seed);
  }
}

// Each copy is slow at different steps.
class Uneven : public DrawnApplication {
 public:
  Uneven(const std::vector<Operation>& program, unsigned seed) : DrawnApplication(program), random_(seed) {}
  Step take(long actor, int choice) override {
    if (random_() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 300));
    return DrawnApplication::take(actor, choice);
  }

 private:
  std::mt19937 random_;
};

TEST(Ahead, DoesNotDependOnTiming) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const std::vector<Operation> program = drawn_program(seed);
    std::atomic<unsigned> copies = 0;
    compare([&] { return std::make_unique<Uneven>(program, seed * 1000 + ++copies); }, seed);
  }
}

// In the middle of its work the search learns that an order matters, and starts again. Known executions are not
// repeated.
TEST(Ahead, RunsFewExecutionsThatAreNotAskedFor) {
  long asked = 0, begun = 0;
  for (unsigned seed = 1; seed <= 500; ++seed) {
    const std::vector<Operation> program = drawn_program(seed);
    DrawnApplication alone(program);
    Search counted(alone, true, 1000, [](const SearchCounts&) {});
    if (counted.run().wrong != Wrong::kNothing) continue;
    asked += counted.counts().executions;
    AheadApplication ahead(start_of(program),
                           {.most_steps = 1000, .most_copies = 3, .waiting_for_copy = 0, .most_states = 1'000'000});
    search(ahead, true, 1000);
    begun += ahead.begun();
  }
  std::printf("%ld executions asked for, %ld begun\n", asked, begun);
  EXPECT_LT(begun, asked * 3 / 2);
}

class Unreachable : public DrawnApplication {
 public:
  explicit Unreachable(const std::vector<Operation>& program, bool second) : DrawnApplication(program), dies_(second) {}
  Step take(long actor, int choice) override {
    if (!dies_ && state().requests.size() > 2) throw std::runtime_error("the explored program cannot be reached");
    return DrawnApplication::take(actor, choice);
  }
  void restart(const std::vector<Step>& steps) override {
    if (dies_ && !steps.empty()) throw Died();
    DrawnApplication::restart(steps);
  }

 private:
  bool dies_;
};

TEST(Ahead, ACopyThatFailsEndsTheSearch) {
  const std::vector<Operation> program = drawn_program(2);
  for (const bool second : {false, true}) {
    AheadApplication ahead([&] { return std::make_unique<Unreachable>(program, second); },
                           {.most_steps = 1000, .most_copies = 2, .waiting_for_copy = 0});
    try {
      search(ahead, true, 1000);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(second ? "random numbers" : "cannot be reached"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace strata::check
