// SPDX-License-Identifier: LGPL-2.1-only
// The bytes that the network cards of the calling process's node have sent and received: of the simulated machine under
// SMPI, otherwise the kernel's counters.
#pragma once

#include <filesystem>
#include <optional>

#include "records/exchange/network_counters.h"

namespace strata::mpix {

/// Empty if no card counts. Local; costs no simulated time under SMPI.
std::optional<CardBytes> network_bytes();

/// Sums over the ports of all cards in a folder like /sys/class/infiniband: DEVICE/ports/NUMBER/counters/port_xmit_data
/// and port_rcv_data, which count words of 4 bytes (kernel, Documentation/ABI/stable/sysfs-class-infiniband; PDSEC'20,
/// Section VI-A). Ports whose counters cannot be read are skipped; empty if no port can be read. Not under SMPI.
std::optional<CardBytes> read_card_counters(const std::filesystem::path& cards);

}  // namespace strata::mpix
