// SPDX-License-Identifier: LGPL-2.1-only
// The problems of the conjugate gradient benchmark CG of the NAS Parallel Benchmarks, version 3.3 (NPB3.3-MPI, CG,
// npbparams.h as setparams writes it, and cg.f for the values that verify).
#pragma once

#include <array>
#include <string_view>

namespace strata::programs {

struct CgClass {
  char name;
  int n;          // order of the matrix
  int nonzer;     // elements of the sparse vectors that it is made of
  int niter;      // steps of the power iteration
  double shift;   // that it is shifted by
  double zeta;    // what they must come to
  bool computed;  // for real, where nobody says otherwise: within a second or so of a core
};

inline constexpr std::array<CgClass, 6> kCgClasses = {{
    {'S', 1400, 7, 15, 10, 8.5971775078648, true},
    {'W', 7000, 8, 15, 12, 10.362595087124, true},
    {'A', 14000, 11, 15, 20, 17.130235054029, true},
    {'B', 75000, 13, 75, 60, 22.712745482631, false},
    {'C', 150000, 15, 75, 110, 28.973605592845, false},
    {'D', 1500000, 21, 100, 500, 52.514532105794, false},
}};

inline constexpr int kCgSteps = 25;            // of the conjugate gradient, in a step of the power iteration
inline constexpr double kCgTolerance = 1e-10;  // of zeta, relative

/// The class of that name, or null.
inline const CgClass* find_cg_class(std::string_view name) {
  for (const CgClass& c : kCgClasses) {
    if (name.size() == 1 && name[0] == c.name) return &c;
  }
  return nullptr;
}

}  // namespace strata::programs
