// SPDX-License-Identifier: LGPL-2.1-only
// All words that programs, the simulator and the launcher exchange: marks at the start of lines, environment variables,
// properties of SimGrid's objects, and names of files that one process writes for another. For example, the launcher
// starts a simulation of two ranks like this:
//
//   STRATA_MACHINE=/tmp/strata-x/machine.yaml STRATA_PLACEMENT=/tmp/strata-x/placement STRATA_TRAFFIC=traffic
//     smpimain PROGRAM --cfg=smpi/np:2 --cfg=smpi/hostfile:... libstrata_platform.so -- ...
//   @strata {"metric":"time","value":1.25e-05,"unit":"s"}             the program, on stdout
//   @strata wrong rank 1 has 2 wrong elements                         the program, on stderr
//   @strata deadlock                                                  the platform plugin, on stderr
#pragma once

namespace strata::words {

// --- lines ---

/// Begins a line for the launcher. On stdout, JSON with a measurement of the program follows
/// (scenarios/programs/measurement.h writes it, sim/launcher/simulation.h reads it).
inline constexpr const char* kMark = "@strata ";
/// On stderr, written by programs and read by the launcher's diagnosis: the program computed wrong data; which follows.
inline constexpr const char* kWrong = "@strata wrong";
/// The same: the program refuses its arguments; the reason follows.
inline constexpr const char* kUsage = "@strata usage";
/// On stderr, written by the platform plugin and read by the launcher's diagnosis: an InputError of the plugin.
inline constexpr const char* kPlatform = "@strata platform";
/// The same: "rank R signal N at A in F". R is -1 for the simulator itself. A is the position of the rank as an address
/// in the file of the user's program (kPrivateCopies), 0 if unknown. " in F" is left out outside MPI's functions.
inline constexpr const char* kCrash = "@strata crash";
/// The same, written by libraries in the simulator: a rank called a function that the simulated MPI does not have, or
/// must not call there; what and where follows.
inline constexpr const char* kRefused = "@strata refused";
/// Only in kReport's file: the simulated time at which the last rank ended, in s.
inline constexpr const char* kEnd = "@strata end";
/// Like kCrash: no process can continue.
inline constexpr const char* kDeadlock = "@strata deadlock";
/// On stderr, written by the protocols that `strata check` explores (check/protocols/expect.h), for people: an
/// assertion failed.
inline constexpr const char* kViolated = "@strata violated";
/// On stderr, read by check/messages, and written by check/messages/explorer or by SimGrid 3.32's checker as patched by
/// tools/simgrid-mc: statistics of an exploration; "actors N enabled N" at the end of a replay (3.32 only); a message
/// that no rank has received.
inline constexpr const char* kStates = "@strata states";
inline constexpr const char* kReplayed = "@strata replayed";
inline constexpr const char* kNeverReceived = "@strata unmatched";

// --- environment variables of the simulator, set by the launcher and read by the platform plugin ---

/// machine.yaml of the machine to build.
inline constexpr const char* kMachine = "STRATA_MACHINE";
/// The placement file (placement_file.h). Users and tests under a real MPI set it too. mpi_ext's provider reads it: a
/// process with this variable sees the described machine, not the one on which it runs.
inline constexpr const char* kPlacement = "STRATA_PLACEMENT";
/// The file for the timeline (records/paje.h). Not set: no timeline is recorded.
inline constexpr const char* kTimeline = "STRATA_TIMELINE";
/// An existing folder for links.csv and the matrices. Not set: no traffic is recorded.
inline constexpr const char* kTraffic = "STRATA_TRAFFIC";
/// The period of samples.csv, in s. Not set: links are not sampled.
inline constexpr const char* kTrafficPeriod = "STRATA_TRAFFIC_PERIOD";
/// If set to any value, sends.csv and messages.csv are written too.
inline constexpr const char* kTrafficMessages = "STRATA_TRAFFIC_MESSAGES";
/// The maximum number of pairs of ranks in the matrices. If more pairs exchange messages, the matrices are not written.
/// Not set: no limit.
inline constexpr const char* kTrafficPairs = "STRATA_TRAFFIC_PAIRS";
/// The file for lines that begin with kMark. Not set: they go to stderr.
inline constexpr const char* kReport = "STRATA_REPORT";
/// Set if ranks must get along with few memory mappings (sim/launcher/mappings.h). toolchain/loader.cc reads it too,
/// which merges the segments of the ranks' copies.
inline constexpr const char* kFewMappings = "STRATA_FEW_MAPPINGS";
/// The user's value of LD_PRELOAD, for programs that the simulated program starts.
inline constexpr const char* kUsersPreload = "STRATA_USERS_PRELOAD";
/// The file for the profile (records/profile.h), written by sim/profile. Not set: no profile is written.
inline constexpr const char* kProfile = "STRATA_PROFILE";
/// The file for the events (records/events.h), written by sim/profile. Not set: no events are written.
inline constexpr const char* kEvents = "STRATA_EVENTS";
/// The file for the trace (records/trace/trace_file.h), written by sim/profile. Not set: no trace is written.
inline constexpr const char* kTrace = "STRATA_TRACE";
/// The file of the number of cores of each rank, one per line, read by sim/profile where computation is measured. Not
/// set: one core each.
inline constexpr const char* kCores = "STRATA_CORES";
/// Set by `strata check`, and read by the writers of kStates: an execution fails if it leaves a message that no rank
/// has received.
inline constexpr const char* kUnmatched = "STRATA_UNMATCHED";

// --- environment variables of programs under any MPI, set by users and read by mpi_ext ---

/// The MPI library whose collectives SMPI has, such as openmpi-4.1, for a scenario's `mpi`
/// (mpi_ext/preload/algorithms).
inline constexpr const char* kCollectives = "STRATA_COLLECTIVES";
/// The file of rules by which it chooses algorithms, and the name that the user has given it.
inline constexpr const char* kRules = "STRATA_COLLECTIVES_RULES";
inline constexpr const char* kRulesName = "STRATA_COLLECTIVES_RULES_NAME";
/// The default method of Cartesian communicators. The launcher sets it for a scenario's `shim`.
inline constexpr const char* kCartMethod = "MPIX_CART_METHOD";
/// The default algorithm of reordered communicators.
inline constexpr const char* kReorderAlgorithm = "MPIX_REORDER_ALGORITHM";
/// The tap that monitoring sessions use: "smpi", "openmpi" or "pmpi".
inline constexpr const char* kMonitoringProvider = "MPI_M_PROVIDER";

// --- properties of SimGrid's objects, set by the platform plugin and read by mpi_ext/adapter and sim/profile ---

/// Root zone: the machine's name.
inline constexpr const char* kMachineProperty = "strata_machine";
/// Root zone: the address (address.h) of a LinkBytes (network_counters.h).
inline constexpr const char* kLinkBytesProperty = "strata_link_bytes";
/// Root zone: the address of a TimelineRecorder (timeline_recorder.h), if a timeline is recorded.
inline constexpr const char* kTimelineProperty = "strata_timeline";
/// Root zone: the address of a long, the number of messages sent so far.
inline constexpr const char* kMessagesProperty = "strata_messages";
/// Root zone: the address of a MemoryWork (memory_work.h), if the machine has figures of its memory.
inline constexpr const char* kMemoryProperty = "strata_memory";
/// Host (a core): B/s of a copy, and of a reduction's operation.
inline constexpr const char* kCopyBandwidthProperty = "copy_bandwidth";
inline constexpr const char* kCombineBandwidthProperty = "combine_bandwidth";
/// Host: the number of copies of a message inside its node, 1 or 2. `strata check` also sets it, and the next one.
inline constexpr const char* kCopiesProperty = "copies";
/// Host: the number of its node.
inline constexpr const char* kNodeProperty = "node";

// --- names of files in the simulator ---

/// Prefix of the names of private copies of a user's program and libraries; each rank has its own (execution.h).
inline constexpr const char* kPrivateCopies = "/proc/self/fd/";

// --- files of one simulation, in the launcher's temporary folders ---

/// The machine's file, with the name that `save_machine` gives it (platforms/machine.h), for the plugin.
inline constexpr const char* kMachineFile = "machine.yaml";
/// The file that kPlacement names, and the bindings to which it refers.
inline constexpr const char* kPlacementFile = "placement";
inline constexpr const char* kBindingsFile = "bindings.txt";
/// The file that kCores names.
inline constexpr const char* kCoresFile = "cores.txt";
/// The host of each rank (platforms/core_name.h), one on each line, for SMPI.
inline constexpr const char* kHostsFile = "hosts";
/// Files that the plugin writes for the launcher: kTimeline's file and kTraffic's folder.
inline constexpr const char* kTimelineFile = "timeline.paje";
/// The file that sim/profile writes for kEvents.
inline constexpr const char* kEventsFile = "run.events";
/// The same for kTrace.
inline constexpr const char* kTraceFile = "run.mpitrace";
inline constexpr const char* kTrafficFolder = "traffic";

}  // namespace strata::words
