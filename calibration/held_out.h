// SPDX-License-Identifier: LGPL-2.1-only
// Measurements that no figure is fitted to, which the calibrated machine predicts: collectives and rings.
//
//   allgather on 48 ranks   measured  predicted  error
//   8 B                     21.3 us   19.0 us    1.12
//   1024 B                  80.1 us   88.9 us    1.11       median error 1.12, worst 1.12
//
// An error is a factor: predicted over measured, or its inverse, whichever is above 1.
#pragma once

#include <string>
#include <vector>

#include "calibration/measurement.h"
#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::calibration {

/// How a program measures an operation.
enum class Manner {
  kProbe,  // repetitions follow each other; of the slowest rank
  kImb,    // as IMB-MPI1 and the OSU benchmarks: a barrier between repetitions, but not of rings; the mean of the ranks
};

/// Times of one operation on the same ranks.
struct HeldOut {
  Operation operation = Operation::kBroadcast;
  Manner manner = Manner::kImb;
  std::string level = {};  // where the paths of the ranks meet; empty: of all ranks of a job
  int ranks = 0;
  std::vector<RankPlace> places = {};   // by rank, where they are known
  std::vector<double> bytes = {};       // increasing
  std::vector<double> measured_s = {};  // the median of each
  int samples = 0;                      // of all sizes
  std::string source = {};              // "imb.txt"
};

/// "allgather": what the program `repeated` calls it.
std::string word_of(Operation operation);

/// Whether it is a collective or a ring.
bool is_held_out(Operation operation);

/// The measurements of a file that are held out, by operation and ranks, in the order of the file.
std::vector<HeldOut> held_out_of(const Reading& reading, Manner manner);

/// The cores of these places. Throws InputError at `source`: a place that the machine does not have.
std::vector<Binding> bindings_at(const std::vector<RankPlace>& places, const Machine& machine,
                                 const std::string& source);

/// Where the ranks are: at their places, or, if these are not known, core by core from the first node on; of a level
/// whose parts have room for all ranks, dealt over the parts, for their paths meet there. Throws InputError: more ranks
/// than cores, a place that the machine does not have. `ranks_per_node`: at most as many; 0: as many as there are
/// cores.
std::vector<Binding> bindings_of(const HeldOut& held_out, const Machine& machine, int ranks_per_node = 0);

/// One of the sizes, predicted.
struct Prediction {
  double bytes = 0, measured_s = 0, predicted_s = 0;
  double ratio() const { return predicted_s / measured_s; }
  double error() const { return ratio() < 1 ? 1 / ratio() : ratio(); }
};

struct Predicted {
  HeldOut of;
  std::vector<Prediction> sizes;  // those that were simulated
};

/// The entry of machine.yaml; for at least one size.
Validation validation_of(const Predicted& predicted);

}  // namespace strata::calibration
