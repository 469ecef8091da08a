// SPDX-License-Identifier: LGPL-2.1-only
// Runs the schedules of all ranks on values, to see what a collective computes. For example, after an allreduce of 3
// ranks every element is {0, 1, 2}: the ranks whose data were combined, in the order of the operands.
//
// A send is complete when its receive has started, so schedules that need buffers end in a deadlock. Data arrive when
// a rank waits for them; before that they are unknown. A buffer that changes while it is being sent is a mistake.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

struct Value {
  std::int64_t index = -1;      // of the element in the input; -1: unknown
  std::vector<int> ranks = {};  // whose element it is, or whose elements were combined
  bool operator==(const Value&) const = default;
};

using Memory = std::vector<Value>;

class OnValues {
 public:
  /// `elements`: of each buffer.
  OnValues(int ranks, std::int64_t elements) : ranks_(ranks) {
    for (Rank& r : ranks_) {
      for (Memory& m : r.memory) m.resize(elements);
    }
  }

  Memory& memory(int rank, Buffer buffer) { return ranks_[rank].memory[static_cast<int>(buffer)]; }

  /// MPI_IN_PLACE: the input of a rank is in its output, from this element on.
  void put_in_place(int rank, std::int64_t first) { ranks_[rank].input_in_output = first; }

  /// Returns what is wrong; empty: nothing.
  std::string run(const std::vector<std::vector<Step>>& schedule) {
    for (bool moved = true; moved;) {
      moved = false;
      for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
        while (wrong_.empty() && ranks_[r].next < schedule[r].size() && step(r, schedule[r][ranks_[r].next])) {
          ++ranks_[r].next;
          moved = true;
        }
      }
    }
    for (std::size_t r = 0; r < ranks_.size() && wrong_.empty(); ++r) {
      if (ranks_[r].next < schedule[r].size()) return "rank " + std::to_string(r) + " waits for ever";
      for (const Request& request : ranks_[r].requests) {
        if (!request.awaited) wrong_ = "rank " + std::to_string(r) + " does not wait for a request";
      }
    }
    return wrong_;
  }

 private:
  struct Request {
    bool is_send = false, awaited = false;
    Range range = {};
    int partner = -1, their_request = -1;  // -1: has not met it
    Memory sent = {};
  };
  // Requests that have not met their other side, in the order in which they were started.
  struct Unmet {
    bool are_sends = false;
    std::vector<int> requests;
  };
  struct Rank {
    Memory memory[7];
    std::vector<Request> requests;
    std::size_t next = 0;
    std::int64_t input_in_output = -1;  // -1: it has a buffer of its own
  };

  Value& at(int rank, const Range& range, std::int64_t i) {
    const bool in_place = range.in == Buffer::kInput && ranks_[rank].input_in_output >= 0;
    Memory& m = memory(rank, in_place ? Buffer::kOutput : range.in);
    const std::int64_t place = range.at(i) + (in_place ? ranks_[rank].input_in_output : 0);
    if (place < 0 || place >= static_cast<std::int64_t>(m.size())) {
      wrong_ = "rank " + std::to_string(rank) + " uses element " + std::to_string(place);
      return m.front();
    }
    return m[place];
  }
  Memory read(int rank, const Range& range) {
    Memory values;
    for (std::int64_t i = 0; i < range.count; ++i) values.push_back(at(rank, range, i));
    return values;
  }
  void write(int rank, const Range& range, const Memory& values) {
    if (static_cast<std::int64_t>(values.size()) > range.count) wrong_ = "a message is truncated";
    for (std::size_t i = 0; i < values.size() && wrong_.empty(); ++i) at(rank, range, i) = values[i];
  }

  void start(int rank, const Step& s, bool is_send) {
    Request request{.is_send = is_send, .range = is_send ? s.from : s.to};
    if (is_send) {
      request.sent = read(rank, s.from);
    } else {
      for (std::int64_t i = 0; i < s.to.count; ++i) at(rank, s.to, i) = {};
    }
    const int number = static_cast<int>(ranks_[rank].requests.size());
    if (s.request != number) wrong_ = "the requests of rank " + std::to_string(rank) + " are not counted";
    Unmet& unmet = unmet_[{is_send ? rank : s.peer, is_send ? s.peer : rank}];
    if (!unmet.requests.empty() && unmet.are_sends != is_send) {
      Request& theirs = ranks_[s.peer].requests[unmet.requests.front()];
      request.partner = s.peer;
      request.their_request = unmet.requests.front();
      theirs.partner = rank;
      theirs.their_request = number;
      unmet.requests.erase(unmet.requests.begin());
    } else {
      unmet.are_sends = is_send;
      unmet.requests.push_back(number);
    }
    ranks_[rank].requests.push_back(std::move(request));
  }

  bool wait(int rank, int number) {
    Request& request = ranks_[rank].requests.at(number);
    if (request.awaited) wrong_ = "rank " + std::to_string(rank) + " waits for a request twice";
    if (request.partner < 0) return false;
    request.awaited = true;
    if (!request.is_send) {
      write(rank, request.range, ranks_[request.partner].requests[request.their_request].sent);
    } else if (read(rank, request.range) != request.sent) {
      wrong_ = "rank " + std::to_string(rank) + " changes a buffer that it sends";
    }
    return true;
  }

  bool step(int rank, const Step& s) {
    switch (s.kind) {
      case Step::Kind::kSend:
      case Step::Kind::kSynchronousSend:
        start(rank, s, true);
        return true;
      case Step::Kind::kReceive:
        start(rank, s, false);
        return true;
      case Step::Kind::kWait:
        return wait(rank, s.request);
      case Step::Kind::kCopy:
        write(rank, s.to, read(rank, s.from));
        return true;
      case Step::Kind::kCombine:
        combine(rank, s);
        return true;
    }
    return false;
  }

  void combine(int rank, const Step& s) {
    const Memory left = read(rank, s.from);
    Memory right = read(rank, s.to);
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (left[i].index != right[i].index) wrong_ = "rank " + std::to_string(rank) + " combines different elements";
      right[i].ranks.insert(right[i].ranks.begin(), left[i].ranks.begin(), left[i].ranks.end());
    }
    write(rank, s.to, right);
  }

  std::vector<Rank> ranks_;
  std::map<std::pair<int, int>, Unmet> unmet_;  // by sender and receiver
  std::string wrong_;
};

}  // namespace strata::collectives
