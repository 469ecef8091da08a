// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/tap/collective_charge.h"

namespace strata::mpix {

InCollective::InCollective() = default;
InCollective::~InCollective() = default;

}  // namespace strata::mpix
