// SPDX-License-Identifier: LGPL-2.1-only
// Measures the cost of a monitoring session: the time of MPI_Reduce (MPI_MAX of int, to rank 0) with and without an
// active session over all processes (PDSEC'20, Section VI.B and Figure 4).
//
//   overhead [--elements 1] [--samples 180] [--message-seconds T]
//
// A sample is one reduction, from a moment when all ranks are ready until the last process has finished. Samples with
// and without a session alternate, so that changes on the machine affect both equally. Before them, both are done
// several times without measuring.
//
// Under a real MPI, times are those of the clock. Under SMPI, a session takes no simulated time by itself, so T is
// charged as its cost for the sender of a message; docs/performance.md has measurements. It is charged before the
// reduction for all messages that the process sends in it, as counted by the session. A process that first waits for
// others thus pays while it waits, so a chain of messages costs less than in reality, by at most T times the tree's
// depth.
//
// Reports `difference`, the mean with a session minus the mean without; `confidence`, the half-width of its 95 %
// confidence interval (Welch's t-test); `with` and `without`, the means; and `messages`, the total number of messages
// in a reduction, or 0 if the session does not see them (s, s, s, s, 1).
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/rank_and_size.h"
#include "scenarios/programs/region.h"
#include "scenarios/programs/reordered.h"
#include "scenarios/programs/welch.h"

namespace {

using strata::programs::must;

constexpr int kUnmeasured = 10;  // reductions with and without a session, before the first sample

class Reduction {
 public:
  explicit Reduction(int elements)
      : send_(static_cast<std::size_t>(elements), 1), receive_(static_cast<std::size_t>(elements)) {}
  void run() {
    MPI_Reduce(send_.data(), receive_.data(), static_cast<int>(send_.size()), MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  }

 private:
  std::vector<int> send_, receive_;
};

// The number of messages that the calling process sends in a reduction.
double messages_of(Reduction& reduction, MPI_M_msid session) {
  std::vector<unsigned long> counts(strata::programs::size_of(MPI_COMM_WORLD));
  must(MPI_M_reset(session));
  must(MPI_M_continue(session));
  reduction.run();
  must(MPI_M_suspend(session));
  must(MPI_M_get_data(session, counts.data(), MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY));
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void measure(int elements, int samples, double message_seconds) {
  Reduction reduction(elements);
  MPI_M_msid session = MPI_M_MSID_NULL;
  must(MPI_M_init());
  must(MPI_M_start(MPI_COMM_WORLD, &session));
  must(MPI_M_suspend(session));
  const double messages = messages_of(reduction, session);
  const auto sample = [&](bool watched) {
    if (watched) must(MPI_M_continue(session));
    const double time = strata::programs::time_until_last(MPI_COMM_WORLD, [&](double) {
      if (watched && message_seconds > 0) strata::mpix::charge_seconds(message_seconds * messages);
      reduction.run();
    });
    if (watched) must(MPI_M_suspend(session));
    return time;
  };
  std::vector<double> with, without;
  for (int i = -kUnmeasured; i < samples; ++i) {
    for (const bool watched : {false, true}) {
      const double time = sample(watched);
      if (i >= 0) (watched ? with : without).push_back(time);
    }
  }
  must(MPI_M_free(session));
  must(MPI_M_finalize());
  double all_messages = 0;
  MPI_Reduce(&messages, &all_messages, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (strata::programs::rank_in(MPI_COMM_WORLD) != 0) return;
  const strata::programs::MeanDifference difference = strata::programs::welch(with, without);
  strata::programs::report("difference", difference.value, "s");
  strata::programs::report("confidence", difference.half_width, "s");
  strata::programs::report("with", mean(with), "s");
  strata::programs::report("without", mean(without), "s");
  strata::programs::report("messages", all_messages, "1");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int elements = 1, samples = 180;
  double message_seconds = 0;
  strata::cli::App app("overhead");
  app.add_option("--elements", elements)->check(strata::cli::PositiveNumber);
  app.add_option("--samples", samples)->check(strata::cli::Range(2, 1000000));
  app.add_option("--message-seconds", message_seconds)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);
  measure(elements, samples, message_seconds);
  MPI_Finalize();
  return 0;
}
