// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file.
#pragma once

#include "tests/mpi_ext/tap/session.h"

namespace strata::mpix::testing {

void check_sends(Session& s);
void check_intercommunicator(Session& s);
void check_one_sided(Session& s);
void check_collectives(Session& s);
void check_decomposed(Checks& t, Session& s);
void check_messages_of_collectives(Checks& t, Session& s);

}  // namespace strata::mpix::testing
