// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/library_work.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "native/rank/buffer_spans.h"
#include "native/rank/call_entries.h"
#include "native/rank/process.h"

namespace strata::native {
namespace {

// B. A core does so much in about the time of a message's overhead, which is less than a process switch takes here.
constexpr std::size_t kShort = 4096;

struct Work {
  Kind kind;
  std::size_t bytes;
  double span;  // the largest of its parts, B
};
// In their order. Copies and combinations alternate, because those of one kind that follow each other are one. Without
// room for another, the last one of its kind gets its bytes.
constexpr int kPlaces = 16;
thread_local std::array<Work, kPlaces> noted;
thread_local int count = 0;

void charge(const Work& work) {
  {
    const Lock lock;
    const double each_s = work.kind == Kind::kCopy ? board().copy_s : board().combine_s;
    if (work.bytes < kShort) return compute(static_cast<double>(work.bytes) * each_s);
    post({.kind = work.kind, .bytes = work.bytes, .source_span = work.span});
  }
  if (board().shares_memory != 0) wait_for(Block::kWork);
}

}  // namespace

void note_work(Kind kind, std::size_t bytes, const void* from, const void* to) {
  if (bytes == 0 || current_function() < 0 || !is_virtual()) return;
  const double span = span_of_work(from, to, bytes);
  const bool is_another = count == 0 || noted[count - 1].kind != kind;
  if (is_another && count < kPlaces) {
    noted[count++] = {kind, bytes, span};
  } else {
    Work& known = noted[is_another ? count - 2 : count - 1];
    known.bytes += bytes;
    known.span = std::max(known.span, span);
  }
}

void charge_work() {
  if (count == 0) return;
  const std::array<Work, kPlaces> works = noted;
  const int end = count;
  count = 0;
  for (int i = 0; i < end && is_virtual(); ++i) charge(works[i]);
}

void replace_address(void** place, void* address) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(place);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the beginning of its page
  auto* const pages = reinterpret_cast<void*>(at / page * page);
  if (::mprotect(pages, page, PROT_READ | PROT_WRITE) == 0) *place = address;
}

}  // namespace strata::native
