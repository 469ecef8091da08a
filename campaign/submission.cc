// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/submission.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <system_error>

#include "base/error.h"
#include "base/json.h"
#include "base/whole_file.h"

namespace strata::campaign {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSchema = "strata.submission/1";

}  // namespace

int Submission::all_points() const { return std::accumulate(points.begin(), points.end(), 0); }

fs::path shard_folder(const fs::path& folder, int shard) { return folder / "shards" / std::to_string(shard); }
fs::path state_file(const fs::path& folder, int shard) { return folder / "states" / std::to_string(shard); }
fs::path log_file(const fs::path& folder, int shard) { return folder / "logs" / (std::to_string(shard) + ".log"); }

std::string job_name(const Submission& submission, const fs::path& folder) {
  const std::string of = fs::absolute(folder).lexically_normal().string() + "\n" + submission.identity;
  return fmt::format("strata-{}-{:08x}", submission.study, XXH3_64bits(of.data(), of.size()) >> 32);
}

void write_submission(const fs::path& folder, const Submission& s) {
  const Json json = {{"schema", kSchema},
                     {"scenario", s.scenario},
                     {"settings", s.settings},
                     {"study", s.study},
                     {"identity", s.identity},
                     {"with", word_of(kRunnerWords, s.runner)},
                     {"whole_nodes", s.whole_nodes},
                     {"balance", s.balance},
                     {"points", s.points}};
  write_whole(folder / kSubmissionFile, json.dump(2) + "\n");
}

std::optional<Submission> read_submission(const fs::path& folder) {
  const fs::path file = folder / kSubmissionFile;
  std::ifstream in(file);
  if (!in) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) throw InputError(file.string(), "cannot be read", "make it readable");
    return std::nullopt;
  }
  try {
    const Json json = Json::parse(in);
    if (json.at("schema") != kSchema) throw InputError(file.string(), "is not " + std::string(kSchema));
    Submission s;
    json.at("scenario").get_to(s.scenario);
    json.at("settings").get_to(s.settings);
    json.at("study").get_to(s.study);
    json.at("identity").get_to(s.identity);
    json.at("points").get_to(s.points);
    json.at("whole_nodes").get_to(s.whole_nodes);
    json.at("balance").get_to(s.balance);
    const std::optional<Runner> runner = find_word(kRunnerWords, json.at("with").get<std::string>());
    if (!runner || s.points.empty()) throw InputError(file.string(), "is damaged", "choose another folder");
    s.runner = *runner;
    return s;
  } catch (const Json::exception& e) {
    throw InputError(file.string(), std::string("is damaged: ") + e.what(), "choose another folder");
  }
}

void require_same(const fs::path& folder, const Submission& theirs, const Submission& ours) {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw InputError(folder.string(), what, remedy);
  };
  const std::string other = "or choose another --out";
  if (theirs.identity != ours.identity) {
    std::string words = theirs.scenario;
    for (const std::string& setting : theirs.settings) words += " --set " + setting;
    refuse("holds another study, `" + words + "`, or the same on another machine, placement or seed",
           "submit that one again, " + other);
  }
  if (theirs.runner != ours.runner) {
    refuse(fmt::format("was submitted with {}", word_of(kRunnerWords, theirs.runner)),
           fmt::format("give --with {}, {}", word_of(kRunnerWords, theirs.runner), other));
  }
  if (theirs.balance != ours.balance) {
    refuse("has its points dealt " + (theirs.balance.empty() ? "by estimate" : "by the seconds in " + theirs.balance),
           "leave out --balance, " + other);
  }
  const char* option = theirs.whole_nodes ? "--nodes" : "--shards";
  if (theirs.shards() != ours.shards() || theirs.whole_nodes != ours.whole_nodes)
    refuse(fmt::format("holds {} shards", theirs.shards()),
           fmt::format("give {} {}, {}", option, theirs.shards(), other));
}

}  // namespace strata::campaign
