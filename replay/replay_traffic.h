// SPDX-License-Identifier: LGPL-2.1-only
// Messages between ranks in a replay, and the traffic on each link: the files that `strata exec --traffic` writes.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "flow/machine_flows.h"
#include "flow/traffic.h"
#include "platforms/machine.h"
#include "records/levels.h"
#include "records/links.h"

namespace strata::replay {

/// The traffic of one replay.
class Traffic final : public flow::Watcher {
 public:
  Traffic() = default;
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  const std::vector<LevelMessages>& levels() const { return levels_; }
  const std::vector<LinkTraffic>& links() const { return links_; }
  /// Writes size.mtx, msg.mtx, levels.csv and links.csv into the folder, which it makes. Throws OutputError.
  void write(const std::filesystem::path& folder) const;

  // --- called by the engine ---

  /// They must outlive end(). `cores` by rank.
  void begin(const Machine& machine, const std::vector<int>& cores, flow::MachineFlows& flows);
  void sent(int from, int to, double bytes);
  void end();
  void time_passed(double now) override;
  void arrived(int source_core, int destination_core, double bytes, double sent_s, double now) override;

 private:
  const Machine* machine_ = nullptr;
  const std::vector<int>* cores_ = nullptr;
  flow::MachineFlows* flows_ = nullptr;
  flow::MessageMatrix matrix_;
  std::optional<flow::MessageLevels> counts_;
  double active_s_ = 0, busy_s_ = 0, last_s_ = 0;
  int ranks_ = 0;
  std::vector<LevelMessages> levels_;
  std::vector<LinkTraffic> links_;
};

}  // namespace strata::replay
