// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/rounds_engine.h"

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/core_activities.h"
#include "mpi_ext/adapter/polling.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/data_bytes.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

using Kind = Action::Kind;

void copy_here(const Action& a, const Buffers& buffers) {
  const Block &from = buffers.block(a.from), &to = buffers.block(a.to);
  for (int i = 0; i < a.from.blocks; ++i) {
    copy_block(from.at(buffers.at(a.from), i), from, to.at(buffers.at(a.to), i), to);
  }
  charge_copy(a.from.blocks * data_bytes(from.count, from.datatype));
}

void combine_here(const Action& a, const Buffers& buffers) {
  const Block& block = buffers.block(a.to);
  combine(buffers.at(a.from), buffers.at(a.to), block.count, block.datatype, buffers.op());
}

}  // namespace

Engine::InFlight::InFlight(Message::Way way, const Action& action, const BlockRange& place, const Buffers& buffers,
                           const Operation& op, Lane& lane)
    : blocks(place.blocks, buffers.block(place)),
      message(way,
              {.buffer = buffers.at(place),
               .count = blocks.count(),
               .datatype = blocks.datatype(),
               .peer = op.team->lane_rank(action.peer),
               .tag = op.tag},
              lane) {}

bool Engine::is_mine(const Operation& op) const {
  if (op.finished()) return false;
  const bool for_thread = op.current().on_thread && op.team->has_thread();
  return for_thread == (thread_lane_ != nullptr);
}

void Engine::take(Operation& op) {
  running_.push_back({.operation = &op});
  resume(std::prev(running_.end()));
}

void Engine::resume(Runs::iterator run) {
  Operation& op = *run->operation;
  try {
    while (run->messages.empty() && is_mine(op)) {
      if (run->round < op.current().rounds.size()) {
        begin_round(*run);
      } else {
        run->round = 0;
        op.part_done();
      }
    }
  } catch (...) {
    op.fail(caught_error());
    run->messages.clear();
  }
  if (!run->messages.empty()) return;
  running_.erase(run);
  leave_(op);
}

void Engine::begin_round(Running& run) {
  const Operation& op = *run.operation;
  const Buffers& buffers = *op.current().buffers;
  const Round& round = op.current().rounds[run.round++];
  Lane& lane = thread_lane_ != nullptr ? *thread_lane_ : op.team->lane();
  // Receives first, because a message may arrive before the next action.
  for (const Action& a : round) {
    if (a.kind == Kind::kReceive) run.messages.emplace_back(Message::Way::kReceive, a, a.to, buffers, op, lane);
  }
  for (const Action& a : round) {
    if (a.kind == Kind::kSend) run.messages.emplace_back(Message::Way::kSend, a, a.from, buffers, op, lane);
  }
  for (const Action& a : round) {
    if (a.kind == Kind::kCombine) combine_here(a, buffers);
    if (a.kind == Kind::kCopy) copy_here(a, buffers);
  }
  run.messages.remove_if([](const InFlight& m) { return m.message.done(); });
}

std::vector<MPI_Request> Engine::gather(std::vector<Pending>& pending) {
  std::vector<MPI_Request> requests;
  for (auto run = running_.begin(); run != running_.end(); ++run) {
    for (auto message = run->messages.begin(); message != run->messages.end(); ++message) {
      requests.push_back(message->message.pending());
      pending.push_back({run, message});
    }
  }
  return requests;
}

Event Engine::handle(const Event& event, const std::vector<Pending>& pending) {
  if (event.what != Event::What::kRequest) return event;
  const auto [run, message] = pending[event.request];
  try {
    message->message.advance(event.error);
    if (message->message.done()) run->messages.erase(message);
  } catch (...) {
    run->operation->fail(caught_error());
    run->messages.clear();
  }
  resume(run);
  return event;
}

Event Engine::wait(Line& line, std::unique_lock<std::mutex>& lock) {
  std::vector<Pending> pending;
  std::vector<MPI_Request> requests = gather(pending);
  const double start = MPI_Wtime();
  if (thread_lane_ != nullptr) {
    Polling polling(requests.size());
    const Event event = line.wait(requests, lock);
    if (event.what == Event::What::kRequest) polling.found();
    return handle(event, pending);
  }
  const Event event = line.wait(requests, lock);
  record(Doing::kWaiting, start);
  return handle(event, pending);
}

Event Engine::test(Line& line) {
  std::vector<Pending> pending;
  std::vector<MPI_Request> requests = gather(pending);
  return handle(line.test(requests), pending);
}

void run_progress_thread(MPI_Comm comm, Line& line) {
  Lane lane(comm);
  Engine engine(lane, [&](Operation& op) { line.post(&op); });
  std::unique_lock<std::mutex> nothing;
  for (;;) {
    const Event event = engine.wait(line, nothing);
    if (event.what != Event::What::kPointer) continue;
    if (event.pointer == nullptr) return;
    engine.take(*static_cast<Operation*>(event.pointer));
  }
}

}  // namespace strata::mpix
