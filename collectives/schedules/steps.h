// SPDX-License-Identifier: LGPL-2.1-only
// The steps of one rank in a collective: the messages that it starts and waits for, its copies and its reductions. For
// example, rank 1 of a broadcast over a chain of 3, of 8 elements in segments of 4:
//
//   receive  from 0  output 0..3      request 0
//   receive  from 0  output 4..7      request 1
//   wait     for request 0
//   send     to 2    output 0..3      request 2
//   wait     for request 2
//   wait     for request 1
//   send     to 2    output 4..7      request 3
//   wait     for request 3
//
// Amounts are in elements of the call's datatype, or in bytes if a range says so. Which buffer they are in and where is
// part of a step, so a schedule can be run on values, by an MPI program, or for its time alone. Messages between two
// ranks do not overtake each other: the k-th that a rank sends to another is the k-th that the other starts to receive
// from it.
#pragma once

#include <cstdint>
#include <vector>

namespace strata::collectives {

enum class Buffer : std::uint8_t {
  kInput,   // the send buffer; with MPI_IN_PLACE, the place in the output where its data are
  kOutput,  // the receive buffer; a broadcast's only buffer
  kFirst,   // temporary ones
  kSecond,
  kThird,
  kFourth,
  kFifth,
};

/// `count` elements from `first` on. If `run` is not 0: runs of `run` elements whose beginnings are `stride` apart, the
/// last one as long as `count` says. If `wrap` is not 0: after element `wrap` - 1 comes element 0.
struct Range {
  Buffer in = Buffer::kOutput;
  std::int64_t first = 0, count = 0;
  std::int64_t run = 0, stride = 0, wrap = 0;
  bool is_bytes = false;  // the amounts are bytes, not elements

  /// Where the i-th element is.
  std::int64_t at(std::int64_t i) const {
    if (wrap != 0) return (first + i) % wrap;
    return run == 0 ? first + i : first + i / run * stride + i % run;
  }
  std::int64_t bytes(std::int64_t element_bytes) const { return is_bytes ? count : count * element_bytes; }
  bool operator==(const Range&) const = default;
};

struct Step {
  enum class Kind : std::uint8_t {
    kSend,             // of `from`, to `peer`: starts it
    kSynchronousSend,  // the same, complete only when its receive has begun
    kReceive,          // at most `to`, from `peer`: starts it
    kWait,             // for `request`
    kCopy,             // `from` to `to`
    kCombine,          // to = from op to: the left operand has the lower ranks, if the order matters
  };
  Kind kind = Kind::kWait;
  int peer = -1;
  int request = -1;  // counted from 0 in the order in which a rank starts them
  Range from = {}, to = {};

  bool operator==(const Step&) const = default;
};

/// The steps of one rank, in order.
class Steps {
 public:
  /// Each returns its request.
  int start_send(int to, const Range& data) { return start({Step::Kind::kSend, to, requests_, data, {}}); }
  int start_synchronous_send(int to, const Range& data) {
    return start({Step::Kind::kSynchronousSend, to, requests_, data, {}});
  }
  int start_receive(int from, const Range& into) { return start({Step::Kind::kReceive, from, requests_, {}, into}); }
  /// A negative request is complete.
  void wait(int request) {
    if (request >= 0) steps_.push_back({Step::Kind::kWait, -1, request, {}, {}});
  }

  void send(int to, const Range& data) { wait(start_send(to, data)); }
  void receive(int from, const Range& into) { wait(start_receive(from, into)); }
  /// The receive is started first, then the send is done, then the receive is waited for.
  void send_receive(int to, const Range& data, int from, const Range& into) {
    const int request = start_receive(from, into);
    send(to, data);
    wait(request);
  }

  void copy(const Range& from, const Range& to) {
    if (from.count > 0 && !(from == to)) steps_.push_back({Step::Kind::kCopy, -1, -1, from, to});
  }
  void combine(const Range& from, const Range& to) {
    if (from.count > 0) steps_.push_back({Step::Kind::kCombine, -1, -1, from, to});
  }

  /// Appends the steps of a part, whose ranges become what `moved(range)` returns.
  template <class Moved>
  void append(const Steps& part, const Moved& moved) {
    append(part, moved, [](int peer) { return peer; });
  }
  /// ... and whose peers are the ranks `rank_of(peer)`.
  template <class Moved, class RankOf>
  void append(const Steps& part, const Moved& moved, const RankOf& rank_of) {
    for (Step step : part.steps_) {
      if (step.request >= 0) step.request += requests_;
      if (step.peer >= 0) step.peer = rank_of(step.peer);
      step.from = moved(step.from);
      step.to = moved(step.to);
      steps_.push_back(step);
    }
    requests_ += part.requests_;
  }

  const std::vector<Step>& list() const { return steps_; }

 private:
  int start(const Step& step) {
    steps_.push_back(step);
    return requests_++;
  }

  std::vector<Step> steps_;
  int requests_ = 0;
};

}  // namespace strata::collectives
