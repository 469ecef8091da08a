// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/execution_path.h"

#include <fmt/format.h>

#include <sstream>

#include "check/engine/key.h"

namespace strata::check {
namespace {

constexpr const char* kNoStep = "0";     // the path of a program that is wrong before its first step
constexpr long kMostActors = 1'000'000;  // also limits choices; far more than can be explored

}  // namespace

std::string actor_of(const std::string& step) { return step.substr(0, step.find('/')); }

Path path_of_record(const std::string& record) {
  Path path;
  std::istringstream in(record);
  for (std::string step; std::getline(in, step, ';');) path.push_back(step);
  return path;
}

std::string record_of(const Path& path) { return path.empty() ? kNoStep : fmt::format("{}", fmt::join(path, ";")); }

Path path_of_key(const std::string& text) {
  Path path;
  if (text == kNoStep) return path;
  KeyReader key(text);
  const auto number = [&](long least) {
    const auto found = key.number(least, kMostActors);
    if (!found) key.fail("not a step", "actors with commas between, each with its choice where it has one: 1,3/1,3");
    return *found;
  };
  do {
    std::string step = std::to_string(number(1));
    if (key.take('/')) step += "/" + std::to_string(number(0));
    path.push_back(step);
  } while (key.take(','));
  if (!key.at_end()) key.fail("neither a further step nor the end", "a comma and a step, or nothing more");
  return path;
}

std::string key_text_of(const Path& path) { return path.empty() ? kNoStep : fmt::format("{}", fmt::join(path, ",")); }

}  // namespace strata::check
