// SPDX-License-Identifier: LGPL-2.1-only
// The known places of a communicator's processes. They are learned once and kept with the communicator (EuroMPI'18,
// Section 2.2).
//
// Messages: every collective function of this folder begins with an agreement, which is an MPI_Allreduce of a few
// integers that checks whether all processes passed the same arguments and whether any has an error. The first call on
// a communicator also learns places. If all processes have read the same placement file, each knows them already.
// Otherwise, each sends what its own node knows about its place: one MPI_Allgather of 216 bytes a process. Under SMPI
// rank 0 makes the data that all share (adapter/share.h). Later calls send only the agreement.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/grid.h"
#include "mpi_ext/cart/level_groups.h"

namespace strata::mpix {

/// A mesh laid over the first processes of a communicator.
struct Layout {
  std::string impossible;            // why the method is impossible; empty if it is possible
  std::vector<int> new_rank;         // by rank
  std::vector<int> rank;             // by position
  bool in_order = false;             // new_rank and rank are both 0, 1, ...
  std::shared_ptr<const Grid> grid;  // null if impossible
};

/// Immutable, except for the cached layout. Thread-safe.
class KnownPlaces {
 public:
  explicit KnownPlaces(Places places) : places_(std::move(places)) {}

  const Places& places() const { return places_; }
  /// The layout of the first processes over a mesh that is no larger than the communicator. The last one is kept: under
  /// SMPI, the first rank makes the layout, and all others, which request the same one after it, reuse it.
  std::shared_ptr<const Layout> layout(const Mesh& mesh, CartMethod method) const;

 private:
  Places places_;
  mutable std::mutex mutex_;
  mutable Mesh last_mesh_;
  mutable CartMethod last_method_ = CartMethod::kAuto;
  mutable std::shared_ptr<const Layout> last_;
};

/// Values that the processes agree on before they do something.
struct CallArguments {
  int error = MPI_SUCCESS;  // in the caller's arguments
  std::string what;         // the function and its arguments, as text
  bool no_method = false;   // the caller's environment variable is not the name of a method
};

/// Sets `places` to the known places of the communicator, or returns an error on all processes: the greatest of their
/// errors; MPI_ERR_ARG if their requests differ; MPI_ERR_OTHER, with a line on stderr, if the environment variable of
/// one is not the name of a method, or if the place of one is unknown. Collective. Throws ReportedByMpi.
int agree(MPI_Comm comm, const CallArguments& arguments, std::shared_ptr<const KnownPlaces>& places);

}  // namespace strata::mpix
