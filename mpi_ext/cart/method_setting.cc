// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/method_setting.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/context/attribute.h"
#include "mpi_ext/hierarchy/info.h"
#include "mpi_ext/hierarchy/member_data.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"

namespace strata::mpix {
namespace {

constexpr const char* kKey = "mpix_cart_method";

struct CartSettings {
  std::optional<CartMethod> method;
};

// The value in the environment; empty if it is not set.
std::string in_environment() {
  const char* value = std::getenv(words::kCartMethod);
  return value == nullptr ? "" : value;
}

// An unknown name, or an object that MPI rejects, is an error on all ranks.
std::optional<CartMethod> read(MPI_Info info, Agreement& agreement) {
  std::optional<CartMethod> method;
  try {
    const std::optional<std::string> name = info_value(info, kKey);
    if (!name) return std::nullopt;
    method = find_cart_method(*name);
  } catch (const ReportedByMpi&) {
  }
  if (!method) agreement.fail(MPI_ERR_INFO);
  return method;
}

}  // namespace

std::optional<CartMethod> method_for(MPI_Comm comm) {
  const CartSettings* settings = CommAttribute<CartSettings>::find(comm);
  if (settings != nullptr && settings->method) return settings->method;
  const std::string name = in_environment();
  return name.empty() ? CartMethod::kAuto : find_cart_method(name);
}

void report_unknown_method() {
  std::fprintf(stderr, "strata: %s: unknown method '%s'; give one of %s\n", words::kCartMethod,
               in_environment().c_str(), cart_method_list().c_str());
}

}  // namespace strata::mpix

extern "C" int MPIX_Comm_set_nodecart(MPI_Comm comm, MPI_Info info) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int) {
    Agreement agreement;
    const std::optional<CartMethod> method = read(info, agreement);
    const size_t said = agreement.add(method ? static_cast<int>(*method) : -1);
    agreement.reach(comm);
    check(agreement.error());
    if (!agreement.same(said)) check(MPI_ERR_INFO);
    CommAttribute<CartSettings>::set(comm, {method});
  });
}
