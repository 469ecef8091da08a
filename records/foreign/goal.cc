// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/goal.h"

#include <fmt/format.h>

#include <cctype>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/input_file.h"
#include "base/limits.h"
#include "base/line_text.h"

namespace strata {
namespace {

using Operation = GoalOperation;
using Kind = GoalOperation::Kind;

constexpr std::uint64_t kCookie = 4223;       // LogGOPSim's MAGIC_COOKIE
constexpr std::uint64_t kSpentCookie = 2342;  // MAGIC_COOKIE_INVALID
constexpr std::size_t kCookieSize = 8;        // B
constexpr std::size_t kShortestRank = std::string_view("rank 0{}").size();
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 53;  // a double represents all smaller whole numbers exactly

std::uint64_t cookie_of(std::string_view bytes) {
  std::uint64_t cookie = 0;
  if (bytes.size() < kCookieSize) return 0;
  for (std::size_t i = 0; i < kCookieSize; ++i) cookie |= std::uint64_t{static_cast<std::uint8_t>(bytes[i])} << (8 * i);
  return cookie;
}

// --- text ---

struct Token {
  enum class Kind : std::uint8_t { kWord, kNumber, kSign, kBreak, kEnd };
  Kind kind = Kind::kEnd;
  std::string_view text;
  std::uint64_t number = 0;
};

class Scanner {
 public:
  Scanner(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  long line() const { return line_; }

  /// A line break and ';' are a kBreak. "10b" is a number and a word.
  Token next() {
    skip_blanks();
    if (at_ == text_.size()) return {};
    const std::size_t first = at_;
    const char c = text_[at_];
    if (c == '\n' || c == ';') {
      ++at_;
      if (c == '\n') line_after_ = true;
      return {.kind = Token::Kind::kBreak, .text = "end of line"};
    }
    if (is_digit(c)) return number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
        ++at_;
      return {.kind = Token::Kind::kWord, .text = text_.substr(first, at_ - first)};
    }
    at_ += text_.substr(at_, 2) == "-1" ? 2 : 1;
    return {.kind = Token::Kind::kSign, .text = text_.substr(first, at_ - first)};
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  void skip_blanks() {
    if (line_after_) ++line_;
    line_after_ = false;
    while (at_ < text_.size()) {
      const std::string_view two = text_.substr(at_, 2);
      if (two == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (two == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos)
          throw InputError(fmt::format("{}:{}", file_, line_), "the comment does not end", "end it with */");
        for (; at_ < end; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
        at_ = end + 2;
      } else if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r') {
        ++at_;
      } else {
        return;
      }
    }
  }

  Token number() {
    const std::size_t first = at_;
    std::uint64_t n = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (n > (std::numeric_limits<std::uint64_t>::max() - digit) / 10)
        throw InputError(fmt::format("{}:{}", file_, line_), "the number is too large", "below 2^64");
      n = 10 * n + digit;
    }
    return {.kind = Token::Kind::kNumber, .text = text_.substr(first, at_ - first), .number = n};
  }

  const std::string& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  long line_ = 1;
  bool line_after_ = false;
};

class TextReader {
 public:
  TextReader(const std::string& file, std::string_view text) : size_(text.size()), scanner_(file, text) {
    schedule_.file = file;
    step();
  }

