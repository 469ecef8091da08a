// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/error.h"

namespace strata::fuzz {

InputFile::InputFile(const std::string& bytes) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
  if (descriptor_ < 0 || ::write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    std::perror("memfd");
    std::abort();
  }
}

InputFile::~InputFile() { ::close(descriptor_); }

}  // namespace strata::fuzz

/// The entry point of libFuzzer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    strata::fuzz::read_input(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const strata::InputError&) {  // refused, as it should be
  } catch (const std::exception& e) {
    std::fprintf(stderr, "an exception that the command reports as an internal error: %s\n", e.what());
    std::abort();
  }
  return 0;
}
