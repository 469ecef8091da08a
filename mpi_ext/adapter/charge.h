// What computing costs under SMPI, which runs it on the real machine and charges nothing for it: who computes says so.
//
// A combine takes what a copy of as many bytes takes: it reads two streams and writes one, which is the memory traffic
// of a copy whose writes allocate their lines (read the source, read the lines to be written, write them); on the cores
// of today the arithmetic hides behind it. So a machine needs no figure beside its copy bandwidth.
#pragma once

#include <cstddef>

namespace strata::mpix {

/// A combination of two operands of `bytes` each. Under SMPI the calling rank's core computes for bytes /
/// copy_bandwidth seconds, its host's property of that name in B/s (Strata's platforms say it; on any other nothing is
/// charged). Under a real MPI, where the operation itself takes its time, nothing.
void charge_combine(std::size_t bytes);

/// Arithmetic of `flops` (flop, not negative). Under SMPI the calling rank's core computes for flops / its host's speed
/// (flop/s); under a real MPI, where the arithmetic itself takes its time, nothing.
void charge_flops(double flops);

}  // namespace strata::mpix
