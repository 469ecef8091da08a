// SPDX-License-Identifier: LGPL-2.1-only
// Schedules in GOAL, the language of LogGOPSim and ATLAHS (https://github.com/spcl/LogGOPSim). For example two ranks,
// the second of which computes for 100 ns once it has 8 bytes from the first:
//
//   num_ranks 2
//   rank 0 {
//   l1: send 8b to 1 tag 5
//   }
//   rank 1 {
//   l1: recv 8b from 0 tag 5
//   l2: calc 100
//   l2 requires l1
//   }
//
// `A requires B`: A starts after B has ended; `A irequires B`: after B has started. Operations that require nothing of
// each other are in no order. `cpu N` and `nic N` say which of the rank's cores and network cards an operation takes.
// -1 is any source and any tag. Comments are as in C++.
//
// The binary form is that of LogGOPSim's txt2bin. All numbers have the low byte first:
//
//   u64 4223; u32 ranks; u8 largest cpu; u8 largest nic; for each rank two u64: where its operations begin and end,
//   counted from the 9th byte of the file
//   a rank: u32 operations; u32 those that require nothing; u32 the number of each of these; the operations; u32 each:
//   what requires them
//   an operation: u32 how many it requires; u8 1 send, 2 recv, 3 calc; u32 peer; u64 bytes or ns; u32 tag; u8 cpu;
//   u8 nic; u32 how many require it; u32 where these begin; u32 how many irequire it; u32 where these begin
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace strata {

struct GoalOperation {
  enum class Kind : std::uint8_t { kSend, kReceive, kCalc };
  static constexpr std::uint32_t kAny = 0xffffffff;

  Kind kind = Kind::kCalc;
  std::uint8_t cpu = 0, nic = 0;
  std::uint32_t peer = 0, tag = 0;  // kAny: any source, any tag
  std::uint64_t size = 0;           // B; of a calc: ns
  long line = 0;                    // where it is: a line of the text; in the binary form its number in its rank
};

/// `later` starts after `earlier` has ended or, if `started`, after that has started. Indexes into the operations.
struct GoalDependency {
  std::uint32_t later = 0, earlier = 0;
  bool started = false;
};

struct GoalRank {
  std::vector<GoalOperation> operations;
  std::vector<GoalDependency> dependencies;
};

struct GoalSchedule {
  std::string file;
  bool binary = false;
  std::vector<GoalRank> ranks;

  /// For errors: "app.goal:12", or "app.bin: rank 3, operation 12".
  std::string place(std::size_t rank, long line) const;
};

/// Whether these bytes, the first of a file, are the beginning of a schedule.
bool is_goal(const std::string& bytes);

/// Throws InputError, with the line.
GoalSchedule read_goal(const std::filesystem::path& file);

}  // namespace strata
