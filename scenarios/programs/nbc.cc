// SPDX-License-Identifier: LGPL-2.1-only
// Measures a nonblocking collective with progress threads, alone and beside computation with which it may overlap
// (IJHPCA'19, Sections 5 to 7).
//
//   nbc --collective ibcast|ireduce|iallreduce|iscatter|igather|iscan|ibarrier [--bytes B] [--root R]
//       [--steps auto|blocking|0|1|...] [--arity M] [--tree flat|nodes] [--work W]
//
// B is the size of the buffer, or of a rank's block for iscatter and igather. Reductions compute the sum. W is the
// computation of all ranks together in core-seconds: each of N ranks computes for W / N s, as in the paper's strong
// scaling. Each time is from a moment when all ranks are ready until the last has finished (s):
//
//   blocking     the collective, with all levels of its tree done by the application's threads: started and waited for
//   nonblocking  the same with --steps levels; with --steps blocking, equal to the above
//   time         with computation between start and wait; --steps blocking computes first and communicates then
//   computation  W / N
//   steps        the number of levels done by the application's threads
//
// iscan (a chain) and ibarrier have no such levels: for them, blocking is the collective on its progress threads,
// waited for at once. Without --work, reports only blocking, and work (core-seconds), the computation that takes as
// long on all ranks (Section 6.2: C(N_proc) = T_blocking(N_proc)).
//
// Results are verified if they fit in memory (payload.h). "mpix_check" is off, because its messages, which compare the
// collectives that processes have started, are not part of the algorithm.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/core_activities.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"
#include "records/program_defaults.h"
#include "scenarios/programs/checked_buffers.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/region.h"

namespace {

using strata::programs::Collective;
using strata::programs::Payload;

constexpr const char* kBlocking = "blocking";
constexpr int kElementBytes = 4;

const std::map<std::string, Collective>& collectives() {
  static const std::map<std::string, Collective> all = {
      {"ibcast", Collective::kBcast},     {"ireduce", Collective::kReduce}, {"iallreduce", Collective::kAllreduce},
      {"iscatter", Collective::kScatter}, {"igather", Collective::kGather}, {"iscan", Collective::kScan},
      {"ibarrier", Collective::kBarrier}};
  return all;
}

struct Options : strata::programs::NbcOptions {
  std::optional<double> work;  // core-seconds

  Collective kind() const { return collectives().at(collective); }
  bool has_levels() const { return kind() != Collective::kScan && kind() != Collective::kBarrier; }
};

std::string steps_fault(const std::string& text) {
  const bool number =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number || text == "auto" || text == kBlocking ? "" : "'" + text + "' is none of auto, blocking, 0, 1, ...";
}

Options parse_options(int argc, char** argv) {
  Options o;
  strata::cli::App app("nbc");
  app.add_option("--collective", o.collective)->check(strata::cli::IsMember(collectives()));
  app.add_option("--bytes", o.bytes)->check(strata::cli::NonNegativeNumber);
  app.add_option("--root", o.root)->check(strata::cli::NonNegativeNumber);
  app.add_option("--steps", o.steps)->check(strata::cli::Validator(steps_fault, "STEPS", "steps"));
  app.add_option("--arity", o.arity)->check(strata::cli::Range(2, 1'000'000));
  app.add_option("--tree", o.tree)->check(strata::cli::IsMember({"flat", "nodes"}));
  app.add_option("--work", o.work)->check(strata::cli::NonNegativeNumber);
  app.callback([&] {
    if (o.bytes % kElementBytes != 0)
      throw strata::cli::ValidationError("--bytes", "is no multiple of 4, an element's bytes");
    if (o.kind() == Collective::kBarrier && o.bytes != 0) {
      throw strata::cli::ValidationError("--bytes", "does not go with ibarrier");
    }
  });
  strata::programs::parse(app, argc, argv);
  return o;
}

// Ends the application and its progress threads; rank 0 prints the reason.
[[noreturn]] void refuse(MPI_Comm application, const std::string& why) {
  int rank = 0;
  MPI_Comm_rank(application, &rank);
  if (rank == 0) std::fprintf(stderr, "%s %s\n", strata::words::kUsage, why.c_str());
  MPI_Barrier(application);
  MPIX_Progress_stop(&application);
  MPI_Finalize();
  std::exit(2);
}

// Runs the application on its communicator, one measurement after another.
class Application {
 public:
  Application(const Options& o, MPI_Comm comm) : o_(o), comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    if (o.root >= size_) refuse(comm, "--root: " + std::to_string(o.root) + " is no rank");
    if (!set({{"mpix_arity", std::to_string(o.arity)}, {"mpix_tree", o.tree}, {"mpix_check", "false"}})) {
      refuse(comm, "--arity or --tree: no tree over these ranks");
    }
    payload_.emplace(o.kind(), o.bytes / kElementBytes, o.root, rank_, size_);
  }

