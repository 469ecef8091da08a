// SPDX-License-Identifier: LGPL-2.1-only
// Checks that apply to every area.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "check/engine/domain.h"
#include "check/engine/explore.h"

namespace strata::check::testing {

/// Explores the quick bounds. Every violation fails the test and shows its counter-example.
inline AreaResult explore_quickly(const Area& area) {
  ExploreOptions options;
  options.effort = Effort::kQuick;
  options.jobs = 2;
  AreaResult result = explore(area, options);
  for (const PropertyResult& p : result.properties) {
    EXPECT_EQ(p.verdict, Verdict::kHolds)
        << p.info.name << (p.counter_example ? ": " + p.counter_example->key + " " + p.counter_example->message : "");
  }
  return result;
}

/// The number of cases for which each property was checked, for properties that do not apply to all cases.
inline std::map<std::string, long> asked_of_some(const AreaResult& r) {
  std::map<std::string, long> asked;
  for (const PropertyResult& p : r.properties) {
    if (p.asked != r.cases + r.random_cases) asked[p.info.name] = p.asked;
  }
  return asked;
}

/// About `many` keys, evenly spaced from the first case to the last random one.
inline std::vector<std::string> some_keys(const Area& area, long cases, long random_cases, long many) {
  std::atomic<long> at = 0;
  const Share share{.bounds = area.bounds(Effort::kQuick), .random_cases = random_cases, .at = &at};
  std::vector<std::string> keys;
  const long step = std::max(1L, (cases + random_cases) / many);
  for (long i = 0; i < cases + random_cases; i += step) keys.push_back(area.key(share, i));
  return keys;
}

/// Each case has one key, which can be read back and contains no special characters of a shell. So do all smaller
/// cases.
template <class Read, class Write>
void expect_keys_read_back(const Area& area, const std::vector<std::string>& keys, const Read& read,
                           const Write& write) {
  for (const std::string& key : keys) {
    EXPECT_EQ(write(read(key)), key);
    EXPECT_EQ(key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-/+_="),
              std::string::npos)
        << key;
    for (const std::string& less : area.smaller(key)) {
      EXPECT_NE(less, key);
      EXPECT_EQ(write(read(less)), less);
    }
  }
}

/// The error for an invalid key.
template <class Read>
std::string refusal(const Read& read, const std::string& key) {
  try {
    read(key);
  } catch (const InputError& e) {
    return e.what();
  }
  return "not refused";
}

/// The properties that an outcome violates.
template <class Case, class Outcome>
std::set<std::string> violated_by(const std::vector<Property<Case, Outcome>>& properties, const Case& c,
                                  const Outcome& outcome) {
  std::set<std::string> names;
  for (const auto& p : properties) {
    if (p.judge(c, outcome).violation()) names.insert(p.info.name);
  }
  return names;
}

/// The properties that must always hold.
template <class Case, class Outcome>
std::set<std::string> names_of_always(const std::vector<Property<Case, Outcome>>& properties) {
  std::set<std::string> names;
  for (const auto& p : properties) {
    if (p.info.kind == PropertyInfo::Kind::kAlways) names.insert(p.info.name);
  }
  return names;
}

}  // namespace strata::check::testing
