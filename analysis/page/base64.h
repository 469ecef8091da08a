// SPDX-License-Identifier: LGPL-2.1-only
// Bytes as text (RFC 4648, Section 4): what atob() of a browser reads.
#pragma once

#include <string>
#include <string_view>

namespace strata::analysis {

std::string base64(std::string_view bytes);

}  // namespace strata::analysis
