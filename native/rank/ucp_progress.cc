// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/ucp_progress.h"

#include "native/rank/active_messages.h"
#include "native/rank/awaited_requests.h"
#include "native/rank/call_entries.h"
#include "native/rank/exported.h"
#include "native/rank/library_work.h"
#include "native/rank/process.h"
#include "native/rank/receives.h"
#include "native/rank/ucp_one_sided.h"
#include "native/rank/worker.h"

namespace strata::native {
namespace {

// A library's progress function also advances its own schedules, such as those of nonblocking collectives, which may
// need several passes before they send again. An empty pass takes well below a microsecond of this computer's time.
constexpr int kIdlePasses = 10;
// Tests that follow each other without success become rarer: up to a thousand times the cost of one. The arrival of a
// message always ends a wait at once, so this changes how often a rank looks, and not when it sees a message.
constexpr int kLongestPoll = 10;

// A function that looks once now and then, as MPICH's MPI_Win_flush_all without messages under way, does not wait. But
// a program that calls such functions until another rank does something needs time to pass.
constexpr int kIdlePassesOfManyCalls = 1000;

int idle_passes = 0;
int polls_in_a_row = 0;

// Empty passes of this thread in its present call, with this one.
int passes_in_call() {
  thread_local long call = 0;
  thread_local int passes = 0;
  if (call != calls_so_far()) passes = 0;
  call = calls_so_far();
  return ++passes;
}

void take(const Message& m) {
  switch (m.kind) {
    case Kind::kEager:
    case Kind::kOffer:
      return take_tagged(worker_by_number(m.worker), m);
    case Kind::kFetched:
      return take_fetched(m);
    case Kind::kTaken:
      return complete(request_of(m.sending), UCS_OK);
    case Kind::kActive:
      return take_active(worker_by_number(m.worker), m);
    case Kind::kDone:
      return take_done(m);
    default:
      fail("message of kind %u", static_cast<unsigned>(m.kind));
  }
}

unsigned take_all() {
  unsigned taken = 0;
  for (Ring& delivered = slot().delivered; !delivered.empty(); ++taken) {
    const Message m = delivered.take();  // a callback may block, and so fill the ring again
    take(m);
  }
  return taken;
}

double next_poll_s() {
  const int doublings = polls_in_a_row < 4 ? 0 : (polls_in_a_row - 4) / 2;
  ++polls_in_a_row;
  return board().poll_cost_s * static_cast<double>(1 << (doublings < kLongestPoll ? doublings : kLongestPoll));
}

}  // namespace

unsigned take_messages() {
  const Lock lock;
  const unsigned taken = take_all();
  if (taken > 0) something_happens();
  return taken;
}

void something_happens() { idle_passes = polls_in_a_row = 0; }

void poll() {
  double seconds = 0;
  {
    const Lock lock;
    seconds = next_poll_s();
  }
  wait_for(Block::kPoll, seconds);
  const Lock lock;
  if (take_all() > 0) something_happens();
}

unsigned progress() {
  charge_work();
  Block block = Block::kMessage;
  double seconds = 0;
  Needed needed;
  {
    const Lock lock;
    if (const unsigned taken = take_all(); taken > 0) {
      something_happens();
      return taken;
    }
    const bool tests = is_virtual() && nature_of(current_function()) == Nature::kTests;
    const bool waits = passes_in_call() >= kIdlePasses;
    if (!tests && ++idle_passes < (waits ? kIdlePasses : kIdlePassesOfManyCalls)) return 0;
    idle_passes = 0;
    if (!is_virtual()) {
      block = Block::kReal;
    } else if (tests) {
      block = Block::kPoll;
      seconds = next_poll_s();
    } else if (!waits) {
      block = Block::kPoll;
      seconds = board().poll_cost_s;
    } else {
      needed = messages_needed();
    }
  }
  wait_for(block, seconds, needed);
  return take_messages();
}

}  // namespace strata::native

STRATA_UCP unsigned ucp_worker_progress(ucp_worker_h) {
  return strata::native::attached() ? strata::native::progress() : 0;
}
