// SPDX-License-Identifier: LGPL-2.1-only
// All ranks send a message to rank 0, or it exchanges one with rank 1. Each rank reports its time (s).
//
//   many_to_one --way all --bytes 800        rank 0 waits for all messages (MPI_Waitall)
//   many_to_one --way each --bytes 800       ... for one after the other (MPI_Recv)
//   many_to_one --way test --bytes 800       ... for one after the other, and polls (MPI_Test)
//   many_to_one --way pingpong --bytes 800   half a round trip
//   many_to_one --way unexpected --bytes 0   rank 1 sends as many as there are ranks, and rank 0 wants the last first
//   many_to_one --way posted --bytes 0       rank 0 posts as many receives, and the message for the last comes first
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"

namespace {

void receive_from_all(const std::string& way, int bytes, int size) {
  std::vector<std::vector<char>> buffers(static_cast<std::size_t>(size), std::vector<char>(bytes));
  std::vector<MPI_Request> requests;
  for (int from = 1; from < size; ++from) {
    if (way == "each") {
      MPI_Recv(buffers[from].data(), bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      requests.emplace_back();
      MPI_Irecv(buffers[from].data(), bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, &requests.back());
    }
  }
  if (way == "all") MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (MPI_Request& r : requests) {
    for (int done = 0; way == "test" && done == 0;) MPI_Test(&r, &done, MPI_STATUS_IGNORE);
  }
}

void send(std::vector<char>& buffer, int to) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(buffer.data(), static_cast<int>(buffer.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void receive(std::vector<char>& buffer, int from) {
  MPI_Recv(buffer.data(), static_cast<int>(buffer.size()), MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void pass_messages(int count, int rank) {
  int token = 0;
  if (rank == 1) {
    for (int tag = 1; tag <= count; ++tag) MPI_Send(nullptr, 0, MPI_CHAR, 0, tag, MPI_COMM_WORLD);
    MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  } else if (rank == 2) {
    MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 0) {
    MPI_Recv(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int tag = count; tag >= 1; --tag) MPI_Recv(nullptr, 0, MPI_CHAR, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

void pass_receives(int count, int rank) {
  int token = 0;
  if (rank == 1) {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int tag = count; tag >= 1; --tag) MPI_Send(nullptr, 0, MPI_CHAR, 0, tag, MPI_COMM_WORLD);
  } else if (rank == 0) {
    std::vector<MPI_Request> requests(static_cast<std::size_t>(count));
    for (int tag = 1; tag <= count; ++tag)
      MPI_Irecv(nullptr, 0, MPI_CHAR, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[tag - 1]);
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string way;
  int bytes = 0, rank = 0, size = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--way") == 0) way = argv[i + 1];
    if (std::strcmp(argv[i], "--bytes") == 0) bytes = std::atoi(argv[i + 1]);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<char> buffer(static_cast<std::size_t>(bytes));
  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  double parts = 1;
  if (way == "pingpong") {
    parts = 2;
    if (rank == 0) send(buffer, 1);
    if (rank < 2) receive(buffer, 1 - rank);
    if (rank == 1) send(buffer, 0);
  } else if (way == "unexpected") {
    pass_messages(size, rank);
  } else if (way == "posted") {
    pass_receives(size, rank);
  } else if (rank > 0) {
    send(buffer, 0);
  } else {
    receive_from_all(way, bytes, size);
  }
  std::printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\",\"parameters\":{\"rank\":%d}}\n",
              (MPI_Wtime() - start) / parts, rank);
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
