// SPDX-License-Identifier: LGPL-2.1-only
#include "command/check/merge.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/areas/areas.h"
#include "command/check/areas.h"
#include "command/command.h"
#include "platforms/error.h"
#include "records/shell_text.h"
#include "records/trace/program_hash.h"
#include "sim/launcher/child.h"
#include "sim/launcher/run.h"

namespace strata::command {
namespace {

using check::AreaResult;
using check::Verdict;
using Areas = std::vector<std::unique_ptr<check::Area>>;

struct ShardDocument {
  std::string file;
  Shard shard;
  Json json;
};

ShardDocument load(const std::string& file) {
  const char* remedy = "give what `strata check AREA --shard i/N --json` printed";
  ShardDocument document{file, {}, Json::parse(sim::read_whole(file), nullptr, false)};
  const Json& json = document.json;
  if (!json.is_object() || json.value("schema", "") != kCheckSchema)
    throw InputError(file, std::string("is not a whole document of schema ") + kCheckSchema, remedy);
  try {
    json.at("shard").at("number").get_to(document.shard.number);
    json.at("shard").at("of").get_to(document.shard.of);
  } catch (const std::exception&) {
    throw InputError(file, "is not of a shard", remedy);
  }
  return document;
}

// Names what differs between two shards that must be the same in all shards of a check; empty: nothing does.
std::string difference(const ShardDocument& a, const ShardDocument& b) {
  for (const auto& [key, what] : {std::pair("version", "version of Strata"), std::pair("program_hash", "program")}) {
    if (a.json.at("shard").at(key) != b.json.at("shard").at(key)) return what;
  }
  const auto question = [](const Json& area) {
    Json names = Json::array();
    for (const Json& property : area.at("properties")) names.push_back(property.at("name"));
    return Json{area.at("name"), area.at("bounds"), area.at("seed"), area.at("all"), names};
  };
  const Json &left = a.json.at("areas"), &right = b.json.at("areas");
  bool same = left.size() == right.size();
  for (size_t i = 0; same && i < left.size(); ++i) same = question(left[i]) == question(right[i]);
  return same ? "" : "areas, bounds, random cases or seed";
}

void require_one_check(const ShardDocument& first, const ShardDocument& other) {
  const std::string different = difference(first, other);
  if (different.empty()) return;
  throw InputError(other.file, "is of another check than " + first.file + ": its " + different + " differ",
                   "name the shards of one check");
}

std::string command_of(const ShardDocument& document, const Shard& shard) {
  std::vector<std::string> words = {"strata", "check"};
  for (const Json& area : document.json.at("areas")) words.push_back(area.at("name"));
  words.insert(words.end(), {"--shard", text_of(shard), "--json"});
  return shell_text(words);
}

// Area by area, from the results of all shards.
std::vector<AreaResult> merge(const std::vector<ShardDocument>& documents) {
  const Areas areas = check::all_areas();
  std::vector<AreaResult> merged;
  const size_t count = documents.front().json.at("areas").size();
  for (size_t i = 0; i < count; ++i) {
    std::vector<AreaResult> shards;
    for (const ShardDocument& document : documents) {
      const Json& json = document.json.at("areas")[i];
      for (const auto& area : areas) {
        if (area->name() == json.at("name")) shards.push_back(area_result_from(json, *area, document.shard));
      }
    }
    merged.push_back(check::merged(shards));
  }
  return merged;
}

int merge_checks(const MergeOptions& o) {
  std::vector<ShardDocument> documents;
  std::vector<NamedShard> named;
  std::vector<AreaResult> areas;
  for (const std::string& file : o.what) documents.push_back(load(file));
  for (const ShardDocument& document : documents) named.push_back({document.file, document.shard});
  try {
    for (const ShardDocument& document : documents) require_one_check(documents.front(), document);
    require_all_shards(named, [&](const Shard& missing) { return command_of(documents.front(), missing); });
    areas = merge(documents);
  } catch (const Json::exception&) {
    throw InputError("command line", "a document of a shard is damaged", "make it again");
  }
  const bool holds = std::ranges::all_of(areas, &AreaResult::holds);
  Json json = {{"schema", kCheckSchema}, {"verdict", name_of(holds ? Verdict::kHolds : Verdict::kViolated)}};
  json["areas"] = Json::array();
  for (const AreaResult& r : areas) json["areas"].push_back(json_of(r));
  json["programs"] = Json::array();
  json["scenarios"] = Json::array();
  if (!o.out.empty()) write_and_tell(o.out, json.dump() + "\n");
  std::string text;
  for (const AreaResult& r : areas) text += text_of(r, kReplay) + "\n";
  std::fputs((o.json ? json.dump() + "\n" : text + verdict_of(areas)).c_str(), stdout);
  return holds ? 0 : 1;
}

}  // namespace

Json shard_json(const Shard& shard) {
  return {{"number", shard.number},
          {"of", shard.of},
          {"version", sim::versions().at("strata")},
          {"program_hash", program_hash("/proc/self/exe")}};
}

void add_merge_checks(cli::App& app, Action& action) {
  auto o = std::make_shared<MergeOptions>();
  o->add(app)->callback([o, &action] { action = [o] { return merge_checks(*o); }; });
}

}  // namespace strata::command
