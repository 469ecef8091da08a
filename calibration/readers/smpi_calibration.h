// SPDX-License-Identifier: LGPL-2.1-only
// Reads the files of SMPI's platform-calibration, *_PingPong.csv, *_Isend.csv and *_Recv.csv. Each line is a call, with
// its name, the size in bytes, its start and its duration in seconds:
//
//   MPI_Send,1024,29.893914,2.0e-06
//   MPI_Recv,1024,29.893914,3.0e-06
//
// These lines are one ping-pong of 1024 B, with half a round trip of 2.5 us.
//
// | lines                                              | operation        | value                  |
// | -------------------------------------------------- | ---------------- | ---------------------- |
// | MPI_Send, then MPI_Recv of the same size and begin | kPingPong        | half of both durations |
// | MPI_Isend                                          | kSendOverhead    | duration               |
// | MPI_Recv alone, of a message that has arrived      | kReceiveOverhead | duration               |
//
// MPI_Iprobe, MPI_Test and MPI_Wtime are not used. The program measures one pair. The files of its saturation test
// (load_*.csv, five fields) do not contain the number of active pairs, and are rejected.
#pragma once

#include <filesystem>
#include <string>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// `level`: where the paths of the two ranks meet. Throws InputError if the file has no usable row.
Reading read_smpi_calibration(const std::filesystem::path& file, const std::string& level);

}  // namespace strata::calibration
