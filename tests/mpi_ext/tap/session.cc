// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/tap/session.h"

#include <mpi.h>

#include <algorithm>

#include "mpi_ext/adapter/measure.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {
namespace {

std::vector<std::string> text(const List& list) {
  std::vector<std::string> lines;
  for (const Told& t : list) {
    lines.push_back(std::string(1, "EICS"[t[0]]) + std::to_string(t[1]) + ">" + std::to_string(t[2]) + ":" +
                    std::to_string(t[3]));
  }
  return lines;
}

}  // namespace

Session::Session(Checks& t, Recorder& recorder) : t_(t), recorder_(recorder), me_(rank_in(MPI_COMM_WORLD)) {
  // Finds the tap's number of each rank: each rank sends as many bytes as its rank.
  const List ring = told_by([&] {
    char bytes[2 * kRanks] = {};
    MPI_Sendrecv(bytes, me_, MPI_CHAR, (me_ + 1) % kRanks, 0, bytes + kRanks, kRanks, MPI_CHAR,
                 (me_ + kRanks - 1) % kRanks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  if (me_ == 0) {
    CHECK_EQ(std::size_t{kRanks}, ring.size());
    for (const Told& one : ring) rank_.at(one[3]) = one[1];
  }
}

void Session::check(const char* what, const std::string& kinds, const std::function<void()>& operation, List expected) {
  List told = told_by(operation);
  if (me_ != 0) return;
  List named;
  for (Told& one : told) {
    if (kinds.find("EICS"[one[0]]) == std::string::npos) continue;
    for (int end : {1, 2}) one[end] = std::find(rank_.begin(), rank_.end(), one[end]) - rank_.begin();
    named.push_back(one);
  }
  std::sort(named.begin(), named.end());
  std::sort(expected.begin(), expected.end());
  t_.equal(text(expected), text(named), what, __FILE__, __LINE__);
}

List Session::told_by(const std::function<void()>& operation) {
  // Under SMPI some time passes before and after, so that all ranks see that rank 0 listens; this needs no message.
  start_together(MPI_COMM_WORLD);
  if (!kSimulated || me_ == 0) (calls_ ? strata_monitoring_listen : strata_monitoring_listen_to_messages)(&recorder_);
  if (kSimulated) let_others_finish(MPI_COMM_WORLD);
  operation();
  if (kSimulated) let_others_finish(MPI_COMM_WORLD);
  if (!kSimulated || me_ == 0) strata_monitoring_ignore(&recorder_);
  let_others_finish(MPI_COMM_WORLD);

  List mine = recorder_.take();
  int length = static_cast<int>(mine.size() * sizeof(Told)), all = 0;
  std::vector<int> lengths(kRanks), at(kRanks);
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; r < kRanks; ++r) {
    at[r] = all;
    all += lengths[r];
  }
  List list(all / sizeof(Told));
  MPI_Gatherv(mine.data(), length, MPI_BYTE, list.data(), lengths.data(), at.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  return list;
}

List each_pair(long kind, const std::function<long(int from, int to)>& bytes_or_none) {
  List list;
  for (int from = 0; from < kRanks; ++from) {
    for (int to = 0; to < kRanks; ++to) {
      if (from != to && bytes_or_none(from, to) >= 0) list.push_back({kind, from, to, bytes_or_none(from, to)});
    }
  }
  return list;
}

}  // namespace strata::mpix::testing
