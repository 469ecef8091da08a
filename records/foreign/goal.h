// SPDX-License-Identifier: LGPL-2.1-only
// Schedules in GOAL, the language of LogGOPSim and ATLAHS (https://github.com/spcl/LogGOPSim). For example, rank 0
// sends 8 bytes to rank 1, which computes for 100 ns after it has received them:
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
// `A requires B`: A starts after B has ended. `A irequires B`: A starts after B has started. Operations without such a
// dependency between them may run in any order. `cpu N` and `nic N` select the rank's core and network card for an
// operation. -1 means any source or any tag. Comments are as in C++.
//
// The binary form is that of LogGOPSim's txt2bin. All numbers have the low byte first:
//
//   file       u64 4223; u32 ranks; u8 largest cpu; u8 largest nic; for each rank u64 start and u64 end of its
//              operations, relative to the byte after 4223; the ranks
//   rank       u32 number of operations; u32 number of operations that require nothing; u32 for each of these, its
//              number; the operations; the list of dependents, u32 each: numbers of operations
//   operation  u32 number of operations that it requires; u8 1 send, 2 recv, 3 calc; u32 peer; u64 bytes or ns;
//              u32 tag; u8 cpu; u8 nic; u32 number of operations that require it, u32 index of the first in the list
//              of dependents; u32 number of operations that irequire it, u32 index of the first
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
  std::uint64_t size = 0;           // B; for a calc: ns
  long line = 0;                    // of the text; in the binary form, the operation's number in its rank
};

/// `later` starts after `earlier` has ended or, if `started`, has started. Both are indexes into the operations.
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

/// Whether these bytes, the first of a file, begin a schedule.
bool is_goal(const std::string& bytes);

/// Throws InputError with the line.
GoalSchedule read_goal(const std::filesystem::path& file);

}  // namespace strata
