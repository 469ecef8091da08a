// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/cells_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/input_file.h"
#include "base/json.h"
#include "base/whole_file.h"

namespace strata::collectives {
namespace {

constexpr const char* kSchema = "strata.collectives.cells/1";
constexpr const char* kRemedy = "remove the file, or keep cells in another one: --cells FILE";

Json json_of(const Choice& c) {
  Json json = {{"algorithm", c.algorithm}, {"faninout", c.faninout}, {"segment", c.segment_bytes}};
  if (!c.name.empty()) json["name"] = c.name;
  return json;
}

Choice choice_of(const Json& json) {
  return {.algorithm = json.at("algorithm"),
          .faninout = json.at("faninout"),
          .segment_bytes = json.at("segment"),
          .name = json.value("name", "")};
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::optional<double> number_of(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json json_of(const CellTimes& t) {
  Json json = {{"op", name_of(t.cell.operation)},
               {"ranks", t.cell.ranks},
               {"bytes", t.cell.bytes},
               {"own", json_of(t.own)},
               {"own_s", json_of(t.own_s)},
               {"best", json_of(t.best)},
               {"best_s", json_of(t.best_s)},
               {"least_gain", json_of(t.least_gain)},
               {"timed", t.timed},
               {"slower", t.slower},
               {"too_long", Json::array()}};
  for (const Choice& c : t.too_long) json["too_long"].push_back(json_of(c));
  return json;
}

CellTimes times_of(const Json& json) {
  CellTimes t = {.cell = {find_operation(json.at("op").get<std::string>()).value(), json.at("ranks"), json.at("bytes")},
                 .own = choice_of(json.at("own")),
                 .own_s = number_of(json.at("own_s")),
                 .best = choice_of(json.at("best")),
                 .best_s = number_of(json.at("best_s")),
                 .least_gain = number_of(json.at("least_gain")),
                 .timed = json.at("timed"),
                 .slower = json.at("slower")};
  for (const Json& c : json.at("too_long")) t.too_long.push_back(choice_of(c));
  return t;
}

}  // namespace

CellsFile::CellsFile(const std::string& file, std::uint64_t inputs)
    : file_(file), descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (!descriptor_.is_open()) fail_write(file_, "cannot be opened");
  const std::string header = Json({{"schema", kSchema}, {"inputs", fmt::format("{:016x}", inputs)}}).dump();
  const std::string text = read_input(file_, kRemedy, kAnySize_bytes);
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  read(text.substr(0, whole), header);
  if (::ftruncate(descriptor_.get(), static_cast<off_t>(whole)) != 0) fail_write(file_, "cannot be cut to whole lines");
  if (whole == 0) write_all(descriptor_, header + "\n", file_);
}

void CellsFile::read(const std::string& text, const std::string& header) {
  int number = 1;
  for (std::size_t at = 0, end; at < text.size(); at = end + 1, ++number) {
    end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    const std::string where = fmt::format("{}:{}", file_, number);
    if (line.starts_with("{\"schema\"") || number == 1) {
      if (line != header) throw InputError(where, "has cells of another machine, placement or library", kRemedy);
      continue;
    }
    try {
      const CellTimes times = times_of(Json::parse(line));
      known_[times.cell] = times;
    } catch (const std::exception&) {
      throw InputError(where, "is not a cell", kRemedy);
    }
  }
}

const CellTimes* CellsFile::find(const Cell& cell) const {
  const auto at = known_.find(cell);
  return at == known_.end() ? nullptr : &at->second;
}

void CellsFile::add(const CellTimes& times) {
  const std::string line = json_of(times).dump() + "\n";
  const std::scoped_lock lock(mutex_);
  write_all(descriptor_, line, file_);
}

}  // namespace strata::collectives
