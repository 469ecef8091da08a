// SPDX-License-Identifier: LGPL-2.1-only
// The judgement of a property on one case.
#pragma once

#include <fmt/core.h>

#include <optional>
#include <string>
#include <utility>

namespace strata::check {

/// Immutable.
class Judgement {
 public:
  static Judgement holds() { return {}; }
  /// The property does not apply to this case.
  static Judgement not_asked() {
    Judgement j;
    j.asked_ = false;
    return j;
  }
  /// `why`: one line, with the ranks, vertices or numbers that are wrong.
  static Judgement violated(std::string why) {
    Judgement j;
    j.violation_ = std::move(why);
    return j;
  }
  /// holds(), or violated(why).
  static Judgement require(bool condition, const char* why) { return condition ? holds() : violated(why); }

  bool asked() const { return asked_; }
  /// No value if the property holds.
  const std::optional<std::string>& violation() const { return violation_; }

 private:
  Judgement() = default;
  bool asked_ = true;
  std::optional<std::string> violation_;
};

/// Judgement::violated with a formatted reason.
template <class... Arguments>
Judgement violated(fmt::format_string<Arguments...> why, Arguments&&... arguments) {
  return Judgement::violated(fmt::format(why, std::forward<Arguments>(arguments)...));
}

}  // namespace strata::check