  int size() const { return size_; }
  int wrong() const { return wrong_; }
  /// In the last measurement.
  int steps() const { return steps_; }
  /// Sets how many levels the application does: a number, auto or blocking (all).
  void set_steps(const std::string& steps) {
    if (o_.has_levels() && !set({{"mpix_steps", steps == kBlocking ? "all" : steps}})) {
      refuse(comm_, "--steps: the tree has fewer levels than " + steps);
    }
  }

  /// Returns s; both arguments are in s. A trace shows the measured region with this name.
  double measure(const char* name, double compute_before, double compute_between) {
    payload_->fill();
    const double seconds = strata::programs::time_until_last(comm_, [&](double begin) {
      if (compute_before > 0) strata::mpix::charge_seconds(compute_before);
      MPIX_Request request = start(o_.bytes / kElementBytes);
      MPIX_Request_get_steps(request, &steps_);
      if (compute_between > 0) strata::mpix::charge_seconds(compute_between);
      MPIX_Wait(&request);
      strata::mpix::record_phase(name, begin);
    });
    wrong_ += payload_->count_wrong();
    return seconds;
  }

  /// Runs a first collective, which makes the communicator's context.
  void warm_up() {
    MPIX_Request request = start(std::min(1, o_.bytes));
    MPIX_Wait(&request);
    if (o_.kind() != Collective::kBarrier) return;
    const bool holds = strata::programs::barrier_holds(comm_, [&] {
      MPIX_Ibarrier(comm_, &request);
      MPIX_Wait(&request);
    });
    wrong_ += holds ? 0 : 1;
  }

  /// Whether any rank has found a wrong result. Prints where.
  bool any_wrong() const {
    if (wrong_ != 0) std::fprintf(stderr, "%s rank %d has %d wrong elements\n", strata::words::kWrong, rank_, wrong_);
    int any = 0;
    MPI_Allreduce(&wrong_, &any, 1, MPI_INT, MPI_MAX, comm_);
    return any != 0;
  }

 private:
  bool set(const std::map<std::string, std::string>& keys) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    for (const auto& [key, value] : keys) MPI_Info_set(info, key.c_str(), value.c_str());
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    const int error = MPIX_Comm_set_progress(comm_, info);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
    MPI_Info_free(&info);
    return error == MPI_SUCCESS;
  }

  MPIX_Request start(int n) {
    const MPI_Datatype type = MPI_UINT32_T;
    void *send = payload_->send(), *receive = payload_->receive();
    MPIX_Request request = MPIX_REQUEST_NULL;
    switch (o_.kind()) {
      case Collective::kBcast:
        MPIX_Ibcast(receive, n, type, o_.root, comm_, &request);
        break;
      case Collective::kReduce:
        MPIX_Ireduce(send, receive, n, type, MPI_SUM, o_.root, comm_, &request);
        break;
      case Collective::kAllreduce:
        MPIX_Iallreduce(send, receive, n, type, MPI_SUM, comm_, &request);
        break;
      case Collective::kScatter:
        MPIX_Iscatter(send, n, type, receive, n, type, o_.root, comm_, &request);
        break;
      case Collective::kGather:
        MPIX_Igather(send, n, type, receive, n, type, o_.root, comm_, &request);
        break;
      case Collective::kScan:
        MPIX_Iscan(send, receive, n, type, MPI_SUM, comm_, &request);
        break;
      default:
        MPIX_Ibarrier(comm_, &request);
        break;
    }
    return request;
  }

  const Options& o_;
  MPI_Comm comm_;
  int rank_ = 0, size_ = 1, wrong_ = 0, steps_ = 0;
  std::optional<Payload> payload_;
};

struct Times {
  double blocking = 0, nonblocking = 0, time = 0;
};

Times measure(Application& application, const Options& o) {
  application.warm_up();
  Times t;
  application.set_steps(kBlocking);
  t.blocking = t.nonblocking = application.measure("blocking", 0, 0);
  if (!o.work) return t;
  const double computation = *o.work / application.size();
  if (o.steps == kBlocking) {
    t.time = application.measure("time", computation, 0);
  } else {
    application.set_steps(o.steps);
    t.nonblocking = application.measure("nonblocking", 0, 0);
    t.time = application.measure("time", 0, computation);
  }
  return t;
}

void report(const Application& application, const Options& o, const Times& t) {
  using strata::programs::report;
  report("blocking", t.blocking, "s");
  if (!o.work) {
    report("work", t.blocking * application.size(), "s");
    return;
  }
  report("nonblocking", t.nonblocking, "s");
  report("time", t.time, "s");
  report("computation", *o.work / application.size(), "s");
  report("steps", application.steps(), "levels");
}

// Returns whether all results are correct.
bool run(const Options& o, MPI_Comm comm) {
  Application application(o, comm);
  const Times times = measure(application, o);
  if (application.any_wrong()) return false;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) report(application, o, times);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const Options o = parse_options(argc, argv);
  MPI_Comm application = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &application) != MPI_SUCCESS) {
    strata::programs::refuse("no progress threads: say `mapping: {progress: numa}` in the scenario");
  }
  const bool sound = application == MPI_COMM_NULL || run(o, application);
  MPIX_Progress_stop(&application);
  MPI_Finalize();
  return sound ? 0 : 1;
}
