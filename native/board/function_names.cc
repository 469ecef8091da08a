// SPDX-License-Identifier: LGPL-2.1-only
#include "native/board/function_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace strata::native {
namespace {

// Sorted. From functions.txt.
constexpr std::string_view kNames[] = {
#define STRATA_FUNCTION(name) std::string_view(#name),
#include "native/board/functions.inc"
#undef STRATA_FUNCTION
};

constexpr std::array<std::string_view, 10> kTests = {
    "MPI_Improbe", "MPI_Iprobe",  "MPI_Parrived", "MPI_Request_get_status", "MPI_Test",
    "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Win_test",           "MPI_Request_get_status_all"};
constexpr std::array<std::string_view, 4> kSends = {"MPI_Send", "MPI_Send_c", "MPI_Rsend", "MPI_Rsend_c"};
constexpr std::array<std::string_view, 11> kConnects = {
    "MPI_Comm_accept",         "MPI_Comm_connect",     "MPI_Comm_create_from_group",
    "MPI_Comm_disconnect",     "MPI_Comm_join",        "MPI_Comm_spawn",
    "MPI_Comm_spawn_multiple", "MPI_Intercomm_create", "MPI_Intercomm_create_from_groups",
    "MPI_Lookup_name",         "MPI_Publish_name"};

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Nature> natures() {
  std::vector<Nature> all;
  for (const std::string_view name : kNames) {
    all.push_back(has(kTests, name)      ? Nature::kTests
                  : has(kSends, name)    ? Nature::kSends
                  : has(kConnects, name) ? Nature::kConnects
                                         : Nature::kWaits);
  }
  return all;
}

}  // namespace

int num_functions() { return static_cast<int>(std::size(kNames)); }

std::string_view function_name(int number) { return kNames[number]; }

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (int f = 0; f < num_functions(); ++f) names.emplace_back(function_name(f));
  return names;
}

int function_number(std::string_view name) {
  const auto at = std::lower_bound(std::begin(kNames), std::end(kNames), name);
  return at != std::end(kNames) && *at == name ? static_cast<int>(at - std::begin(kNames)) : -1;
}

Nature nature_of(int number) {
  static const std::vector<Nature> all = natures();
  return number < 0 ? Nature::kWaits : all[number];
}

}  // namespace strata::native
