#include "mpi_ext/reorder/matrix_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "platforms/error.h"

namespace strata::mpix {
namespace {

namespace fs = std::filesystem;

// Sums and costs of what is below stay finite.
constexpr double kLargestSum = 1e300;

constexpr const char* kFormats = "give dense text, a .prof of Open MPI's monitoring, or a Matrix Market file";

std::string read_text(const fs::path& file) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in || fs::is_directory(file, ignored)) {
    throw InputError(file.string(), std::strerror(in ? EISDIR : errno), kFormats);
  }
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad() || text.bad()) throw InputError(file.string(), "cannot be read", kFormats);
  return std::move(text).str();
}

// A word of a file as a message quotes it.
std::string in_quotes(std::string_view word) {
  constexpr size_t kMost = 24;
  return "'" + std::string(word.substr(0, kMost)) + (word.size() > kMost ? "..." : "") + "'";
}

// The words of a line, one by one.
class Words {
 public:
  explicit Words(std::string_view line, bool commas = false) : line_(line), commas_(commas) {}

  // Empty at the end.
  std::string_view next() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    const size_t first = at_;
    while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
    return line_.substr(first, at_ - first);
  }

 private:
  bool is_blank(char c) const { return c == ' ' || c == '\t' || c == '\r' || (commas_ && c == ','); }

  std::string_view line_;
  bool commas_;
  size_t at_ = 0;
};

// Lines of a file, of which one is the current one.
class Lines {
 public:
  Lines(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  bool next() {
    if (at_ >= text_.size()) return false;
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  size_t bytes_left() const { return text_.size() - std::min(at_, text_.size()); }

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(name_ + ":" + std::to_string(number_), what, remedy);
  }
  [[noreturn]] void fail_whole(const std::string& what, const std::string& remedy) const {
    throw InputError(name_, what, remedy);
  }

 private:
  std::string name_;
  std::string_view text_, line_;
  size_t at_ = 0;
  long number_ = 0;
};

// What must not be negative and be finite, and stay so when all are added.
class Amounts {
 public:
  double read(std::string_view word, const Lines& at) {
    const char* first = word.data();
    const char* const end = first + word.size();
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') ++first;
    double value = 0;
    const auto [rest, error] = std::from_chars(first, end, value);
    if (error == std::errc::result_out_of_range && rest == end) {
      at.fail(in_quotes(word) + " is not a number in the range of a double", "give one from 1e-300 to 1e300, or 0");
    }
    if (error != std::errc() || rest != end || !std::isfinite(value)) {
      at.fail(in_quotes(word) + " is not a number", "write what is sent as a number, 0 or more");
    }
    if (value < 0) at.fail("the entry " + in_quotes(word) + " is negative", "give what is sent, 0 or more");
    add(value, at);
    return value;
  }
  void add(double value, const Lines& at) {
    sum_ += value;
    if (!(sum_ <= kLargestSum)) at.fail("the entries' sum is beyond 1e300", "give them in a larger unit");
  }

 private:
  double sum_ = 0;
};

// A whole number of at most `most`.
std::uint64_t read_whole(std::string_view word, std::uint64_t most, const char* what, const Lines& at) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty()) at.fail(std::string("no ") + what, "write a whole number there");
  if (rest != word.data() + word.size() || (error != std::errc() && error != std::errc::result_out_of_range)) {
    at.fail(std::string(what) + " " + in_quotes(word) + " is not a whole number", "write 0, 1, 2, ...");
  }
  if (error != std::errc() || value > most) {
    at.fail(std::string(what) + " " + in_quotes(word) + " is too large", "the most is " + std::to_string(most));
  }
  return value;
}

void check_order(long have, int want, const Lines& lines) {
  if (want == 0 || have == want) return;
  lines.fail_whole("a matrix of " + std::to_string(have) + (have == 1 ? " rank" : " ranks") + ", where there are " +
                       std::to_string(want),
                   "make them agree");
}

// --- dense ---

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

