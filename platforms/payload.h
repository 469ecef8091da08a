// SPDX-License-Identifier: LGPL-2.1-only
// Bytes on the wire and in memory for bytes of payload.
#pragma once

namespace strata {

/// Bytes that SMPI adds to every message on the wire (SimGrid 3.32 and 4.0, src/smpi/mpi/smpi_request.cpp:
/// payload_size_ of a request).
inline constexpr double kEnvelopeBytes = 16;

/// Bytes of memory traffic, counted like STREAM does (memory.h).
inline constexpr double kMovedByCopy = 2;     // for each byte copied: read and written
inline constexpr double kMovedByCombine = 3;  // for each byte of an operand: both are read, one is written

}  // namespace strata
