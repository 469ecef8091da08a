// SPDX-License-Identifier: LGPL-2.1-only
// The properties of a cluster that `strata submit` needs, so that users need not repeat them on every command line:
//
//   schema: strata.site/1
//   partition: compute
//   account: project17
//   time: 04:00:00
//   prologue: [module load simgrid]
//   staged: true
//
// The keys are a table (base/keys.h), from which docs/reference/site.md and schemas/site.schema.json are
// generated.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/keys.h"

namespace strata::campaign {

inline constexpr const char* kSiteSchema = "strata.site/1";

struct Site {
  std::string strata = {};  // shell command that starts strata on a node; empty: the path of the running program
  std::string partition = {}, account = {};
  std::string time = {};                   // in sbatch's format; empty: the partition's default limit
  int cpus = 1;                            // for a shard that does not have a node to itself
  std::vector<std::string> prologue = {};  // shell commands to run before strata
  std::vector<std::string> sbatch = {};    // options, each as in a line `#SBATCH ...`
  bool staged = false;
  int grace_s = 60;  // how long before the time limit the signal comes
  int poll_s = 10;
};

Keys<Site> site_keys();

/// Throws InputError with file and line.
Site load_site(const std::filesystem::path& file);

/// The user's site file: strata/site.yaml in ${XDG_CONFIG_HOME} or ${HOME}/.config; empty if there is none.
std::filesystem::path user_site();

/// Sets one key from an option of the command line: set_key(site, "partition", "--partition", "compute"). Throws
/// InputError whose message begins with the option.
void set_key(Site& site, const std::string& key, const std::string& option, const std::string& value);

/// The contents of docs/reference/site.md and schemas/site.schema.json.
std::string site_reference();
std::string site_schema();

}  // namespace strata::campaign