Pattern read_dense(Lines lines, int order) {
  std::vector<Flow> flows;
  Amounts amounts;
  long columns = 0, rows = 0;
  while (lines.next()) {
    Words words(without_comment(lines.line()), true);
    long column = 0;
    for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++column) {
      if (rows > 0 && (column >= columns || rows == columns)) continue;  // too many: counted, and told below
      const double bytes = amounts.read(word, lines);
      if (bytes != 0) flows.push_back({static_cast<int>(rows), static_cast<int>(column), bytes});
    }
    if (column == 0) continue;
    if (rows == 0) {
      columns = column;
      // The shortest entry is "1 ".
      flows.reserve(std::min<size_t>(static_cast<size_t>(columns) * columns, columns + lines.bytes_left() / 2 + 1));
    }
    if (column != columns) {
      lines.fail("row " + std::to_string(rows + 1) + " has " + std::to_string(column) + " numbers, the first has " +
                     std::to_string(columns),
                 "give a square matrix, a row a line");
    }
    if (rows == columns) {
      lines.fail("a row more than the " + std::to_string(columns) + " columns", "give a square matrix, a row a line");
    }
    ++rows;
    if (columns > kMostMatrixRanks) lines.fail("too many ranks", "give at most " + std::to_string(kMostMatrixRanks));
  }
  if (rows == 0) lines.fail_whole("has no numbers", kFormats);
  if (rows != columns) {
    lines.fail_whole(std::to_string(rows) + (rows == 1 ? " row of " : " rows of ") + std::to_string(columns) +
                         " numbers: not square",
                     "give as many rows as columns, a row a line");
  }
  check_order(columns, order, lines);
  return {static_cast<int>(columns), std::move(flows)};
}

// --- Open MPI's monitoring ---

constexpr std::array kCommunicatorLines = {"D", "O2A", "A2O", "A2A"};  // what is called on a communicator

bool is_kind(std::string_view word) {
  return word.size() == 1 && std::string_view(kProfileKinds).find(word[0]) != std::string_view::npos;
}

// What the profiles of the processes of one run have together.
class Profiles {
 public:
  Profiles(int order, std::string kinds) : wanted_order_(order), kinds_(std::move(kinds)) {}

  void read(Lines& lines) {
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
      } else if (std::find(kCommunicatorLines.begin(), kCommunicatorLines.end(), first) == kCommunicatorLines.end()) {
        lines.fail("a line that begins with " + in_quotes(first),
                   "leave in a profile only what monitoring writes, lines as "
                   "`E 0 1 108 bytes 27 msgs sent`");
      }
    }
  }

  MatrixFile finish(const Lines& lines) {
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
    return {MatrixFormat::kProfile, Pattern(order, std::move(bytes_)), Pattern(order, std::move(messages_))};
  }

 private:
  // "# 8 processes"; any other comment is none of ours.
  void read_size(Words& words, const Lines& lines) {
    const std::string_view number = words.next();
    if (number.empty() || words.next() != "processes" || number.find_first_not_of("0123456789") != number.npos) return;
    size_ = std::max(size_, static_cast<int>(read_whole(number, kMostMatrixRanks, "size", lines)));
  }

  // "D MPI_COMM_WORLD procs: 0,1,2"; a communicator may have any name, and of one that Open MPI lost it says "(null)".
  void read_members(const Lines& lines) {
    const size_t at = lines.line().rfind("procs:");
    if (at == std::string_view::npos) return;
    Words members(lines.line().substr(at + 6), true);
    for (std::string_view word = members.next(); !word.empty() && word != "(null)"; word = members.next()) {
      name_rank(word, lines);
    }
  }

  int name_rank(std::string_view word, const Lines& lines) {
    const int rank = static_cast<int>(read_whole(word, kMostMatrixRanks - 1, "rank", lines));
    named_ = std::max(named_, rank + 1);
    return rank;
  }

  void read_flow(char kind, Words& words, const Lines& lines) {
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

  int wanted_order_;
  int size_ = 0, named_ = 0;  // as a line says; one more than the highest rank
  std::string kinds_;
  std::set<char> other_kinds_;
  std::vector<Flow> bytes_, messages_;
};

// --- Matrix Market ---

constexpr std::string_view kBanner = "%%MatrixMarket";

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

