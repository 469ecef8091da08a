// SPDX-License-Identifier: LGPL-2.1-only
// What `strata submit` needs to know of a cluster, and would otherwise be given again on every command line:
//
//   schema: strata.site/1
//   partition: compute
//   account: project17
//   time: 04:00:00
//   prologue: [module load simgrid]
//   staged: true
//
// The keys are a table (platforms/keys.h), from which docs/reference/site.md and schemas/site.schema.json are made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/keys.h"

namespace strata::campaign {

inline constexpr const char* kSiteSchema = "strata.site/1";

struct Site {
  std::string strata = {};  // shell words that start strata on a node; empty: the program that runs now, by its path
  std::string partition = {}, account = {};
  std::string time = {};                   // as sbatch takes it; empty: the partition's own limit
  int cpus = 1;                            // of a shard that does not have a whole node
  std::vector<std::string> prologue = {};  // lines of the shell, before strata
  std::vector<std::string> sbatch = {};    // options, each as a line `#SBATCH ...` has it
  bool staged = false;
  int grace_s = 60;  // before the time limit
  int poll_s = 10;
};

Keys<Site> site_keys();

/// Throws InputError with file and line.
Site load_site(const std::filesystem::path& file);

/// The user's own: strata/site.yaml in ${XDG_CONFIG_HOME}, or in ${HOME}/.config; empty if there is no such file.
std::filesystem::path user_site();

/// One key as an option of the command line gives it: set_key(site, "partition", "--partition", "compute"). Throws
/// InputError that begins with the option.
void set_key(Site& site, const std::string& key, const std::string& option, const std::string& value);

/// docs/reference/site.md and schemas/site.schema.json.
std::string site_reference();
std::string site_schema();

}  // namespace strata::campaign
