// SPDX-License-Identifier: LGPL-2.1-only
// Error classes, codes and strings that a program adds (MPI 4.0, Section 9.5). SMPI's functions warn, do nothing and
// return MPI_SUCCESS, so the program goes on with classes that do not exist. Each rank has its own, as processes do.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <simgrid/s4u/Actor.hpp>
#include <string>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

struct Added {
  std::map<int, int> class_of;  // of codes and classes above MPI_ERR_LASTCODE
  std::map<int, std::string> text;
  int last = MPI_ERR_LASTCODE;  // the attribute MPI_LASTUSEDCODE points to it

  int add(int error_class) {
    class_of.emplace(++last, error_class);
    return last;
  }
};

Added& added() {
  static auto& all = *new std::map<aid_t, Added>;
  return all[simgrid::s4u::this_actor::get_pid()];
}

bool is_class(int number) {
  if (number <= MPI_ERR_LASTCODE) return number >= MPI_SUCCESS;
  const auto at = added().class_of.find(number);
  return at != added().class_of.end() && at->second == number;
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Add_error_class(int* errorclass) {
  if (errorclass == nullptr) return MPI_ERR_ARG;
  *errorclass = added().last + 1;
  added().add(*errorclass);
  return MPI_SUCCESS;
}

int PMPI_Add_error_code(int errorclass, int* errorcode) {
  if (errorcode == nullptr || !is_class(errorclass)) return MPI_ERR_ARG;
  *errorcode = added().add(errorclass);
  return MPI_SUCCESS;
}

int PMPI_Add_error_string(int errorcode, char* string) {
  if (string == nullptr || !added().class_of.contains(errorcode)) return MPI_ERR_ARG;
  added().text.insert_or_assign(errorcode, std::string(string).substr(0, MPI_MAX_ERROR_STRING - 1));
  return MPI_SUCCESS;
}

int PMPI_Error_class(int errorcode, int* errorclass) {
  if (errorclass == nullptr) return MPI_ERR_ARG;
  const auto at = added().class_of.find(errorcode);
  if (at == added().class_of.end()) return STRATA_BEHIND(Error_class)(errorcode, errorclass);
  *errorclass = at->second;
  return MPI_SUCCESS;
}

// A code without a text has the empty one.
int PMPI_Error_string(int errorcode, char* string, int* resultlen) {
  if (string == nullptr || resultlen == nullptr) return MPI_ERR_ARG;
  if (!added().class_of.contains(errorcode)) return STRATA_BEHIND(Error_string)(errorcode, string, resultlen);
  const auto at = added().text.find(errorcode);
  const std::string text = at == added().text.end() ? std::string() : at->second;
  std::memcpy(string, text.c_str(), text.size() + 1);
  *resultlen = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

// SMPI's MPI_Comm_get_attr calls it.
int PMPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag) {
  if (keyval != MPI_LASTUSEDCODE || comm == MPI_COMM_NULL || value == nullptr || flag == nullptr)
    return STRATA_BEHIND(Attr_get)(comm, keyval, value, flag);
  *static_cast<int**>(value) = &added().last;
  *flag = 1;
  return MPI_SUCCESS;
}
}
