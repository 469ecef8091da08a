// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/site.h"

#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace strata::campaign {
namespace {

namespace fs = std::filesystem;

constexpr long kMostCpus = 100'000, kMostSeconds = 86'400;

// Text that becomes one line of the job script.
std::string line_of(const YamlReader& at) {
  std::string text = at.text();
  if (text.find_first_of("\n\r") != std::string::npos) at.fail("has a line break", "write one line");
  return text;
}

// A name that becomes part of an option.
std::string name_of(const YamlReader& at) {
  std::string text = line_of(at);
  if (text.find_first_of(" \t\"'\\") != std::string::npos)
    at.fail("'" + text + "' has a blank or a quote", "write the name as sinfo or sacctmgr prints it");
  return text;
}

std::string time_of(const YamlReader& at) {
  std::string text = line_of(at);
  if (text.find_first_not_of("0123456789:-") != std::string::npos)
    at.fail("'" + text + "' is not a time limit of Slurm", "write minutes, 90, or hours:minutes:seconds, 04:00:00");
  return text;
}

std::string sbatch_option(const YamlReader& at) {
  std::string text = line_of(at);
  if (text.front() != '-') at.fail("'" + text + "' is not an option of sbatch", "write for example \"--mem=4G\"");
  return text;
}

}  // namespace

Keys<Site> site_keys() {
  const auto lines = [](std::string (*read)(const YamlReader&), std::vector<std::string> Site::*field) {
    return [read, field](const YamlReader& at, Site& s) {
      (s.*field).clear();
      for (const YamlReader& item : at.items()) (s.*field).push_back(read(item));
    };
  };
  return {
      {{.name = "schema",
        .value = Value::word({kSiteSchema}),
        .meaning = "The format.",
        .missing = "begin with `schema: strata.site/1`"},
       [](const YamlReader&, Site&) {}},
      {{.name = "strata",
        .value = Value::text("command"),
        .meaning =
            "The command that starts Strata on a node, as the shell reads it. Where it is left out: the program that "
            "submits, by its path, which the nodes must see too.",
        .example = "strata: apptainer exec /shared/strata.sif strata"},
       [](const YamlReader& at, Site& s) { s.strata = line_of(at); }},
      {{.name = "partition",
        .value = Value::text("name"),
        .meaning = "The partition of Slurm that jobs go to.",
        .example = "partition: compute"},
       [](const YamlReader& at, Site& s) { s.partition = name_of(at); }},
      {{.name = "account",
        .value = Value::text("name"),
        .meaning = "The account that jobs are charged to.",
        .example = "account: project17"},
       [](const YamlReader& at, Site& s) { s.account = name_of(at); }},
      {{.name = "time",
        .value = Value::text("time"),
        .meaning = "The time limit of a shard, as sbatch takes it. A shard that reaches it keeps its points, and is "
                   "submitted again.",
        .example = "time: 04:00:00"},
       [](const YamlReader& at, Site& s) { s.time = time_of(at); }},
      {{.name = "grace",
        .value = Value::whole(1, kMostSeconds),
        .meaning = "How many seconds before the time limit a shard is asked to end. With `staged` its results must be "
                   "copied back in this time.",
        .usual = "60"},
       [](const YamlReader& at, Site& s) { s.grace_s = static_cast<int>(at.integer()); }},
      {{.name = "cpus",
        .value = Value::whole(1, kMostCpus),
        .meaning = "Processors of a shard, each of which runs a simulation. With `--nodes` a shard has all of its "
                   "node.",
        .usual = "1"},
       [](const YamlReader& at, Site& s) { s.cpus = static_cast<int>(at.integer()); }},
      {{.name = "staged",
        .value = Value::truth(),
        .meaning = "Whether a shard computes in its node's `$TMPDIR`, and copies its results to the shared folder when "
                   "it ends. `strata submit status` then sees no points of shards that run.",
        .usual = "false"},
       [](const YamlReader& at, Site& s) { s.staged = at.boolean(); }},
      {{.name = "prologue",
        .value = Value::list(Value::text("line")),
        .meaning = "Lines of the shell that a job runs before Strata.",
        .example = "prologue: [module load gcc/12, export OMP_NUM_THREADS=1]"},
       lines(line_of, &Site::prologue)},
      {{.name = "sbatch",
        .value = Value::list(Value::text("option")),
        .meaning = "Further options of sbatch, each as it is written after `#SBATCH`.",
        .example = "sbatch: [--mem=4G, --constraint=icelake]"},
       lines(sbatch_option, &Site::sbatch)},
      {{.name = "poll",
        .value = Value::whole(1, kMostSeconds),
        .meaning = "How many seconds `strata submit` waits between two looks at the queue.",
        .usual = "10"},
       [](const YamlReader& at, Site& s) { s.poll_s = static_cast<int>(at.integer()); }},
  };
}

Site load_site(const fs::path& file) {
  Site site;
  const YamlReader at(file.string(), load_yaml(file));
  require_schema(at, kSiteSchema);
  read_keys(at, site_keys(), site);
  return site;
}

fs::path user_site() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  fs::path config = variable("XDG_CONFIG_HOME");
  if (config.empty() && !variable("HOME").empty()) config = fs::path(variable("HOME")) / ".config";
  if (config.empty()) return {};
  std::error_code ignored;
  fs::path file = config / "strata/site.yaml";
  return fs::exists(file, ignored) ? file : fs::path();
}

void set_key(Site& site, const std::string& key, const std::string& option, const std::string& value) {
  const YamlReader at = YamlReader::setting(option, value);
  for (const KeyOf<Site>& row : site_keys()) {
    if (row.key.name != key) continue;
    check_value(at, row.key.value);
    return row.read(at, site);
  }
  throw std::logic_error("no key " + key);
}

}  // namespace strata::campaign
