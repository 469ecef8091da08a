// SPDX-License-Identifier: LGPL-2.1-only
// The files of SMPI's platform-calibration, *_PingPong.csv, *_Isend.csv and *_Recv.csv: a call on each line, with its
// name, the size in bytes, its begin and its duration in seconds:
//
//   MPI_Send,1024,29.893914,2.0e-06
//   MPI_Recv,1024,29.893914,3.0e-06
//
// are one ping-pong of 1024 B: half of the round trip is 2.5 us.
//
// | lines                                              | operation        | value                  |
// | -------------------------------------------------- | ---------------- | ---------------------- |
// | MPI_Send, then MPI_Recv of the same size and begin | kPingPong        | half of both durations |
// | MPI_Isend                                          | kSendOverhead    | duration               |
// | MPI_Recv alone, of a message that has arrived      | kReceiveOverhead | duration               |
//
// MPI_Iprobe, MPI_Test and MPI_Wtime are not used. The program measures one pair. The files of its saturation test
// (load_*.csv, five fields) do not say how many pairs were active, and are refused.
#pragma once

#include <filesystem>
#include <string>

#include "calibration/measurement.h"

namespace strata::calibration {

/// `level`: where the path of the two ranks meets. Throws InputError where the file has no usable row.
Reading read_smpi_calibration(const std::filesystem::path& file, const std::string& level);

}  // namespace strata::calibration
