// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/recording.h"

#include <cstdint>
#include <cstring>

#include "native/board/arena.h"
#include "native/board/function_names.h"
#include "records/trace/program_hash.h"

namespace strata::native {
namespace {

using Step = TraceStep;

[[noreturn]] void rethrow(const OutputError& e) { throw OutputError(e); }

// The recorder knows requests and messages by addresses, which it does not follow. Those of a rank's requests are below
// 2^47, and other ranks have the same ones.
const void* request_key(int rank, std::uint64_t number) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number
  return reinterpret_cast<const void*>(number ^ static_cast<std::uint64_t>(rank) << 47);
}
const void* message_key(std::int64_t number) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number
  return reinterpret_cast<const void*>(static_cast<std::uint64_t>(number) + 1);
}

}  // namespace

Recording::Recording(Board& board, const std::string& program, const std::string& library, const Machine& machine,
                     const std::vector<int>& cores, const std::filesystem::path& file, bool measured)
    : board_(board),
      core_speed_(machine.core_speed.si),
      measured_(measured),
      finishes_(cores.size()),
      recorder_(program, machine.name, function_names(), cores, file, rethrow) {
  recorder_.set_native();
  recorder_.set_library(library);
}

void Recording::compute(int rank, double seconds) {
  if (seconds <= 0) return;
  if (measured_) {
    recorder_.add(rank, {.kind = Step::Kind::kExecute, .amount = seconds * core_speed_});
  } else {
    recorder_.add(rank, {.kind = Step::Kind::kSeconds, .amount = seconds});
  }
}

void Recording::send(int rank, const Message& m) {
  const bool offered = m.kind == Kind::kOffer, blocking = (m.flags & kBlocking) != 0;
  unsigned modes = blocking ? 0 : Step::kImmediate;
  if ((m.flags & kSynchronous) != 0) modes |= Step::kSynchronous;
  // An eager send has no request; its address is not that of another.
  const std::uint64_t odd = static_cast<std::uint64_t>(m.number) * 2 + 1;
  const void* const key = request_key(rank, offered ? m.sending : odd);
  recorder_.send(rank, key, m.peer, mpi_tag(board_.slots[rank].tags, m.tag), 0, static_cast<double>(m.bytes), modes,
                 m.source_span);
  recorder_.sent(key, message_key(m.number));
  if (offered) return;
  if (blocking) recorder_.wait(rank, key, 0);
  recorder_.forget(key);
}

void Recording::collective(int rank, const Message& m) {
  std::vector<int> members(m.tag);
  std::memcpy(members.data(), board_.at(m.data), m.tag * sizeof(int));
  return_block(board_, rank, m.data);
  recorder_.collective(m.function, members, static_cast<std::int64_t>(m.bytes));
}

void Recording::posted(int rank, const Message& m) {
  compute(rank, m.busy_s);
  const MessageTags tags = board_.slots[rank].tags;
  switch (m.kind) {
    case Kind::kEnter:
      return recorder_.enter(rank, m.function);
    case Kind::kLeave:
      return recorder_.enter(rank, -1);
    case Kind::kEager:
    case Kind::kOffer:
      return send(rank, m);
    case Kind::kReceive:
      return recorder_.receive(rank, request_key(rank, m.receiving), -1, mpi_tag(tags, m.tag), 0,
                               static_cast<double>(m.bytes), is_wildcard(tags, m.remote) ? Step::kWildcard : 0U,
                               m.destination_span);
    case Kind::kMatched:
      return recorder_.received_by(request_key(rank, m.receiving), message_key(m.number));
    case Kind::kWaited:
      return recorder_.wait(rank, request_key(rank, m.sending), (m.flags & kTested) != 0 ? Step::kChosen : 0U);
    case Kind::kCollective:
      return collective(rank, m);
    case Kind::kCopy:
      return recorder_.add(rank,
                           {.kind = Step::Kind::kCopy, .amount = static_cast<double>(m.bytes), .moved = m.source_span});
    case Kind::kCombine:
      return recorder_.add(
          rank, {.kind = Step::Kind::kCombine, .amount = static_cast<double>(m.bytes), .moved = m.source_span});
    case Kind::kActive:
    case Kind::kPut:
    case Kind::kGet:
    case Kind::kAtomic:
      if (function(rank) >= 0) recorder_.not_recorded(function(rank));
      return;
    default:
      return;
  }
}

void Recording::blocked(int rank, const Wait& wait) {
  compute(rank, wait.busy_s);
  switch (wait.block) {
    case Block::kSleep:
      return recorder_.add(rank, {.kind = Step::Kind::kSleep, .amount = wait.seconds});
    case Block::kPoll:
      if (function(rank) >= 0) recorder_.doubt(function(rank));
      return;
    case Block::kFinish:
      if (finishes_[rank]) return;  // it has taken a message in between
      finishes_[rank] = true;
      recorder_.come(rank, this);
      if (++finishing_ == static_cast<int>(board_.ranks)) recorder_.all_there(this);
      return;
    default:
      return;
  }
}

void Recording::write(const std::filesystem::path& program, const std::string& packed_machine) {
  recorder_.write(program_hash(program), packed_machine);
}

}  // namespace strata::native
