// SPDX-License-Identifier: LGPL-2.1-only
// One-sided operations (MPI 4.0, Chapter 12) that SMPI carries out wrongly.
//
// - It compares `target_count` times the extent with the size of the window, regardless of the elements' places.
// - MPI_Compare_and_swap ends its atomic section before the new value has arrived, so that two ranks may both succeed.
// - MPI_Win_detach makes all memory of a dynamic window inaccessible.
#include <mpi.h>

#include <cstring>
#include <simgrid/s4u/Mutex.hpp>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/mapped_type.h"
#include "sim/simgrid/window.h"

namespace strata::mpix {
namespace {

// `count` elements of a type as one element whose extent is 0, so that SMPI does not compare it with the window.
class OneElement {
 public:
  OneElement(int count, MPI_Datatype type) : count_(count), type_(type) {
    if (mapped(type) == nullptr || count == 0) return;
    SharedMap map = bounded(repeated({{0, count, map_of(type)}}), 0, 0);
    count_ = 1;
    type_ = made_ = new MappedType(std::move(map), {});
    made_->commit();
  }
  ~OneElement() {
    if (made_ != nullptr) simgrid::smpi::Datatype::unref(made_);
  }
  OneElement(const OneElement&) = delete;
  OneElement& operator=(const OneElement&) = delete;

  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  int count_;
  MPI_Datatype type_;
  MappedType* made_ = nullptr;
};

bool is_inside(const simgrid::smpi::Win& window, MPI_Aint at, int count, MPI_Datatype type) {
  if (window.dynamic() || count == 0 || mapped(type) == nullptr || type->size() == 0) return true;
  const SharedMap map = repeated({{at * window.disp_unit(), count, map_of(type)}});
  return map->data_begin >= 0 && map->data_end <= window.size();
}

}  // namespace
}  // namespace strata::mpix

namespace simgrid::smpi {

using strata::mpix::behind;
using strata::mpix::is_inside;
using strata::mpix::OneElement;

int Win::put(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Request* request) {
  using Function = int(Win*, const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Request*);
  static auto* const smpis = behind<Function>(kPut);
  if (!is_inside(*of(target), at, target_count, target_type)) return MPI_ERR_RMA_RANGE;
  const OneElement there(target_count, target_type);
  return smpis(this, origin, count, type, target, at, there.count(), there.type(), request);
}

int Win::get(void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Request* request) {
  using Function = int(Win*, void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Request*);
  static auto* const smpis = behind<Function>(kGet);
  if (!is_inside(*of(target), at, target_count, target_type)) return MPI_ERR_RMA_RANGE;
  const OneElement there(target_count, target_type);
  return smpis(this, origin, count, type, target, at, there.count(), there.type(), request);
}

int Win::accumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                    MPI_Datatype target_type, MPI_Op op, MPI_Request* request) {
  using Function = int(Win*, const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Request*);
  static auto* const smpis = behind<Function>(kAccumulate);
  if (!is_inside(*of(target), at, target_count, target_type)) return MPI_ERR_RMA_RANGE;
  const OneElement there(target_count, target_type);
  return smpis(this, origin, count, type, target, at, there.count(), there.type(), op, request);
}

int Win::get_accumulate(const void* origin, int count, MPI_Datatype type, void* result, int result_count,
                        MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                        MPI_Op op, MPI_Request* request) {
  using Function = int(Win*, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype,
                       MPI_Op, MPI_Request*);
  static auto* const smpis = behind<Function>(kGetAccumulate);
  if (!is_inside(*of(target), at, target_count, target_type)) return MPI_ERR_RMA_RANGE;
  const OneElement there(target_count, target_type);
  return smpis(this, origin, count, type, result, result_count, result_type, target, at, there.count(), there.type(),
               op, request);
}

// The lock is that of MPI_Get_accumulate and MPI_Fetch_and_op.
int Win::compare_and_swap(const void* origin, const void* compared, void* result, MPI_Datatype type, int target,
                          MPI_Aint at) {
  s4u::Mutex* const lock = of(target)->atomic_lock();
  lock->lock();
  MPI_Request got = MPI_REQUEST_NULL;
  int code = get(result, 1, type, target, at, 1, type, &got);
  if (got != MPI_REQUEST_NULL) Request::wait(&got, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS && std::memcmp(result, compared, type->size()) == 0) {
    code = put(origin, 1, type, target, at, 1, type, nullptr);
    flush(target);
  }
  lock->unlock();
  return code;
}

}  // namespace simgrid::smpi

extern "C" {

int PMPI_Win_attach(MPI_Win win, void* base, MPI_Aint size) {
  if (win == MPI_WIN_NULL) return MPI_ERR_WIN;
  if (!win->dynamic()) return MPI_ERR_RMA_FLAVOR;
  if (size < 0) return MPI_ERR_SIZE;
  if (base == nullptr && size != 0) return MPI_ERR_ARG;
  win->attach_all();
  return MPI_SUCCESS;
}

int PMPI_Win_detach(MPI_Win win, const void* base) {
  if (win == MPI_WIN_NULL) return MPI_ERR_WIN;
  if (!win->dynamic()) return MPI_ERR_RMA_FLAVOR;
  return base == nullptr ? MPI_ERR_ARG : MPI_SUCCESS;
}
}
