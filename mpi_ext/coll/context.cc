#include "mpi_ext/coll/context.h"

#include <map>
#include <mutex>

namespace strata::mpix {
namespace {

// By rank: under SMPI all ranks are in one process and MPI_COMM_WORLD is one object, attributes included. Elsewhere
// there is one entry.
using Contexts = std::map<int, MPI_Comm>;

std::mutex& lock() {
  static std::mutex mutex;
  return mutex;
}

int free_contexts(MPI_Comm, int, void* value, void*) {
  Contexts* contexts = static_cast<Contexts*>(value);
  for (auto& [rank, context] : *contexts) MPI_Comm_free(&context);
  delete contexts;
  return MPI_SUCCESS;
}

int keyval() {
  static int key = MPI_KEYVAL_INVALID;
  if (key == MPI_KEYVAL_INVALID) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_contexts, &key, nullptr);
  return key;
}

}  // namespace

int context_of(MPI_Comm comm, MPI_Comm* context) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  {
    const std::lock_guard guard(lock());
    Contexts* contexts = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, keyval(), &contexts, &found);
    if (found != 0 && contexts->count(rank) != 0) {
      *context = contexts->at(rank);
      return MPI_SUCCESS;
    }
  }
  const int error = MPI_Comm_dup(comm, context);  // outside the lock: under SMPI the other ranks run meanwhile
  if (error != MPI_SUCCESS) return error;
  const std::lock_guard guard(lock());
  Contexts* contexts = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, keyval(), &contexts, &found);
  if (found == 0) {
    contexts = new Contexts;
    if (const int failed = MPI_Comm_set_attr(comm, keyval(), contexts)) return failed;
  }
  contexts->emplace(rank, *context);
  return MPI_SUCCESS;
}

}  // namespace strata::mpix
