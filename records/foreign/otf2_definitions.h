// SPDX-License-Identifier: LGPL-2.1-only
// The definitions of an archive of OTF2 (otf2_archive.h) that all of its ranks share: the clock, the names of
// functions, and which ranks a communicator has.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "records/foreign/calls.h"

namespace strata {

/// The remedy for an archive that is not whole.
inline constexpr const char* kWholeArchive = "give the traces.otf2 of a whole archive, with its other files beside it";

struct Otf2Group {
  OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
  std::vector<std::uint64_t> members = {};
};

struct Otf2Definitions {
  std::uint64_t ticks_per_second = 1;
  std::map<OTF2_StringRef, std::string> strings = {};
  struct Region {
    OTF2_StringRef name;
    OTF2_Paradigm paradigm;
  };
  std::map<OTF2_RegionRef, Region> regions = {};
  std::map<OTF2_GroupRef, Otf2Group> groups = {};
  std::map<OTF2_CommRef, OTF2_GroupRef> communicators = {};
  std::map<OTF2_CommRef, bool> between = {};  // inter-communicators
  std::vector<std::uint64_t> locations = {};  // of MPI, by rank
};

/// Has the library's reader call what fills in `definitions`, which is its user data.
void take_definitions(OTF2_GlobalDefReaderCallbacks* callbacks);

/// The communicators: 0 is all ranks, the others are numbered as they are defined.
class Otf2Communicators {
 public:
  /// Adds them to `common`. Throws InputError about `archive`.
  Otf2Communicators(const Otf2Definitions& definitions, CommonCalls& common, const std::string& archive);

  static constexpr int kSelf = -1;

  /// Its number; kSelf for one that has this rank alone. Throws InputError.
  int number(OTF2_CommRef self) const;

 private:
  int add(const Otf2Group& group);

  const Otf2Definitions& definitions_;
  CommonCalls& common_;
  const std::string& archive_;
  std::map<OTF2_CommRef, int> numbers_;
  bool named_world_ = false;
};

}  // namespace strata
