// SPDX-License-Identifier: LGPL-2.1-only
// Everything that this library records about a simulation, from its first rank to its end: a profile
// (records/profile.h), events (records/events.h) and a trace of each rank (records/trace/trace.h), each if it is
// wanted.
#pragma once

#include <sys/types.h>

#include <fstream>
#include <memory>
#include <optional>
#include <simgrid/s4u/Host.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/output_error.h"
#include "records/event_recorder.h"
#include "records/events.h"
#include "records/ledger.h"
#include "records/profile.h"
#include "sim/profile/last_comers.h"
#include "sim/profile/message_log.h"
#include "sim/profile/tracing.h"

namespace strata::sim {

/// The file for the profile. If it cannot be written, the simulation ends.
class ProfileFile {
 public:
  explicit ProfileFile(std::string file);
  void write(const Profile& profile);

 private:
  [[noreturn]] void fail();

  std::string file_;
  std::ofstream out_;
};

/// State that only the stream of events needs.
struct Recording {
  Recording(const std::string& file, const EventsHeader& header, bool measured);

  EventRecorder events;
  MessageLog messages;
  const bool measured;  // SMPI charges computation
  Barriers barriers;
  Mutexes mutexes;
  std::unordered_set<const void*> sending;  // requests that are being started
};

class Session {
 public:
  /// `program`: the first argument of smpimain. The others are file names; empty: this file is not written.
  Session(std::string program, const std::string& profile, std::string events, std::string trace);

  Ledger& ledger() { return ledger_; }
  /// Whether there is a profile. If so, it contains how ranks end, and exit() ends only one rank.
  bool profiled() const { return profile_.has_value(); }
  /// nullptr: no events are recorded.
  Recording* recording() { return recording_.get(); }
  const std::string& events_file() const { return events_file_; }
  const std::string& trace_file() const { return trace_file_; }
  /// nullptr: no trace is recorded.
  Tracing* tracing() { return tracing_.get(); }
  /// Whether the files still have to be written; false in a child process that a rank has forked.
  bool open() const;

  /// A rank has been created. Ignored after the start, when it is a thread of the program.
  void add_rank(const simgrid::s4u::Host& host);
  /// nullptr: there is no rank of this number. Call it only after all ranks have been created: the first call begins
  /// the session.
  RankLedger* rank(int number) {
    if (!started_) start();
    return ledger_.rank(static_cast<std::size_t>(number));
  }
  /// Writes the files, once.
  void write(double now);

 private:
  void start();
  void write_trace();

  pid_t process_;
  std::string program_, events_file_, trace_file_, recorded_machine_;
  std::optional<ProfileFile> profile_;
  Ledger ledger_;
  std::vector<int> cores_;  // by rank
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<Tracing> tracing_;
  bool started_ = false, written_ = false;
};

/// nullptr: nothing is recorded.
Session* session();
/// Begins the session, before the first rank is created. It is never deleted, because exit() may be called anywhere.
void open_session(Session* session);

/// nullptr: no events are recorded.
Recording* recording();
/// nullptr: nothing is recorded, or the calling actor is not a rank.
RankLedger* current();
/// nullptr: no trace is recorded.
Tracing* any_tracing();
/// nullptr also if the calling actor is not a rank.
Tracing* tracing();

}  // namespace strata::sim
