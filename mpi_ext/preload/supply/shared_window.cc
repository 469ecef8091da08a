// SPDX-License-Identifier: LGPL-2.1-only
// Windows of shared memory (MPI 4.0, Section 12.2.3), and the window attributes that tell how a window was made. SMPI's
// implementation assumes that all ranks allocate the same amount, and its MPI_Win_shared_query returns the memory of
// rank 0 for every rank. All ranks run in one process, so any memory can be shared.
//
// Messages: an MPI_Allgather of 8 bytes per rank, and those of MPI_Win_create.
#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/group_actors.h"
#include "mpi_ext/preload/supply/meeting.h"

namespace strata::mpix {
namespace {

// The memory of all ranks of a window.
struct Memory {
  struct Part {
    MPI_Aint bytes = 0;
    int unit = 1;
    char* base = nullptr;
  };
  std::vector<Part> parts;
  std::vector<MPI_Aint> received;  // receive buffer; the contents are known
  std::unique_ptr<std::byte[]> bytes;

  void allocate() {
    std::size_t total = 0;
    for (const Part& p : parts) total += static_cast<std::size_t>(p.bytes);
    bytes = std::make_unique<std::byte[]>(total);
    auto* at = reinterpret_cast<char*>(bytes.get());
    for (Part& p : parts) {
      p.base = at;
      at += p.bytes;  // contiguous, as in the standard
    }
  }
};

std::map<MPI_Win, std::shared_ptr<Memory>>& windows() {
  static auto& all = *new std::map<MPI_Win, std::shared_ptr<Memory>>;
  return all;
}

// The flavors of windows that were not made by MPI_Win_create.
std::map<MPI_Win, int>& flavors() {
  static auto& all = *new std::map<MPI_Win, int>;
  return all;
}

int made(int code, const MPI_Win* win, int flavor) {
  if (code == MPI_SUCCESS) flavors().insert_or_assign(*win, flavor);
  return code;
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win) {
  static auto& meetings = *new Meetings<Memory>;
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  if (size < 0) return MPI_ERR_SIZE;
  if (disp_unit <= 0) return MPI_ERR_DISP;
  if (base == nullptr || win == nullptr) return MPI_ERR_ARG;
  int rank = 0;
  STRATA_BEHIND(Comm_rank)(comm, &rank);
  const std::vector<long> members = members_of(comm);
  const std::shared_ptr<Memory> memory = meetings.join(members, static_cast<std::size_t>(rank));
  memory->parts.resize(members.size());
  memory->received.resize(members.size());
  Memory::Part& mine = memory->parts[rank];
  mine = {.bytes = size, .unit = disp_unit};
  // When this returns, all ranks have arrived.
  if (const int error = STRATA_BEHIND(Allgather)(&size, 1, MPI_AINT, memory->received.data(), 1, MPI_AINT, comm))
    return error;
  if (memory->bytes == nullptr) memory->allocate();
  if (const int error = STRATA_BEHIND(Win_create)(mine.base, size, disp_unit, info, comm, win)) return error;
  *static_cast<void**>(base) = mine.base;
  windows().insert_or_assign(*win, memory);
  flavors().insert_or_assign(*win, MPI_WIN_FLAVOR_SHARED);
  return MPI_SUCCESS;
}

int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint* size, int* disp_unit, void* baseptr) {
  const auto at = windows().find(win);
  if (at == windows().end()) return STRATA_BEHIND(Win_shared_query)(win, rank, size, disp_unit, baseptr);
  const std::vector<Memory::Part>& parts = at->second->parts;
  if (size == nullptr || disp_unit == nullptr || baseptr == nullptr) return MPI_ERR_ARG;
  if (rank != MPI_PROC_NULL && (rank < 0 || rank >= static_cast<int>(parts.size()))) return MPI_ERR_RANK;
  // MPI_PROC_NULL means the first rank with memory.
  std::size_t index = rank == MPI_PROC_NULL ? 0 : static_cast<std::size_t>(rank);
  while (rank == MPI_PROC_NULL && index + 1 < parts.size() && parts[index].bytes == 0) ++index;
  *size = parts[index].bytes;
  *disp_unit = parts[index].unit;
  *static_cast<void**>(baseptr) = parts[index].base;
  return MPI_SUCCESS;
}

int PMPI_Win_free(MPI_Win* win) {
  const MPI_Win before = win == nullptr ? MPI_WIN_NULL : *win;
  const int error = STRATA_BEHIND(Win_free)(win);
  if (error == MPI_SUCCESS) {
    windows().erase(before);
    flavors().erase(before);
  }
  return error;
}

int PMPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win) {
  return made(STRATA_BEHIND(Win_allocate)(size, disp_unit, info, comm, base, win), win, MPI_WIN_FLAVOR_ALLOCATE);
}

int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return made(STRATA_BEHIND(Win_create_dynamic)(info, comm, win), win, MPI_WIN_FLAVOR_DYNAMIC);
}

// SMPI does not know these two attributes. The memory model is unified, because all ranks share one memory.
int PMPI_Win_get_attr(MPI_Win win, int keyval, void* value, int* flag) {
  if (win == MPI_WIN_NULL || value == nullptr || flag == nullptr ||
      (keyval != MPI_WIN_CREATE_FLAVOR && keyval != MPI_WIN_MODEL))
    return STRATA_BEHIND(Win_get_attr)(win, keyval, value, flag);
  static int unified = MPI_WIN_UNIFIED;
  static int created = MPI_WIN_FLAVOR_CREATE;
  const auto at = flavors().find(win);
  int* const flavor = at == flavors().end() ? &created : &at->second;
  *static_cast<int**>(value) = keyval == MPI_WIN_MODEL ? &unified : flavor;
  *flag = 1;
  return MPI_SUCCESS;
}

// Nothing to do with a single memory and one rank at a time. SMPI's function would print a warning.
int PMPI_Win_sync(MPI_Win win) { return win == MPI_WIN_NULL ? MPI_ERR_WIN : MPI_SUCCESS; }
}
