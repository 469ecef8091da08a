// SPDX-License-Identifier: LGPL-2.1-only
// Represents results of any kind as lists of quantities, so that two results of the same kind can be compared
// (comparison.h).
//
//   results folder       each metric at each point of the sweep; derived quantities are only shown
//   strata.exec/1        simulated time, exit code, messages and bytes by level; only shown: times by call, kind and
//                        phase, links
//   strata.replay/1      simulated time, messages, bytes
//   strata.hsplit/1      for each rank its place and the communicators of its levels
//   strata.nodecart/1    neighbours on and off the node, shapes of the blocks, new ranks
//   strata.map/1         hop-bytes, new ranks; only shown: the wall time of the mapping
//   strata.check/1       verdicts on areas, properties, programs, models and claims; number of cases covered
//   matrix               bytes and numbers of messages, in total and by pair
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/comparison.h"
#include "analysis/table.h"
#include "base/json.h"
#include "records/matrix/matrix_file.h"
#include "records/record.h"

namespace strata::analysis {

/// A result as stored on disk.
struct ResultFile {
  std::filesystem::path path;
  std::string kind;  // "results", "exec", "replay", "hsplit", "nodecart", "map", "check" or "matrix"
  std::variant<Results, Json, MatrixFile> content;
};

/// A folder must be a results folder; a file that begins with a brace must be a JSON document; any other file must be a
/// matrix. Throws InputError if it is none of these, is damaged, or is a document with another schema.
ResultFile read_result(const std::filesystem::path& path);

/// A property that two results must share, such as the program or the machine.
struct Fact {
  std::string name, base, now;
};

struct Sides {
  std::vector<Quantity> base, now;
  std::size_t equal = 0;           // number of equal pairs in neither list, for matrices and lists of ranks
  std::vector<Fact> different;     // facts that differ, so the two should not be compared
  std::vector<std::string> notes;  // other differences that explain a change, a line each
};

/// Both results must have the same kind. Throws InputError, naming the file, if a document lacks a value, has an
/// impossible negative number, or if two runs vary different parameters.
Sides sides_of(const ResultFile& base, const ResultFile& now);

/// The quantities in a metric's table and their parameters, for all cells with a value. `order`: the names of the axes
/// in the order in which a place lists them.
struct Points {
  std::vector<Quantity> quantities;
  std::vector<Json> parameters;
  std::vector<std::optional<RecordedBar>> bars;
};
Points points_of(const Table& table, const std::vector<Axis>& order);

/// Throws InputError, naming the base's folder, if two runs vary different parameters, because then no points belong
/// together.
void require_same_axes(const Table& ours, const Table& base, const std::string& our_folder,
                       const std::string& base_folder);

}  // namespace strata::analysis
