// SPDX-License-Identifier: LGPL-2.1-only
// Monitoring sessions: the data that they gather are correct in every order of messages, also while other messages are
// in flight.
//
//   sessions --get data|all|root|flush|rootflush [--root R] [--bytes B] [--wildcard] [--two]
//
// Rank r sends r + 1 messages of B bytes to the next rank, suspends the session while all of them are in flight, and
// sends one more message, which must not count. After the session's data have been gathered, the messages are received,
// with --wildcard from any source with any tag. With --two, a second session over the even ranks in reverse order is
// gathered directly after the first.
//
// Asserted, as MPI_Monitoring.h specifies: each rank that asks gets the correct numbers of messages and bytes by sender
// and receiver, also in files. The sessions' own messages are not counted by any session, and do not match receives of
// the program. The program receives its own messages: from the previous rank, in order, with the correct tags.
#include <mpi.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "check/protocols/expect.h"
#include "mpi_ext/MPI_Monitoring.h"
#include "scenarios/programs/options.h"

namespace {

using namespace strata::check::protocols;
using Numbers = std::vector<unsigned long>;

struct Options {
  std::string get = "data";
  int root = 0, bytes = 8;
  bool wildcard = false, two = false;
};

constexpr const char* kFile = "session";

// The number of messages from rank r of MPI_COMM_WORLD to rank `to`.
unsigned long messages(int size, int r, int to) { return to == (r + 1) % size ? static_cast<unsigned long>(r) + 1 : 0; }

// Rows of the matrices of messages and bytes: of one rank in `members`, or of all.
struct Rows {
  Numbers counts, bytes;
};
Rows expected_rows(const std::vector<int>& members, int first, int rows, int bytes) {
  const int world = size_of(MPI_COMM_WORLD);
  Rows result;
  for (int i = first; i < first + rows; ++i) {
    for (int to : members) {
      result.counts.push_back(messages(world, members[i], to));
      result.bytes.push_back(result.counts.back() * static_cast<unsigned long>(bytes));
    }
  }
  return result;
}

// The lines of a profile, as Open MPI's monitoring writes them.
std::string profile_of(const std::vector<int>& members, int first, int rows, int bytes) {
  const int size = static_cast<int>(members.size());
  const Rows expected = expected_rows(members, first, rows, bytes);
  std::string text;
  for (size_t i = 0; i < expected.counts.size(); ++i) {
    if (expected.counts[i] == 0) continue;
    text += "E\t" + std::to_string(first + static_cast<int>(i) / size) + "\t" + std::to_string(i % size) + "\t" +
            std::to_string(expected.bytes[i]) + " bytes\t" + std::to_string(expected.counts[i]) + " msgs sent\n";
  }
  return text;
}

void expect_file(const std::string& name, const std::string& content) {
  std::ifstream in(name);
  std::string text(std::istreambuf_iterator<char>(in), {});
  expect("the file " + name, content, text);
  std::remove(name.c_str());  // the next execution must write it itself
}

// Gathers the data of a suspended session over `comm`, and checks them.
void get(const Options& o, MPI_M_msid id, MPI_Comm comm) {
  const std::vector<int> members = members_of(comm);
  const int rank = rank_in(comm), size = size_of(comm), root = o.root % size;
  if (o.get == "flush") {
    succeed("MPI_M_flush", MPI_M_flush(id, kFile, MPI_M_P2P_ONLY));
    return expect_file(std::string(kFile) + "." + std::to_string(rank) + ".prof",
                       profile_of(members, rank, 1, o.bytes));
  }
  if (o.get == "rootflush") {
    succeed("MPI_M_rootflush", MPI_M_rootflush(id, root, kFile, MPI_M_P2P_ONLY));
    if (rank == root) expect_file(std::string(kFile) + ".prof", profile_of(members, 0, size, o.bytes));
    return;
  }
  const bool own = o.get == "data";
  Rows got{Numbers(own ? size : size * size), Numbers(own ? size : size * size)};
  if (own) {
    succeed("MPI_M_get_data", MPI_M_get_data(id, got.counts.data(), got.bytes.data(), MPI_M_P2P_ONLY));
  } else if (o.get == "all") {
    succeed("MPI_M_allgather_data", MPI_M_allgather_data(id, got.counts.data(), got.bytes.data(), MPI_M_P2P_ONLY));
  } else {
    succeed("MPI_M_rootgather_data",
            MPI_M_rootgather_data(id, root, got.counts.data(), got.bytes.data(), MPI_M_P2P_ONLY));
    if (rank != root) return;
  }
  const Rows expected = expected_rows(members, own ? rank : 0, own ? 1 : size, o.bytes);
  expect("the messages", expected.counts, got.counts);
  expect("the bytes", expected.bytes, got.bytes);
}

// A communicator of the even ranks in reverse order; MPI_COMM_NULL on others.
MPI_Comm even_ranks() {
  MPI_Group all = MPI_GROUP_NULL, even = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<int> ranks;
  for (int r = (size_of(MPI_COMM_WORLD) - 1) / 2 * 2; r >= 0; r -= 2) ranks.push_back(r);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &even);
  MPI_Comm_create(MPI_COMM_WORLD, even, &comm);
  MPI_Group_free(&even);
  MPI_Group_free(&all);
  return comm;
}

