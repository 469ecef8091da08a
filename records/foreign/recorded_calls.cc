// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/recorded_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/output_error.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Kind = Call::Kind;

constexpr const char* kCommon = "common";
constexpr std::array kCollectives = {
    "Barrier",    "Bcast",    "Gather",    "Gatherv",   "Scatter", "Scatterv",       "Allgather",
    "Allgatherv", "Alltoall", "Alltoallv", "Allreduce", "Reduce",  "Reduce_scatter", "Reduce_scatter_block",
    "Scan",       "Exscan"};
constexpr std::array<std::pair<Kind, std::string_view>, 6> kMessages = {{{Kind::kSend, "send"},
                                                                         {Kind::kSsend, "ssend"},
                                                                         {Kind::kRecv, "recv"},
                                                                         {Kind::kIsend, "isend"},
                                                                         {Kind::kIssend, "issend"},
                                                                         {Kind::kIrecv, "irecv"}}};

bool starts_request(Kind kind) {
  return kind == Kind::kIsend || kind == Kind::kIssend || kind == Kind::kIrecv || kind == Kind::kICollective;
}

void append(fmt::memory_buffer& out, const Call& c) {
  const auto at = std::back_inserter(out);
  switch (c.kind) {
    case Kind::kCompute:
      fmt::format_to(at, "compute {}\n", c.seconds);
      return;
    case Kind::kWait:
      fmt::format_to(at, "wait {}\n", fmt::join(c.requests, " "));
      return;
    case Kind::kCollective:
    case Kind::kICollective:
      fmt::format_to(at, "{}{}", c.kind == Kind::kCollective ? "" : "I", name_of(c.collective));
      if (starts_request(c.kind)) fmt::format_to(at, " {}", c.request);
      fmt::format_to(at, " {} {} {} {} {}\n", c.communicator, c.peer, c.bytes, c.sizes, c.received);
      return;
    default:
      break;
  }
  const auto* known =
      std::find_if(kMessages.begin(), kMessages.end(), [&](const auto& m) { return m.first == c.kind; });
  fmt::format_to(at, "{}", known->second);
  if (starts_request(c.kind)) fmt::format_to(at, " {}", c.request);
  fmt::format_to(at, " {} {} {} {}\n", c.peer, c.tag, c.communicator, c.bytes);
}

void write(const fmt::memory_buffer& text, const fs::path& file) {
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) throw OutputError(file.string(), "cannot be written", "free space or choose another TMPDIR");
}

// The words of a line, one after another.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  bool more() const { return !rest_.empty(); }
  std::string_view next() {
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
    return word;
  }
  template <class Number>
  void read(Number& number) {
    const std::string_view word = next();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size())
      throw std::runtime_error("calls: '" + std::string(word) + "' is not a number");
  }
  template <class Number>
  std::vector<Number> rest() {
    std::vector<Number> numbers;
    while (more()) read(numbers.emplace_back());
    return numbers;
  }

 private:
  std::string_view rest_;
};

}  // namespace

const char* name_of(Collective collective) { return kCollectives[static_cast<std::size_t>(collective)]; }

long bytes_between(const std::vector<long>& sent, const std::vector<long>& received, int from, int to) {
  const auto end = received.begin() + to;
  const double all = std::accumulate(end, received.end(), std::accumulate(received.begin(), end, 0.0));
  if (all == 0) return 0;
  // Rounds the start and end of each share, so that the shares add up to the bytes sent.
  const double before = std::accumulate(received.begin(), end, 0.0), mine = static_cast<double>(sent[from]);
  const auto border = [&](double upto) { return std::lround(mine * (upto / all)); };
  return border(before + static_cast<double>(*end)) - border(before);
}

void write_common(const CommonCalls& common, const fs::path& folder) {
  fmt::memory_buffer text;
  const auto at = std::back_inserter(text);
  fmt::format_to(at, "buffer {}\n", common.buffer);
  for (const auto& ranks : common.communicators) fmt::format_to(at, "communicator {}\n", fmt::join(ranks, " "));
  for (const auto& sizes : common.sizes) fmt::format_to(at, "sizes {}\n", fmt::join(sizes, " "));
  write(text, folder / kCommon);
}

void write_calls(const std::vector<Call>& calls, int rank, const fs::path& folder) {
  fmt::memory_buffer text;
  for (const Call& c : calls) append(text, c);
  write(text, folder / std::to_string(rank));
}

CommonCalls read_common(const fs::path& folder) {
  std::ifstream file(folder / kCommon);
  CommonCalls common;
  for (std::string line; std::getline(file, line);) {
    Words words(line);
    const std::string_view kind = words.next();
    if (kind == "buffer") words.read(common.buffer);
    if (kind == "communicator") common.communicators.push_back(words.rest<int>());
    if (kind == "sizes") common.sizes.push_back(words.rest<long>());
  }
  if (common.communicators.empty()) throw std::runtime_error("calls: nothing in " + (folder / kCommon).string());
  return common;
}

CallReader::CallReader(const fs::path& folder, int rank) : file_(folder / std::to_string(rank)) {
  if (!file_) throw std::runtime_error("calls: no file for rank " + std::to_string(rank));
}

bool CallReader::next(Call& call) {
  if (!std::getline(file_, line_)) return false;
  Words words(line_);
  const std::string_view kind = words.next();
  call = {};
  if (kind == "compute") {
    words.read(call.seconds);
    return true;
  }
  if (kind == "wait") {
    call.kind = Kind::kWait;
    call.requests = words.rest<long>();
    return true;
  }
  const auto* message =
      std::find_if(kMessages.begin(), kMessages.end(), [&](const auto& m) { return m.second == kind; });
  if (message != kMessages.end()) {
    call.kind = message->first;
    if (starts_request(call.kind)) words.read(call.request);
    words.read(call.peer);
    words.read(call.tag);
    words.read(call.communicator);
    words.read(call.bytes);
    return true;
  }
  const bool blocking = std::find(kCollectives.begin(), kCollectives.end(), kind) != kCollectives.end();
  const auto* name = std::find(kCollectives.begin(), kCollectives.end(), blocking ? kind : kind.substr(1));
  if (name == kCollectives.end()) throw std::runtime_error("calls: '" + line_ + "' is not a call");
  call.kind = blocking ? Kind::kCollective : Kind::kICollective;
  call.collective = static_cast<Collective>(name - kCollectives.begin());
  if (!blocking) words.read(call.request);
  words.read(call.communicator);
  words.read(call.peer);
  words.read(call.bytes);
  words.read(call.sizes);
  words.read(call.received);
  return true;
}

}  // namespace strata
