// SPDX-License-Identifier: LGPL-2.1-only
// A program whose steps are taken one by one.
#pragma once

#include <exception>
#include <vector>

#include "check/messages/explorer/step.h"

namespace strata::check {

struct Actor {
  long id = 0;
  bool enabled = false;  // its next step can be taken now
  int choices = 0;       // in this many ways
};

/// The program ended in the middle: it crashed, or an assertion failed.
class Died : public std::exception {
 public:
  const char* what() const noexcept override { return "the program ended in the middle"; }
};

class Application {
 public:
  virtual ~Application() = default;

  /// Begins the first execution of an exploration. Throws Died.
  virtual void begin() { restart({}); }

  /// Begins another execution, and takes these steps. Throws Died.
  virtual void restart(const std::vector<Step>& steps) = 0;

  /// Those that are not through, by their ids.
  virtual std::vector<Actor> actors() = 0;

  /// Takes the next step of an actor. Throws Died.
  virtual Step take(long actor, int choice) = 0;

  /// Every actor is through. Throws Died where something is left undone.
  virtual void finish() = 0;
};

}  // namespace strata::check
