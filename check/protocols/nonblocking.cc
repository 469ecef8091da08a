// SPDX-License-Identifier: LGPL-2.1-only
// Several nonblocking collectives in flight: each one gives its result, and every wait ends, in every order of
// messages.
//
//   nonblocking --start bcast,reduce,... [--wait forward|backward|all] [--threads] [--steps N|all|auto] [--root R]
//     [--count N] [--tests T] [--unchecked] [--late S]
//
// Starts all collectives of --start (bcast, reduce, allreduce, scatter, gather, scan, barrier), with roots R and R + 1
// alternately, before it waits for the first one. It waits in the same order, in reverse order, or with one
// MPIX_Waitall.
//
// - --threads: calls MPIX_Progress_start first. The upper half of the ranks are the progress threads of the lower half.
//   Without it, only the waits make progress.
// - --steps: the number of levels of the tree that the application's threads process.
// - --tests: the number of calls of MPIX_Test on each collective, alternately, before the waits, whatever they return.
// - --unchecked: processes do not compare first which collectives they have started.
// - --late: rank 0 may have finished while the others compute for S seconds before they start the last collective. An
//   explorer ignores time and finds such orders without it.
//
// Asserted:
// - Every element of every result, as defined by the MPI function of that name. A scan of a composition, which does not
//   commute, is in the order of the ranks.
// - Several collectives may be in flight, and may be waited for in any order, as mpix.h promises ("a wait also does the
//   application's part of other collectives in flight").
// - A request that MPIX_Test reports as complete is null, and its result is available.
// - MPIX_Progress_stop returns, on the threads too.
#include <mpi.h>

#include <sstream>
#include <string>
#include <vector>

#include "check/protocols/composition.h"
#include "check/protocols/expect.h"
#include "check/protocols/numbers.h"
#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/options.h"

