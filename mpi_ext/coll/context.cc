#include "mpi_ext/coll/context.h"

#include <map>

#include "mpi_ext/error.h"
#include "mpi_ext/ranks.h"

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

// To be called with the lock held.
int keyval() {
  static int key = MPI_KEYVAL_INVALID;
  if (key == MPI_KEYVAL_INVALID) call(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_contexts, &key, nullptr));
  return key;
}

// Null where the communicator has none yet. To be called with the lock held.
Contexts* contexts_of(MPI_Comm comm) {
  void* contexts = nullptr;
  int found = 0;
  call(MPI_Comm_get_attr(comm, keyval(), &contexts, &found));
  return found != 0 ? static_cast<Contexts*>(contexts) : nullptr;
}

// Locks only where threads may call at once. SMPI does not let them; its ranks share the mutex, and any of them may run
// while another is in a call.
std::unique_lock<std::mutex> the_only_thread() {
  static std::mutex mutex;
  int level = MPI_THREAD_SINGLE;
  call(MPI_Query_thread(&level));
  return level == MPI_THREAD_MULTIPLE ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
}

}  // namespace

MPI_Comm private_copy(MPI_Comm comm) {
  MPI_Group group;
  MPI_Comm copy = MPI_COMM_NULL;
  call(MPI_Comm_group(comm, &group));
  const int error = MPI_Comm_create(comm, group, &copy);
  MPI_Group_free(&group);
  call(error);
  return copy;
}

void inherit_errhandler(MPI_Comm from, MPI_Comm to) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  call(MPI_Comm_get_errhandler(from, &handler));
  if (handler == MPI_ERRHANDLER_NULL) return;  // SMPI: the default, which `to` has too
  const int error = MPI_Comm_set_errhandler(to, handler);
  MPI_Errhandler_free(&handler);
  call(error);
}

MPI_Comm context_of(MPI_Comm comm) {
  const int rank = rank_in(comm);
  {
    const std::lock_guard guard(lock());
    const Contexts* contexts = contexts_of(comm);
    if (contexts != nullptr && contexts->count(rank) != 0) return contexts->at(rank);
  }
  MPI_Comm context = private_copy(comm);  // outside the lock: under SMPI the other ranks run meanwhile
  MPI_Comm_set_errhandler(context, MPI_ERRORS_RETURN);
  const std::lock_guard guard(lock());
  Contexts* contexts = contexts_of(comm);
  if (contexts == nullptr) {
    contexts = new Contexts;
    if (const int error = MPI_Comm_set_attr(comm, keyval(), contexts)) {
      delete contexts;
      MPI_Comm_free(&context);
      call(error);
    }
  }
  contexts->emplace(rank, context);
  return context;
}

SelfContext::SelfContext() : lock_(the_only_thread()), comm_(context_of(MPI_COMM_SELF)) {}

}  // namespace strata::mpix
