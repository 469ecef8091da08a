// SPDX-License-Identifier: LGPL-2.1-only
// An area for tests of the engine: pairs of numbers (a, b) with 0 <= b <= a, and "code" with a fault that the test
// chooses.
#pragma once

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "check/engine/domain.h"

namespace strata::check::testing {

struct Pair {
  int a = 0, b = 0;
};

/// What happens if a + b is at least 12.
enum class Fault { kNone, kWrongSum, kThrows, kCrashes, kLoops, kExits };

class PairDomain : public Domain<Pair, int> {
 public:
  explicit PairDomain(Fault fault) : fault_(fault) {}

  std::string name() const override { return "toy"; }
  std::string about() const override { return "sums of two numbers"; }
  Bounds bounds(Effort effort) const override { return {{"a", effort == Effort::kFull ? 20 : 4, 0, 100, "most of a"}}; }
  long random_cases(Effort effort) const override { return effort == Effort::kFull ? 10 : 0; }
  std::string remark(const Bounds&) const override { return "a remark"; }

  std::vector<Property<Pair, int>> properties() const override {
    return {{{"sum", "the sum is a + b", "arithmetic"},
             [](const Pair& c, const int& sum) {
               return sum == c.a + c.b ? Judgement::holds() : Judgement::violated(std::to_string(sum) + " is no sum");
             }},
            {{"even", "the sum of equal numbers is even", "arithmetic"},
             [](const Pair& c, const int& sum) {
               return c.a != c.b ? Judgement::not_asked() : Judgement::require(sum % 2 == 0, "odd");
             }},
            {{"zero", "some sum is 0", "arithmetic", PropertyInfo::Kind::kSometimes},
             [](const Pair&, const int& sum) { return sum == 0 ? Judgement::holds() : Judgement::not_asked(); }},
            {{"big", "some sum is above 1,000", "nowhere", PropertyInfo::Kind::kSometimes},
             [](const Pair&, const int& sum) { return sum > 1000 ? Judgement::holds() : Judgement::not_asked(); }}};
  }

  void enumerate(const Bounds& bounds, const Visit& visit) const override {
    for (int a = 0; a <= bounds["a"]; ++a) {
      for (int b = 0; b <= a; ++b) {
        if (!visit({a, b})) return;
      }
    }
  }
  Pair random(const Bounds& bounds, Random& random) const override {
    const int a = bounds["a"] + 1 + static_cast<int>(random() % 2000);
    return {a, static_cast<int>(random() % static_cast<unsigned>(a))};
  }
  std::uint64_t fingerprint(const Pair& c) const override { return static_cast<unsigned>(c.a + c.b); }

  int run(const Pair& c) const override {
    if (c.a + c.b < 12) return c.a + c.b;
    switch (fault_) {
      case Fault::kNone:
        return c.a + c.b;
      case Fault::kWrongSum:
        return c.a + c.b + 1;
      case Fault::kThrows:
        throw std::runtime_error("no more than 11");
      case Fault::kCrashes:
        std::raise(SIGSEGV);
        return 0;
      case Fault::kLoops:
        for (volatile unsigned i = 0;;) i = i + 1;
      case Fault::kExits:
        ::_exit(7);
    }
    return 0;
  }

  std::string key(const Pair& c) const override { return std::to_string(c.a) + "+" + std::to_string(c.b); }
  Pair read(const std::string& key) const override {
    Pair c;
    const char *at = key.data(), *end = at + key.size();
    const auto first = std::from_chars(at, end, c.a);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '+') throw InputError(key, "is no pair", "as 2+1");
    const auto second = std::from_chars(first.ptr + 1, end, c.b);
    if (second.ec != std::errc() || second.ptr != end) throw InputError(key, "is no pair", "as 2+1");
    return c;
  }
  std::vector<Pair> smaller(const Pair& c) const override {
    std::vector<Pair> result;
    if (c.b > 0) result.push_back({c.a, c.b - 1});
    if (c.a > c.b) result.push_back({c.a - 1, c.b});
    return result;
  }
  Drawing draw(const Pair& c) const override { return {"the pair " + key(c) + "\n", "<svg/>"}; }

 private:
  Fault fault_;
};

inline std::unique_ptr<Area> toy_area(Fault fault) { return area_of(std::make_unique<PairDomain>(fault)); }

}  // namespace strata::check::testing
