// SPDX-License-Identifier: LGPL-2.1-only
// The definitions in an OTF2 archive (otf2_archive.h) that all its ranks share: the clock, the names of functions, and
// the ranks of each communicator.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "records/foreign/recorded_calls.h"

namespace strata {

/// The remedy for an incomplete archive.
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
  std::vector<std::uint64_t> locations = {};  // locations of MPI processes, by rank
};

/// Registers callbacks that fill in `definitions`, which must be the reader's user data.
void take_definitions(OTF2_GlobalDefReaderCallbacks* callbacks);

/// Numbers of communicators: 0 is all ranks; the others are numbered in the order of their definitions.
class Otf2Communicators {
 public:
  /// Adds the communicators to `common`. Throws InputError about `archive`.
  Otf2Communicators(const Otf2Definitions& definitions, CommonCalls& common, const std::string& archive);

  static constexpr int kSelf = -1;

  /// The number of a communicator; kSelf if it only contains this rank. Throws InputError.
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