class MatrixMarket {
 public:
  MatrixMarket(Lines lines, int order) : lines_(std::move(lines)), wanted_order_(order) {}

  Pattern read() {
    read_banner();
    read_size();
    if (array_) {
      read_array();
    } else {
      read_coordinates();
    }
    return {static_cast<int>(order_), std::move(flows_)};
  }

 private:
  // One of these words.
  void expect(const std::string& word, const char* what, std::initializer_list<const char*> possible) const {
    std::string list;
    for (const char* p : possible) {
      if (word == p) return;
      list += (list.empty() ? "" : ", ") + std::string(p);
    }
    lines_.fail(std::string(what) + " " + in_quotes(word) + (word.empty() ? " is missing" : " is not read"),
                "possible: " + list);
  }

  void read_banner() {
    lines_.next();
    Words words(lines_.line());
    words.next();
    expect(lower(words.next()), "object", {"matrix"});
    const std::string layout = lower(words.next()), field = lower(words.next()), symmetry = lower(words.next());
    expect(layout, "format", {"coordinate", "array"});
    array_ = layout == "array";
    expect(field, "field", {"real", "integer", "pattern"});
    integer_ = field == "integer";
    pattern_ = field == "pattern";
    if (array_ && pattern_) lines_.fail("field 'pattern' of an array", "possible: real, integer");
    expect(symmetry, "symmetry", {"general", "symmetric"});
    symmetric_ = symmetry == "symmetric";
  }

  // The next line that is neither empty nor a comment.
  bool next_line() {
    while (lines_.next()) {
      const size_t first = lines_.line().find_first_not_of(" \t\r");
      if (first != std::string_view::npos && lines_.line()[first] != '%') return true;
    }
    return false;
  }

  void read_size() {
    const char* const form = array_ ? "`rows columns`" : "`rows columns entries`";
    if (!next_line()) lines_.fail_whole("has no size", std::string("give a line ") + form + " after the comments");
    Words words(lines_.line());
    order_ = static_cast<long>(read_whole(words.next(), kMostMatrixRanks, "number of rows", lines_));
    const auto columns = static_cast<long>(read_whole(words.next(), kMostMatrixRanks, "number of columns", lines_));
    if (order_ != columns) {
      lines_.fail(std::to_string(order_) + " rows and " + std::to_string(columns) + " columns: not square",
                  "give a square matrix");
    }
    if (order_ == 0) lines_.fail("a matrix of no ranks", "give one of at least 1");
    entries_ = symmetric_ ? static_cast<std::uint64_t>(order_) * (order_ + 1) / 2
                          : static_cast<std::uint64_t>(order_) * order_;
    // An entry may stand twice, so that there may be more than places.
    if (!array_) entries_ = read_whole(words.next(), INT64_MAX, "number of entries", lines_);
    if (!words.next().empty()) lines_.fail("more than a size", std::string("write ") + form);
    check_order(order_, wanted_order_, lines_);
  }

  double amount(std::string_view word) {
    const double value = amounts_.read(word, lines_);
    if (integer_ && value != std::floor(value)) {
      lines_.fail("the entry " + in_quotes(word) + " is not an integer", "write `real` in the first line");
    }
    return value;
  }

  // 0-based; with its mirror image where only one half is in the file.
  void add(long from, long to, double value) {
    if (value == 0) return;
    flows_.push_back({static_cast<int>(from), static_cast<int>(to), value});
    if (!symmetric_ || from == to) return;
    amounts_.add(value, lines_);
    flows_.push_back({static_cast<int>(to), static_cast<int>(from), value});
  }

  long index(std::string_view word, const char* what) const {
    const auto value = static_cast<long>(read_whole(word, INT64_MAX, what, lines_));
    if (value < 1 || value > order_) {
      lines_.fail(std::string(what) + " " + in_quotes(word) + " is out of range",
                  "give 1 to " + std::to_string(order_));
    }
    return value - 1;
  }

