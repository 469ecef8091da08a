// What tests of areas ask of all of them: a share of the cases is looked at in this process, and what was found is told.
#pragma once

#include <atomic>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "models/check/domain.h"

namespace strata::check::testing {

struct Counted {
  long cases = 0, distinct = 0;
  std::map<std::string, long> asked;  // by property
  std::string violations;             // "property: key why", a line each; empty where all holds
};

/// All cases within the bounds of an effort, and random ones.
inline Counted count(const Area& area, Effort effort) {
  std::atomic<long> at = 0;
  Share share{.bounds = area.bounds(effort), .random_cases = area.random_cases(effort), .at = &at};
  share.only.resize(area.properties().size());
  std::iota(share.only.begin(), share.only.end(), size_t{0});
  const Tally tally = area.explore(share);
  Counted counted;
  counted.cases = tally.cases;
  counted.distinct = std::ssize(std::set(tally.fingerprints.begin(), tally.fingerprints.end()));
  for (const size_t p : share.only) {
    const std::string& name = area.properties()[p].name;
    counted.asked[name] = tally.asked[p];
    if (tally.first[p] == Tally::kNever) continue;
    const std::string key = area.key(share, tally.first[p]);
    counted.violations += name + ": " + key + " " + area.judge(key, p).violation().value_or("") + "\n";
  }
  return counted;
}

/// The violations of a case's outcome that is not what the code made of it, by property.
template <class Case, class Outcome>
std::set<std::string> violated_by(const std::vector<Property<Case, Outcome>>& properties, const Case& c,
                                  const Outcome& outcome) {
  std::set<std::string> names;
  for (const auto& p : properties) {
    if (p.judge(c, outcome).violation()) names.insert(p.info.name);
  }
  return names;
}

}  // namespace strata::check::testing
