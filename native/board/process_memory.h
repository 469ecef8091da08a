// SPDX-License-Identifier: LGPL-2.1-only
// Copies between this process and the memory of another one of the same user, without its help:
//
//   read_memory(pid, address, buffer, 8)
//
// The kernel allows it to a parent, and to others if the process has said so (PR_SET_PTRACER) and no container forbids
// it.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdint>

namespace strata::native {

namespace process_memory {

using Copy = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

inline bool copy(Copy direction, pid_t pid, char* here, std::uint64_t there, std::uint64_t bytes) {
  while (bytes > 0) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the other process
    const iovec ours = {here, bytes}, theirs = {reinterpret_cast<void*>(there), bytes};
    const ssize_t done = direction(pid, &ours, 1, &theirs, 1, 0);
    if (done <= 0) return false;
    here += done;
    there += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::uint64_t>(done);
  }
  return true;
}

}  // namespace process_memory

/// Both return false, with errno, if the memory cannot be accessed.
inline bool read_memory(pid_t pid, std::uint64_t there, void* into, std::uint64_t bytes) {
  return process_memory::copy(::process_vm_readv, pid, static_cast<char*>(into), there, bytes);
}
inline bool write_memory(pid_t pid, std::uint64_t there, void* from, std::uint64_t bytes) {
  return process_memory::copy(::process_vm_writev, pid, static_cast<char*>(from), there, bytes);
}

/// The remedy for a value of errno; empty if none is known.
inline const char* memory_remedy(int error) {
  return error == EPERM ? "; a container must allow it: docker run --cap-add=SYS_PTRACE" : "";
}

}  // namespace strata::native
