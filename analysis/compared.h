// SPDX-License-Identifier: LGPL-2.1-only
// Results of any kind as lists of quantities, so that two of a kind can be compared (comparison.h).
//
//   results folder       each metric at each point of the sweep; derived quantities are shown only
//   strata.exec/1        simulated time, exit code, messages and bytes by level; shown only: times by call, kind and
//                        phase, links
//   strata.hsplit/1      for each rank its place and the communicators of its levels
//   strata.nodecart/1    neighbours on and off the node, shapes of the blocks, new ranks
//   strata.map/1         hop-bytes, new ranks; shown only: the wall time of the mapping
//   strata.check/1       verdicts of areas, properties, programs, models and claims; how many cases they cover
//   matrix               bytes, and numbers of messages, in all and by pair
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/comparison.h"
#include "analysis/table.h"
#include "records/json.h"
#include "records/matrix/matrix_file.h"
#include "records/record.h"

namespace strata::analysis {

/// A result as it is on disk.
struct ResultFile {
  std::filesystem::path path;
  std::string kind;  // "results", "exec", "hsplit", "nodecart", "map", "check" or "matrix"
  std::variant<Results, Json, MatrixFile> content;
};

/// A folder is one of results; a file that begins with a brace a JSON document; any other a matrix. Throws InputError
/// where it is none of these, is damaged, or is a document of another schema.
ResultFile read_result(const std::filesystem::path& path);

/// A property that two results must share, such as the program or the machine.
struct Fact {
  std::string name, base, now;
};

struct Sides {
  std::vector<Quantity> base, now;
  std::size_t equal = 0;           // pairs that are equal and in neither list: of matrices and lists of ranks
  std::vector<Fact> different;     // facts that are not equal: the two should not be compared
  std::vector<std::string> notes;  // other differences that explain a change, a line each
};

/// Both have one kind. Throws InputError, naming the file, where a document lacks something, has a negative number
/// where that is impossible, or where two runs vary different parameters.
Sides sides_of(const ResultFile& base, const ResultFile& now);

/// The quantities of a metric's table, and where each is: in all cells that have a value. `order` names the axes in the
/// order in which a place has them.
struct Points {
  std::vector<Quantity> quantities;
  std::vector<Json> parameters;
};
Points points_of(const Table& table, const std::vector<Axis>& order);

/// Throws InputError, naming the base's folder, where two runs vary different parameters: then no points belong
/// together.
void require_same_axes(const Table& ours, const Table& base, const std::string& our_folder,
                       const std::string& base_folder);

}  // namespace strata::analysis
