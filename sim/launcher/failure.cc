// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/failure.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "sim/launcher/run.h"

namespace strata::sim {

namespace fs = std::filesystem;

namespace {

std::string kept_in(const fs::path& output, const char* suffix) {
  return output.empty() ? "" : " (output: " + output.string() + suffix + ")";
}

}  // namespace

void Failure::raise(const std::string& scenario) const {
  if (bad_usage) throw InputError("scenario " + scenario, text, "correct arguments or sweep");
  if (!text.empty()) throw SimulationFailed(text);
}

Failure failure_of(const std::string& who, const Outcome& outcome, const fs::path& output) {
  return {who + ": " + outcome.failure + kept_in(output, ".err"), outcome.bad_usage};
}

Failure failure_of(const std::string& who, const Measured& measured, const fs::path& output) {
  return {who + ": " + measured.failure + kept_in(output, ".out")};
}

void require_measurement(const Json& line, const std::string& who) {
  const bool sound = line.is_object() && line.contains("metric") && line["metric"].is_string() &&
                     line.contains("value") && line["value"].is_number() && line.contains("unit") &&
                     line["unit"].is_string() && (!line.contains("parameters") || line["parameters"].is_object());
  if (sound && std::isfinite(line["value"].get<double>())) return;
  throw SimulationFailed(who + ": the program printed " + line.dump().substr(0, 80) +
                         " where {\"metric\":NAME,\"value\":NUMBER,\"unit\":UNIT} was expected");
}

}  // namespace strata::sim
