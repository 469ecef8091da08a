// SPDX-License-Identifier: LGPL-2.1-only
// Ways to send and to complete a request, and the data of messages.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

inline constexpr int kRounds = 12;
// Elements of a message: none, eager, and one that waits for its receive (an MPI's limit is at most 1 MiB).
inline constexpr std::array kLengths = {0, 3, 200'000};

enum class Way { kWait, kTest, kWaitall, kTestall, kWaitany, kTestany, kWaitsome, kTestsome, kStatus };
#ifdef MPICH_VERSION  // MPI_Request_get_status of MPICH 4.0 gives no status of a persistent request
inline constexpr std::array kWays = {Way::kWait,    Way::kTest,    Way::kWaitall,  Way::kTestall,
                                     Way::kWaitany, Way::kTestany, Way::kWaitsome, Way::kTestsome};
#else
inline constexpr std::array kWays = {Way::kWait,    Way::kTest,     Way::kWaitall,  Way::kTestall, Way::kWaitany,
                                     Way::kTestany, Way::kWaitsome, Way::kTestsome, Way::kStatus};
#endif

enum class Send { kStandard, kSynchronous, kBuffered, kReady };
inline constexpr std::array kSends = {Send::kStandard, Send::kSynchronous, Send::kBuffered, Send::kReady};

// Whether a persistent request of MPI_PROC_NULL is complete only once, with the status that the standard requires (MPI
// 4.0, Section 3.10). In Open MPI 4.1 and MPICH 4.0 it is as if it were inactive.
#ifdef SMPI_H
inline constexpr bool kKnowsNoProcess = true;
#else
inline constexpr bool kKnowsNoProcess = false;
#endif

int value(int rank, int round, int i);

// In place, because requests know the addresses.
void fill(std::vector<int>& data, int rank, int round);

std::vector<int> message(int rank, int round, int length);

int count_of(const MPI_Status& status);

// 1 or 0.
int cancelled(const MPI_Status& status);

// Completes all requests in one way. The statuses, by request.
std::vector<MPI_Status> complete(Checks& t, Way way, std::vector<MPI_Request>& requests);

MPI_Request init_send(Checks& t, Send kind, const std::vector<int>& data, int to, int tag, MPI_Comm comm);

}  // namespace strata::mpix::testing
