// SPDX-License-Identifier: LGPL-2.1-only
#include "records/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/shell_text.h"
#include "records/checksums.h"

namespace strata {
namespace {

std::vector<std::string> run_of(const Manifest& manifest, const Shard& shard) {
  std::vector<std::string> words = manifest.command_line;
  words.insert(words.end(), {"--shard", text_of(shard)});
  return words;
}

ShardFolder load_shard(const std::filesystem::path& folder) {
  ShardFolder shard{folder, load_manifest(folder)};
  if (!shard.manifest.shard)
    throw InputError(folder.string(), "holds a whole run, not a shard", "`strata report` reads it as it is");
  return shard;
}

// Names the first difference between two shards in what must be the same for all shards of a run; empty if there is
// none.
std::string difference(const ShardFolder& a, const ShardFolder& b) {
  if (to_json(a.manifest.study) != to_json(b.manifest.study)) return "scenario";
  if (a.manifest.seed != b.manifest.seed) return "seed";
  if (a.content().scenario_hash != b.content().scenario_hash) return "placement of ranks";
  if (a.manifest.machine_hash != b.manifest.machine_hash) return "machine";
  if (a.manifest.versions != b.manifest.versions) return "version of Strata";
  if (a.content().program_hash != b.content().program_hash) return "program";
  if (a.manifest.reference != b.manifest.reference) return "reference value";
  return "";
}

void require_one_run(const ShardFolder& first, const ShardFolder& other) {
  const std::string different = difference(first, other);
  if (different.empty()) return;
  throw InputError(other.folder.string(),
                   fmt::format("is shard {} of another run than {}: its {} differs", text_of(other.content().shard),
                               first.folder.string(), different),
                   "name the shards of one run, or run it again: `" + other.command(false) + "`");
}

void require_finished(const ShardFolder& shard) {
  if (!shard.manifest.end.empty()) return;
  throw InputError(shard.folder.string(), "shard " + text_of(shard.content().shard) + " is not finished",
                   "continue it with `" + shard.command(true) + "`");
}

size_t count_points(const Study& study) {
  size_t points = 1;
  for (const Axis& axis : study.sweep) points *= axis.values.size();
  return points;
}

// The index of the shard that has each point, by point.
std::vector<int> owners(const std::vector<ShardFolder>& shards, const Study& study) {
  constexpr const char* kRemedy = "deal all shards alike: run them with the same --balance, or all without it";
  std::vector<int> owner(count_points(study), -1);
  for (size_t s = 0; s < shards.size(); ++s) {
    for (const int p : shards[s].content().points) {
      if (p < 0 || static_cast<size_t>(p) >= owner.size())
        throw InputError(shards[s].folder.string(), fmt::format("there is no point {}", p), "run the shard again");
      int& its = owner[p];
      if (its >= 0) {
        throw InputError(shards[s].folder.string(),
                         fmt::format("has point {}, which is in {} too", p, shards[its].folder.string()), kRemedy);
      }
      its = static_cast<int>(s);
    }
  }
  const auto lost = std::find(owner.begin(), owner.end(), -1);
  if (lost != owner.end())
    throw InputError("command line", fmt::format("no shard has point {}", lost - owner.begin()), kRemedy);
  return owner;
}

}  // namespace

std::string ShardFolder::command(bool resume) const {
  std::vector<std::string> words = run_of(manifest, content().shard);
  if (resume) words.emplace_back("--resume");
  words.insert(words.end(), {"--out", folder.string()});
  return shell_text(words);
}

ShardSet load_shards(const std::vector<std::filesystem::path>& folders) {
  ShardSet set;
  std::vector<NamedShard> named;
  for (const std::filesystem::path& folder : folders) {
    set.shards.push_back(load_shard(folder));
    require_one_run(set.shards.front(), set.shards.back());
    require_finished(set.shards.back());
    if (set.shards.size() > 1) set.shards.back().manifest.study = {};  // a sweep may need much memory
    named.push_back({folder.string(), set.shards.back().content().shard});
  }
  require_all_shards(named, [&](const Shard& missing) {
    return shell_text(run_of(set.shards.front().manifest, missing)) + " --out DIR";
  });
  set.whole = set.shards.front().manifest;
  set.whole.shard.reset();
  set.shards.front().manifest.study = {};
  std::ranges::sort(set.shards, {}, [](const ShardFolder& s) { return s.content().shard.number; });
  set.whole.command_line = set.shards.front().manifest.command_line;
  set.shard_of = owners(set.shards, set.whole.study);
  set.checksums.resize(set.shard_of.size());
  for (const ShardFolder& s : set.shards) {
    const auto of_points = read_checksums(s.folder);
    if (!of_points) {
      set.unchecked.push_back(s.folder);
      continue;
    }
    for (const int p : s.content().points) {
      const auto found = of_points->find(p);
      if (found == of_points->end()) {
        throw InputError((s.folder / kChecksumsFile).string(), fmt::format("has no checksum of point {}", p),
                         "copy the folder again from where it was made, or complete it with `" + s.command(true) + "`");
      }
      set.checksums[p] = found->second;
    }
  }
  for (const ShardFolder& s : set.shards) {
    set.whole.start = std::min(set.whole.start, s.manifest.start);
    set.whole.end = std::max(set.whole.end, s.manifest.end);
  }
  return set;
}

}  // namespace strata
