// SPDX-License-Identifier: LGPL-2.1-only
// Makes a Cartesian communicator twice, in MPI's own order and with a method of MPIX_Comm_set_nodecart. For each
// process, it prints its position and its partners in a shift by 1. These are not computed by the library; the partners
// themselves are asked, with two messages per dimension. Each rank of MPI_COMM_WORLD prints a line with @strata and
// JSON:
//
//   @strata {"rank":0,"new_rank":0,"coords":[0,0],"cart":[-1,16,-1,1],"mapped":[-1,4,-1,1],"method":"nodecart"}
//
// `cart` and `mapped` are the partners in the two communicators, as ranks in MPI_COMM_WORLD: for each dimension the
// source of the shift, then its destination; -1 outside the mesh. `new_rank` and `coords` belong to the method's
// communicator, and are null for processes outside the mesh. Rank 0 adds the method; for auto, the one that it chose.
#include <mpi.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/dims_text.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"
#include "scenarios/programs/mesh_of_ranks.h"
#include "scenarios/programs/options.h"

namespace {

using Json = nlohmann::ordered_json;

// The ranks that the partners of the calling process report.
std::vector<int> ask_partners(MPI_Comm cart, int dims, int rank) {
  std::vector<int> told(2 * dims, -1);
  std::vector<MPI_Request> requests(4 * dims);
  for (int i = 0; i < dims; ++i) {
    int source = MPI_PROC_NULL, destination = MPI_PROC_NULL;
    MPIX_Nodecart_shift(cart, i, 1, &source, &destination);
    // The tag is the direction, because both partners may be the same process.
    const int up = 2 * i, down = 2 * i + 1;
    MPI_Irecv(&told[up], 1, MPI_INT, source, up, cart, &requests[4 * i]);
    MPI_Irecv(&told[down], 1, MPI_INT, destination, down, cart, &requests[4 * i + 1]);
    MPI_Isend(&rank, 1, MPI_INT, destination, up, cart, &requests[4 * i + 2]);
    MPI_Isend(&rank, 1, MPI_INT, source, down, cart, &requests[4 * i + 3]);
  }
  MPI_Waitall(4 * dims, requests.data(), MPI_STATUSES_IGNORE);
  return told;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string dims_text, method = "auto";
  strata::programs::CartesianOptions mesh;
  strata::cli::App app;
  app.add_option("--dims", dims_text)->required();
  app.add_option("--periods", mesh.periods)->required();
  app.add_option("--method", method);
  strata::programs::parse(app, argc, argv);
  const std::vector<int> dims = strata::parse_dims(dims_text);
  if (dims.empty()) strata::programs::refuse("--dims: '" + dims_text + "' is not whole numbers above 0 as 16x8");
  const std::vector<int> periods = mesh.periods_of(dims.size());
  const int ndims = static_cast<int>(dims.size());

  strata::programs::set_cart_method(method);
  MPI_Comm cart = MPI_COMM_NULL, mapped = MPI_COMM_NULL;
  MPIX_Nodecart_create(MPI_COMM_WORLD, ndims, dims.data(), periods.data(), 0, &cart);
  MPIX_Nodecart_create(MPI_COMM_WORLD, ndims, dims.data(), periods.data(), 1, &mapped);

  Json line = {{"rank", rank}, {"new_rank", Json()}, {"coords", Json()}};
  if (mapped != MPI_COMM_NULL) {
    int new_rank = 0;
    MPI_Comm_rank(mapped, &new_rank);
    std::vector<int> coords(ndims);
    MPIX_Nodecart_coords(mapped, new_rank, ndims, coords.data());
    line["new_rank"] = new_rank;
    line["coords"] = coords;
    line["mapped"] = ask_partners(mapped, ndims, rank);
    if (rank == 0) {
      char* chosen = nullptr;
      MPIX_Nodecart_get_mapping(mapped, &chosen, nullptr, nullptr);
      line["method"] = chosen;
    }
    MPI_Comm_free(&mapped);
  }
  if (cart != MPI_COMM_NULL) {
    line["cart"] = ask_partners(cart, ndims, rank);
    MPI_Comm_free(&cart);
  }
  std::printf("%s%s\n", strata::words::kMark, line.dump().c_str());
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
