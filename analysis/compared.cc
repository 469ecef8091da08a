// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/compared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/compared_documents.h"
#include "analysis/derive.h"
#include "analysis/format.h"
#include "base/error.h"
#include "base/input_file.h"
#include "records/folder.h"

namespace strata::analysis {
namespace {

namespace fs = std::filesystem;

constexpr const char* kComparable =
    "give results folders of strata run, JSON documents of exec, replay, hsplit, nodecart, map or check, or matrices";

// --- reading ---

std::string slurp(const fs::path& file) { return read_input(file, kComparable); }

ResultFile read_document(const fs::path& file, const std::string& text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& e) {
    throw InputError(file.string(), std::string("is damaged: ") + e.what(), "make it again");
  }
  for (const std::string& kind : document_kinds()) {
    if (json.contains("schema") && json["schema"] == "strata." + kind + "/1") return {file, kind, std::move(json)};
  }
  const std::string schema = json.contains("schema") ? value_text(json["schema"]) : "";
  throw InputError(file.string(), schema.empty() ? "names no schema" : "cannot be compared: its schema is " + schema,
                   kComparable);
}

Document document_of(const ResultFile& result) {
  return {std::get<Json>(result.content), result.path.string(),
          "is it a document of schema strata." + result.kind + "/1?"};
}

// --- results folders ---

// "1000" for both 1000 and 1000.0.
std::string place_text(const Json& value) {
  constexpr double kExact = 1ull << 53;
  if (!value.is_number_float()) return value_text(value);
  const auto number = value.get<double>();
  return number == std::floor(number) && std::abs(number) < kExact ? fmt::format("{:.0f}", number) : value_text(value);
}

std::string program_name(const Study& study) { return fs::path(study.program).filename().string(); }

std::string machine_note(const Manifest& base, const Manifest& now) {
  return fmt::format("the description of {} differs: {} in the base, {} in the new result", now.machine,
                     base.machine_hash.substr(0, 8), now.machine_hash.substr(0, 8));
}

void add_notes(const Manifest& base, const Manifest& now, std::vector<std::string>& notes) {
  const auto note = [&](const std::string& name, const std::string& a, const std::string& b) {
    if (a != b) notes.push_back(fmt::format("{}: {} in the base, {} in the new result", name, a, b));
  };
  if (base.end.empty()) notes.emplace_back("the base is a run that is not finished");
  if (now.end.empty()) notes.emplace_back("the new result is a run that is not finished");
  note("scenario", base.study.scenario, now.study.scenario);
  if (base.machine == now.machine && base.machine_hash != now.machine_hash) notes.push_back(machine_note(base, now));
  for (const auto& [name, version] : now.versions) {
    const auto known = base.versions.find(name);
    if (known != base.versions.end()) note("version of " + name, known->second, version);
  }
}

void add_folder_facts(const Manifest& base, const Manifest& now, std::vector<Fact>& facts) {
  const auto add = [&](const std::string& name, const std::string& a, const std::string& b) {
    if (a != b) facts.push_back({name, a, b});
  };
  const auto arguments = [](const Study& s) { return s.arguments.empty() ? "none" : shell_text(s.arguments); };
  add("program", program_name(base.study), program_name(now.study));
  add("arguments", arguments(base.study), arguments(now.study));
  add("machine", base.machine, now.machine);
  add("ranks", base.study.ranks_text(), now.study.ranks_text());
  add("metric", base.study.metric, now.study.metric);
  for (const Metric& m : base.study.metrics()) {
    for (const Metric& n : now.study.metrics()) {
      if (m.name == n.name) add("unit of " + m.name, m.unit, n.unit);
    }
  }
}

std::vector<Quantity> folder_quantities(const std::vector<Table>& tables, std::size_t measured,
                                        const std::vector<Axis>& order) {
  std::vector<Quantity> all;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (Quantity& q : points_of(tables[i], order).quantities) {
      if (i >= measured) {  // a ratio of two measured values, which are already judged
        if (!std::isfinite(std::get<double>(q.value))) continue;
        q.judged = false;
        q.better = Better::kMore;
      }
      all.push_back(std::move(q));
    }
  }
  return all;
}

Sides folder_sides(const Results& base, const Results& now) {
  Sides sides;
  add_folder_facts(base.manifest, now.manifest, sides.different);
  add_notes(base.manifest, now.manifest, sides.notes);
  const std::vector<Table> left = quantities(base), right = quantities(now);
  require_same_axes(right.front(), left.front(), now.folder.string(), base.folder.string());
  sides.base = folder_quantities(left, base.manifest.study.metrics().size(), right.front().axes);
  sides.now = folder_quantities(right, now.manifest.study.metrics().size(), right.front().axes);
  return sides;
}

// --- matrices ---

