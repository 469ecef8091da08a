// SPDX-License-Identifier: LGPL-2.1-only
// What Open MPI asks its launcher for while time is virtual, through libpmix: to start ranks, and to connect jobs.
// These functions are found instead of libpmix's, which do not return before others have done their part. A rank that
// waits in them would seem to compute, and time would stand still. So it first waits here, in virtual time, and only
// then calls libpmix's function, which returns at once:
//
//   rank 0:  PMIx_Fence({0, 1})    comes to the meeting of {0, 1}, and waits until rank 1 is there
//   rank 1:  PMIx_Fence({0, 1})    both continue, at the time at which rank 1 came
//
//   rank 0:  PMIx_Lookup("port")   is not there: waits until it is announced
//   rank 1:  PMIx_Publish("port")  takes its turn, so that names change in the order of time; announces it
//
// Open MPI exchanges in this way the members of two jobs that connect, and then their communicator's number.
#include <pmix.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/fnv.h"
#include "native/rank/exported.h"
#include "native/rank/launcher_functions.h"
#include "native/rank/life.h"
#include "native/rank/process.h"

namespace strata::native {
namespace {

std::uint64_t key_of_name(const char* name) { return fnv1a(std::string("name ") + name); }

// Whether the call is part of the run's virtual time. A rank that another one has started joins in order to connect.
bool in_virtual_time() {
  if (!attached() || board().is_virtual == 0) return false;
  begin_virtual_time();
  return is_virtual();
}

void wait_for_turn() { wait_for(Block::kTurn); }

std::uint32_t ranks_of_job(const char* job) {
  std::uint32_t ranks = 0;
  for (int r = 0; r < static_cast<int>(board().ranks); ++r) ranks += std::strcmp(board().slot(r).job, job) == 0 ? 1 : 0;
  return ranks;
}

// The processes of a call, sorted, each once. None: those of this rank's job.
std::vector<pmix_proc_t> participants(const pmix_proc_t* processes, std::size_t count) {
  std::vector<pmix_proc_t> all(processes, processes + (processes == nullptr ? 0 : count));
  if (all.empty()) {
    pmix_proc_t own = {};
    std::strncpy(own.nspace, slot().job, PMIX_MAX_NSLEN);
    own.rank = PMIX_RANK_WILDCARD;
    all.push_back(own);
  }
  std::sort(all.begin(), all.end(), [](const pmix_proc_t& a, const pmix_proc_t& b) {
    const int order = std::strcmp(a.nspace, b.nspace);
    return order != 0 ? order < 0 : a.rank < b.rank;
  });
  const auto end = std::unique(all.begin(), all.end(), [](const pmix_proc_t& a, const pmix_proc_t& b) {
    return std::strcmp(a.nspace, b.nspace) == 0 && a.rank == b.rank;
  });
  all.erase(end, all.end());
  return all;
}

void meet(const char* what, const std::vector<pmix_proc_t>& processes) {
  std::uint32_t count = 0;
  std::string text = what;
  for (const pmix_proc_t& p : processes) {
    text += ' ' + std::string(p.nspace) + ' ' + std::to_string(p.rank);
    count += p.rank == PMIX_RANK_WILDCARD ? ranks_of_job(p.nspace) : 1;
  }
  slot().key = fnv1a(text);
  slot().participants = count;
  wait_for(Block::kMeet);
}

using Collective = pmix_status_t(const pmix_proc_t*, std::size_t, const pmix_info_t*, std::size_t);

// All processes call it with the same ones.
pmix_status_t together(const char* name, const pmix_proc_t* processes, std::size_t count, const pmix_info_t* wishes,
                       std::size_t wish_count) {
  auto* const function = launcher_function<Collective>(name);
  if (!in_virtual_time()) return function(processes, count, wishes, wish_count);
  const std::vector<pmix_proc_t> all = participants(processes, count);
  meet(name, all);
  return function(all.data(), all.size(), wishes, wish_count);
}

}  // namespace
}  // namespace strata::native

