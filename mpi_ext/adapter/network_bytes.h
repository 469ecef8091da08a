// SPDX-License-Identifier: LGPL-2.1-only
// The bytes that the network cards of the calling process's node have sent and received: under SMPI those of the
// simulated machine, elsewhere the kernel's counters.
#pragma once

#include <filesystem>
#include <optional>

#include "records/exchange/network_counters.h"

namespace strata::mpix {

/// Nothing if no card counts. Local; under SMPI it costs no simulated time.
std::optional<CardBytes> network_bytes();

/// Sums over the ports of all cards of a folder like /sys/class/infiniband, DEVICE/ports/NUMBER/counters/port_xmit_data
/// and port_rcv_data, which count words of 4 bytes (kernel, Documentation/ABI/stable/sysfs-class-infiniband; PDSEC'20,
/// Section VI-A). A port whose counters cannot be read counts nothing; nothing where no port's can. Not under SMPI.
std::optional<CardBytes> read_card_counters(const std::filesystem::path& cards);

}  // namespace strata::mpix
