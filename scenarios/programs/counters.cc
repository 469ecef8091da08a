// SPDX-License-Identifier: LGPL-2.1-only
// Compares the bytes seen by a monitoring session with those counted by the network card (E. Jeannot, R. Sartori,
// "Improving MPI Application Communication Time with an Introspection Monitoring Library", PDSEC 2020, Section VI-A,
// Figures 2 and 3).
//
//   counters [--seconds 10] [--period 0.01] [--least-bytes 1000] [--most-bytes 800000] [--seed 1]
//
// There are two processes on different nodes. Rank 0 repeatedly sends a message of random size to rank 1 and sleeps for
// a random time of 50 to 1000 ms. Every period, both read two counters. The first is what rank 0 has sent to rank 1,
// from a session that is suspended, read, reset and continued (all functions of sessions are collective, so rank 1 also
// reads its own session). The second is what the network card of rank 0's node has sent (MPIX_Get_network_bytes). Times
// are the machine's; sampling continues while a message is in flight.
//
// Reading a session takes messages of its own, always the same number, which the card counts but not the session. The
// card's count for one reading is measured before anything else is sent, and subtracted from each sample.
//
// Reports for each sample (parameters `source`: session or network card, and `time`: its end, s after the start)
//   amount      sent in the period (kB, 1000 bytes)
//   cumulative  sent since the start (kB)
// and for the whole run
//   messages    number of messages
//   per_message additional bytes counted by the card, per message (B): the envelope
//   lag         the maximum number of samples by which the card's cumulative count, without envelopes, lags behind that
//               of the session
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/node.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/rank_and_size.h"

