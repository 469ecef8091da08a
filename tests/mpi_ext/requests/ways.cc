// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/requests/ways.h"

namespace strata::mpix::testing {

int value(int rank, int round, int i) { return 100'000 * rank + 1'000 * round + i % 997; }

void fill(std::vector<int>& data, int rank, int round) {
  for (int i = 0; int& element : data) element = value(rank, round, i++);
}

std::vector<int> message(int rank, int round, int length) {
  std::vector<int> data(length);
  fill(data, rank, round);
  return data;
}

int count_of(const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  return count;
}

int cancelled(const MPI_Status& status) {
  int flag = -1;
  MPI_Test_cancelled(&status, &flag);
  return flag == 0 ? 0 : 1;
}

std::vector<MPI_Status> complete(Checks& t, Way way, std::vector<MPI_Request>& requests) {
  const int count = static_cast<int>(requests.size());
  std::vector<MPI_Status> statuses(requests.size()), some(requests.size());
  std::vector<int> indices(requests.size());
  int done = 0, flag = 0, index = -1, found = 0;
  switch (way) {
    case Way::kWait:
      for (int i = 0; i < count; ++i) CHECK_EQ(MPI_SUCCESS, MPI_Wait(&requests[i], &statuses[i]));
      break;
    case Way::kTest:
      for (int i = 0; i < count; ++i) {
        for (flag = 0; flag == 0;) MPI_Test(&requests[i], &flag, &statuses[i]);
      }
      break;
    case Way::kWaitall:
      CHECK_EQ(MPI_SUCCESS, MPI_Waitall(count, requests.data(), statuses.data()));
      break;
    case Way::kTestall:
      while (flag == 0) MPI_Testall(count, requests.data(), &flag, statuses.data());
      break;
    case Way::kWaitany:
    case Way::kTestany:
      for (; done < count; ++done) {
        MPI_Status status;
        if (way == Way::kWaitany) CHECK_EQ(MPI_SUCCESS, MPI_Waitany(count, requests.data(), &index, &status));
        for (flag = 0; way == Way::kTestany && flag == 0;) MPI_Testany(count, requests.data(), &index, &flag, &status);
        CHECK_TRUE(index >= 0 && index < count);
        if (index < 0 || index >= count) return statuses;
        statuses[index] = status;
      }
      break;
    case Way::kWaitsome:
    case Way::kTestsome:
      for (; done < count; done += found) {
        if (way == Way::kWaitsome) {
          CHECK_EQ(MPI_SUCCESS, MPI_Waitsome(count, requests.data(), &found, indices.data(), some.data()));
        } else {
          MPI_Testsome(count, requests.data(), &found, indices.data(), some.data());
        }
        CHECK_TRUE(found >= 0);
        if (found < 0) return statuses;
        for (int i = 0; i < found; ++i) statuses[indices[i]] = some[i];
      }
      break;
    case Way::kStatus:
      for (int i = 0; i < count; ++i) {
        for (flag = 0; flag == 0;) MPI_Request_get_status(requests[i], &flag, &statuses[i]);
        MPI_Status again;
        CHECK_EQ(MPI_SUCCESS, MPI_Wait(&requests[i], &again));
        CHECK_EQ(cancelled(again), cancelled(statuses[i]));
        if (cancelled(again) != 0) continue;
        CHECK_EQ(again.MPI_SOURCE, statuses[i].MPI_SOURCE);
        CHECK_EQ(again.MPI_TAG, statuses[i].MPI_TAG);
      }
      break;
  }
  // Now all are inactive, and complete with an empty status.
  MPI_Status none;
  index = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Waitany(count, requests.data(), &index, &none));
  CHECK_EQ(MPI_UNDEFINED, index);
  CHECK_EQ(MPI_SUCCESS, MPI_Waitsome(count, requests.data(), &found, indices.data(), some.data()));
  CHECK_EQ(MPI_UNDEFINED, found);
  CHECK_EQ(MPI_SUCCESS, MPI_Testall(count, requests.data(), &flag, MPI_STATUSES_IGNORE));
  CHECK_TRUE(flag);
  for (flag = 0; MPI_Request & request : requests) {
    CHECK_EQ(MPI_SUCCESS, MPI_Test(&request, &flag, &none));
    CHECK_TRUE(flag);
    CHECK_EQ(MPI_ANY_SOURCE, none.MPI_SOURCE);
    CHECK_EQ(MPI_ANY_TAG, none.MPI_TAG);
    CHECK_EQ(0, count_of(none));
  }
  return statuses;
}

MPI_Request init_send(Checks& t, Send kind, const std::vector<int>& data, int to, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const auto count = static_cast<int>(data.size());
  using Init = int(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  Init* const init = kind == Send::kStandard      ? MPI_Send_init
                     : kind == Send::kSynchronous ? MPI_Ssend_init
                     : kind == Send::kBuffered    ? MPI_Bsend_init
                                                  : MPI_Rsend_init;
  CHECK_EQ(MPI_SUCCESS, init(data.data(), count, MPI_INT, to, tag, comm, &request));
  return request;
}

}  // namespace strata::mpix::testing
