// SPDX-License-Identifier: LGPL-2.1-only
// Each MPI function that SMPI's header declares: the time that a rank spends in it, without the computation that SMPI
// charges at its start.
#include <mpi.h>

#include <tuple>

#include "sim/profile/calling_rank.h"
#include "sim/profile/collective_calls.h"
#include "sim/profile/functions.h"
#include "sim/profile/profiled_run.h"
#include "sim/simgrid/context_layout.h"

namespace strata::sim {
namespace {

// While in scope, the calling rank is in an MPI function. The destructor also runs if the rank is killed inside,
// because that is an exception.
template <Function kFunction>
class Inside {
 public:
  Inside() : rank_(current()) {
    if (rank_ == nullptr) return;
    if constexpr (kFunction == kMPI_Init || kFunction == kMPI_Init_thread) rank_->initialized = true;
    rank_->enter(kFunction, now());
    if (Tracing* t = session()->tracing()) t->enter(kFunction, rank_->call());
  }
  ~Inside() {
    if (rank_ == nullptr) return;
    rank_->leave(session()->ledger().calls(), now());
    if (Tracing* t = session()->tracing()) t->recorder().enter(rank_->number(), rank_->call());
    if constexpr (kFunction == kMPI_Finalize) rank_->finalized = true;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  RankLedger* rank_;
};

// Records the code passed to MPI_Abort, which SMPI ignores.
template <Function kFunction>
struct RecordAbort {
  template <class... Arguments>
  void operator()([[maybe_unused]] const Arguments&... arguments) const {
    if constexpr (kFunction == kMPI_Abort) {
      const int code = std::get<1>(std::tie(arguments...));
      if (session() != nullptr) session()->ledger().tell({current_rank(), Ending::How::kAbort, code});
    }
  }
};

// Records a collective that the program calls, not those of which other functions consist.
template <Function kFunction>
struct RecordCollective {
  template <class... Arguments>
  void operator()(const Arguments&... arguments) const {
    const RankLedger* rank = current();
    if (rank == nullptr || rank->call() >= 0) return;
    Tracing* const tracing = session()->tracing();
    if (tracing == nullptr) return;
    if (const PerhapsCollective called = collective_of(Called<kFunction>(), arguments...))
      tracing->collective(kFunction, called->comm, called->bytes);
  }
};

}  // namespace
}  // namespace strata::sim

extern "C" {

#define PROFILED(TYPE, NAME, PARAMETERS, ARGUMENTS)                           \
  TYPE P##NAME PARAMETERS {                                                   \
    static const auto next = strata::sim::behind(P##NAME, "P" #NAME);         \
    constexpr strata::sim::RecordAbort<strata::sim::k##NAME> record;          \
    record ARGUMENTS;                                                         \
    constexpr strata::sim::RecordCollective<strata::sim::k##NAME> collective; \
    collective ARGUMENTS;                                                     \
    const strata::sim::Inside<strata::sim::k##NAME> inside;                   \
    return next ARGUMENTS;                                                    \
  }
#include "sim/simgrid/calls.inc"
#undef PROFILED

// Called at the start of every MPI function that may take time.
void smpi_bench_end() {
  static const auto next = strata::sim::behind(smpi_bench_end, "smpi_bench_end");
  next();
  const strata::sim::Recording* recording = strata::sim::recording();
  if (recording == nullptr || !recording->measured) return;
  if (strata::RankLedger* rank = strata::sim::current()) rank->begin(strata::sim::now());
}

// Inside an MPI function, SMPI charges what the rank has computed since the previous one.
void smpi_execute(double seconds) {
  static const auto next = strata::sim::behind(smpi_execute, "smpi_execute");
  strata::RankLedger* rank = strata::sim::current();
  const double start = rank == nullptr ? 0 : strata::sim::now();
  next(seconds);
  if (rank != nullptr) rank->computed(strata::sim::now() - start);
}
}