namespace {

constexpr double kLeastSleep = 0.05, kMostSleep = 1;  // s, the paper's

struct Options {
  double seconds = 10, period = 0.01;
  int least_bytes = 1000, most_bytes = 800'000;
  std::uint64_t seed = 1;
};

struct Send {
  double at;  // s after the start
  int bytes;
};

// A number between 0 and 1. Unlike the standard's distributions, it is the same on all systems.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// The messages that rank 0 sends; both ranks know them.
std::vector<Send> sends_of(const Options& o) {
  std::mt19937_64 random(o.seed);
  std::vector<Send> sends;
  double at = 0;
  while (true) {
    at += kLeastSleep + (kMostSleep - kLeastSleep) * uniform(random);
    const double bytes = o.least_bytes + (o.most_bytes - o.least_bytes) * uniform(random);
    if (at >= o.seconds - o.period) return sends;  // the last one arrives before the last sample
    sends.push_back({at, static_cast<int>(std::lround(bytes))});
  }
}

// Ends the program unless a function of a session has succeeded.
void succeed(int error) {
  if (error == MPI_SUCCESS) return;
  std::fprintf(stderr, "counters: %s\n", MPI_M_error_string(error));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

struct Sample {
  double session_bytes = 0, session_messages = 0, card_bytes = 0;
};

// What rank 0 has sent to rank 1 since the previous reading of the session.
Sample read_session(MPI_M_msid session) {
  unsigned long messages[2] = {0, 0}, bytes[2] = {0, 0};
  succeed(MPI_M_suspend(session));
  succeed(MPI_M_get_data(session, messages, bytes, MPI_M_P2P_ONLY));
  succeed(MPI_M_reset(session));
  succeed(MPI_M_continue(session));
  return {static_cast<double>(bytes[1]), static_cast<double>(messages[1]), 0};
}

double read_card() {
  unsigned long sent = 0;
  MPIX_Get_network_bytes(&sent, nullptr);
  return static_cast<double>(sent);
}

// The bytes that the card counts for one reading of the session, while nothing else is sent. Making all ranks ready
// also takes messages, so this measures twice, once with a reading and once without; the difference is the reading.
double card_of_reading(MPI_M_msid session) {
  double passed[2];
  for (const int readings : {0, 1}) {
    strata::mpix::start_together(MPI_COMM_WORLD);
    const double before = read_card();
    if (readings > 0) read_session(session);
    strata::mpix::start_together(MPI_COMM_WORLD);
    passed[readings] = read_card() - before;
  }
  return passed[1] - passed[0];
}

void wait_until(double time) {
  const double now = MPI_Wtime();
  if (time > now) strata::mpix::charge_seconds(time - now);
}

// Sends or receives the messages, and reads both counters at the end of each period.
std::vector<Sample> watch(const Options& o, int rank, const std::vector<Send>& sends, MPI_M_msid session) {
  const double of_reading = card_of_reading(session);
  std::vector<char> buffer(o.most_bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  std::size_t at = 0;
  const auto receive_next = [&] {
    if (at < sends.size()) MPI_Irecv(buffer.data(), o.most_bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  };
  if (rank == 1) receive_next();
  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  read_session(session);
  double card = read_card();
  std::vector<Sample> samples(static_cast<std::size_t>(std::lround(o.seconds / o.period)));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double end = start + static_cast<double>(i + 1) * o.period;
    for (; rank == 0 && at < sends.size() && start + sends[at].at < end; ++at) {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      wait_until(start + sends[at].at);
      MPI_Isend(buffer.data(), sends[at].bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    }
    int arrived = 0;
    if (rank == 1 && at < sends.size()) MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived != 0) {
      ++at;
      receive_next();
    }
    wait_until(end);
    samples[i] = read_session(session);
    const double now = read_card();
    samples[i].card_bytes = now - card - of_reading;
    card = now;
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return samples;
}

// The maximum number of samples by which the card's cumulative count lags behind the session's, to which `per_message`
// is added for each message.
std::size_t lag_of(const std::vector<Sample>& samples, double per_message) {
  constexpr double kHalfAByte = 0.5;  // rounding errors are smaller
  std::size_t lag = 0, later = 0;     // the card's samples before `later` have been added
  double session = 0, card = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    session += samples[i].session_bytes + per_message * samples[i].session_messages;
    while (later <= i || (later < samples.size() && card < session - kHalfAByte)) card += samples[later++].card_bytes;
    lag = std::max(lag, later - 1 - i);
  }
  return lag;
}

void report_all(const Options& o, const std::vector<Sample>& samples) {
  using strata::programs::report;
  Sample sum;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& s = samples[i];
    sum.session_bytes += s.session_bytes;
    sum.session_messages += s.session_messages;
    sum.card_bytes += s.card_bytes;
    char time[32];
    std::snprintf(time, sizeof time, "%.10g", static_cast<double>(i + 1) * o.period);
    const auto both = [&](const char* metric, double card, double session) {
      report(metric, card / 1e3, "kB", std::string(R"("source":"network card","time":)") + time);
      report(metric, session / 1e3, "kB", std::string(R"("source":"session","time":)") + time);
    };
    both("amount", s.card_bytes, s.session_bytes);
    both("cumulative", sum.card_bytes, sum.session_bytes);
  }
  const double more = sum.card_bytes - sum.session_bytes;
  const double per_message = sum.session_messages > 0 ? more / sum.session_messages : 0;
  report("messages", sum.session_messages, "messages");
  report("per_message", per_message, "B");
  report("lag", static_cast<double>(lag_of(samples, per_message)), "samples");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Options o;
  strata::cli::App app("counters");
  app.add_option("--seconds", o.seconds)->check(strata::cli::PositiveNumber);
  app.add_option("--period", o.period)->check(strata::cli::PositiveNumber);
  app.add_option("--least-bytes", o.least_bytes)->check(strata::cli::NonNegativeNumber);
  app.add_option("--most-bytes", o.most_bytes)->check(strata::cli::PositiveNumber);
  app.add_option("--seed", o.seed);
  strata::programs::parse(app, argc, argv);
  const int rank = strata::programs::rank_in(MPI_COMM_WORLD), size = strata::programs::size_of(MPI_COMM_WORLD);
  int own = strata::programs::own_node(), other = 0;
  if (size != 2) strata::programs::refuse("it takes two processes, not " + std::to_string(size));
  MPI_Sendrecv(&own, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (own == other) strata::programs::refuse("both processes are on one node; map them by node");
  if (o.least_bytes > o.most_bytes) strata::programs::refuse("--least-bytes is more than --most-bytes");
  succeed(MPI_M_init());
  MPI_M_msid session = MPI_M_MSID_NULL;
  succeed(MPI_M_start(MPI_COMM_WORLD, &session));
  const std::vector<Sample> samples = watch(o, rank, sends_of(o), session);
  succeed(MPI_M_suspend(session));
  succeed(MPI_M_free(session));
  succeed(MPI_M_finalize());
  if (rank == 0) report_all(o, samples);
  MPI_Finalize();
  return 0;
}
