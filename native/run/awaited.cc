// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/awaited.h"

#include <algorithm>
#include <string_view>

#include "native/board/function_names.h"

namespace strata::native {
namespace {

// Where the rank and the tag are among the arguments.
struct Form {
  std::string_view function;
  bool receives;
  int rank, tag;
};
constexpr Form kForms[] = {{"MPI_Recv", true, 3, 4},   {"MPI_Send", false, 3, 4},   {"MPI_Ssend", false, 3, 4},
                           {"MPI_Rsend", false, 3, 4}, {"MPI_Probe", true, 0, 1},   {"MPI_Mprobe", true, 0, 1},
                           {"MPI_Recv_c", true, 3, 4}, {"MPI_Send_c", false, 3, 4}, {"MPI_Ssend_c", false, 3, 4}};

// MPI_ANY_SOURCE and MPI_ANY_TAG are negative in all libraries.
int known_or_any(std::uint64_t argument) {
  const auto value = static_cast<std::int32_t>(argument);
  return value < 0 ? -1 : value;
}

}  // namespace

std::vector<Awaited> awaited_by(const Call& call) {
  if (call.function < 0 || call.is_fortran) return {};
  const std::string_view name = function_name(call.function);
  const Form* const form = std::ranges::find(kForms, name, &Form::function);
  if (form == std::end(kForms)) return {};
  return {{.receive = form->receives,
           .rank = known_or_any(call.arguments[form->rank]),
           .tag = known_or_any(call.arguments[form->tag])}};
}

}  // namespace strata::native