Quantity amount(const char* metric, const std::string& at, double value) {
  const bool bytes = std::string_view(metric) == "bytes";
  return {.metric = metric,
          .at = at,
          .unit = bytes ? "B" : "",
          .better = bytes ? Better::kLess : Better::kSame,
          .value = value,
          .exact = !bytes};
}

double sum_of(const Pattern& pattern) {
  double sum = 0;
  for (int r = 0; r < pattern.order(); ++r) {
    for (const double bytes : pattern.bytes(r)) sum += bytes;
  }
  return sum;
}

// Merges rows by peer. Missing entries count as 0.
void add_pairs(const Pattern& base, const Pattern& now, const char* metric, Sides& sides) {
  sides.base.push_back(amount(metric, "", sum_of(base)));
  sides.now.push_back(amount(metric, "", sum_of(now)));
  for (int r = 0; r < std::max(base.order(), now.order()); ++r) {
    const auto row = [&](const Pattern& p) { return r < p.order() ? p.peers(r) : std::span<const int>(); };
    const std::span<const int> left = row(base), right = row(now);
    for (std::size_t i = 0, j = 0; i < left.size() || j < right.size();) {
      const bool in_base = i < left.size() && (j == right.size() || left[i] <= right[j]);
      const bool in_now = j < right.size() && (i == left.size() || right[j] <= left[i]);
      const int peer = in_base ? left[i] : right[j];
      const double a = in_base ? base.bytes(r)[i++] : 0, b = in_now ? now.bytes(r)[j++] : 0;
      if (a == b) {
        ++sides.equal;
        continue;
      }
      const std::string at = fmt::format("{} -> {}", r, peer);
      sides.base.push_back(amount(metric, at, a));
      sides.now.push_back(amount(metric, at, b));
    }
  }
}

Sides matrix_sides(const MatrixFile& base, const MatrixFile& now) {
  Sides sides;
  if (base.bytes.order() != now.bytes.order())
    sides.different.push_back({"ranks", std::to_string(base.bytes.order()), std::to_string(now.bytes.order())});
  add_pairs(base.bytes, now.bytes, "bytes", sides);
  if (base.messages && now.messages) {
    add_pairs(*base.messages, *now.messages, "messages", sides);
  } else if (base.messages || now.messages) {
    sides.notes.emplace_back("only one of the two has numbers of messages: bytes are compared");
  }
  return sides;
}

}  // namespace

ResultFile read_result(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return {path, "results", load_results(path)};
  if (!fs::exists(path, ignored)) throw InputError(path.string(), "there is no such file or folder", kComparable);
  const std::string text = slurp(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') return read_document(path, text);
  return {path, "matrix", read_matrix_files({path})};
}

Sides sides_of(const ResultFile& base, const ResultFile& now) {
  if (base.kind == "results") return folder_sides(std::get<Results>(base.content), std::get<Results>(now.content));
  if (base.kind == "matrix") return matrix_sides(std::get<MatrixFile>(base.content), std::get<MatrixFile>(now.content));
  return document_sides(base.kind, document_of(base), document_of(now));
}

Points points_of(const Table& table, const std::vector<Axis>& order) {
  Points points;
  for (std::size_t cell = 0; cell < table.cells.size(); ++cell) {
    if (!table.cells[cell]) continue;
    Json parameters = table.parameters_of(cell);
    std::string at;
    for (const Axis& axis : order) {
      if (parameters.contains(axis.name))
        at += fmt::format("{}{} = {}", at.empty() ? "" : ", ", axis.name, place_text(parameters[axis.name]));
    }
    const RecordedBar* const bar = table.bar_of(cell);
    points.bars.push_back(bar == nullptr ? std::nullopt : std::optional(*bar));
    points.quantities.push_back({.metric = table.name,
                                 .at = std::move(at),
                                 .unit = table.unit,
                                 .better = better_of(table.unit),
                                 .value = *table.cells[cell]});
    if (bar != nullptr) points.quantities.back().effects = effects_of(*bar);
    points.parameters.push_back(std::move(parameters));
  }
  return points;
}

void require_same_axes(const Table& ours, const Table& base, const std::string& our_folder,
                       const std::string& base_folder) {
  const auto names = [](const std::vector<Axis>& axes) {
    std::string list;
    for (const Axis& axis : axes) list += (list.empty() ? "" : ", ") + axis.name;
    return axes.empty() ? "none" : list;
  };
  const auto has_all = [](const std::vector<Axis>& a, const std::vector<Axis>& b) {
    return std::all_of(a.begin(), a.end(), [&](const Axis& axis) { return find_axis(b, axis.name) != nullptr; });
  };
  if (has_all(ours.axes, base.axes) && has_all(base.axes, ours.axes)) return;
  throw InputError(base_folder,
                   fmt::format("has the parameters {}, but {} has {}", names(base.axes), our_folder, names(ours.axes)),
                   "compare runs with the same parameters");
}

}  // namespace strata::analysis
