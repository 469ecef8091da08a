// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/otf2_definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/error.h"

namespace strata {
namespace {

OTF2_CallbackCode clock(void* user, std::uint64_t ticks, std::uint64_t /*offset*/, std::uint64_t /*length*/,
                        std::uint64_t /*realtime*/) {
  static_cast<Otf2Definitions*>(user)->ticks_per_second = std::max<std::uint64_t>(ticks, 1);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode string(void* user, OTF2_StringRef self, const char* text) {
  static_cast<Otf2Definitions*>(user)->strings[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode region(void* user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef /*canonical*/,
                         OTF2_StringRef /*description*/, OTF2_RegionRole /*role*/, OTF2_Paradigm paradigm,
                         OTF2_RegionFlag /*flags*/, OTF2_StringRef /*file*/, std::uint32_t /*begin*/,
                         std::uint32_t /*end*/) {
  static_cast<Otf2Definitions*>(user)->regions[self] = {name, paradigm};
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode group(void* user, OTF2_GroupRef self, OTF2_StringRef /*name*/, OTF2_GroupType type,
                        OTF2_Paradigm paradigm, OTF2_GroupFlag /*flags*/, std::uint32_t count,
                        const std::uint64_t* members) {
  if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
  auto& all = *static_cast<Otf2Definitions*>(user);
  all.groups[self] = {type, {members, members + count}};
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) all.locations = all.groups[self].members;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode communicator(void* user, OTF2_CommRef self, OTF2_StringRef /*name*/, OTF2_GroupRef group,
                               OTF2_CommRef /*parent*/, OTF2_CommFlag /*flags*/) {
  static_cast<Otf2Definitions*>(user)->communicators[self] = group;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode inter_communicator(void* user, OTF2_CommRef self, OTF2_StringRef /*name*/, OTF2_GroupRef /*a*/,
                                     OTF2_GroupRef /*b*/, OTF2_CommRef /*common*/, OTF2_CommFlag /*flags*/) {
  static_cast<Otf2Definitions*>(user)->between[self] = true;
  return OTF2_CALLBACK_SUCCESS;
}

}  // namespace

void take_definitions(OTF2_GlobalDefReaderCallbacks* to) {
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(to, clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(to, string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(to, region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(to, group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(to, communicator);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(to, inter_communicator);
}

Otf2Communicators::Otf2Communicators(const Otf2Definitions& definitions, CommonCalls& common,
                                     const std::string& archive)
    : definitions_(definitions), common_(common), archive_(archive) {
  std::vector<int> world(definitions.locations.size());
  std::iota(world.begin(), world.end(), 0);
  common_.communicators.push_back(std::move(world));
  for (const auto& [self, group] : definitions.communicators) {
    if (definitions.groups.contains(group)) numbers_[self] = add(definitions.groups.at(group));
  }
}

int Otf2Communicators::number(OTF2_CommRef self) const {
  if (const auto known = numbers_.find(self); known != numbers_.end()) return known->second;
  if (definitions_.between.contains(self))
    throw InputError(archive_, "it has an inter-communicator", "archives with those cannot be replayed");
  throw InputError(archive_, fmt::format("communicator {} is not defined", self), kWholeArchive);
}

int Otf2Communicators::add(const Otf2Group& group) {
  if (group.type == OTF2_GROUP_TYPE_COMM_SELF || group.members.size() == 1) return kSelf;
  std::vector<int> ranks;
  for (const std::uint64_t member : group.members) {
    if (member >= definitions_.locations.size() && group.type == OTF2_GROUP_TYPE_COMM_GROUP)
      throw InputError(archive_, fmt::format("a communicator has rank {} of {}", member, definitions_.locations.size()),
                       kWholeArchive);
    ranks.push_back(group.type == OTF2_GROUP_TYPE_COMM_GROUP ? static_cast<int>(member)
                                                             : static_cast<int>(ranks.size()));
  }
  const std::set<int> different(ranks.begin(), ranks.end());
  if (different.size() != ranks.size() || ranks.size() > definitions_.locations.size())
    throw InputError(archive_,
                     fmt::format("a communicator has {} ranks, {} of them different, and the archive has {}",
                                 ranks.size(), different.size(), definitions_.locations.size()),
                     kWholeArchive);
  // The first communicator with all ranks is MPI_COMM_WORLD; later ones are duplicates.
  if (!named_world_ && ranks == common_.communicators.front()) {
    named_world_ = true;
    return 0;
  }
  common_.communicators.push_back(std::move(ranks));
  return static_cast<int>(common_.communicators.size()) - 1;
}

}  // namespace strata
