// SPDX-License-Identifier: LGPL-2.1-only
// Errors of the OTF2 library, which prints them by default.
#pragma once

#include <otf2/otf2.h>

#include <cstdarg>

namespace strata {

/// Keeps the library's errors, instead of printing them, while in scope. The first error is the cause of the others.
class Otf2Errors {
 public:
  Otf2Errors() : before_(OTF2_Error_RegisterCallback(&take, this)) {}
  ~Otf2Errors() { OTF2_Error_RegisterCallback(before_, nullptr); }
  Otf2Errors(const Otf2Errors&) = delete;
  Otf2Errors& operator=(const Otf2Errors&) = delete;

  /// OTF2_SUCCESS: no error so far.
  OTF2_ErrorCode first() const { return first_; }

 private:
  static OTF2_ErrorCode take(void* self, const char* /*file*/, std::uint64_t /*line*/, const char* /*function*/,
                             OTF2_ErrorCode code, const char* /*format*/, va_list /*values*/) {
    auto& first = static_cast<Otf2Errors*>(self)->first_;
    if (first == OTF2_SUCCESS && code != OTF2_WARNING && code != OTF2_DEPRECATED) first = code;
    return code;
  }

  OTF2_ErrorCode first_ = OTF2_SUCCESS;
  OTF2_ErrorCallback before_;
};

}  // namespace strata
