// SPDX-License-Identifier: LGPL-2.1-only
// The places of a communicator's processes, as far as they are known; learned once and kept with it (EuroMPI'18,
// Section 2.2).
//
// Messages. Every collective function of this part begins with one agreement, an MPI_Allreduce of a few integers: have
// all the same arguments, is one in error? On the first on a communicator places are learned too. Where all have read
// the same placement file each knows them already; elsewhere each tells the others what its own node says of it: one
// MPI_Allgather of 216 bytes a process. Under SMPI rank 0 makes what all then share (adapter/share.h). From then on
// nothing is sent but the agreement.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/cart/grid.h"
#include "mpi_ext/cart/mapping.h"
#include "mpi_ext/cart/places.h"

namespace strata::mpix {

/// A mesh laid over the first processes of a communicator.
struct Layout {
  std::string impossible;            // why the method cannot do it; empty where it can
  std::vector<int> new_rank;         // by rank
  std::vector<int> rank;             // by position
  bool in_order = false;             // both are 0, 1, ...
  std::shared_ptr<const Grid> grid;  // null where it cannot be done
};

/// Immutable, except the layout that is kept. Thread-safe.
class KnownPlaces {
 public:
  explicit KnownPlaces(Places places) : places_(std::move(places)) {}

  const Places& places() const { return places_; }
  /// That of the first processes over a mesh that is no larger. The last one is kept: under SMPI all ranks, who ask for
  /// the same one after another, get what the first has made.
  std::shared_ptr<const Layout> layout(const Mesh& mesh, CartMethod method) const;

 private:
  Places places_;
  mutable std::mutex mutex_;
  mutable Mesh last_mesh_;
  mutable CartMethod last_method_ = CartMethod::kAuto;
  mutable std::shared_ptr<const Layout> last_;
};

/// Values that the processes agree on before they do something.
struct Asked {
  int error = MPI_SUCCESS;  // in the caller's arguments
  std::string what;         // the function and its arguments, as text
  bool no_method = false;   // the caller's environment names none
};

/// Sets `places` to what is known of the communicator's. Else returns an error on all processes: the greatest of
/// theirs; MPI_ERR_ARG where they ask for different things; MPI_ERR_OTHER, with a line on stderr, where the environment
/// of one names no method, or one's place is not known. Collective. Throws ReportedByMpi.
int agree(MPI_Comm comm, const Asked& asked, std::shared_ptr<const KnownPlaces>& places);

}  // namespace strata::mpix
