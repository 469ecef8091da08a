// SPDX-License-Identifier: LGPL-2.1-only
// An info object, freed at the end of its scope: Info("mpix_steps", "2"), Info().set("mpix_arity", "3").
#pragma once

#include <mpi.h>

#include <string>

namespace strata::mpix::testing {

class Info {
 public:
  Info() { MPI_Info_create(&info_); }
  Info(const char* key, const std::string& value) : Info() { set(key, value); }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  ~Info() { MPI_Info_free(&info_); }
  Info& set(const char* key, const std::string& value) {
    MPI_Info_set(info_, const_cast<char*>(key), const_cast<char*>(value.c_str()));
    return *this;
  }
  operator MPI_Info() const { return info_; }  // NOLINT: stands for the handle

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

}  // namespace strata::mpix::testing
