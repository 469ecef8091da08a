// SPDX-License-Identifier: LGPL-2.1-only
#include "records/profile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "base/error.h"
#include "base/json_fields.h"

namespace strata {

namespace {

struct Name {
  Ending::How how;
  const char* text;
};
constexpr Name kNames[] = {{Ending::How::kAbort, "MPI_Abort"},
                           {Ending::How::kDeadlock, "deadlock"},
                           {Ending::How::kExit, "exit"},
                           {Ending::How::kReturn, "return"},
                           {Ending::How::kUnfinalized, "no MPI_Finalize"}};

}  // namespace

void to_json(Json& json, const Ending::How& how) { json = std::ranges::find(kNames, how, &Name::how)->text; }

void from_json(const Json& json, Ending::How& how) {
  const auto* name = std::ranges::find(kNames, json.get<std::string_view>(), &Name::text);
  if (name == std::end(kNames)) throw std::runtime_error("another way to end");
  how = name->how;
}

template <class Fields, Either<CallProfile> T>
void list(Fields& fields, T& c) {
  fields("call", c.call);
  fields("count", c.count);
  fields("seconds", c.seconds);
  fields("waiting", c.waiting);
}

template <class Fields, Either<Awaited> T>
void list(Fields& fields, T& a) {
  fields("receive", a.receive);
  fields("rank", a.rank);
  fields("tag", a.tag);
}

template <class Fields, Either<Ending> T>
void list(Fields& fields, T& e) {
  fields("rank", e.rank);
  fields("how", e.how);
  fields("code", e.code);
  fields.unless_empty("call", e.call);
  fields.unless_empty("awaits", e.awaits);
}

namespace {

constexpr const char* kSchema = "strata.profile/1";

// The numbers of all ranks are one array for each kind: short, and quick to read for thousands of ranks.
struct Column {
  const char* key;
  double RankProfile::*member;
};
constexpr Column kColumns[] = {{"computing", &RankProfile::computing},
                               {"communicating", &RankProfile::communicating},
                               {"waiting", &RankProfile::waiting},
                               {"end", &RankProfile::end}};

Profile profile_of(const Json& json) {
  if (json.at("schema") != kSchema) throw std::runtime_error("another schema");
  Profile profile;
  const Json& time = json.at("simulated_time");
  if (time.at("unit") != "s") throw std::runtime_error("another unit");
  time.at("value").get_to(profile.simulated_time);
  profile.ranks.resize(json.at(kColumns[0].key).size());
  for (const Column& column : kColumns) {
    const Json& values = json.at(column.key);
    if (!values.is_array() || values.size() != profile.ranks.size()) throw std::runtime_error("a rank too few or many");
    for (size_t rank = 0; rank < values.size(); ++rank) values[rank].get_to(profile.ranks[rank].*column.member);
  }
  json.at("calls").get_to(profile.calls);
  json.at("endings").get_to(profile.endings);
  return profile;
}

}  // namespace

void write_profile(std::ostream& out, const Profile& profile) {
  Json json = {{"schema", kSchema}, {"simulated_time", {{"value", profile.simulated_time}, {"unit", "s"}}}};
  for (const Column& column : kColumns) {
    Json& values = json[column.key] = Json::array();
    for (const RankProfile& rank : profile.ranks) values.push_back(rank.*column.member);
  }
  json["calls"] = profile.calls;
  json["endings"] = profile.endings;
  out << json.dump() << '\n';
}

Profile read_profile(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file.string(), std::strerror(errno), "the simulator did not write its profile");
  try {
    return profile_of(Json::parse(in));
  } catch (const std::exception&) {
    throw InputError(file.string(), "is not a profile of schema " + std::string(kSchema),
                     "the simulator may have been killed; run the program again");
  }
}

}  // namespace strata
