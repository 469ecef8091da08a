// SPDX-License-Identifier: LGPL-2.1-only
// Data that the library keeps with a communicator for each of its ranks: a cached attribute with a value per rank.
// Under SMPI all ranks are in one process and MPI_COMM_WORLD is one object with its attributes; under other MPIs the
// attribute has one entry.
#pragma once

#include <mpi.h>

#include <map>
#include <mutex>
#include <utility>

#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

/// What happens to a value when the communicator is duplicated.
enum class OnDup { kForget, kCopy };

/// One attribute for each type T, destroyed when the communicator is freed. Thread-safe, but only its own rank may
/// change a value.
template <class T, OnDup kOnDup = OnDup::kForget>
class CommAttribute {
 public:
  /// The calling rank's value; null if it has none yet. Throws ReportedByMpi.
  static T* find(MPI_Comm comm) {
    const int rank = rank_in(comm);
    const std::lock_guard guard(lock());
    ByRank* values = values_of(comm);
    if (values == nullptr) return nullptr;
    const auto at = values->find(rank);
    return at == values->end() ? nullptr : &at->second;
  }

  /// Stores `value` for the calling rank, which must not have one yet. Throws ReportedByMpi.
  static T& keep(MPI_Comm comm, T value) {
    const int rank = rank_in(comm);
    const std::lock_guard guard(lock());
    ByRank* values = values_of(comm);
    if (values == nullptr) {
      values = new ByRank;
      if (const int error = MPI_Comm_set_attr(comm, keyval(), values)) {
        delete values;
        call(error);
      }
    }
    return values->emplace(rank, std::move(value)).first->second;
  }

  /// Stores `value` for the calling rank and replaces an earlier one. Throws ReportedByMpi.
  static void set(MPI_Comm comm, T value) {
    if (T* kept = find(comm)) {
      *kept = std::move(value);
    } else {
      keep(comm, std::move(value));
    }
  }

 private:
  using ByRank = std::map<int, T>;

  static std::mutex& lock() {
    static std::mutex mutex;
    return mutex;
  }

  static int destroy(MPI_Comm, int, void* values, void*) {
    delete static_cast<ByRank*>(values);
    return MPI_SUCCESS;
  }

  // The duplicate is the calling rank's own, also of MPI_COMM_WORLD under SMPI. This function does not take the lock:
  // MPIs call it while they hold a lock of their own, for which other threads wait while they hold ours. A
  // communicator's data does not change while it is duplicated, because both operations are collective over it.
  static int copy(MPI_Comm comm, int, void*, void* values, void* copied, int* flag) {
    int rank = 0;
    if (const int error = MPI_Comm_rank(comm, &rank)) return error;
    const ByRank& all = *static_cast<ByRank*>(values);
    const auto mine = all.find(rank);
    *flag = mine != all.end() ? 1 : 0;
    if (*flag != 0) *static_cast<void**>(copied) = new ByRank{*mine};
    return MPI_SUCCESS;
  }

  // The caller holds the lock.
  static int keyval() {
    static int key = MPI_KEYVAL_INVALID;
    if (key != MPI_KEYVAL_INVALID) return key;
    if constexpr (kOnDup == OnDup::kCopy) {
      call(MPI_Comm_create_keyval(copy, destroy, &key, nullptr));
    } else {
      call(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, destroy, &key, nullptr));
    }
    return key;
  }

  // Null if the communicator has no values yet. The caller holds the lock.
  static ByRank* values_of(MPI_Comm comm) {
    void* values = nullptr;
    int found = 0;
    call(MPI_Comm_get_attr(comm, keyval(), &values, &found));
    return found != 0 ? static_cast<ByRank*>(values) : nullptr;
  }
};

}  // namespace strata::mpix
