// SPDX-License-Identifier: LGPL-2.1-only
// Small programs with known numbers of orders, selected by name.
#undef NDEBUG  // the assertions are the purpose
#include <mpi.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/check/programs/drawn_program.h"

namespace {

int g_rank = 0, g_size = 0;
int g_taken = 0;  // a global variable: every execution begins with the same value

constexpr int kTag = 1;

void send(int to, int tag = kTag) { MPI_Send(&g_rank, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }

int receive(int from, int tag = kTag) {
  int value = -1;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
  assert(value == status.MPI_SOURCE);
  return value;
}

// All ranks send to rank 0, which receives from any source: (P - 1)! orders.
void wildcard() {
  if (g_rank > 0) return send(0);
  for (int i = 1; i < g_size; ++i) {
    receive(MPI_ANY_SOURCE);
    assert(++g_taken == i);
  }
}

// The same with named sources: one order.
void by_name() {
  if (g_rank > 0) return send(0);
  for (int i = 1; i < g_size; ++i) receive(i);
}

// Rank 2 first exchanges another message, but its message to rank 0 may still be the first.
void busy_first() {
  if (g_rank == 0) {
    const int first = receive(MPI_ANY_SOURCE);
    assert(first == 1);
    receive(MPI_ANY_SOURCE);
  }
  if (g_rank == 1) send(0);
  if (g_rank == 2) {
    send(3);
    send(0);
  }
  if (g_rank == 3) receive(2);
}

// Both ranks send before they receive: correct only if sends do not block.
void head_on() {
  send(1 - g_rank);
  receive(1 - g_rank);
}

void with_null() {
  std::vector<MPI_Request> requests(3, MPI_REQUEST_NULL);
  int value = -1;
  MPI_Isend(&g_rank, 1, MPI_INT, 1 - g_rank, kTag, MPI_COMM_WORLD, requests.data());
  MPI_Irecv(&value, 1, MPI_INT, 1 - g_rank, kTag, MPI_COMM_WORLD, &requests[2]);
  std::vector<MPI_Status> statuses(3);
  MPI_Waitall(3, requests.data(), statuses.data());
  assert(value == 1 - g_rank && statuses[2].MPI_SOURCE == value);
  assert(statuses[1].MPI_SOURCE == MPI_ANY_SOURCE && statuses[1].MPI_TAG == MPI_ANY_TAG);  // as MPI requires
}

// A probe that misses a message still on its way, or finds it.
void probe(bool expected) {
  if (g_rank == 1) return send(0);
  int there = 0;
  MPI_Iprobe(1, kTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  assert((there != 0) == expected);
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status);
  receive(status.MPI_SOURCE);
}

// Two receives, either of which may complete first.
void wait_any(int expected) {
  if (g_rank > 0) return send(0);
  std::vector<MPI_Request> requests(g_size - 1);
  std::vector<int> values(g_size - 1);
  for (int i = 1; i < g_size; ++i) MPI_Irecv(&values[i - 1], 1, MPI_INT, i, kTag, MPI_COMM_WORLD, &requests[i - 1]);
  int first = -1, second = -1;
  MPI_Waitany(g_size - 1, requests.data(), &first, MPI_STATUS_IGNORE);
  assert(first != expected);
  MPI_Waitany(g_size - 1, requests.data(), &second, MPI_STATUS_IGNORE);
  assert(first + second == 1 && values[0] == 1 && values[1] == 2);
}

// A test may find the message or not.
void test(bool expected) {
  if (g_rank == 1) return send(0);
  int value = -1, flag = 0, index = -1;
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, 1, kTag, MPI_COMM_WORLD, &request);
  MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  assert((flag != 0) == expected);
  if (flag == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// The other rank sends only after this rank's last step before MPI_Testany: the message may have arrived, or not.
void answered() {
  int value = -1, flag = 0, index = -1;
  if (g_rank == 1) {
    receive(0);
    return send(0);
  }
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, 1, kTag, MPI_COMM_WORLD, &request);
  send(1);
  MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  assert(flag == 0);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// A cancelled receive is complete, and receives nothing.
void cancelled() {
  if (g_rank == 1) return send(0);
  int value = -1;
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, 1, kTag + 1, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  receive(1);
}

void lost() {
  if (g_rank == 0) send(1, 7);
  MPI_Barrier(MPI_COMM_WORLD);
}

// A random program: a few messages, received in random ways and order. A rank's outcome depends on the values and
// sources of its messages and on the results of its tests and probes. Modulo 3, it must not be `forbidden`.
void drawn(unsigned seed, unsigned forbidden) {
  std::mt19937 draw(seed);  // the same in all ranks
  struct Operation {
    int rank, peer, tag;
    unsigned way;  // 0: a send
  };
  std::vector<Operation> all;
  for (int m = 0; m < 3; ++m) {
    const int from = static_cast<int>(draw() % g_size),
              to = (from + 1 + static_cast<int>(draw() % (g_size - 1))) % g_size;
    const int tag = 1 + static_cast<int>(draw() % 2);
    all.push_back({from, to, tag, 0});
    all.push_back({to, from, tag, 1 + static_cast<unsigned>(draw() % 5)});
  }
  for (std::size_t i = all.size(); i-- > 1;) std::swap(all[i], all[draw() % (i + 1)]);
  unsigned outcome = 0;
  for (const Operation& o : all) {
    if (o.rank != g_rank) continue;
    if (o.way == 0) {
      send(o.peer, o.tag);
      continue;
    }
    const int from = o.way == 1 ? o.peer : MPI_ANY_SOURCE, tag = o.way == 2 ? MPI_ANY_TAG : o.tag;
    int value = -1, flag = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (o.way == 4) MPI_Iprobe(from, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &request);
    if (o.way == 5) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
    outcome = outcome * 7 + static_cast<unsigned>(value) * 2 + static_cast<unsigned>(flag) + 1;
  }
  assert(outcome == 0 || outcome % 3 != forbidden);
}

// A program of drawn_program.h. No rank may end with the outcome `forbidden`.
void mixed(unsigned seed, unsigned forbidden) {
  using strata::check::Operation;
  using strata::check::Way;
  using strata::check::with;
  unsigned outcome = 0;
  struct Buffer {
    int value = -1;
    char more[strata::check::kLargeBytes - sizeof(int)] = {};
  };
  std::deque<Buffer> buffers;  // a deque, so that elements do not move
  std::vector<MPI_Request> posted;
  std::vector<Buffer*> results;
  const auto post = [&buffers](int from, int tag, MPI_Request* request) {
    buffers.emplace_back();
    MPI_Irecv(&buffers.back(), sizeof(Buffer), MPI_BYTE, from, tag, MPI_COMM_WORLD, request);
    return &buffers.back();
  };
  for (const Operation& o : strata::check::drawn_program(seed)) {
    if (o.rank != g_rank) continue;
    if (o.way == Way::kSend) {
      Buffer buffer{.value = g_rank};
      MPI_Send(&buffer, o.large ? strata::check::kLargeBytes : strata::check::kSmallBytes, MPI_BYTE, o.peer, o.tag,
               MPI_COMM_WORLD);
      continue;
    }
    int from = o.from_anybody ? MPI_ANY_SOURCE : o.peer, tag = o.any_tag ? MPI_ANY_TAG : o.tag, flag = 0;
    if (o.way == Way::kProbe) {
      MPI_Status status;
      MPI_Probe(from, tag, MPI_COMM_WORLD, &status);
      from = status.MPI_SOURCE;
      tag = status.MPI_TAG;
    }
    if (o.way == Way::kLook) MPI_Iprobe(from, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Request request = MPI_REQUEST_NULL;
    Buffer* const buffer = post(from, tag, &request);
    if (o.way == Way::kPost) {
      posted.push_back(request);
      results.push_back(buffer);
      continue;
    }
    if (o.way == Way::kTest) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
    outcome = with(outcome, buffer->value, flag);
  }
  for (std::size_t left = posted.size(); left > 0; --left) {
    int index = -1;
    MPI_Waitany(static_cast<int>(posted.size()), posted.data(), &index, MPI_STATUS_IGNORE);
    outcome = with(outcome, results[index]->value, index);
  }
  assert(outcome != forbidden);
}

// Each rank exposes a window to the other before it accesses the other's, and both puts arrive.
void post_then_start() {
  int mine = -1;
  const int other = 1 - g_rank;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(&mine, sizeof mine, sizeof mine, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Group world = MPI_GROUP_NULL, peer = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &other, &peer);
  MPI_Win_post(peer, 0, window);
  MPI_Win_start(peer, 0, window);
  MPI_Put(&g_rank, 1, MPI_INT, other, 0, 1, MPI_INT, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  assert(mine == other);
  MPI_Group_free(&peer);
  MPI_Group_free(&world);
  MPI_Win_free(&window);
}

// Rank 1 adds to a column of rank 0's array of two rows and three columns.
void sums_subarray() {
  const int whole[] = {2, 3}, part[] = {2, 1}, first[] = {0, 1};
  std::vector<int> numbers(6, 1);
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(2, whole, part, first, MPI_ORDER_C, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(numbers.data(), 6 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  if (g_rank == 1) MPI_Accumulate(numbers.data(), 1, column, 0, 0, 1, column, MPI_SUM, window);
  MPI_Win_fence(0, window);
  if (g_rank == 0) assert(numbers == std::vector<int>({1, 2, 1, 1, 2, 1}));
  MPI_Win_free(&window);
  MPI_Type_free(&column);
}

// Two groups of one rank each exchange a message.
void between_groups() {
  MPI_Comm side = MPI_COMM_NULL, both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, g_rank, 0, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - g_rank, 5, &both);
  int heard = -1;
  MPI_Sendrecv(&g_rank, 1, MPI_INT, 0, 0, &heard, 1, MPI_INT, MPI_ANY_SOURCE, 0, both, MPI_STATUS_IGNORE);
  assert(heard == 1 - g_rank);
  MPI_Comm_free(&both);
  MPI_Comm_free(&side);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_size);
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "wildcard") wildcard();
  if (how == "by-name") by_name();
  if (how == "busy-first") busy_first();
  if (how == "head-on") head_on();
  if (how == "with-null") with_null();
  if (how == "probe-finds") probe(true);
  if (how == "probe-misses") probe(false);
  if (how == "second-first") wait_any(1);
  if (how == "either-first") wait_any(2);
  if (how == "test-finds") test(true);
  if (how == "test-misses") test(false);
  if (how == "answered") answered();
  if (how == "cancelled") cancelled();
  if (how == "lost") lost();
  if (how == "drawn") drawn(static_cast<unsigned>(std::atoi(argv[2])), static_cast<unsigned>(std::atoi(argv[3])));
  if (how == "mixed") mixed(static_cast<unsigned>(std::atoi(argv[2])), static_cast<unsigned>(std::stoul(argv[3])));
  if (how == "abort" && g_rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
  if (how == "mc-assert" && g_rank == 1) MC_assert(0);  // as assert() in mpi.h of SimGrid 4.0
  if (how == "post-then-start") post_then_start();
  if (how == "between-groups") between_groups();
  if (how == "sums-subarray") sums_subarray();
  if (how == "lacking") {  // a function for name servers, which SMPI lacks
    char port[MPI_MAX_PORT_NAME];
    MPI_Open_port(MPI_INFO_NULL, port);
  }
  if (how == "crash") *static_cast<volatile int*>(nullptr) = 1;
  if (how == "exit") std::_Exit(3);
  MPI_Finalize();
  return 0;
}
