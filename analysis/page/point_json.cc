// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/point_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/page/path_json.h"
#include "base/error.h"
#include "records/events.h"
#include "records/matrix/matrix_file.h"
#include "records/matrix/matrix_market.h"

namespace strata::analysis {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return !file.empty() && fs::exists(file, ignored);
}

void check_ranks(const EventStore& events, size_t ranks) {
  const EventReader reader(events);
  if (reader.header().cores.size() == ranks) return;
  throw InputError(events.name(),
                   fmt::format("events of {} ranks, and {} were placed", reader.header().cores.size(), ranks),
                   "take the file that the same run wrote");
}

}  // namespace

Json point_json(const ShownMachine& machine, const RankOrder& order, const PointFiles& files, const PointRoom& room) {
  const Topology& t = *machine.machine().topology;
  const int ranks = static_cast<int>(order.cores.size());
  std::vector<int> entries;
  for (const int rank : order.rank_at) entries.push_back(machine.entry(t.cores()[order.cores[rank]]));
  Json json = {{"name", files.name},  {"number", files.number}, {"ranks", ranks},         {"order", order.rank_at},
               {"entries", entries},  {"links", nullptr},       {"samples", nullptr},     {"matrix", nullptr},
               {"timeline", nullptr}, {"path", nullptr},        {"absent", Json::array()}};
  const auto absent = [&](const char* part, const std::string& why, const std::string& remedy) {
    json["absent"].push_back({{"part", part}, {"why", why}, {"remedy", remedy}});
  };
  const fs::path links_file = files.traffic / kLinksFile, samples_file = files.traffic / kSamplesFile;
  const fs::path bytes_file = files.traffic / kBytesMatrixFile, messages_file = files.traffic / kMessagesMatrixFile;
  if (is_there(links_file)) {
    const std::vector<LinkTraffic> links = read_links(links_file);
    json["links"] = links_json(machine, links);
    if (is_there(samples_file)) json["samples"] = samples_json(machine, links, read_samples(samples_file));
  } else {
    absent("links", "the run kept no traffic", files.remedy_traffic);
  }
  if (is_there(bytes_file) && is_there(messages_file)) {
    json["matrix"] = matrix_json(machine, order, read_matrix(bytes_file, ranks), read_matrix(messages_file, ranks),
                                 room.matrix_cells);
  } else {
    absent("matrix", "the run kept no matrix of messages", files.remedy_traffic);
  }
  if (files.events.exists()) {
    check_ranks(files.events, order.cores.size());
    json["timeline"] = timeline_json(files.events, room.timeline);
    json["path"] = path_json(files.time != nullptr ? *files.time : time_report(files.events, &machine.machine()));
  } else {
    absent("timeline", "the run kept no events", files.remedy_events);
  }
  return json;
}

}  // namespace strata::analysis