  void read_coordinates() {
    // The shortest entry is "1 1\n": what is said may be more than what there is.
    flows_.reserve(std::min(entries_, lines_.bytes_left() / 4 + 1) * (symmetric_ ? 2 : 1));
    std::uint64_t count = 0;
    for (; next_line(); ++count) {
      if (count == entries_) fail_entries("more");
      Words words(lines_.line());
      const long row = index(words.next(), "row");
      const long column = index(words.next(), "column");
      const std::string_view word = pattern_ ? "1" : words.next();
      if (word.empty()) lines_.fail("no value", "write `row column value`");
      const double value = amount(word);
      if (!words.next().empty()) {
        lines_.fail("more than an entry", pattern_ ? "write `row column`" : "write `row column value`");
      }
      if (symmetric_ && row < column) {
        lines_.fail("an entry above the diagonal of a symmetric matrix", "give those on it and below");
      }
      add(row, column, value);
    }
    if (count < entries_) fail_few(count);
  }

  // Column by column; of a symmetric one from the diagonal down.
  void read_array() {
    std::uint64_t count = 0;
    long row = 0, column = 0;
    while (next_line()) {
      Words words(lines_.line());
      for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++count) {
        if (count == entries_) fail_entries("more");
        add(row, column, amount(word));
        if (++row == order_) {
          ++column;
          row = symmetric_ ? column : 0;
        }
      }
    }
    if (count < entries_) fail_few(count);
  }

  [[noreturn]] void fail_entries(const char* what) const {
    lines_.fail(std::string(what) + " entries than the " + std::to_string(entries_) + " that its size says",
                "make them agree");
  }
  [[noreturn]] void fail_few(std::uint64_t count) const {
    lines_.fail("ends after " + std::to_string(count) + (count == 1 ? " entry" : " entries") +
                    ", where its size says " + std::to_string(entries_),
                "make them agree");
  }

  Lines lines_;
  int wanted_order_;
  bool array_ = false, integer_ = false, pattern_ = false, symmetric_ = false;
  long order_ = 0;
  std::uint64_t entries_ = 0;
  Amounts amounts_;
  std::vector<Flow> flows_;
};

// By the first line that is not empty. A profile may begin with comments, as of a process that has sent nothing.
MatrixFormat format_of(Lines lines) {
  bool profile = false;
  while (lines.next()) {
    Words words(lines.line());
    const std::string_view first = words.next();
    if (first.empty()) continue;
    if (lower(first) == lower(kBanner)) return MatrixFormat::kMatrixMarket;
    if (first[0] == '#') {
      const std::string_view second = words.next(), third = words.next();
      profile = profile || third == "processes" || (second == "POINT" && third == "TO");
      continue;
    }
    const bool letter = is_kind(first) || std::find(kCommunicatorLines.begin(), kCommunicatorLines.end(), first) !=
                                              kCommunicatorLines.end();
    return letter ? MatrixFormat::kProfile : MatrixFormat::kDense;
  }
  return profile ? MatrixFormat::kProfile : MatrixFormat::kDense;
}

// --- writing ---

bool is_whole(double value) { return value == std::floor(value) && value < 1e22; }

void append(std::string& text, double value, bool whole) {
  std::array<char, 32> digits;  // at most 22, or 17 and an exponent
  const auto end = whole ? std::to_chars(digits.begin(), digits.end(), value, std::chars_format::fixed, 0).ptr
                         : std::to_chars(digits.begin(), digits.end(), value).ptr;
  text.append(digits.begin(), end);
}

std::string dense_text(const Pattern& bytes) {
  std::string text;
  for (int r = 0; r < bytes.order(); ++r) {
    const auto peers = bytes.peers(r);
    size_t next = 0;
    for (int c = 0; c < bytes.order(); ++c) {
      if (c > 0) text += ' ';
      if (next < peers.size() && peers[next] == c) {
        const double value = bytes.bytes(r)[next++];
        append(text, value, is_whole(value));
      } else {
        text += '0';
      }
    }
    text += '\n';
  }
  return text;
}

