// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes of files that a library starts and asks about later (POSIX aio), as MPI_File_iwrite does. A thread
// of the C library would do them in real time, while the rank waits in virtual time, where nothing happens: a deadlock.
// So they are done at once. aio_error, aio_return and aio_suspend of the C library read what is left in the request.
//
//   aio_write(&request)      writes, and leaves the number of bytes in the request
//   aio_error(&request)      0: done
//   aio_return(&request)     the number of bytes
#include <aio.h>
#include <unistd.h>

#include <cerrno>

#include "native/rank/exported.h"

namespace {

int perform(aiocb* request, auto&& operation) {
  auto* const bytes = static_cast<volatile char*>(request->aio_buf);
  std::size_t done = 0;
  request->__error_code = 0;
  while (done < request->aio_nbytes) {
    const ssize_t part = operation(request->aio_fildes, const_cast<char*>(bytes) + done, request->aio_nbytes - done,
                                   request->aio_offset + static_cast<off_t>(done));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0 && done == 0) request->__error_code = errno;
    if (part <= 0) break;
    done += static_cast<std::size_t>(part);
  }
  request->__return_value = request->__error_code == 0 ? static_cast<ssize_t>(done) : -1;
  return 0;
}

}  // namespace

STRATA_EXPORTED int aio_read(aiocb* request) { return perform(request, ::pread); }
STRATA_EXPORTED int aio_write(aiocb* request) { return perform(request, ::pwrite); }
// Where off_t has 64 bits, both are the same.
STRATA_EXPORTED int aio_read64(aiocb64* request) { return aio_read(reinterpret_cast<aiocb*>(request)); }
STRATA_EXPORTED int aio_write64(aiocb64* request) { return aio_write(reinterpret_cast<aiocb*>(request)); }
