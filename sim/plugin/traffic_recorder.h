// SPDX-License-Identifier: LGPL-2.1-only
// Records a simulation's traffic if STRATA_TRAFFIC names a folder for it.
#pragma once

#include "platforms/machine.h"
#include "sim/plugin/machine_zone.h"

namespace strata::sim {

/// Writes into the folder, which must exist, when the simulation ends, also after a deadlock or exit(): size.mtx and
/// msg.mtx (traffic.h), in which messages of a progress thread count as its rank's; links.csv. If STRATA_TRAFFIC_PERIOD
/// is a number (s), also samples.csv: the traffic of each link in each period of simulated time in which it had any. If
/// STRATA_TRAFFIC_MESSAGES is set, also each message: sends.csv as processes sent them, messages.csv as the network
/// carried them. None of this takes simulated time. The file named by STRATA_PLACEMENT says which ranks are progress
/// threads. Does nothing if STRATA_TRAFFIC is not set. `machine` and `zone` must live as long as the process. Throws
/// InputError if the environment is wrong or libmpix_monitoring_smpi.so is not preloaded. If a file cannot be written,
/// the process ends with status 2 and a line "@strata platform ..." on stderr.
void record_traffic(const Machine& machine, const MachineZone& zone);

}  // namespace strata::sim