void receive(const Options& o, int before, int tag) {
  std::vector<char> in(o.bytes);
  MPI_Status status;
  MPI_Recv(in.data(), o.bytes, MPI_BYTE, o.wildcard ? MPI_ANY_SOURCE : before, o.wildcard ? MPI_ANY_TAG : tag,
           MPI_COMM_WORLD, &status);
  expect("the message's source", before, status.MPI_SOURCE);
  expect("its tag", tag, status.MPI_TAG);
  expect("its content", std::vector<char>(o.bytes, static_cast<char>('a' + before)), in);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Options o;
  strata::cli::App app("sessions");
  app.add_option("--get", o.get)->check(strata::cli::IsMember({"data", "all", "root", "flush", "rootflush"}));
  app.add_option("--root", o.root)->check(strata::cli::NonNegativeNumber);
  app.add_option("--bytes", o.bytes)->check(strata::cli::PositiveNumber);
  app.add_flag("--wildcard", o.wildcard);
  app.add_flag("--two", o.two);
  strata::programs::parse(app, argc, argv);

  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), before = (rank + size - 1) % size;
  const std::vector<char> out(o.bytes, static_cast<char>('a' + rank));
  MPI_Comm even = o.two ? even_ranks() : MPI_COMM_NULL;
  succeed("MPI_M_init", MPI_M_init());
  MPI_M_msid id = MPI_M_MSID_NULL, second = MPI_M_MSID_NULL;
  succeed("MPI_M_start", MPI_M_start(MPI_COMM_WORLD, &id));
  if (even != MPI_COMM_NULL) succeed("MPI_M_start", MPI_M_start(even, &second));
  std::vector<MPI_Request> sent(rank + 2, MPI_REQUEST_NULL);
  const auto send = [&](int tag) {
    MPI_Isend(out.data(), o.bytes, MPI_BYTE, (rank + 1) % size, tag, MPI_COMM_WORLD, &sent[tag]);
  };
  for (int tag = 0; tag <= rank; ++tag) send(tag);
  succeed("MPI_M_suspend", MPI_M_suspend(id));
  if (even != MPI_COMM_NULL) succeed("MPI_M_suspend", MPI_M_suspend(second));
  send(rank + 1);
  get(o, id, MPI_COMM_WORLD);
  if (even != MPI_COMM_NULL) get(o, second, even);
  for (int tag = 0; tag <= before + 1; ++tag) receive(o, before, tag);
  MPI_Waitall(static_cast<int>(sent.size()), sent.data(), MPI_STATUSES_IGNORE);
  succeed("MPI_M_free", MPI_M_free(id));
  if (even != MPI_COMM_NULL) succeed("MPI_M_free", MPI_M_free(second));
  succeed("MPI_M_finalize", MPI_M_finalize());
  if (even != MPI_COMM_NULL) MPI_Comm_free(&even);
  MPI_Finalize();
  return 0;
}
