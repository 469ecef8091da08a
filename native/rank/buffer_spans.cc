// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/buffer_spans.h"

#include <sched.h>

#include <atomic>

#include "native/rank/process.h"
#include "records/exchange/buffer_reuse.h"

namespace strata::native {
namespace {

// The library's threads copy at the same time as others send. A use takes less than a microsecond.
class Reuse {
 public:
  Reuse() {
    while (busy_.test_and_set(std::memory_order_acquire)) ::sched_yield();
  }
  ~Reuse() { busy_.clear(std::memory_order_release); }
  Reuse(const Reuse&) = delete;
  Reuse& operator=(const Reuse&) = delete;

  BufferReuse* operator->() {
    static BufferReuse reuse;
    return &reuse;
  }

 private:
  static inline std::atomic_flag busy_;
};

bool matters() { return is_virtual() && board().goes_by_buffers != 0; }

}  // namespace

double span_of_message(const void* buffer, std::size_t bytes) { return matters() ? Reuse()->span(buffer, bytes) : 0; }

double span_of_work(const void* from, const void* to, std::size_t bytes) {
  return matters() ? Reuse()->span(from, to, bytes) : 0;
}

}  // namespace strata::native
