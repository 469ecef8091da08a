// SPDX-License-Identifier: LGPL-2.1-only
// Every word that programs, the simulator and the launcher exchange: marks at the beginning of lines, environment
// variables, properties of SimGrid's objects, and names of files that one process leaves for another. A simulation of
// two ranks, as the launcher starts it:
//
//   STRATA_MACHINE=/tmp/strata-x/machine.yaml STRATA_PLACEMENT=/tmp/strata-x/placement STRATA_TRAFFIC=traffic
//     smpimain PROGRAM --cfg=smpi/np:2 --cfg=smpi/hostfile:... libstrata_platform.so -- ...
//   @strata {"metric":"time","value":1.25e-05,"unit":"s"}             the program, on stdout
//   @strata wrong rank 1 has 2 wrong elements                         the program, on stderr
//   @strata deadlock                                                  the platform plugin, on stderr
#pragma once

namespace strata::words {

// --- lines ---

/// Begins a line that is meant for the launcher. On stdout JSON follows: what a program measured
/// (scenarios/programs/measurement.h; the launcher reads it, sim/launcher/simulation.h).
inline constexpr const char* kMark = "@strata ";
/// On stderr, written by programs and read by the launcher's diagnosis: the program computed wrong data, and what.
inline constexpr const char* kWrong = "@strata wrong";
/// The same: the program refuses its arguments, and why.
inline constexpr const char* kUsage = "@strata usage";
/// On stderr, written by the platform plugin and read by the launcher's diagnosis: an InputError of the plugin's.
inline constexpr const char* kPlatform = "@strata platform";
/// The same: "rank R signal N at A". R is -1 for the simulator itself; A is the address in the file of a user's program
/// (kPrivateCopies) where the rank was, 0 if that is not known.
inline constexpr const char* kCrash = "@strata crash";
/// Only in kReport's file: the simulated time at which the last rank ended, in s.
inline constexpr const char* kEnd = "@strata end";
/// As kCrash: no process can go on.
inline constexpr const char* kDeadlock = "@strata deadlock";
/// On stderr, written by the protocols that `strata check` explores (check/protocols/expect.h) and read by people: an
/// assertion does not hold.
inline constexpr const char* kViolated = "@strata violated";
/// On stderr, written by SimGrid 3.32's checker as tools/simgrid-mc patches it, or by check/messages/explorer, and read
/// by check/messages: statistics of an exploration; "actors N enabled N" at the end of a replay (3.32); a message that
/// no rank has received by then.
inline constexpr const char* kStates = "@strata states";
inline constexpr const char* kReplayed = "@strata replayed";
inline constexpr const char* kNeverReceived = "@strata unmatched";

// --- environment variables of the simulator, set by the launcher and read by the platform plugin ---

/// machine.yaml of the machine to build.
inline constexpr const char* kMachine = "STRATA_MACHINE";
/// The placement file (placement_file.h). Also set by users and by tests under a real MPI, and read by mpi_ext's
/// provider: a process that has it sees the machine described there and not the one it runs on.
inline constexpr const char* kPlacement = "STRATA_PLACEMENT";
/// The file for the timeline (records/paje.h). Not set: none is recorded.
inline constexpr const char* kTimeline = "STRATA_TIMELINE";
/// The folder, which exists, for links.csv and the matrices. Not set: no traffic is kept.
inline constexpr const char* kTraffic = "STRATA_TRAFFIC";
/// The period of samples.csv, in s. Not set: links are not sampled.
inline constexpr const char* kTrafficPeriod = "STRATA_TRAFFIC_PERIOD";
/// Set to anything: sends.csv and messages.csv are kept too.
inline constexpr const char* kTrafficMessages = "STRATA_TRAFFIC_MESSAGES";
/// The most pairs of ranks in the matrices: if more pairs exchange messages, the matrices are not written. Not set: no
/// limit.
inline constexpr const char* kTrafficPairs = "STRATA_TRAFFIC_PAIRS";
/// The file for lines that begin with kMark. Not set: they go to stderr.
inline constexpr const char* kReport = "STRATA_REPORT";
/// What LD_PRELOAD is to be for programs that the simulated program starts: the user's own value.
inline constexpr const char* kUsersPreload = "STRATA_USERS_PRELOAD";
/// The file for the profile (records/profile.h), written by sim/profile. Not set: none is kept.
inline constexpr const char* kProfile = "STRATA_PROFILE";
/// The file for the events (records/events.h), written by sim/profile. Not set: none are kept.
inline constexpr const char* kEvents = "STRATA_EVENTS";
/// The file for the trace (records/trace/trace_file.h), written by sim/profile. Not set: none is kept.
inline constexpr const char* kTrace = "STRATA_TRACE";
/// Set by `strata check`, and read by what writes kStates: an execution fails if a message is left that no rank has
/// received.
inline constexpr const char* kUnmatched = "STRATA_UNMATCHED";

// --- environment variables of programs under any MPI, set by users and read by mpi_ext ---

/// The method of Cartesian communicators where the program names none. The launcher sets it for a scenario's `shim`.
inline constexpr const char* kCartMethod = "MPIX_CART_METHOD";
/// The algorithm of reordered communicators where the program names none.
inline constexpr const char* kReorderAlgorithm = "MPIX_REORDER_ALGORITHM";
/// Who shall see the messages of monitoring sessions: "smpi", "openmpi" or "pmpi".
inline constexpr const char* kMonitoringProvider = "MPI_M_PROVIDER";

// --- properties of SimGrid's objects, set by the platform plugin and read by mpi_ext/adapter and sim/profile ---

/// A property of the root zone: the machine's name.
inline constexpr const char* kMachineProperty = "strata_machine";
/// The same, an address (address.h): a LinkBytes (network_counters.h).
inline constexpr const char* kLinkBytesProperty = "strata_link_bytes";
/// The same: a TimelineRecorder (timeline_recorder.h), where one is wanted.
inline constexpr const char* kTimelineProperty = "strata_timeline";
/// The same: a long, the number of messages sent so far.
inline constexpr const char* kMessagesProperty = "strata_messages";
/// The same: a MemoryWork (memory_work.h), where the machine has figures of its memory.
inline constexpr const char* kMemoryProperty = "strata_memory";
/// Of a host, which is a core: B/s of a copy, and of a reduction's operation.
inline constexpr const char* kCopyBandwidthProperty = "copy_bandwidth";
inline constexpr const char* kCombineBandwidthProperty = "combine_bandwidth";
/// Of a host: how often a message inside its node is copied, 1 or 2. `strata check` sets it and the next one too.
inline constexpr const char* kCopiesProperty = "copies";
/// Of a host: the number of its node.
inline constexpr const char* kNodeProperty = "node";

// --- names of files in the simulator ---

/// Begins the names of the copies of a user's program and libraries, of which each rank has its own (execution.h).
inline constexpr const char* kPrivateCopies = "/proc/self/fd/";

// --- files of one simulation, in the launcher's temporary folders ---

/// The machine, as `save_machine` calls it (platforms/machine.h), for the plugin.
inline constexpr const char* kMachineFile = "machine.yaml";
/// What kPlacement names, and the bindings that the file refers to.
inline constexpr const char* kPlacementFile = "placement";
inline constexpr const char* kBindingsFile = "bindings.txt";
/// The host of each rank (platforms/core_name.h), a line each, for SMPI.
inline constexpr const char* kHostsFile = "hosts";
/// What the plugin leaves for the launcher: kTimeline's file and kTraffic's folder.
inline constexpr const char* kTimelineFile = "timeline.paje";
/// The file that sim/profile leaves for kEvents.
inline constexpr const char* kEventsFile = "run.events";
/// The same for kTrace.
inline constexpr const char* kTraceFile = "run.strace";
inline constexpr const char* kTrafficFolder = "traffic";

}  // namespace strata::words
