// SPDX-License-Identifier: LGPL-2.1-only
// strata submit merge: combines the shards of a run into one results folder.
#include "command/merge_runs.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/child.h"
#include "base/error.h"
#include "command/command.h"
#include "console/progress.h"
#include "records/merge.h"

namespace strata::command {
namespace {

int merge(const MergeOptions& o) {
  if (o.out.empty()) throw InputError("command line", "--out is missing", "name the results folder to make");
  if (o.json) throw InputError("--json", "goes with documents of strata check", "leave it out for results folders");
  const ShardSet set = load_shards({o.what.begin(), o.what.end()});
  for (const std::filesystem::path& folder : set.unchecked) {
    std::fprintf(stderr,
                 "strata: %s: has no checksums.csv, because an older version of Strata made it or the file was not "
                 "copied; a changed record is not noticed\n",
                 folder.c_str());
  }
  const SignalGuard guard;
  const size_t records = merge_with_progress(set, o.out);
  fmt::print("{}: {} shards, {} points, {} records\n", set.whole.study.scenario, set.shards.size(), set.shard_of.size(),
             records);
  std::fprintf(stderr, "next: strata report %s\n", o.out.c_str());
  return 0;
}

}  // namespace

size_t merge_with_progress(const ShardSet& set, const std::filesystem::path& out) {
  const size_t all = set.shard_of.size();
  console::Progress progress({.what = ""});
  return merge_shards(set, out, [&](size_t points) {
    SignalGuard::check();
    progress.working(fmt::format("{} of {} points merged", points, all),
                     static_cast<double>(points) / static_cast<double>(all));
  });
}

void add_merge(cli::App& app, Action& action) {
  auto o = std::make_shared<MergeOptions>();
  o->add(app, cli::Written::kFolder)->callback([o, &action] { action = [o] { return merge(*o); }; });
}

}  // namespace strata::command
