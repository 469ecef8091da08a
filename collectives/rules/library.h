// SPDX-License-Identifier: LGPL-2.1-only
// Which MPI library reads a file of rules: what it accepts, and which rule it applies, depend on its version.
//
//   parse_library("openmpi-4.1.4")     {Library::Family::kOpenMpi, 4, 1, 4}
//   parse_library("openmpi-4.1")       the newest release of this series that is known here, 4.1.8
#pragma once

#include <compare>
#include <string>

namespace strata::collectives {

struct Library {
  enum class Family { kOpenMpi, kMpich };
  Family family = Family::kOpenMpi;
  int major = 0, minor = 0, release = 0;

  bool is_openmpi() const { return family == Family::kOpenMpi; }
  /// Whether it is this release of its family or a later one.
  bool from(int of_major, int of_minor = 0, int of_release = 0) const {
    return *this >= Library{family, of_major, of_minor, of_release};
  }
  auto operator<=>(const Library&) const = default;
};

inline constexpr Library kOpenMpi41{Library::Family::kOpenMpi, 4, 1, 8};
inline constexpr Library kOpenMpi50{Library::Family::kOpenMpi, 5, 0, 9};
inline constexpr Library kOpenMpi60{Library::Family::kOpenMpi, 6, 0, 0};
inline constexpr Library kMpich40{Library::Family::kMpich, 4, 0, 3};
inline constexpr Library kMpich50{Library::Family::kMpich, 5, 0, 1};

/// "openmpi-4.1", "openmpi-4.1.4", "mpich-4.0.2". Throws InputError, with `where` as its place: an unknown name, or a
/// version whose files are not known here.
Library parse_library(const std::string& text, const std::string& where);

/// "Open MPI 4.1.8", "MPICH 4.0.3".
std::string title_of(const Library& library);

}  // namespace strata::collectives
