// SPDX-License-Identifier: LGPL-2.1-only
// An SMPI program that takes its steps through SimGrid 4.0's protocol (sim/simgrid/checked_application.h).
//
// The program is started once and runs until all of its ranks are about to take their first step. Each execution is a
// copy (fork) of it from there, so all memory is as it was: globals of the program and of its libraries too.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "check/messages/explorer/application.h"

namespace strata::check {

class SimgridApplication final : public Application {
 public:
  /// Starts smpimain with these words, after setting these variables (NAME=VALUE). Throws std::runtime_error.
  SimgridApplication(std::vector<std::string> words, std::vector<std::string> variables);
  ~SimgridApplication() override;

  void restart(const std::vector<Step>& steps) override;
  std::vector<Actor> actors() override;
  Step take(long actor, int choice) override;
  void finish() override;

 private:
  class Connection;

  void start(std::vector<std::string> words, std::vector<std::string> variables);
  Step receive_step(long actor, int choice);

  pid_t first_process_ = 0;
  bool started_ = false;  // it is about to take its first step
  int listening_ = -1;
  std::string socket_;                     // its name
  std::unique_ptr<Connection> first_;      // to the process that is copied
  std::unique_ptr<Connection> execution_;  // to the copy
};

}  // namespace strata::check
