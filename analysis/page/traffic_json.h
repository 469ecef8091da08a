// SPDX-License-Identifier: LGPL-2.1-only
// The traffic of a point as data for a page: the load of each link, over time if there are samples, and the bytes and
// messages between each pair, by rank and by level of the machine.
#pragma once

#include <string>
#include <vector>

#include "analysis/page/machine_json.h"
#include "base/json.h"
#include "records/links.h"
#include "records/matrix/pattern.h"
#include "records/samples.h"

namespace strata::analysis {

/// The maximum number of links between routers; the fullest are kept.
inline constexpr size_t kMostFabricLinks = 2000;

/// {"kinds":[{"level","capacity_bytes_per_s"},...],"entry":[...],"kind":[...],"up":{"bytes":[...],"messages":[...],
///  "utilisation":[...]},"down":{...},"across":[{...}],"across_left_out":0,"levels":[{...}]}
/// The columns have a value for each vertex with links, by entries of ShownMachine. `levels` sums all links of the
/// machine.
Json links_json(const ShownMachine& machine, const std::vector<LinkTraffic>& links);

/// If there are more samples, they are only summed by level.
inline constexpr size_t kMostSamples = 200'000;

/// {"until_s":[...],"levels":[{"level","bytes":[...]}],"links":[{"entry":3,"direction":"up","at":[0,2],"bytes":[...]}]}
/// `at` are indexes into `until_s`. `links` is empty if there are more than kMostSamples; `links_left_out` says so.
Json samples_json(const ShownMachine& machine, const std::vector<LinkTraffic>& links,
                  const std::vector<LinkSample>& samples);

/// The places of the ranks, and their order by core, which is the order of rows in matrices and timelines.
struct RankOrder {
  std::vector<int> cores;     // by rank: an index into Topology::cores()
  std::vector<int> rank_at;   // ranks in the order of their cores; those on one core by rank
  std::vector<int> position;  // by rank: its position in that order

  explicit RankOrder(std::vector<int> cores_by_rank);
};

/// {"ranks":240,"bytes":...,"messages":...,"views":[{"by":"rank","per_cell":1,"groups":240,"row":[...],"column":[...],
///  "bytes":[...],"messages":[...]}, {"by":"Package","entry":[...],...}]}
/// Each view is the sum over the groups of a level; the first is by rank, and the last by the outermost level. If a
/// view would have more than `most_cells` non-empty cells or more than kMostMatrixSide rows, a cell sums `per_cell`
/// neighbours.
inline constexpr int kMostMatrixSide = 512;
Json matrix_json(const ShownMachine& machine, const RankOrder& order, const Pattern& bytes, const Pattern& messages,
                 size_t most_cells);

}  // namespace strata::analysis
