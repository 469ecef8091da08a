// SPDX-License-Identifier: LGPL-2.1-only
// A random program (programs/drawn_program.h) that takes its steps in memory, without SimGrid.
#pragma once

#include <vector>

#include "check/messages/explorer/application.h"
#include "tests/check/drawn_orders.h"
#include "tests/check/programs/drawn_program.h"

namespace strata::check {

class DrawnApplication : public Application {
 public:
  explicit DrawnApplication(const std::vector<Operation>& program) : orders_(program) {}

  void restart(const std::vector<Step>& steps) override {
    state_ = {};
    for (const Step& step : steps) go(step.actor, step.choice);
  }
  std::vector<Actor> actors() override {
    std::vector<Actor> all;
    for (int rank = 0; rank < kDrawnRanks; ++rank) {
      const int choices = static_cast<int>(orders_.steps(state_, rank).size());
      if (!orders_.ended(state_, rank)) all.push_back({.id = rank + 1, .enabled = choices > 0, .choices = choices});
    }
    return all;
  }
  Step take(long actor, int choice) override { return go(actor, choice); }
  void finish() override { add_outcomes(state_, outcomes); }

  Outcomes outcomes;

 protected:
  const DrawnState& state() const { return state_; }

 private:
  Step go(long actor, int choice) {
    DrawnOrders::Next next = orders_.steps(state_, static_cast<int>(actor) - 1).at(choice);
    state_ = next.after;
    return next.step;
  }

  DrawnOrders orders_;
  DrawnState state_;
};

}  // namespace strata::check