namespace {

using namespace strata::check::protocols;

struct Options {
  std::string start = "bcast", wait = "forward", steps = "auto";
  int root = 0, count = 1, tests = 0;
  double late = 0;
  bool threads = false, unchecked = false;
};

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

// A started collective, its buffers, and their expected contents.
struct Started {
  std::string what;
  std::vector<long> out, in, expected;
  std::vector<Function> functions_out, functions_in, functions_expected;
  MPIX_Request request = MPIX_REQUEST_NULL;
};

// Starts the collective number `number`.
void start(Started& s, int number, int root, int n, const Composition& composition, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const std::vector<long> mine = numbers(rank, number, n), all = everybodys(size, number, n);
  const bool is_root = rank == root;
  s.out = mine;
  s.in.resize(n, -1);
  if (s.what == "bcast") {
    s.expected = numbers(root, number, n);
    if (is_root) s.in = mine;
    succeed(s.what, MPIX_Ibcast(s.in.data(), n, MPI_LONG, root, comm, &s.request));
  } else if (s.what == "reduce") {
    s.expected = is_root ? sum_of_all(size, number, n) : s.in;
    succeed(s.what, MPIX_Ireduce(s.out.data(), s.in.data(), n, MPI_LONG, MPI_SUM, root, comm, &s.request));
  } else if (s.what == "allreduce") {
    s.expected = sum_of_all(size, number, n);
    succeed(s.what, MPIX_Iallreduce(s.out.data(), s.in.data(), n, MPI_LONG, MPI_SUM, comm, &s.request));
  } else if (s.what == "scatter") {
    if (is_root) s.out = all;
    s.expected = mine;
    succeed(s.what, MPIX_Iscatter(s.out.data(), n, MPI_LONG, s.in.data(), n, MPI_LONG, root, comm, &s.request));
  } else if (s.what == "gather") {
    s.in.assign(is_root ? all.size() : 0, -1);
    s.expected = is_root ? all : s.in;
    succeed(s.what, MPIX_Igather(s.out.data(), n, MPI_LONG, s.in.data(), n, MPI_LONG, root, comm, &s.request));
  } else if (s.what == "scan") {
    s.expected = s.in;
    s.functions_out.assign(n, function_of(rank, number));
    s.functions_in.resize(n);
    s.functions_expected.assign(n, composition_of_first(rank + 1, number));
    succeed(s.what, MPIX_Iscan(s.functions_out.data(), s.functions_in.data(), n, composition.type(), composition.op(),
                               comm, &s.request));
  } else if (s.what == "barrier") {
    s.expected = s.in;
    succeed(s.what, MPIX_Ibarrier(comm, &s.request));
  } else {
    strata::programs::refuse("--start: no collective '" + s.what + "'");
  }
}

void expect_result(const Started& s) {
  expect("the request of " + s.what, static_cast<MPIX_Request>(MPIX_REQUEST_NULL), s.request);
  expect("the result of " + s.what, s.expected, s.in);
  expect("the composition", s.functions_expected, s.functions_in);
}

void wait_for_all(std::vector<Started>& all, const std::string& how) {
  if (how == "all") {
    std::vector<MPIX_Request> requests;
    for (const Started& s : all) requests.push_back(s.request);
    succeed("MPIX_Waitall", MPIX_Waitall(static_cast<int>(requests.size()), requests.data()));
    for (size_t i = 0; i < all.size(); ++i) all[i].request = requests[i];
    return;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    Started& s = how == "forward" ? all[i] : all[all.size() - 1 - i];
    if (s.request != MPIX_REQUEST_NULL) succeed("MPIX_Wait", MPIX_Wait(&s.request));
    expect_result(s);
  }
}

void run(const Options& o, MPI_Comm comm) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpix_steps", o.steps.c_str());
  MPI_Info_set(info, "mpix_check", o.unchecked ? "false" : "true");
  succeed("MPIX_Comm_set_progress", MPIX_Comm_set_progress(comm, info));
  MPI_Info_free(&info);
  const Composition composition;
  std::vector<Started> all;
  for (const std::string& what : words_of(o.start)) all.emplace_back().what = what;
  for (size_t i = 0; i < all.size(); ++i) {
    const int number = static_cast<int>(i);
    if (o.late > 0 && i + 1 == all.size() && rank_in(comm) != 0) strata::mpix::charge_seconds(o.late);
    start(all[i], number, (o.root + number) % size_of(comm), o.count, composition, comm);
  }
  for (int test = 0; test < o.tests; ++test) {
    for (Started& s : all) {
      if (s.request == MPIX_REQUEST_NULL) continue;
      int flag = -1;
      succeed("MPIX_Test", MPIX_Test(&s.request, &flag));
      expect("what MPIX_Test says", s.request == MPIX_REQUEST_NULL ? 1 : 0, flag);
      if (flag == 1) expect_result(s);
    }
  }
  // Do not wait for requests that a test has completed.
  if (o.tests > 0) std::erase_if(all, [](const Started& s) { return s.request == MPIX_REQUEST_NULL; });
  wait_for_all(all, o.wait);
  for (const Started& s : all) expect_result(s);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Options o;
  strata::cli::App app("nonblocking");
  app.add_option("--start", o.start);
  app.add_option("--wait", o.wait)->check(strata::cli::IsMember({"forward", "backward", "all"}));
  app.add_option("--steps", o.steps);
  app.add_option("--root", o.root)->check(strata::cli::NonNegativeNumber);
  app.add_option("--count", o.count)->check(strata::cli::PositiveNumber);
  app.add_option("--tests", o.tests)->check(strata::cli::NonNegativeNumber);
  app.add_option("--late", o.late)->check(strata::cli::NonNegativeNumber);
  app.add_flag("--threads", o.threads);
  app.add_flag("--unchecked", o.unchecked);
  strata::programs::parse(app, argc, argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  if (o.threads) succeed("MPIX_Progress_start", MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &comm));
  if (comm != MPI_COMM_NULL) run(o, comm);
  if (o.threads) succeed("MPIX_Progress_stop", MPIX_Progress_stop(&comm));
  MPI_Finalize();
  return 0;
}
