// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/adapter/polling.h"

namespace strata::mpix {

Polling::Polling(std::size_t) {}
Polling::~Polling() = default;
void Polling::found() {}

}  // namespace strata::mpix
