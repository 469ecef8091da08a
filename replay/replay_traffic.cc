// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/replay_traffic.h"

#include <system_error>

#include "base/output_error.h"
#include "base/whole_file.h"
#include "flow/link_names.h"
#include "records/matrix/matrix_market.h"

namespace strata::replay {

void Traffic::begin(const Machine& machine, const std::vector<int>& cores, flow::MachineFlows& flows) {
  machine_ = &machine;
  cores_ = &cores;
  flows_ = &flows;
  ranks_ = static_cast<int>(cores.size());
  counts_.emplace(machine, flows.paths().tree());
  flows.flows().watch(*this);
}

void Traffic::sent(int from, int to, double bytes) {
  const auto core = [this](int rank) { return (*cores_)[rank]; };
  const auto whole = static_cast<std::uint64_t>(bytes);
  matrix_.add(from, to, whole);
  counts_->add(core(from), core(to), whole);
}

void Traffic::time_passed(double now) {
  const bool messages = flows_->flows().under_way() > 0, any = messages || flows_->flows().working() > 0;
  if (messages) active_s_ += now - last_s_;
  if (any) busy_s_ += now - last_s_;
  last_s_ = now;
}

void Traffic::arrived(int /*source_core*/, int /*destination_core*/, double /*bytes*/, double /*sent_s*/,
                      double /*now*/) {}

void Traffic::end() {
  ranks_ = static_cast<int>(cores_->size());  // some may have been added
  levels_ = counts_->counts();
  std::vector<double> bytes;
  flows_->flows().carried_at(last_s_, bytes);
  links_ = flow::link_traffic(flow::link_names(*machine_, flows_->paths().tree()), bytes, flows_->flows().carried(),
                              active_s_, busy_s_);
  counts_.reset();
}

void Traffic::write(const std::filesystem::path& folder) const {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw OutputError(folder.string(), "cannot be made: " + error.message(), "give --traffic another folder");
  write_whole(folder / kBytesMatrixFile, format_matrix_market(ranks_, matrix_.bytes()));
  write_whole(folder / kMessagesMatrixFile, format_matrix_market(ranks_, matrix_.messages()));
  write_whole(folder / kLevelsFile, format_levels(levels_));
  write_whole(folder / kLinksFile, format_links(links_));
}

}  // namespace strata::replay
