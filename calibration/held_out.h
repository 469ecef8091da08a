// SPDX-License-Identifier: LGPL-2.1-only
// Measurements to which no figure is fitted, and which the calibrated machine predicts instead: collectives and rings.
//
//   allgather on 48 ranks   measured  predicted  error
//   8 B                     21.3 us   19.0 us    1.12
//   1024 B                  80.1 us   88.9 us    1.11       median error 1.12, worst 1.12
//
// An error is a factor: predicted / measured or measured / predicted, whichever is larger than 1.
#pragma once

#include <string>
#include <vector>

#include "calibration/measured_number.h"
#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::calibration {

/// How a program measures an operation.
enum class Manner {
  kProbe,  // consecutive repetitions; the time of the slowest rank
  kImb,    // as IMB-MPI1 and OSU: a barrier between repetitions, except for rings; the mean over the ranks
};

/// Times of one operation on the same ranks.
struct HeldOut {
  Operation operation = Operation::kBroadcast;
  Manner manner = Manner::kImb;
  std::string level = {};  // where the paths of the ranks meet; empty: all ranks of a job
  int ranks = 0;
  std::vector<RankPlace> places = {};   // by rank, if known
  std::vector<double> bytes = {};       // increasing
  std::vector<double> measured_s = {};  // the median for each size
  int samples = 0;                      // of all sizes together
  std::string source = {};              // "imb.txt"
};

/// The name of an operation in the program `repeated`, such as "allgather".
std::string word_of(Operation operation);

/// Whether it is a collective or a ring.
bool is_held_out(Operation operation);

/// The held-out measurements of a file, by operation and ranks, in the order of the file.
std::vector<HeldOut> held_out_of(const Reading& reading, Manner manner);

/// The cores of these places. Throws InputError at `source` if the machine does not have one of them.
std::vector<Binding> bindings_at(const std::vector<RankPlace>& places, const Machine& machine,
                                 const std::string& source);

/// The cores of the ranks. If their places are unknown, ranks fill cores in order from the first node on. If the level
/// is known and one of its parts has room for all ranks, ranks are instead distributed round-robin over its parts,
/// since their paths meet at that level. `ranks_per_node` limits the ranks on a node; 0: one for each core. Throws
/// InputError if there are more ranks than cores, or if the machine does not have one of the places.
std::vector<Binding> bindings_of(const HeldOut& held_out, const Machine& machine, int ranks_per_node = 0);

/// The largest number of ranks that bindings_of places.
int room_for(const HeldOut& held_out, const Machine& machine, int ranks_per_node = 0);

/// The prediction for one of the sizes.
struct Prediction {
  double bytes = 0, measured_s = 0, predicted_s = 0;
  double ratio() const { return predicted_s / measured_s; }
  double error() const { return ratio() < 1 ? 1 / ratio() : ratio(); }
};

struct Predicted {
  HeldOut of;
  std::vector<Prediction> sizes;  // those that were simulated
};

/// The entry in machine.yaml. There must be at least one size.
Validation validation_of(const Predicted& predicted);

}  // namespace strata::calibration
