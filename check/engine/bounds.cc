// SPDX-License-Identifier: LGPL-2.1-only
#include "check/engine/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"

namespace strata::check {

int Bounds::operator[](std::string_view name) const {
  for (const Bound& b : bounds_) {
    if (b.name == name) return static_cast<int>(b.value);
  }
  throw std::out_of_range("no bound " + std::string(name));
}

bool Bounds::has(std::string_view name) const {
  return std::any_of(bounds_.begin(), bounds_.end(), [&](const Bound& b) { return b.name == name; });
}

void Bounds::set(const std::string& name, long value, const std::string& area) {
  std::string known;
  for (Bound& b : bounds_) {
    if (b.name == name) {
      if (value < b.least || value > b.most)
        throw InputError("--bound " + name, fmt::format("{} is out of range for {}", value, area),
                         fmt::format("{} to {}: {}", b.least, b.most, b.about));
      b.value = value;
      return;
    }
    known += (known.empty() ? "" : ", ") + b.name;
  }
  throw InputError("--bound " + name, area + " has no such bound", "one of " + known);
}

std::string Bounds::text() const {
  std::string text;
  for (const Bound& b : bounds_) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", b.name, b.value);
  return text;
}

}  // namespace strata::check
