// SPDX-License-Identifier: LGPL-2.1-only
// Texts that a rank sends to be shown to the user. Open MPI reports errors that end a program through its launcher,
// which prints them; for example:
//
//   *** An error occurred in MPI_Send
//   *** MPI_ERR_RANK: invalid rank
//
// Open MPI 5 sends plain text. Open MPI 4.1 packs it: the name of a file of messages, a topic, a flag, the text; each
// string with its number (of how many), its length with the zero at the end, 4 bytes each, highest first.
#pragma once

#include <pmix_common.h>

#include <string>
#include <string_view>

namespace strata::native {

/// The text in what Open MPI 4.1 packs; empty: it is something else.
std::string packed_text(std::string_view bytes);

/// All texts of a request to log; empty: none is known.
std::string logged_text(const pmix_info_t* data, std::size_t count);

}  // namespace strata::native
