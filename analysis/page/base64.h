// SPDX-License-Identifier: LGPL-2.1-only
// Encodes bytes as text (RFC 4648, Section 4) for the browser's atob().
#pragma once

#include <string>
#include <string_view>

namespace strata::analysis {

std::string base64(std::string_view bytes);

}  // namespace strata::analysis