  GoalSchedule read() {
    skip_breaks();
    if (!is_word("num_ranks")) fail_expected("num_ranks N");
    step();
    const std::uint64_t ranks = number("the number of ranks", kMostRanksInMemory);
    if (ranks == 0) fail("there is no rank", "num_ranks 2");
    if (ranks > size_ / kShortestRank) fail(fmt::format("{} ranks are more than the file has", ranks), "num_ranks 2");
    schedule_.ranks.resize(ranks);
    seen_.resize(ranks);
    for (skip_breaks(); token_.kind != Token::Kind::kEnd; skip_breaks()) rank();
    for (std::size_t r = 0; r < ranks; ++r) {
      if (!seen_[r])
        throw InputError(schedule_.file, fmt::format("there is no rank {}", r),
                         fmt::format("num_ranks is {}: write rank 0 {{ ... }} to rank {} {{ ... }}", ranks, ranks - 1));
    }
    return std::move(schedule_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", schedule_.file, scanner_.line()), what, remedy);
  }
  [[noreturn]] void fail_expected(const std::string& what) const {
    const std::string found = token_.kind == Token::Kind::kEnd     ? "the end of the file"
                              : token_.kind == Token::Kind::kBreak ? "the end of the line"
                                                                   : shown(token_.text);
    fail("unexpected " + found, "write " + what);
  }
  void step() { token_ = scanner_.next(); }
  void skip_breaks() {
    while (token_.kind == Token::Kind::kBreak) step();
  }
  bool is_word(std::string_view word) const { return token_.kind == Token::Kind::kWord && token_.text == word; }
  bool is_sign(std::string_view sign) const { return token_.kind == Token::Kind::kSign && token_.text == sign; }
  std::uint64_t number(const std::string& what, std::uint64_t most) {
    if (token_.kind != Token::Kind::kNumber) fail_expected(what);
    const std::uint64_t n = token_.number;
    if (n > most) fail(fmt::format("{} is {}", what, n), fmt::format("it can be {} at most", most));
    step();
    return n;
  }
  void word(std::string_view word) {
    if (!is_word(word)) fail_expected(std::string(word));
    step();
  }
  void end_of_line() {
    if (token_.kind == Token::Kind::kBreak) return step();
    if (token_.kind != Token::Kind::kEnd && !is_sign("}")) fail_expected("the end of the line");
  }

  // rank N { ... }
  void rank() {
    if (!is_word("rank")) fail_expected("rank N {");
    step();
    const std::uint64_t ranks = schedule_.ranks.size(), r = number("the rank", kMostRanksInMemory);
    if (r >= ranks) fail(fmt::format("there is no rank {}", r), fmt::format("num_ranks is {}", ranks));
    if (seen_[r]) fail(fmt::format("rank {} is there twice", r), "put its operations into one block");
    seen_[r] = true;
    skip_breaks();
    if (!is_sign("{")) fail_expected("{");
    step();
    labels_.clear();
    GoalRank& into = schedule_.ranks[r];
    for (skip_breaks(); !is_sign("}"); skip_breaks()) item(into);
    step();
  }

  // calc 100; l1: calc 100; l1 requires l2
  void item(GoalRank& into) {
    const long line = scanner_.line();
    if (token_.kind != Token::Kind::kWord) fail_expected("send, recv, calc, a label or }");
    if (is_operation()) return operation(into, line);
    const std::string_view label = token_.text;
    step();
    if (is_word("requires") || is_word("irequires")) {
      const bool started = is_word("irequires");
      step();
      if (token_.kind != Token::Kind::kWord) fail_expected("a label");
      into.dependencies.push_back({number_of(label), number_of(token_.text), started});
      step();
      return end_of_line();
    }
    if (!is_sign(":")) fail_expected("':', requires or irequires after the label " + printable(label));
    step();
    if (!is_operation()) fail_expected("send, recv or calc");
    if (const auto found = labels_.find(label); found != labels_.end()) {
      fail(
          fmt::format("the label {} is that of line {} already", printable(label), into.operations[found->second].line),
          "give each operation of a rank a label of its own");
    }
    labels_[label] = static_cast<std::uint32_t>(into.operations.size());
    operation(into, line);
  }

  bool is_operation() const { return is_word("send") || is_word("recv") || is_word("calc"); }

  std::uint32_t number_of(std::string_view label) const {
    const auto found = labels_.find(label);
    if (found == labels_.end())
      fail("no operation before has the label " + printable(label), "label one, such as l1: calc 100");
    return found->second;
  }

  // send 10b to 1 tag 5 cpu 0 nic 0; recv 10b from 1 ...; calc 100 cpu 0
  void operation(GoalRank& into, long line) {
    Operation o{.line = line};
    o.kind = is_word("send") ? Kind::kSend : is_word("recv") ? Kind::kReceive : Kind::kCalc;
    step();
    o.size = number(o.kind == Kind::kCalc ? "the time in ns" : "the size in bytes, such as 8b", kMostBytes);
    if (o.kind != Kind::kCalc) {
      word("b");
      word(o.kind == Kind::kSend ? "to" : "from");
      if (o.kind == Kind::kReceive && is_sign("-1")) {
        o.peer = Operation::kAny;
        step();
      } else {
        o.peer = static_cast<std::uint32_t>(number("a rank", schedule_.ranks.size() - 1));
      }
    }
    while (token_.kind == Token::Kind::kWord) field(o);
    end_of_line();
    into.operations.push_back(o);
  }

  void field(Operation& o) {
    const bool tag = is_word("tag") && o.kind != Kind::kCalc;
    if (!tag && !is_word("cpu") && !is_word("nic")) fail_expected("tag, cpu, nic or the end of the line");
    std::uint8_t& number_of_part = is_word("cpu") ? o.cpu : o.nic;
    step();
    if (!tag) {
      number_of_part = static_cast<std::uint8_t>(number("a number", std::numeric_limits<std::uint8_t>::max()));
    } else if (is_sign("-1")) {
      o.tag = Operation::kAny;
      step();
    } else {
      o.tag = static_cast<std::uint32_t>(number("a tag", Operation::kAny - 1));
    }
  }

  GoalSchedule schedule_;
  const std::size_t size_;
  Scanner scanner_;
  Token token_;
  std::vector<bool> seen_;
  std::unordered_map<std::string_view, std::uint32_t> labels_;  // operations of the rank by label
};

// --- binary ---

class BinaryReader {
 public:
  BinaryReader(const std::string& file, std::string_view bytes) : bytes_(bytes.substr(kCookieSize)) {
    schedule_.file = file;
    schedule_.binary = true;
  }

