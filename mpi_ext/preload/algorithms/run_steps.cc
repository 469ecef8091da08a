// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/algorithms/run_steps.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/simgrid/datatype.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using collectives::Buffer;
using collectives::Range;
using collectives::Step;
using simgrid::smpi::Datatype;
using simgrid::smpi::Request;

// Between the tags of SMPI's collectives, from -4445 up, and of its one-sided operations, from -6661 down
// (src/smpi/include/private.hpp, SimGrid 3.32); -5555 and -5560 are those of preload/supply.
constexpr int kTag = -5570;
// The k-th message of a call between two ranks has tag kTag - k modulo kTags. With one tag, SMPI may give a short
// message to the receive of a long one that is posted after a receive of a short one.
constexpr int kTags = 1000;
constexpr int kTemporaries = 5;

struct Freed {
  void operator()(char* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<char, Freed>;

// Elements one after the other in memory.
struct Piece {
  std::int64_t first = 0, count = 0;
};

std::vector<Piece> pieces_of(const Range& range) {
  std::vector<Piece> pieces;
  for (std::int64_t i = 0; i < range.count;) {
    const std::int64_t first = range.at(i);
    std::int64_t count = range.count - i;
    if (range.run != 0) count = std::min(count, range.run - i % range.run);
    if (range.wrap != 0) count = std::min(count, range.wrap - first);
    pieces.push_back({first, count});
    i += count;
  }
  return pieces;
}

// Calls `each(from, to, count)` for the longest pieces that are contiguous in both ranges.
template <class Each>
int for_each_piece(const Range& from, const Range& to, const Each& each) {
  const std::vector<Piece> a = pieces_of(from), b = pieces_of(to);
  std::int64_t in_a = 0, in_b = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::int64_t count = std::min(a[i].count - in_a, b[j].count - in_b);
    if (const int error = each(a[i].first + in_a, b[j].first + in_b, count); error != MPI_SUCCESS) return error;
    in_a += count;
    in_b += count;
    if (in_a == a[i].count) ++i, in_a = 0;
    if (in_b == b[j].count) ++j, in_b = 0;
  }
  return MPI_SUCCESS;
}

class Rank {
 public:
  Rank(const collectives::Steps& steps, const CallBuffers& buffers, MPI_Comm comm)
      : steps_(steps.list()), buffers_(buffers), comm_(comm), bytes_(buffers.type->size()) {
    std::array<std::int64_t, kTemporaries> bytes = {};
    for (const Step& step : steps_) {
      for (const Range& range : {step.from, step.to}) {
        if (range.in < Buffer::kFirst) continue;
        std::int64_t& most = bytes[temporary(range.in)];
        for (const Piece& p : pieces_of(range)) most = std::max(most, (p.first + p.count) * unit(range));
      }
    }
    // Pages that no rank writes take no memory.
    for (int t = 0; t < kTemporaries; ++t) {
      if (bytes[t] > 0) temporaries_[t].reset(static_cast<char*>(std::calloc(bytes[t], 1)));
    }
  }

  int run() {
    for (const Step& step : steps_) {
      if (const int error = run(step); error != MPI_SUCCESS) return error;
    }
    return MPI_SUCCESS;
  }

 private:
  // A message that has started. `packed` holds its data if they are not contiguous.
  struct Open {
    Request* request = nullptr;
    Memory packed = nullptr;
    Range to = {};
  };

  static std::size_t temporary(Buffer b) {
    return static_cast<std::size_t>(b) - static_cast<std::size_t>(Buffer::kFirst);
  }

  // In which a range counts, B.
  std::int64_t unit(const Range& range) const { return range.is_bytes ? 1 : static_cast<std::int64_t>(bytes_); }
  MPI_Datatype type(const Range& range) const { return range.is_bytes ? MPI_BYTE : buffers_.type; }

