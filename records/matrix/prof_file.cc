// SPDX-License-Identifier: LGPL-2.1-only
#include "records/matrix/prof_file.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "base/limits.h"

namespace strata {
namespace {

void append_line(std::string& text, char kind, int sender, int receiver, std::string_view bytes,
                 std::string_view messages) {
  text += kind;
  text += '\t';
  text += std::to_string(sender);
  text += '\t';
  text += std::to_string(receiver);
  text += '\t';
  text += bytes;
  text += " bytes\t";
  text += messages;
  text += " msgs sent\n";
}

}  // namespace

void append_profile_line(std::string& text, MessageKind kind, int sender, int receiver, std::uint64_t bytes,
                         std::uint64_t messages) {
  append_line(text, letter_of(kind), sender, receiver, std::to_string(bytes), std::to_string(messages));
}

namespace matrix_text {
namespace {

constexpr std::array kCommunicatorLines = {"D", "O2A", "A2O", "A2A"};  // calls on a communicator

bool is_kind(std::string_view word) {
  return word.size() == 1 && std::string_view(kProfileKinds).find(word[0]) != std::string_view::npos;
}

std::string whole_text(double value) {
  std::string text;
  append_number(text, value, true);
  return text;
}

}  // namespace

bool begins_profile_line(std::string_view word) {
  return is_kind(word) ||
         std::find(kCommunicatorLines.begin(), kCommunicatorLines.end(), word) != kCommunicatorLines.end();
}

bool begins_profile_comment(std::string_view first, std::string_view second) {
  return second == "processes" || (first == "POINT" && second == "TO");
}

void Profiles::read(Lines& lines) {
  while (lines.next()) {
    Words words(lines.line());
    const std::string_view first = words.next();
    if (first.empty()) continue;
    if (first[0] == '#') {
      if (first == "#") read_size(words, lines);
      continue;
    }
    if (is_kind(first)) {
      read_flow(first[0], words, lines);
    } else if (first == "D") {
      read_members(lines);
    } else if (!begins_profile_line(first)) {
      lines.fail("a line that begins with " + in_quotes(first),
                 "leave in a profile only what monitoring writes, lines as "
                 "`E 0 1 108 bytes 27 msgs sent`");
    }
  }
}

Profiles::Matrices Profiles::finish(const Lines& lines) {
  if (bytes_.empty() && !other_kinds_.empty()) {
    std::string others;
    for (const char kind : other_kinds_) others += (others.empty() ? "" : ", ") + std::string(1, kind);
    lines.fail_whole("has no messages of the kinds " + kinds_, "it has " + others + ": choose of these");
  }
  if (size_ != 0 && named_ > size_) {
    lines.fail_whole("names rank " + std::to_string(named_ - 1),
                     "a line says that there are " + std::to_string(size_) + " processes");
  }
  if (size_ != 0 || named_ > wanted_order_) check_order(std::max(size_, named_), wanted_order_, lines);
  const int order = std::max({size_, named_, wanted_order_});
  if (order == 0) lines.fail_whole("names no process", "give a profile with messages, or a line `# 8 processes`");
  return {Pattern(order, std::move(bytes_)), Pattern(order, std::move(messages_))};
}

// "# 8 processes"; other comments are ignored.
void Profiles::read_size(Words& words, const Lines& lines) {
  const std::string_view number = words.next();
  if (number.empty() || words.next() != "processes" || number.find_first_not_of("0123456789") != number.npos) return;
  size_ = std::max(size_, static_cast<int>(read_whole(number, kMostRanksInMemory, "size", lines)));
}

// "D MPI_COMM_WORLD procs: 0,1,2". Communicators may have any name; Open MPI writes "(null)" for unknown ones.
void Profiles::read_members(const Lines& lines) {
  const std::size_t at = lines.line().rfind("procs:");
  if (at == std::string_view::npos) return;
  Words members(lines.line().substr(at + 6), true);
  for (std::string_view word = members.next(); !word.empty() && word != "(null)"; word = members.next()) {
    name_rank(word, lines);
  }
}

int Profiles::name_rank(std::string_view word, const Lines& lines) {
  const int rank = static_cast<int>(read_whole(word, kMostRanksInMemory - 1, "rank", lines));
  named_ = std::max(named_, rank + 1);
  return rank;
}

void Profiles::read_flow(char kind, Words& words, const Lines& lines) {
  int from = name_rank(words.next(), lines);
  int to = name_rank(words.next(), lines);
  const double bytes = static_cast<double>(read_whole(words.next(), UINT64_MAX, "number of bytes", lines));
  const bool unit = words.next() == "bytes";
  const double messages = static_cast<double>(read_whole(words.next(), UINT64_MAX, "number of messages", lines));
  if (!unit || words.next() != "msgs") {
    lines.fail("not a profile's line", "write sender, receiver and amounts as in `E 0 1 108 bytes 27 msgs sent`");
  }
  if (kinds_.find(kind) == std::string::npos) {
    other_kinds_.insert(kind);
    return;
  }
  if (kind == 'R') std::swap(from, to);
  bytes_.push_back({from, to, bytes});
  messages_.push_back({from, to, messages});
}

std::string format_profile(const Pattern& bytes, const Pattern* messages) {
  if (messages != nullptr && messages->order() != bytes.order()) {
    throw std::invalid_argument("messages and bytes are of different numbers of ranks");
  }
  std::string text = "# " + std::to_string(bytes.order()) + " processes\n# POINT TO POINT\n";
  const auto line = [&](int from, int to, double b, double m) {
    append_line(text, letter_of(MessageKind::kExternal), from, to, whole_text(b), whole_text(m));
  };
  for (int r = 0; r < bytes.order(); ++r) {
    const auto peers = bytes.peers(r);
    if (messages == nullptr) {
      for (std::size_t i = 0; i < peers.size(); ++i) line(r, peers[i], bytes.bytes(r)[i], 1);
      continue;
    }
    const auto counted = messages->peers(r);
    for (std::size_t b = 0, m = 0; b < peers.size() || m < counted.size();) {
      const int to = m == counted.size() || (b < peers.size() && peers[b] < counted[m]) ? peers[b] : counted[m];
      const bool has_bytes = b < peers.size() && peers[b] == to, has_messages = m < counted.size() && counted[m] == to;
      line(r, to, has_bytes ? bytes.bytes(r)[b] : 0, has_messages ? messages->bytes(r)[m] : 0);
      b += has_bytes ? 1 : 0;
      m += has_messages ? 1 : 0;
    }
  }
  return text;
}

}  // namespace matrix_text
}  // namespace strata
