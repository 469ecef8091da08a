// SPDX-License-Identifier: LGPL-2.1-only
// GOAL schedules, text and binary, as traces.
#include "records/foreign/goal.h"

#include "records/foreign/goal_trace.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  is_goal(bytes);
  const InputFile file(bytes);
  trace_of(read_goal(file.path()));
}
