// SPDX-License-Identifier: LGPL-2.1-only
// Splits MPI_COMM_WORLD level by level, and prints what each rank sees as a line with @strata and JSON:
//
//   @strata {"rank":0,"levels":[{"type":"Machine","members":[0,1],"num_comms":4,"index":0,"roots":[0,8]}, ...]}
//
// Members and roots are ranks in MPI_COMM_WORLD, in the order of the communicator. roots is null if the rank has no
// roots communicator.
#include <mpi.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"

namespace {

using Json = nlohmann::ordered_json;

std::vector<int> world_ranks(MPI_Comm comm) {
  MPI_Group group, world;
  int size = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> here(size), there(size);
  std::iota(here.begin(), here.end(), 0);
  MPI_Group_translate_ranks(group, size, here.data(), world, there.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return there;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Json line = {{"rank", rank}, {"levels", Json::array()}};
  MPI_Comm comm = MPI_COMM_WORLD;
  while (comm != MPI_COMM_NULL) {
    MPI_Comm child = MPI_COMM_NULL, roots = MPI_COMM_NULL;
    MPIX_Comm_hsplit_with_roots(comm, MPI_INFO_NULL, &child, &roots);
    if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
    comm = child;
    if (comm == MPI_COMM_NULL) break;
    int num_comms = 0, index = 0;
    char* type = nullptr;
    MPIX_Comm_get_hlevel_info(comm, &num_comms, &index, &type);
    line["levels"].push_back(
        {{"type", type}, {"members", world_ranks(comm)}, {"num_comms", num_comms}, {"index", index}});
    line["levels"].back()["roots"] = roots == MPI_COMM_NULL ? Json() : Json(world_ranks(roots));
    if (roots != MPI_COMM_NULL) MPI_Comm_free(&roots);
  }
  std::printf("%s%s\n", strata::words::kMark, line.dump().c_str());
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