  GoalSchedule read() {
    std::uint64_t at = 0;
    const std::uint64_t ranks = number(at, 4);
    number(at, 1);  // cpus
    number(at, 1);  // network cards
    if (ranks == 0 || ranks > bytes_.size() / 16) fail(0, "the number of ranks is out of range");
    schedule_.ranks.resize(ranks);
    for (GoalRank& rank : schedule_.ranks) {
      const std::uint64_t begin = number(at, 8), end = number(at, 8);
      if (begin > end || end > bytes_.size()) fail(at, "a rank's operations lie outside the file");
      read_rank(rank, begin, end);
    }
    return std::move(schedule_);
  }

 private:
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const {
    throw InputError(schedule_.file, fmt::format("byte {}: {}", at + kCookieSize, what),
                     "make it again from the text with LogGOPSim's txt2bin");
  }
  std::uint64_t number(std::uint64_t& at, std::size_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) fail(at, "the file is cut off");
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < size; ++i) n |= std::uint64_t{static_cast<std::uint8_t>(bytes_[at++])} << (8 * i);
    return n;
  }

  void read_rank(GoalRank& rank, std::uint64_t at, std::uint64_t end) const {
    constexpr std::uint64_t kOperation = 39;  // B
    const std::uint64_t operations = number(at, 4), free = number(at, 4);
    if (free > (end - at) / 4 || operations > (end - at - 4 * free) / kOperation)
      fail(at, "there are more operations than the rank has room for");
    at += 4 * free;
    const std::uint64_t appendix = at + kOperation * operations;
    std::vector<std::uint64_t> required(operations), found(operations);
    for (std::uint32_t i = 0; i < operations; ++i) {
      const std::uint64_t here = at;
      required[i] = number(at, 4);
      Operation o{.line = static_cast<long>(i)};
      const std::uint64_t kind = number(at, 1);
      if (kind < 1 || kind > 3) fail(here, "there is no such operation");
      o.kind = static_cast<Kind>(kind - 1);
      o.peer = static_cast<std::uint32_t>(number(at, 4));
      o.size = number(at, 8);
      o.tag = static_cast<std::uint32_t>(number(at, 4));
      o.cpu = static_cast<std::uint8_t>(number(at, 1));
      o.nic = static_cast<std::uint8_t>(number(at, 1));
      if (o.size > kMostBytes) fail(here, "the size is out of range");
      const bool any = o.kind == Kind::kReceive && o.peer == Operation::kAny;
      if (o.kind != Kind::kCalc && o.peer >= schedule_.ranks.size() && !any) fail(here, "there is no such rank");
      rank.operations.push_back(o);
      for (const bool started : {false, true}) {
        const std::uint64_t count = number(at, 4), first = number(at, 4);
        if (count == 0) continue;
        std::uint64_t entry = appendix + 4 * first;
        if (entry > end || count > (end - entry) / 4) fail(here, "what requires the operation lies outside the rank");
        for (std::uint64_t k = 0; k < count; ++k) {
          const std::uint64_t later = number(entry, 4);
          if (later >= operations) fail(here, "there is no such operation");
          rank.dependencies.push_back({static_cast<std::uint32_t>(later), i, started});
          ++found[later];
        }
      }
    }
    if (required != found) fail(at, "the operations that one requires, and those that say so, differ");
  }

  GoalSchedule schedule_;
  std::string_view bytes_;
};

}  // namespace

std::string GoalSchedule::place(std::size_t rank, long line) const {
  return binary ? fmt::format("{}: rank {}, operation {}", file, rank, line) : fmt::format("{}:{}", file, line);
}

bool is_goal(const std::string& bytes) {
  if (const std::uint64_t cookie = cookie_of(bytes); cookie == kCookie || cookie == kSpentCookie) return true;
  try {
    const std::string none;
    const std::string_view text = bytes;
    Scanner scanner(none, text);
    Token token = scanner.next();
    while (token.kind == Token::Kind::kBreak) token = scanner.next();
    return token.kind == Token::Kind::kWord && token.text == "num_ranks";
  } catch (const InputError&) {
    return false;  // a long comment
  }
}

GoalSchedule read_goal(const std::filesystem::path& file) {
  const std::string bytes = read_input(file, "give a GOAL schedule");
  const std::string name = file.string();
  const std::uint64_t cookie = cookie_of(bytes);
  if (cookie == kCookie) return BinaryReader(name, bytes).read();
  if (cookie == kSpentCookie)
    throw InputError(name, "LogGOPSim --save-mem has used the schedule up", "make it again with txt2bin");
  return TextReader(name, bytes).read();
}

}  // namespace strata
