// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/queue.h"

#include <cstddef>
#include <set>
#include <sstream>
#include <stdexcept>

namespace strata::campaign {
namespace {

// States of jobs that have processors (man squeue, JOB STATE CODES).
const std::set<std::string> kRunning = {"RUNNING",   "COMPLETING", "CONFIGURING", "SIGNALING",
                                        "STAGE_OUT", "STOPPED",    "SUSPENDED"};
// States of jobs that wait for processors.
const std::set<std::string> kWaiting = {"PENDING",       "REQUEUED",     "REQUEUE_FED", "REQUEUE_HOLD",
                                        "RESV_DEL_HOLD", "SPECIAL_EXIT", "RESIZING",    "POWER_UP_NODE"};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  for (int i = 0; i < 4; ++i) {
    const std::size_t bar = line.find('|', at);
    if (bar == std::string::npos) return {};
    fields.push_back(line.substr(at, bar - at));
    at = bar + 1;
  }
  fields.push_back(line.substr(at));
  return fields;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::map<int, QueuedShard> parse_queue(const std::string& text) {
  std::map<int, QueuedShard> queue;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const std::vector<std::string> fields = fields_of(line);
    if (fields.empty()) throw std::runtime_error("squeue printed '" + line + "'");
    const std::string &job = fields[0], &index = fields[1], &state = fields[2], &host = fields[3], &reason = fields[4];
    if (!is_number(index)) continue;  // a job with this name that is not an array
    const bool running = kRunning.contains(state);
    if (!running && !kWaiting.contains(state)) continue;
    // A shard that was submitted twice is running if either of its jobs is.
    QueuedShard& shard = queue[std::stoi(index)];
    if (!shard.job.empty() && shard.running && !running) continue;
    shard = {.job = job + "_" + index,
             .running = running,
             .host = host,
             .reason = running || reason == "None" ? "" : reason};
  }
  return queue;
}

std::string parse_job(const std::string& text) {
  const std::string job = text.substr(0, text.find_first_of(";\n"));
  return is_number(job) ? job : "";
}

std::string array_of(const std::vector<int>& shards) {
  std::string text;
  for (std::size_t i = 0; i < shards.size();) {
    std::size_t last = i;
    while (last + 1 < shards.size() && shards[last + 1] == shards[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(shards[i]);
    if (last > i) text += "-" + std::to_string(shards[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace strata::campaign
