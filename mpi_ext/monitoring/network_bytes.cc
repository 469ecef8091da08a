// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Get_network_bytes: the bytes that the node's network cards have sent and received (adapter/network_bytes.h).
#include "mpi_ext/adapter/network_bytes.h"

#include "mpi_ext/mpix.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

#ifdef MPI_ERR_UNSUPPORTED_OPERATION
constexpr int kNoCard = MPI_ERR_UNSUPPORTED_OPERATION;
#else
constexpr int kNoCard = MPI_ERR_OTHER;  // SMPI has no other error code
#endif

int get(unsigned long* sent, unsigned long* received) {
  const std::optional<CardBytes> card = network_bytes();
  if (!card) return kNoCard;
  if (sent != nullptr) *sent = static_cast<unsigned long>(card->sent);
  if (received != nullptr) *received = static_cast<unsigned long>(card->received);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace strata::mpix

extern "C" int MPIX_Get_network_bytes(unsigned long* sent, unsigned long* received) {
  using namespace strata::mpix;
  return guarded(MPI_COMM_SELF, [&] { return get(sent, received); });
}
