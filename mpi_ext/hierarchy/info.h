// SPDX-License-Identifier: LGPL-2.1-only
// Reading MPI_Info.
#pragma once

#include <mpi.h>

#include <array>
#include <optional>
#include <string>

#include "mpi_ext/report_error.h"

namespace strata::mpix {

/// The value of a key; empty if `info` is null or does not have the key. Throws ReportedByMpi.
inline std::optional<std::string> info_value(MPI_Info info, const char* key) {
  if (info == MPI_INFO_NULL) return std::nullopt;
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  call(MPI_Info_get(info, const_cast<char*>(key), MPI_MAX_INFO_VAL, value.data(), &found));
  return found != 0 ? std::optional<std::string>(value.data()) : std::nullopt;
}

/// Throws ReportedByMpi.
inline void set_info_value(MPI_Info info, const char* key, const std::string& value) {
  call(MPI_Info_set(info, const_cast<char*>(key), const_cast<char*>(value.c_str())));
}

}  // namespace strata::mpix
