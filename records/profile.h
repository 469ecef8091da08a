// SPDX-License-Identifier: LGPL-2.1-only
// The profile of a simulated program: how each rank spent its time, and which MPI functions took it. sim/profile, which
// is preloaded into the simulator, writes it at the end; `strata exec` reads it. For example, for two ranks:
//
//   {"schema":"strata.profile/1",
//    "simulated_time":{"value":0.003,"unit":"s"},
//    "computing":[0.002,0.001],"communicating":[0.0005,0.0005],"waiting":[0.0,0.001],"end":[0.0025,0.0025],
//    "calls":[{"call":"MPI_Recv","count":1,"seconds":0.0015,"waiting":0.001}, ...],
//    "endings":[{"rank":1,"how":"return","code":3}]}
//
// A rank's time runs from its start, at 0, to its end. Each moment counts once:
//
//   computing      outside MPI: in the program's own code, also before MPI_Init and after MPI_Finalize
//   waiting        blocked in MPI until the message that it waits for begins to flow, because the other side is late
//   communicating  in MPI otherwise: the message flows, or the library itself works
//
// A receive that is blocked from t0 to t1 and whose message begins to flow at s has waited max(0, min(s, t1) - t0). The
// same holds for a send whose receiver is late. Collectives are counted message by message: in a barrier, the other
// ranks wait for the last one. sim/profile/README.md lists the cases without such a time, which count as communicating.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace strata {

/// One MPI function, summed over the ranks. Calls by another MPI function count as part of that function.
struct CallProfile {
  std::string call;    // "MPI_Send", also for calls from Fortran
  long count = 0;      // calls
  double seconds = 0;  // from entering to leaving
  double waiting = 0;  // part of `seconds`

  bool operator==(const CallProfile&) const = default;
};

struct RankProfile {
  double computing = 0, communicating = 0, waiting = 0;  // s; the sum is `end`
  double end = 0;                                        // s: when the rank ended

  bool operator==(const RankProfile&) const = default;
};

/// A message for which a blocked rank waits.
struct Awaited {
  bool receive = true;  // it receives the message; false: it sends it, and the receiver does not accept it
  int rank = -1;        // the other side; -1: any
  int tag = -1;         // as the program gave it; -1: any; below -1 inside MPI's own collectives

  bool operator==(const Awaited&) const = default;
};

/// The end of a rank that did not call MPI_Finalize and then return 0 from main.
struct Ending {
  enum class How {
    kAbort,        // called MPI_Abort
    kDeadlock,     // was blocked when no rank could continue
    kExit,         // called exit
    kReturn,       // main returned a value other than 0
    kUnfinalized,  // called MPI_Init, then ended without MPI_Finalize
  };
  int rank = 0;
  How how = How::kUnfinalized;
  int code = 0;  // the argument of MPI_Abort or exit, or main's return value
  // For kDeadlock only:
  std::string call = {};             // the MPI function that the program is in
  std::vector<Awaited> awaits = {};  // the messages for which it waits there: any one of them, or all

  bool operator==(const Ending&) const = default;
};

struct Profile {
  double simulated_time = 0;       // s: when the last rank ended
  std::vector<RankProfile> ranks;  // by rank
  std::vector<CallProfile> calls;  // by name; functions that at least one rank called
  std::vector<Ending> endings;     // by time

  bool operator==(const Profile&) const = default;
};

/// One line of JSON, schema strata.profile/1. Numbers have full precision.
void write_profile(std::ostream& out, const Profile& profile);

/// Throws InputError if the file is missing or damaged.
Profile read_profile(const std::filesystem::path& file);

}  // namespace strata
