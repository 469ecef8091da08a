// SPDX-License-Identifier: LGPL-2.1-only
// Whether two runs of a program are the same, to the bit:
//
//   const Json document = document_of_two_runs([&](const Words& options) { return run(options, {"kinds"}); });
//   EXPECT_EQ(document["ranks"], 12);
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/process/process.h"

namespace strata {

/// Expects that both runs write the same document and the same timeline, and returns the document. `run` gets further
/// options of strata exec, and returns what ran.
template <class Run>
nlohmann::ordered_json document_of_two_runs(Run&& run) {
  const TemporaryFolder folder;
  std::vector<std::string> documents, timelines;
  for (const std::string name : {"first", "second"}) {
    const std::string json = folder.path() / name, timeline = json + ".json";
    const Ran ran = run(std::vector<std::string>{"--json", json, "--timeline", timeline});
    EXPECT_EQ(ran.code, 0) << ran.err;
    if (ran.code != 0) return {};
    documents.push_back(read_text(json));
    timelines.push_back(read_text(timeline));
  }
  EXPECT_EQ(documents[0], documents[1]);
  EXPECT_EQ(timelines[0], timelines[1]);
  return nlohmann::ordered_json::parse(documents[0]);
}

}  // namespace strata
