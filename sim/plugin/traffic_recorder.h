// SPDX-License-Identifier: LGPL-2.1-only
// Keeps a simulation's traffic where STRATA_TRAFFIC names a folder for it.
#pragma once

#include "platforms/machine.h"
#include "sim/plugin/machine_zone.h"

namespace strata::sim {

/// Writes into the folder, which must be there, when the simulation ends, by a deadlock and exit() too: size.mtx and
/// msg.mtx (traffic.h), where messages of a progress thread are its rank's; links.csv. Where STRATA_TRAFFIC_PERIOD is a
/// number (s), also samples.csv: what each link carried in each period of simulated time in which it did. Where
/// STRATA_TRAFFIC_MESSAGES is set, also each message: sends.csv as processes sent them, messages.csv as the network
/// carried them. Nothing of it takes simulated time. Which ranks are progress threads says the file that
/// STRATA_PLACEMENT names. Nothing is done where STRATA_TRAFFIC is not set. `machine` and `zone` must live as long as
/// the process. Throws InputError where the environment is wrong or libmpix_monitoring_smpi.so is not preloaded. Where
/// a file cannot be written the process ends with status 2 and a line "@strata platform ..." on stderr.
void record_traffic(const Machine& machine, const MachineZone& zone);

}  // namespace strata::sim
