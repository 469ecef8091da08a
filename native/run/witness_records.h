// SPDX-License-Identifier: LGPL-2.1-only
// The records of a run with a real MPI library, made from what happens in virtual time: the profile, the events and the
// traffic, in the files and tables that a simulation with SMPI has.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "native/board/board.h"
#include "native/coordinator/virtual_time.h"
#include "native/run/recording.h"
#include "records/event_recorder.h"
#include "records/ledger.h"
#include "replay/replay_traffic.h"

namespace strata::native {

class WitnessRecords final : public Witness {
 public:
  /// `program`: its name. `events`: the file; empty: no events. `recording`: null: none. `cores` by rank. The others
  /// must outlive this.
  WitnessRecords(Board& board, const Machine& machine, std::vector<int> cores, const std::string& program,
                 const std::filesystem::path& events, Recording* recording);

  /// Before anything happens.
  void begin(flow::MachineFlows& flows);
  /// The run is over, at this time, s.
  Profile finish(double now);
  void tell(const Ending& ending) { ledger_.tell(ending); }
  replay::Traffic& traffic() { return traffic_; }

  void begin(int rank, int core, double now) override;
  void enter(int rank, int function, double now) override;
  void leave(int rank, double now) override;
  void posted(int rank, const Message& message) override;
  void blocked(int rank, const Wait& wait) override;
  void block(int rank, double now) override;
  void unblock(int rank, std::int64_t message, double began, double now) override;
  void send(int rank, const Message& message, double now) override;
  void arrive(const Message& message, double began, double now) override;
  void end(int rank, double now) override;
  void perform(int rank, const Message& message) override;

 private:
  int tag_of(int rank, const Message& m) const;
  RankLedger& ledger(int rank) { return *ledger_.rank(static_cast<std::size_t>(rank)); }

  Board& board_;
  const Machine& machine_;
  std::vector<int> cores_;
  std::filesystem::path events_;
  std::vector<double> born_;  // of ranks that others have started, the first one's first, s
  Ledger ledger_;
  std::optional<EventRecorder> recorder_;
  Recording* recording_;
  replay::Traffic traffic_;
  std::vector<std::int64_t> recorded_;  // by number of the message: its number in the events
};

}  // namespace strata::native
