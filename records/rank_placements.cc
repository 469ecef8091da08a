// SPDX-License-Identifier: LGPL-2.1-only
#include "records/rank_placements.h"

#include <algorithm>

#include "records/record.h"

namespace strata {
namespace {

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

std::filesystem::path bindings_file(const Study& study, const Json& point) {
  const Json parameters = study.parameters_of(point);
  std::string name;
  for (const char* axis : {kRanksAxis, kProgressAxis, kAllocationAxis, kMapByAxis}) {
    if (!parameters.contains(axis)) continue;
    name += (name.empty() ? "" : ",") + std::string(axis) + "=" + text_of(parameters[axis]);
  }
  std::replace(name.begin(), name.end(), ':', '-');  // some file systems do not allow colons
  return name.empty() ? std::filesystem::path("bindings.txt") : std::filesystem::path("bindings") / (name + ".txt");
}

std::string format_placement(const RankPlacement& placement) {
  std::vector<Binding> all = placement.ranks;
  all.insert(all.end(), placement.progress.begin(), placement.progress.end());
  return format_bindings(all);
}

RankPlacement read_placement(const Results& results, const Json& point, const Topology& topology) {
  const Study& study = results.manifest.study;
  const Json parameters = study.parameters_of(point);
  const int ranks = parameters.contains(kRanksAxis) ? parameters[kRanksAxis].get<int>() : study.ranks;
  const bool progress = parameters.contains(kProgressAxis) || !study.progress.empty();
  RankPlacement placement{
      .ranks = read_bindings(results.folder / bindings_file(study, point), topology, progress ? 2 * ranks : ranks)};
  if (progress) {
    placement.progress.assign(placement.ranks.begin() + ranks, placement.ranks.end());
    placement.ranks.resize(ranks);
  }
  return placement;
}

}  // namespace strata
