// SPDX-License-Identifier: LGPL-2.1-only
// The problem classes of CG, the conjugate gradient benchmark of the NAS Parallel Benchmarks, version 3.3 (NPB3.3-MPI,
// CG: npbparams.h as written by setparams, and cg.f for the verification values).
#pragma once

#include <array>
#include <string_view>

namespace strata::programs {

struct CgClass {
  char name;
  int n;          // order of the matrix
  int nonzer;     // number of elements in each of the sparse vectors that form it
  int niter;      // steps of the power iteration
  double shift;   // of the matrix
  double zeta;    // the correct result
  bool computed;  // compute by default: takes about a second of a core
};

inline constexpr std::array<CgClass, 6> kCgClasses = {{
    {'S', 1400, 7, 15, 10, 8.5971775078648, true},
    {'W', 7000, 8, 15, 12, 10.362595087124, true},
    {'A', 14000, 11, 15, 20, 17.130235054029, true},
    {'B', 75000, 13, 75, 60, 22.712745482631, false},
    {'C', 150000, 15, 75, 110, 28.973605592845, false},
    {'D', 1500000, 21, 100, 500, 52.514532105794, false},
}};

inline constexpr int kCgSteps = 25;            // per step of the power iteration
inline constexpr double kCgTolerance = 1e-10;  // relative, for zeta

/// The class with this name, or null.
inline const CgClass* find_cg_class(std::string_view name) {
  for (const CgClass& c : kCgClasses) {
    if (name.size() == 1 && name[0] == c.name) return &c;
  }
  return nullptr;
}

}  // namespace strata::programs
