// SPDX-License-Identifier: LGPL-2.1-only
// The types of objects of a machine, and whether the process is within one.
#include <fcntl.h>
#include <mpi.h>

#include <array>
#include <map>
#include <string>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/splits/groups.h"
#include "tests/mpi_ext/splits/tests.h"

namespace strata::mpix::testing {

void test_resource_info(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD);
  std::map<std::string, std::string> expected;
  for (const auto& [name, inside] : Bindings(e).types(me)) expected["hwloc://" + name] = inside ? "true" : "false";
  for (int v = 1; v < e.topology->num_vertices(); ++v) {
    if (e.topology->object(v) != nullptr) continue;
    const std::string& level = e.topology->name(v);
    expected["strata://" + level] = on_network(e, level)[me].empty() ? "false" : "true";
  }
  MPI_Info info = MPI_INFO_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Get_hw_resource_info(&info));
  int keys = 0;
  MPI_Info_get_nkeys(info, &keys);
  std::map<std::string, std::string> got;
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    MPI_Info_get_nthkey(info, i, key.data());
    got[key.data()] = value_of(info, key.data());
  }
  const auto text = [](const std::map<std::string, std::string>& map) {
    std::string all;
    for (const auto& [key, value] : map) all += key + "=" + value + " ";
    return all;
  };
  CHECK_EQ(text(expected), text(got));
  MPI_Info_free(&info);
}

}  // namespace strata::mpix::testing
