// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/shard_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "base/own_file.h"
#include "records/folder.h"

namespace strata::campaign {

namespace fs = std::filesystem;

namespace {

// Whether the results in a folder are complete, according to the manifest.
bool is_finished(const fs::path& folder) {
  const Json manifest = Json::parse(read_whole(folder / kManifestFile), nullptr, false);
  return manifest.is_object() && manifest.contains("end") && manifest["end"].is_string() &&
         !manifest["end"].get_ref<const std::string&>().empty();
}

std::string failure_of(const JobNote& note) {
  if (!note.code) return "killed";
  if (*note.code > 128) return fmt::format("ended by signal {}", *note.code - 128);
  return fmt::format("exit code {}", *note.code);
}

}  // namespace

JobNote parse_note(const std::string& text) {
  JobNote note;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !lines.eof();) {  // a partial last line is skipped
    std::istringstream words(line);
    std::string what;
    long number = 0;  // a time, or points
    if (!(words >> what >> number)) continue;
    if (what == "started") {
      note = {};
      note.started_s = number;
      words >> note.host >> note.job;
    } else if (what == "resumed") {
      note.resumed = static_cast<int>(number);
    } else if (int code = 0; what == "ended" && words >> code) {
      note.ended_s = number;
      note.code = code;
    }
  }
  return note;
}

ShardStatus shard_of(int number, int points, int done, bool finished, const JobNote& note,
                     const std::map<int, QueuedShard>* queue, bool alive) {
  ShardStatus s{.number = number,
                .points = points,
                .done = finished ? points : done,
                .resumed = std::min(note.resumed, finished ? points : done),
                .job = note.job,
                .host = note.host,
                .started_s = note.started_s,
                .ended_s = note.ended_s};
  if (finished) {
    s.state = State::kDone;
  } else if (queue != nullptr && queue->contains(number)) {
    const QueuedShard& queued = queue->at(number);
    s.state = queued.running ? State::kRunning : State::kWaiting;
    s.job = queued.job;
    s.host = queued.host;
    s.reason = queued.reason;
  } else if (note.started_s && !note.code && queue == nullptr && alive) {
    s.state = State::kRunning;
  } else if (note.started_s) {
    s.state = State::kFailed;
    s.code = note.code;
    // Exit code 0, but the results are incomplete: they are not yet visible on this computer, or have been removed.
    s.reason = note.code == 0 ? "ended, but its results are not here" : failure_of(note);
  } else if (queue == nullptr && alive) {
    s.state = State::kWaiting;
  }
  return s;
}

Counts count(const std::vector<ShardStatus>& shards) {
  Counts c;
  for (const ShardStatus& s : shards) {
    c.missing += s.state == State::kMissing;
    c.waiting += s.state == State::kWaiting;
    c.running += s.state == State::kRunning;
    c.done += s.state == State::kDone;
    c.failed += s.state == State::kFailed;
    c.points += s.points;
    c.points_done += s.done;
  }
  return c;
}

std::optional<double> seconds_left(const std::vector<ShardStatus>& shards, long now_s) {
  const Counts c = count(shards);
  if (c.points_done == c.points) return 0;
  double spent_s = 0;
  int done = 0;
  for (const ShardStatus& s : shards) {
    if (!s.started_s || s.done == s.resumed) continue;
    done += s.done - s.resumed;
    const long until_s = s.ended_s ? *s.ended_s : s.state == State::kRunning ? now_s : *s.started_s;
    spent_s += static_cast<double>(until_s - *s.started_s);
  }
  if (done == 0 || c.running == 0 || spent_s <= 0) return std::nullopt;
  return spent_s / done * (c.points - c.points_done) / c.running;
}

std::size_t PointCounter::count(const fs::path& records) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(records, error);
  if (error) return points_.size();
  if (size < read_) {  // the file was rewritten from the start
    read_ = 0;
    points_.clear();
  }
  if (size == read_) return points_.size();
  std::ifstream in(records, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(read_));
  constexpr std::string_view kKey = "\"point\":";
  for (std::string line; std::getline(in, line) && !in.eof(); read_ += line.size() + 1) {
    const std::size_t at = line.find(kKey);
    int point = 0;
    const char* from = line.data() + at + kKey.size();
    if (at != std::string::npos && std::from_chars(from, line.data() + line.size(), point).ec == std::errc())
      points_.insert(point);
  }
  return points_.size();
}

Watch::Watch(fs::path folder, Submission submission)
    : folder_(std::move(folder)),
      submission_(std::move(submission)),
      counters_(submission_.points.size()),
      finished_(submission_.points.size()) {}

std::vector<ShardStatus> Watch::look(const std::map<int, QueuedShard>* queue, bool alive) {
  std::vector<ShardStatus> shards;
  for (int number = 1; number <= submission_.shards(); ++number) {
    const auto i = static_cast<std::size_t>(number - 1);
    const fs::path results = shard_folder(folder_, number);
    const bool finished = finished_[i] || is_finished(results);
    const JobNote note = finished_[i] ? *finished_[i] : parse_note(read_whole(state_file(folder_, number)));
    if (finished && note.ended_s) finished_[i] = note;
    const int done = finished ? 0 : static_cast<int>(counters_[i].count(results / kRecordsFile));
    shards.push_back(shard_of(number, submission_.points[i], done, finished, note, queue, alive));
  }
  return shards;
}

}  // namespace strata::campaign
