// SPDX-License-Identifier: LGPL-2.1-only
// Contexts, workers and endpoints: what a library makes once, in MPI_Init.
#include "native/rank/worker.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "native/rank/exported.h"
#include "native/rank/mpich_addresses.h"
#include "native/rank/process.h"

namespace strata::native {
namespace {

// The version of the interface that these functions have.
constexpr unsigned kMajor = 1, kMinor = 13, kRelease = 1;

std::vector<std::unique_ptr<Worker>>& workers() {
  // Never destroyed: requests under way point to it until the process ends.
  static auto& all = *new std::vector<std::unique_ptr<Worker>>;
  return all;
}

ucp_address_t* address_of(const Worker& w) {
  return reinterpret_cast<ucp_address_t*>(new WorkerAddress{.rank = my_rank(), .worker = w.number});
}

}  // namespace

Worker& worker_by_number(std::uint32_t number) {
  if (number >= workers().size()) fail("a message for UCP's worker %u, which does not exist", number);
  return *workers()[number];
}

Endpoint& Worker::endpoint(int rank, std::uint32_t to_worker) {
  std::unique_ptr<Endpoint>& e = endpoints[{rank, to_worker}];
  if (e == nullptr) e = std::make_unique<Endpoint>(Endpoint{this, rank, to_worker});
  return *e;
}

}  // namespace strata::native

using namespace strata::native;

STRATA_UCP void ucp_get_version(unsigned* major, unsigned* minor, unsigned* release) {
  *major = kMajor;
  *minor = kMinor;
  *release = kRelease;
}

STRATA_UCP const char* ucp_get_version_string() { return "1.13.1"; }

STRATA_UCP ucs_status_t ucp_config_read(const char*, const char*, ucp_config_t** config) {
  *config = reinterpret_cast<ucp_config_t*>(std::calloc(1, 1));
  return UCS_OK;
}

STRATA_UCP ucs_status_t ucp_config_modify(ucp_config_t*, const char*, const char*) { return UCS_OK; }
STRATA_UCP void ucp_config_release(ucp_config_t* config) { std::free(config); }

STRATA_UCP ucs_status_t ucp_init_version(unsigned, unsigned, const ucp_params_t* parameters, const ucp_config_t*,
                                         ucp_context_h* context) {
  if (!attached()) return UCS_ERR_NO_DEVICE;
  const Lock lock;
  claim();
  auto* const c = new Context;
  if ((parameters->field_mask & UCP_PARAM_FIELD_REQUEST_SIZE) != 0) c->request_bytes = parameters->request_size;
  if ((parameters->field_mask & UCP_PARAM_FIELD_REQUEST_INIT) != 0) c->initialize = parameters->request_init;
  *context = reinterpret_cast<ucp_context_h>(c);
  return UCS_OK;
}

STRATA_UCP void ucp_cleanup(ucp_context_h) {}  // requests may still be in use

STRATA_UCP ucs_status_t ucp_context_query(ucp_context_h, ucp_context_attr_t* attributes) {
  if ((attributes->field_mask & UCP_ATTR_FIELD_REQUEST_SIZE) != 0) attributes->request_size = sizeof(Request);
  if ((attributes->field_mask & UCP_ATTR_FIELD_THREAD_MODE) != 0) attributes->thread_mode = UCS_THREAD_MODE_SERIALIZED;
  if ((attributes->field_mask & UCP_ATTR_FIELD_MEMORY_TYPES) != 0)
    attributes->memory_types = UCS_BIT(UCS_MEMORY_TYPE_HOST);
  return UCS_OK;
}

// pml/ucx looks here for a device that it knows, unless it may take any.
STRATA_UCP void ucp_context_print_info(ucp_context_h, FILE* out) {
  std::fputs("#\n# resource 0  :  md 0  dev 0  flags -- strata/simulated:1\n", out);
}

STRATA_UCP ucs_status_t ucp_worker_create(ucp_context_h context, const ucp_worker_params_t* parameters,
                                          ucp_worker_h* worker) {
  const Lock lock;
  auto w = std::make_unique<Worker>();
  w->context = reinterpret_cast<Context*>(context);
  w->number = static_cast<std::uint32_t>(workers().size());
  if ((parameters->field_mask & UCP_WORKER_PARAM_FIELD_THREAD_MODE) != 0) w->threads = parameters->thread_mode;
  *worker = reinterpret_cast<ucp_worker_h>(w.get());
  workers().push_back(std::move(w));
  return UCS_OK;
}

STRATA_UCP void ucp_worker_destroy(ucp_worker_h) {}  // its number remains taken

STRATA_UCP ucs_status_t ucp_worker_query(ucp_worker_h worker, ucp_worker_attr_t* attributes) {
  const Worker& w = worker_of(worker);
  if ((attributes->field_mask & UCP_WORKER_ATTR_FIELD_THREAD_MODE) != 0) attributes->thread_mode = w.threads;
  if ((attributes->field_mask & UCP_WORKER_ATTR_FIELD_ADDRESS) != 0) {
    attributes->address = address_of(w);
    attributes->address_length = sizeof(WorkerAddress);
  }
  if ((attributes->field_mask & UCP_WORKER_ATTR_FIELD_MAX_AM_HEADER) != 0) attributes->max_am_header = 4096;
  return UCS_OK;
}

STRATA_UCP ucs_status_t ucp_worker_get_address(ucp_worker_h worker, ucp_address_t** address, size_t* length) {
  *address = address_of(worker_of(worker));
  *length = sizeof(WorkerAddress);
  return UCS_OK;
}

STRATA_UCP void ucp_worker_release_address(ucp_worker_h, ucp_address_t* address) {
  delete reinterpret_cast<WorkerAddress*>(address);
}

STRATA_UCP ucs_status_t ucp_ep_create(ucp_worker_h worker, const ucp_ep_params_t* parameters, ucp_ep_h* endpoint) {
  const Lock lock;
  const auto* const address = reinterpret_cast<const WorkerAddress*>(parameters->address);
  if (address == nullptr || address->mark != WorkerAddress::kMark || address->rank < 0 ||
      address->rank >= static_cast<int>(board().ranks))
    return UCS_ERR_INVALID_ADDR;
  *endpoint = handle_of(worker_of(worker).endpoint(address->rank, address->worker));
  if (worker_of(worker).number == 0 && address->worker == 0) remember_handle(address->rank, endpoint);
  return UCS_OK;
}

// Endpoints live as long as their worker: messages under way may need them for replies.
STRATA_UCP void ucp_ep_destroy(ucp_ep_h) {}
STRATA_UCP ucs_status_ptr_t ucp_disconnect_nb(ucp_ep_h) { return nullptr; }
STRATA_UCP ucs_status_ptr_t ucp_ep_close_nb(ucp_ep_h, unsigned) { return nullptr; }
STRATA_UCP ucs_status_ptr_t ucp_ep_close_nbx(ucp_ep_h, const ucp_request_param_t*) { return nullptr; }
STRATA_UCP ucs_status_t ucp_ep_query(ucp_ep_h, ucp_ep_attr_t*) { return UCS_ERR_UNSUPPORTED; }
STRATA_UCP void ucp_ep_print_info(ucp_ep_h, FILE*) {}
STRATA_UCP void ucp_worker_print_info(ucp_worker_h, FILE*) {}