  char* at(const Range& range, std::int64_t place) const {
    char* base = nullptr;
    if (range.in == Buffer::kInput) {
      base = static_cast<char*>(const_cast<void*>(buffers_.input));
    } else if (range.in == Buffer::kOutput) {
      base = static_cast<char*>(buffers_.output);
    } else {
      base = temporaries_[temporary(range.in)].get();
    }
    return base + place * unit(range);
  }

  // SMPI counts in ints.
  static bool is_too_long(const Range& range) { return range.count > std::numeric_limits<int>::max(); }

  int run(const Step& step) {
    switch (step.kind) {
      case Step::Kind::kSend:
      case Step::Kind::kSynchronousSend:
        return send(step);
      case Step::Kind::kReceive:
        return receive(step);
      case Step::Kind::kWait:
        return wait(open_[step.request]);
      case Step::Kind::kCopy:
        return for_each_piece(step.from, step.to, [&](std::int64_t from, std::int64_t to, std::int64_t count) {
          const auto n = static_cast<int>(count);
          return Datatype::copy(at(step.from, from), n, type(step.from), at(step.to, to), n, type(step.to));
        });
      case Step::Kind::kCombine:
        return for_each_piece(step.from, step.to, [&](std::int64_t from, std::int64_t to, std::int64_t count) {
          const auto n = static_cast<int>(count);
          buffers_.op->apply(at(step.from, from), at(step.to, to), &n, buffers_.type);
          return MPI_SUCCESS;
        });
    }
    return MPI_SUCCESS;
  }

  int send(const Step& step) {
    if (is_too_long(step.from)) return MPI_ERR_COUNT;
    const std::vector<Piece> pieces = pieces_of(step.from);
    Open open;
    const char* data = pieces.empty() ? nullptr : at(step.from, pieces.front().first);
    if (pieces.size() > 1) {
      open.packed.reset(static_cast<char*>(std::malloc(step.from.count * unit(step.from))));
      char* to = open.packed.get();
      for (const Piece& p : pieces) {
        std::memcpy(to, at(step.from, p.first), p.count * unit(step.from));
        to += p.count * unit(step.from);
      }
      data = open.packed.get();
    }
    const auto start = step.kind == Step::Kind::kSend ? Request::isend : Request::issend;
    const int tag = kTag - sent_[step.peer]++ % kTags;
    open.request = start(data, static_cast<int>(step.from.count), type(step.from), step.peer, tag, comm_);
    open_.push_back(std::move(open));
    return MPI_SUCCESS;
  }

  int receive(const Step& step) {
    if (is_too_long(step.to)) return MPI_ERR_COUNT;
    const std::vector<Piece> pieces = pieces_of(step.to);
    Open open;
    char* data = pieces.empty() ? nullptr : at(step.to, pieces.front().first);
    if (pieces.size() > 1) {
      open.packed.reset(static_cast<char*>(std::malloc(step.to.count * unit(step.to))));
      open.to = step.to;
      data = open.packed.get();
    }
    const int tag = kTag - received_[step.peer]++ % kTags;
    open.request = Request::irecv(data, static_cast<int>(step.to.count), type(step.to), step.peer, tag, comm_);
    open_.push_back(std::move(open));
    return MPI_SUCCESS;
  }

  int wait(Open& open) {
    const int error = Request::wait(&open.request, MPI_STATUS_IGNORE);
    const char* from = open.packed.get();
    for (const Piece& p : from == nullptr ? std::vector<Piece>() : pieces_of(open.to)) {
      std::memcpy(at(open.to, p.first), from, p.count * unit(open.to));
      from += p.count * unit(open.to);
    }
    open.packed.reset();
    return error;
  }

  const std::vector<Step>& steps_;
  const CallBuffers& buffers_;
  MPI_Comm comm_;
  std::size_t bytes_;  // of an element
  std::array<Memory, kTemporaries> temporaries_;
  std::vector<Open> open_;
  std::unordered_map<int, int> sent_, received_;  // messages by peer
};

}  // namespace

int run_steps(const collectives::Steps& steps, const CallBuffers& buffers, MPI_Comm comm) {
  return Rank(steps, buffers, comm).run();
}

}  // namespace strata::mpix
