// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "console/duration.h"

namespace strata::campaign {

std::string describe(const Counts& c) {
  const int all = c.missing + c.waiting + c.running + c.done + c.failed;
  std::string text = fmt::format("{} of {} shards are done", c.done, all);
  const auto add = [&](int number, const char* one, const char* several) {
    if (number > 0) text += fmt::format(", {} {}", number, number == 1 ? one : several);
  };
  add(c.running, "runs", "run");
  add(c.waiting, "waits", "wait");
  add(c.failed, "failed", "failed");
  add(c.missing, "is not submitted", "are not submitted");
  return text;
}

std::string describe_left(const std::optional<double>& left_s) {
  if (!left_s || *left_s <= 0) return "";
  return "about " + console::duration_text(*left_s) + " left";
}

std::string status_table(const Status& s) {
  const Counts c = count(s.shards);
  const std::string left = describe_left(s.left_s);
  std::string text = fmt::format("{} in {}, with {}\n{}; {} of {} points{}\n\n", s.submission.study, s.folder.string(),
                                 word_of(kRunnerWords, s.submission.runner), describe(c), c.points_done, c.points,
                                 left.empty() ? "" : "; " + left);
  std::size_t points = std::string("points").size(), job = 3, host = 4;
  std::vector<std::string> done;
  for (const ShardStatus& shard : s.shards) {
    done.push_back(fmt::format("{}/{}", shard.done, shard.points));
    points = std::max(points, done.back().size());
    job = std::max(job, shard.job.size());
    host = std::max(host, shard.host.size());
  }
  const auto line = [&](const std::string& number, const std::string& state, const std::string& of_points,
                        const std::string& of_job, const std::string& of_host, const std::string& note) {
    std::string row = fmt::format("{:>5}  {:<7}  {:>{}}  {:<{}}  {:<{}}  {}", number, state, of_points, points, of_job,
                                  job, of_host, host, note);
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  };
  line("shard", "state", "points", "job", "host", "");
  for (std::size_t i = 0; i < s.shards.size(); ++i) {
    const ShardStatus& shard = s.shards[i];
    std::string note = shard.reason;
    if (shard.state == State::kFailed) note += "; see " + log_file(s.folder, shard.number).string();
    line(std::to_string(shard.number), word_of(kStateWords, shard.state), done[i], shard.job, shard.host, note);
  }
  return text;
}

Json status_json(const Status& s) {
  const Counts c = count(s.shards);
  Json shards = Json::array();
  for (const ShardStatus& shard : s.shards) {
    shards.push_back({{"shard", shard.number},
                      {"state", word_of(kStateWords, shard.state)},
                      {"points", shard.points},
                      {"points_done", shard.done},
                      {"job", shard.job},
                      {"host", shard.host},
                      {"exit_code", shard.code ? Json(*shard.code) : Json()},
                      {"reason", shard.reason},
                      {"log", log_file(s.folder, shard.number).string()}});
  }
  return {{"schema", "strata.status/1"},
          {"study", s.submission.study},
          {"folder", s.folder.string()},
          {"with", word_of(kRunnerWords, s.submission.runner)},
          {"points", c.points},
          {"points_done", c.points_done},
          {"seconds_left", s.left_s ? Json(*s.left_s) : Json()},
          {"counts",
           {{"missing", c.missing},
            {"waiting", c.waiting},
            {"running", c.running},
            {"done", c.done},
            {"failed", c.failed}}},
          {"shards", std::move(shards)}};
}

}  // namespace strata::campaign
