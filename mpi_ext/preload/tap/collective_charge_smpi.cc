// SPDX-License-Identifier: LGPL-2.1-only
// libsimgrid calls Op::apply, Datatype::copy and Request::finish_nbc_requests through its procedure linkage table
// (PLT), so a preloaded library can wrap them. The same functions also serve MPI_Reduce_local, MPI_Pack and one-sided
// operations, which are not collectives.
#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <simgrid/s4u/Actor.hpp>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/preload/tap/buffers_smpi.h"
#include "mpi_ext/preload/tap/collective_charge.h"
#include "sim/simgrid/datatype.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

// The depth of nested collectives of the calling actor. SMPI runs one actor at a time.
int& depth() {
  static std::vector<int> all;  // by actor
  const auto actor = static_cast<std::size_t>(simgrid::s4u::this_actor::get_pid());
  if (actor >= all.size()) all.resize(actor + 1);
  return all[actor];
}

// B; 0 for types that SMPI does not know.
std::size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0) return 0;
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

InCollective::InCollective() { ++depth(); }
InCollective::~InCollective() { --depth(); }

}  // namespace strata::mpix

namespace simgrid::smpi {

using strata::mpix::bytes_of;

void Op::apply(const void* in, void* inout, const int* count, MPI_Datatype type) const {
  // A member function is called like a function whose first argument is the object.
  static const auto behind =
      strata::mpix::behind<void(const Op*, const void*, void*, const int*, MPI_Datatype)>(kOpApply);
  if (strata::mpix::depth() > 0) {
    if (const std::size_t bytes = bytes_of(*count, type); bytes > 0)
      strata::mpix::charge_combine(bytes, strata::mpix::span_of_work(in, inout, bytes));
  }
  behind(this, in, inout, count, type);
}

int Datatype::copy(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type) {
  static const auto behind =
      strata::mpix::behind<int(const void*, int, MPI_Datatype, void*, int, MPI_Datatype)>(kDatatypeCopy);
  if (strata::mpix::depth() > 0 && from != to) {
    const std::size_t bytes = std::min(bytes_of(count, type), bytes_of(to_count, to_type));
    if (bytes > 0) strata::mpix::charge_copy(bytes, strata::mpix::span_of_work(from, to, bytes));
  }
  return behind(from, count, type, to, to_count, to_type);
}

// Combines what the messages of a nonblocking collective have brought, in the wait or test that ends it.
int Request::finish_nbc_requests(Request** request, int test) {
  static const auto behind = strata::mpix::behind<int(Request**, int)>(kRequestFinishParts);
  const strata::mpix::InCollective inside;
  return behind(request, test);
}

}  // namespace simgrid::smpi