using namespace strata::native;

// Not virtual in MPI_Init, where a rank that others have started has not joined yet.
STRATA_EXPORTED pmix_status_t PMIx_Fence(const pmix_proc_t* processes, std::size_t count, const pmix_info_t* wishes,
                                         std::size_t wish_count) {
  if (!attached() || !is_virtual())
    return launcher_function<Collective>("PMIx_Fence")(processes, count, wishes, wish_count);
  return together("PMIx_Fence", processes, count, wishes, wish_count);
}

STRATA_EXPORTED pmix_status_t PMIx_Connect(const pmix_proc_t* processes, std::size_t count, const pmix_info_t* wishes,
                                           std::size_t wish_count) {
  return together("PMIx_Connect", processes, count, wishes, wish_count);
}

STRATA_EXPORTED pmix_status_t PMIx_Disconnect(const pmix_proc_t* processes, std::size_t count,
                                              const pmix_info_t* wishes, std::size_t wish_count) {
  return together("PMIx_Disconnect", processes, count, wishes, wish_count);
}

STRATA_EXPORTED pmix_status_t PMIx_Publish(const pmix_info_t* infos, std::size_t count) {
  auto* const function = launcher_function<pmix_status_t(const pmix_info_t*, std::size_t)>("PMIx_Publish");
  if (!in_virtual_time()) return function(infos, count);
  wait_for_turn();
  const pmix_status_t status = function(infos, count);
  const Lock lock;
  for (std::size_t i = 0; i < count && status == PMIX_SUCCESS; ++i) {
    // Others are directives, such as pmix.range.
    if (std::strncmp(infos[i].key, "pmix", 4) == 0) continue;
    post({.kind = Kind::kAnnounce, .tag = key_of_name(infos[i].key)});
  }
  return status;
}

STRATA_EXPORTED pmix_status_t PMIx_Unpublish(char** names, const pmix_info_t* infos, std::size_t count) {
  auto* const function = launcher_function<pmix_status_t(char**, const pmix_info_t*, std::size_t)>("PMIx_Unpublish");
  if (in_virtual_time()) wait_for_turn();
  return function(names, infos, count);
}

STRATA_EXPORTED pmix_status_t PMIx_Lookup(pmix_pdata_t* data, std::size_t count, const pmix_info_t* infos,
                                          std::size_t info_count) {
  auto* const function =
      launcher_function<pmix_status_t(pmix_pdata_t*, std::size_t, const pmix_info_t*, std::size_t)>("PMIx_Lookup");
  if (!in_virtual_time() || count == 0) return function(data, count, infos, info_count);
  bool waits = false;
  std::vector<pmix_info_t> others;
  for (std::size_t i = 0; i < info_count; ++i) {
    const bool is_wait = std::strncmp(infos[i].key, PMIX_WAIT, PMIX_MAX_KEYLEN) == 0;
    const bool is_limit = std::strncmp(infos[i].key, PMIX_TIMEOUT, PMIX_MAX_KEYLEN) == 0;  // of real time
    waits = waits || is_wait;
    if (!is_wait && !is_limit) others.push_back(infos[i]);
  }
  for (;;) {
    wait_for_turn();
    const pmix_status_t status = function(data, count, others.empty() ? nullptr : others.data(), others.size());
    if (status != PMIX_ERR_NOT_FOUND || !waits) return status;
    slot().key = key_of_name(data[0].key);
    wait_for(Block::kAwait);
  }
}

STRATA_EXPORTED pmix_status_t PMIx_Spawn(const pmix_info_t* infos, std::size_t info_count, const pmix_app_t* programs,
                                         std::size_t count, char* job) {
  auto* const function =
      launcher_function<pmix_status_t(const pmix_info_t*, std::size_t, const pmix_app_t*, std::size_t, char*)>(
          "PMIx_Spawn");
  if (in_virtual_time()) wait_for_turn();
  return function(infos, info_count, programs, count, job);
}
