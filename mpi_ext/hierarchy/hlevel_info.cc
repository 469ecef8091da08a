// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/hierarchy/hlevel_info.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "mpi_ext/hierarchy/info.h"

namespace strata::mpix {
namespace {

constexpr const char* kType = "MPI_COMM_HLEVEL_TYPE";
constexpr const char* kNum = "MPI_COMM_HLEVEL_NUM";
constexpr const char* kRank = "MPI_COMM_HLEVEL_RANK";

// MPI_Info is a pointer in some implementations and an integer in others, so the attribute points to a separate handle.
int copy_info(MPI_Comm, int, void*, void* value, void* copy, int* flag) {
  MPI_Info* duplicate = new MPI_Info;
  const int error = MPI_Info_dup(*static_cast<MPI_Info*>(value), duplicate);
  *static_cast<void**>(copy) = duplicate;
  *flag = 1;
  return error;
}

int free_info(MPI_Comm, int, void* value, void*) {
  MPI_Info* info = static_cast<MPI_Info*>(value);
  const int error = MPI_Info_free(info);
  delete info;
  return error;
}

int keyval() {
  static std::mutex mutex;
  static int key = MPI_KEYVAL_INVALID;
  const std::lock_guard lock(mutex);
  if (key == MPI_KEYVAL_INVALID) MPI_Comm_create_keyval(copy_info, free_info, &key, nullptr);
  return key;
}

}  // namespace

int attach_hlevel_info(MPI_Comm comm, const HLevelInfo& info) {
  MPI_Info* attached = new MPI_Info;
  int error = MPI_Info_create(attached);
  if (error != MPI_SUCCESS) {
    delete attached;
    return error;
  }
  const auto set = [&](const char* key, std::string value) {
    value.resize(std::min<size_t>(value.size(), MPI_MAX_INFO_VAL - 1));
    if (error == MPI_SUCCESS) error = MPI_Info_set(*attached, const_cast<char*>(key), const_cast<char*>(value.c_str()));
  };
  set(kType, info.type);
  set(kNum, std::to_string(info.num_comms));
  set(kRank, std::to_string(info.index));
  if (error == MPI_SUCCESS) error = MPI_Comm_set_attr(comm, keyval(), attached);
  if (error != MPI_SUCCESS) {
    MPI_Info_free(attached);
    delete attached;
  }
  return error;
}

std::optional<HLevelInfo> hlevel_info(MPI_Comm comm) {
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, keyval(), &value, &found);
  if (found == 0) return std::nullopt;
  const MPI_Info info = *static_cast<MPI_Info*>(value);
  const auto get = [&](const char* key) { return info_value(info, key).value_or(""); };
  return HLevelInfo{get(kType), std::atoi(get(kNum).c_str()), std::atoi(get(kRank).c_str())};
}

}  // namespace strata::mpix