std::string matrix_market_text(const Pattern& bytes) {
  bool integer = true;
  for (int r = 0; r < bytes.order(); ++r) {
    const auto values = bytes.bytes(r);
    integer = integer && std::all_of(values.begin(), values.end(), is_whole);
  }
  const std::string order = std::to_string(bytes.order());
  std::string text = std::string(kBanner) + " matrix coordinate " + (integer ? "integer" : "real") +
                     " general\n% row: sender, column: receiver\n" + order + " " + order + " " +
                     std::to_string(bytes.entries()) + "\n";
  for (int r = 0; r < bytes.order(); ++r) {
    const std::string row = std::to_string(r + 1) + " ";
    for (size_t i = 0; i < bytes.peers(r).size(); ++i) {
      const double value = bytes.bytes(r)[i];
      text += row;
      text += std::to_string(bytes.peers(r)[i] + 1);
      text += ' ';
      append(text, value, is_whole(value));
      text += '\n';
    }
  }
  return text;
}

// A pair has a line where it has bytes or messages: those of a barrier are empty.
std::string profile_text(const Pattern& bytes, const Pattern* messages) {
  if (messages != nullptr && messages->order() != bytes.order()) {
    throw std::invalid_argument("messages and bytes are of different numbers of ranks");
  }
  std::string text = "# " + std::to_string(bytes.order()) + " processes\n# POINT TO POINT\n";
  const auto line = [&](int from, int to, double b, double m) {
    text += "E\t" + std::to_string(from) + "\t" + std::to_string(to) + "\t";
    append(text, b, true);
    text += " bytes\t";
    append(text, m, true);
    text += " msgs sent\n";
  };
  for (int r = 0; r < bytes.order(); ++r) {
    const auto peers = bytes.peers(r);
    if (messages == nullptr) {
      for (size_t i = 0; i < peers.size(); ++i) line(r, peers[i], bytes.bytes(r)[i], 1);
      continue;
    }
    const auto counted = messages->peers(r);
    for (size_t b = 0, m = 0; b < peers.size() || m < counted.size();) {
      const int to = m == counted.size() || (b < peers.size() && peers[b] < counted[m]) ? peers[b] : counted[m];
      const bool has_bytes = b < peers.size() && peers[b] == to, has_messages = m < counted.size() && counted[m] == to;
      line(r, to, has_bytes ? bytes.bytes(r)[b] : 0, has_messages ? messages->bytes(r)[m] : 0);
      b += has_bytes ? 1 : 0;
      m += has_messages ? 1 : 0;
    }
  }
  return text;
}

}  // namespace

MatrixFile read_matrix_files(const std::vector<fs::path>& files, int order, const std::string& kinds) {
  if (files.empty()) throw std::invalid_argument("no files");
  if (kinds.empty() || kinds.find_first_not_of(kProfileKinds) != std::string::npos) {
    throw std::invalid_argument("kinds are letters of EICSR");
  }
  Profiles profiles(order, kinds);
  for (const fs::path& file : files) {
    const std::string text = read_text(file);
    Lines lines(file.string(), text);
    if (text.empty()) lines.fail_whole("is empty", kFormats);
    const MatrixFormat format = format_of(lines);
    if (format == MatrixFormat::kProfile) {
      profiles.read(lines);
      continue;
    }
    if (files.size() > 1) lines.fail_whole("is not a profile", "give one file, or several .prof of the same run");
    return {format,
            format == MatrixFormat::kDense ? read_dense(lines, order) : MatrixMarket(std::move(lines), order).read(),
            {}};
  }
  const std::string all = files.front().string() + (files.size() > 1 ? " and those after it" : "");
  return profiles.finish(Lines(all, ""));
}

Pattern read_matrix(const fs::path& file, int order, const std::string& kinds, bool messages) {
  MatrixFile read = read_matrix_files({file}, order, kinds);
  if (!messages) return std::move(read.bytes);
  if (!read.messages) throw InputError(file.string(), "has no numbers of messages", "give a .prof");
  return std::move(*read.messages);
}

std::string format_matrix(const Pattern& bytes, MatrixFormat format, const Pattern* messages) {
  switch (format) {
    case MatrixFormat::kDense:
      return dense_text(bytes);
    case MatrixFormat::kProfile:
      return profile_text(bytes, messages);
    case MatrixFormat::kMatrixMarket:
      return matrix_market_text(bytes);
  }
  return {};
}

}  // namespace strata::mpix
