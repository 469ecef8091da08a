// SPDX-License-Identifier: LGPL-2.1-only
// The description of a job that a PMIx server gives its ranks, in PMIx's keys. For example PMIX_JOB_SIZE is 8, and the
// array PMIX_NODE_INFO_ARRAY of node1 has PMIX_LOCAL_PEERS "3,4".
#pragma once

#include <pmix.h>
#include <pmix_server.h>

#include <filesystem>
#include <string>

#include "native/launch/places.h"

namespace strata::native {

/// Pairs of a key and a value, of which libpmix keeps copies.
class PmixInfos {
 public:
  PmixInfos() : list_(PMIx_Info_list_start()) {}
  ~PmixInfos() { PMIx_Info_list_release(list_); }
  PmixInfos(const PmixInfos&) = delete;
  PmixInfos& operator=(const PmixInfos&) = delete;

  void add(const char* key, const std::string& text) { add(key, text.c_str(), PMIX_STRING); }
  void add(const char* key, bool value) { add(key, &value, PMIX_BOOL); }
  void add_uint32(const char* key, uint32_t value) { add(key, &value, PMIX_UINT32); }
  void add_uint16(const char* key, uint16_t value) { add(key, &value, PMIX_UINT16); }
  void add_rank(const char* key, int rank);
  /// The process that has started the job.
  void add_parent(const pmix_proc_t& parent);
  void add_array(const char* key, const PmixInfos& infos);
  /// A copy, which the caller destructs with PMIX_DATA_ARRAY_DESTRUCT. Throws std::runtime_error.
  pmix_data_array_t array() const;

 private:
  /// Throws std::runtime_error.
  void add(const char* key, const void* value, pmix_data_type_t type);

  void* list_;
};

/// Throws std::runtime_error with libpmix's reason for a refusal; `what` was tried.
void check_pmix(pmix_status_t status, const std::string& what);

/// Adds what a job's ranks may ask for. `scratch` is for files of Open MPI.
void describe_job(PmixInfos& infos, const Places& places, const std::string& job, const std::filesystem::path& scratch);

}  // namespace strata::native
