// SPDX-License-Identifier: LGPL-2.1-only
// A program that is executed step by step.
#pragma once

#include <exception>
#include <vector>

#include "check/messages/explorer/step.h"

namespace strata::check {

struct Actor {
  long id = 0;
  bool enabled = false;  // whether its next step can be taken now
  int choices = 0;       // number of ways to take it
};

/// The program ended before its end: it crashed, or an assertion failed.
class Died : public std::exception {
 public:
  const char* what() const noexcept override { return "the program ended in the middle"; }
};

class Application {
 public:
  virtual ~Application() = default;

  /// Begins the first execution of an exploration. Throws Died.
  virtual void begin() { restart({}); }

  /// Begins another execution and takes these steps. Throws Died.
  virtual void restart(const std::vector<Step>& steps) = 0;

  /// Actors that have not ended, by id.
  virtual std::vector<Actor> actors() = 0;

  /// Takes the next step of an actor. Throws Died.
  virtual Step take(long actor, int choice) = 0;

  /// Ends an execution in which all actors have ended. Throws Died if the program leaves something undone.
  virtual void finish() = 0;
};

}  // namespace strata::check
