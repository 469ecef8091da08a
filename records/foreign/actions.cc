// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "base/limits.h"
#include "base/line_text.h"
#include "records/foreign/action_matching.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

constexpr int kAnySource = -555;  // MPI_ANY_SOURCE of SMPI (smpi/smpi.h)
constexpr int kUndefined = -333;  // MPI_UNDEFINED
constexpr int kAnyTag = -444;     // MPI_ANY_TAG
constexpr int kDatatypes = 60;    // of SMPI, by number from 0 (src/smpi/mpi/smpi_datatype.cpp)

// The types of an action's arguments, one letter each; those after | are optional:
//
//   n  a count, s a count or -1 for unknown, f flop or s, i a whole number, t a tag, u a tag or MPI_ANY_TAG, d a
//   datatype, r a rank, o a rank or MPI_ANY_SOURCE, P one count for each rank, w any word
//
// From SimGrid's src/smpi/internals/smpi_replay.cpp, which ignores additional arguments.
struct Action {
  std::string_view name, arguments;
};
constexpr Action kActions[] = {
    {"allgather", "nn|dd"},   {"allgatherv", "nP"},      {"allreduce", "nf|d"},  {"alltoall", "nn|dd"},
    {"alltoallv", "nPnP|dd"}, {"barrier", ""},           {"bcast", "n|rd"},      {"comm_dup", ""},
    {"comm_size", ""},        {"comm_split", ""},        {"compute", "f"},       {"exscan", "nf|d"},
    {"finalize", ""},         {"gather", "nn|rdd"},      {"gatherv", "nP|rdd"},  {"init", ""},
    {"irecv", "ous|d"},       {"isend", "rtn|d"},        {"location", "wi"},     {"recv", "ous|d"},
    {"reduce", "nf|rd"},      {"reducescatter", "Pf|d"}, {"scan", "nf|d"},       {"scatter", "nn|rdd"},
    {"scatterv", "Pn|rdd"},   {"send", "rtn|d"},         {"sendRecv", "nrnrdd"}, {"sleep", "f"},
    {"test", "rri"},          {"wait", "rri"},           {"waitall", ""}};

const Action* action_of(std::string_view name) {
  const Action* found =
      std::find_if(std::begin(kActions), std::end(kActions), [&](const Action& a) { return a.name == name; });
  return found == std::end(kActions) ? nullptr : found;
}

template <class Number>
bool parse(std::string_view word, Number& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

// Calls handle(line number, words) for each line that is not empty or a comment.
template <class Handle>
void for_each_line(std::string_view text, const Handle& handle) {
  for (long number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> words = words_of(text.substr(0, end));
    if (!words.empty() && words.front().front() != '#') handle(number, words);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Checks the actions of a trace, file after file.
class Checker {
 public:
  explicit Checker(int ranks)
      : ranks_(ranks),
        begun_(static_cast<std::size_t>(ranks)),
        ended_(begun_.size()),
        outstanding_(begun_.size()),
        matching_(ranks) {}

  const std::map<std::string, long>& doubts() const { return doubts_; }

  /// The next actions are in this file.
  void open(const std::string& file) {
    file_ = file;
    files_.push_back(std::make_unique<std::string>(file));
  }

  void check(long line, const std::vector<std::string_view>& words, int only) {
    line_ = line;
    const int rank = integer(words.front(), "the rank", 0, ranks_ - 1);
    plain(words.front(), rank, "the rank");
    if (only >= 0 && rank != only)
      fail(fmt::format("an action of rank {} in the file of rank {}", rank, only), "one file has one rank's actions");
    if (words.size() < 2) fail("there is no action", "write for example '0 compute 1e6'");
    const Action* action = action_of(words[1]);
    if (action == nullptr) fail("SMPI replays no action " + shown(words[1]), known());
    // init also sets the default datatype; without it SMPI crashes.
    if (action->name == "init") begun_[rank] = true;
    if (!begun_[rank])
      fail(fmt::format("rank {} does this before init", rank), fmt::format("begin with '{} init'", rank));
    if (ended_[rank]) fail(fmt::format("rank {} does this after finalize", rank), "finalize is a rank's last action");
    if (action->name == "finalize") ended_[rank] = true;
    arguments(*action, words);
    if (action->name == "allgatherv") displacements(words);
    requests(rank, words);
    matching_.add(rank, *files_.back(), line, words);
    if (words[1] == "test") ++doubts_["MPI_Test"];
    if (!action->arguments.starts_with('o')) return;
    if (words[2].front() == '-') ++doubts_[words[1] == "recv" ? "MPI_Recv" : "MPI_Irecv"];
    if (words[4].front() == '-') ++doubts_["MPI_Probe"];
  }

  /// After the last action of the last rank.
  void finish() const {
    const auto idle = std::find(begun_.begin(), begun_.end(), false);
    if (idle != begun_.end())
      throw InputError(file_, fmt::format("rank {} has no actions", idle - begun_.begin()),
                       "ranks are 0, 1, ..., each with an init");
    const auto ended = std::find(ended_.begin(), ended_.end(), true),
               missing = std::find(ended_.begin(), ended_.end(), false);
    if (ended != ended_.end() && missing != ended_.end()) {
      throw InputError(
          file_,
          fmt::format("rank {} has no finalize, and rank {} has one", missing - ended_.begin(), ended - ended_.begin()),
          "the trace is cut off");
    }
    matching_.finish();
  }

 private:
  using Key = std::tuple<int, int, int>;  // source, destination, tag

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", file_, line_), what, remedy);
  }

  static std::string known() {
    std::string names;
    for (const Action& a : kActions) names += fmt::format("{}{}", names.empty() ? "it knows " : ", ", a.name);
    return names;
  }

  int integer(std::string_view word, std::string_view what, int least, int most) const {
    int number = 0;
    if (!parse(word, number)) fail(fmt::format("{} is not {}", shown(word), what), "write a whole number");
    if (number < least || number > most)
      fail(fmt::format("{} is {}", what, number), fmt::format("it is from {} to {}", least, most));
    return number;
  }

  // SMPI compares ranks and datatypes as texts.
  void plain(std::string_view word, int number, std::string_view what) const {
    if (word != std::to_string(number))
      fail(fmt::format("{} is written {}", what, shown(word)), fmt::format("write {}", number));
  }

  // Elements count, so 5e4 is one, but 0.5 is not.
  void count(std::string_view word, int least) const {
    amount(word, "a count", least, std::numeric_limits<int>::max());
    double number = 0;
    parse(word, number);
    if (number != std::trunc(number)) fail(fmt::format("a count is {}", printable(word)), "write a whole number");
  }

  void amount(std::string_view word, std::string_view what, double least, double most) const {
    double number = 0;
    if (!parse(word, number) || !std::isfinite(number))
      fail(fmt::format("{} is not {}", shown(word), what), "write a number");
    if (number < least || number > most)
      fail(fmt::format("{} is {}", what, printable(word)), fmt::format("it is from {:.0f} to {:.0f}", least, most));
  }

  void arguments(const Action& action, const std::vector<std::string_view>& words) const {
    std::size_t at = 2;
    bool may_end = false;
    for (const char letter : action.arguments) {
      if (letter == '|') {
        may_end = true;
        continue;
      }
      const auto count = letter == 'P' ? static_cast<std::size_t>(ranks_) : std::size_t{1};
      if (words.size() < at + count) {
        if (may_end && words.size() == at) return;
        fail(fmt::format("{} has {} arguments", action.name, words.size() - 2),
             fmt::format("it has {}", at + count - 2) + (may_end ? "" : " or more"));
      }
      for (std::size_t i = 0; i < count; ++i) argument(letter, words[at++]);
    }
  }

  void argument(char letter, std::string_view word) const {
    constexpr int kMost = std::numeric_limits<int>::max();
    switch (letter) {
      case 'n':
        return count(word, 0);
      case 'P':  // SMPI reads 5e4 as 5 here
        integer(word, "a count", 0, kMost);
        return;
      case 's':
        return count(word, -1);
      case 'f':
        return amount(word, "an amount", 0, std::numeric_limits<double>::max());
      case 'i':
        integer(word, "a whole number", std::numeric_limits<int>::min(), kMost);
        return;
      case 'u':
        if (int any = 0; parse(word, any) && any == kAnyTag) return;
        [[fallthrough]];
      case 't':
        integer(word, "a tag", 0, kMost);
        return;
      case 'd':
        plain(word, integer(word, "a datatype", 0, kDatatypes - 1), "a datatype");
        return;
      case 'o':
        if (int any = 0; parse(word, any) && any == kAnySource) return;
        if (int any = 0; parse(word, any) && any == kUndefined)
          fail("the receive is from any source, which SMPI writes as -333 and cannot replay",
               "record the program with strata exec --record");
        [[fallthrough]];
      case 'r':
        integer(word, "a rank", 0, ranks_ - 1);
        return;
      default:
        return;
    }
  }

  // The rest of allgatherv: two datatypes, or a displacement for each rank, or both. SMPI tells which by the number of
  // words.
  void displacements(const std::vector<std::string_view>& words) const {
    const auto ranks = static_cast<std::size_t>(ranks_);
    std::size_t at = 3 + ranks;
    const std::size_t more = words.size() - at;
    if (more <= 2 || more > ranks) {
      for (std::size_t i = 0; i < 2 && at < words.size(); ++i) argument('d', words[at++]);
    }
    if (more <= 2) return;
    if (words.size() < at + ranks)
      fail(fmt::format("allgatherv has {} displacements", words.size() - at), fmt::format("it has {}", ranks));
    long all = 0;
    for (std::size_t r = 0; r < ranks; ++r) all += integer(words[3 + r], "a count", 0, std::numeric_limits<int>::max());
    for (std::size_t r = 0; r < ranks; ++r) {
      const long begin = integer(words[at + r], "a displacement", 0, std::numeric_limits<int>::max());
      if (begin + integer(words[3 + r], "a count", 0, std::numeric_limits<int>::max()) > all)
        fail(fmt::format("a displacement is {}", begin), fmt::format("a block ends at {} or before", all));
    }
  }

  // SMPI stops at a wait if nothing was started, and ignores a wait for another request.
  void requests(int rank, const std::vector<std::string_view>& words) {
    const auto number = [&](std::size_t i) {
      int n = 0;
      parse(words[i], n);
      return n;
    };
    std::map<Key, long>& mine = outstanding_[rank];
    if (words[1] == "isend") ++mine[{rank, number(2), number(3)}];
    if (words[1] == "irecv") ++mine[{number(2), rank, number(3)}];
    if (words[1] == "waitall") mine.clear();
    if (words[1] != "wait") return;
    if (mine.empty())
      fail(fmt::format("rank {} waits, but has started nothing", rank), "an isend or irecv comes before its wait");
    const Key key{number(2), number(3), number(4)};
    auto found = mine.find(key);
    if (found == mine.end()) {
      // The wait names the message that came, and its receive none.
      found = std::find_if(mine.begin(), mine.end(), [&](const auto& request) {
        const auto& [source, destination, tag] = request.first;
        return destination == std::get<1>(key) && (source < 0 || source == std::get<0>(key)) &&
               (tag < 0 || tag == std::get<2>(key));
      });
    }
    if (found == mine.end())
      fail(fmt::format("rank {} waits for a request from {} to {} with tag {}, which it has not started", rank,
                       number(2), number(3), number(4)),
           "an isend or irecv of these comes before its wait");
    if (--found->second == 0) mine.erase(found);
  }

  const int ranks_;
  std::string file_;
  std::vector<std::unique_ptr<std::string>> files_;  // names, to which `matching_` refers
  long line_ = 0;
  std::vector<bool> begun_, ended_;               // by rank: had an init, a finalize
  std::vector<std::map<Key, long>> outstanding_;  // by rank
  ActionMatching matching_;
  std::map<std::string, long> doubts_;
};

// Refuses characters at which SMPI does not divide words or lines, unlike us: the replayer would read other actions.
void require_plain(const fs::path& file, const std::string& bytes) {
  long line = 1;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '\n') ++line;
    const bool alone = c == '\r' && i + 1 < bytes.size() && bytes[i + 1] != '\n';
    if (alone || (c < ' ' && c >= 0 && c != '\n' && c != '\t' && c != '\r')) {
      throw InputError(fmt::format("{}:{}", file.string(), line), fmt::format("has the control character {:d}", c),
                       "divide words by blanks and lines by line feeds");
    }
  }
}

// Reads a file with the actions of all ranks.
ActionFiles shared(const fs::path& file, const std::string& bytes) {
  require_plain(file, bytes);
  int ranks = 0;
  long actions = 0;
  for_each_line(bytes, [&](long line, const std::vector<std::string_view>& words) {
    int rank = 0;
    ++actions;
    if (!parse(words.front(), rank) || rank < 0 || rank >= kMostRanksInMemory)
      throw InputError(fmt::format("{}:{}", file.string(), line), shown(words.front()) + " is not a rank",
                       "an action begins with its rank, such as '0 compute 1e6'");
    ranks = std::max(ranks, rank + 1);
  });
  if (ranks > actions) {
    throw InputError(file.string(), fmt::format("there are {} ranks and {} actions", ranks, actions),
                     "ranks are 0, 1, ..., each with an action");
  }
  Checker checker(ranks);
  checker.open(file);
  for_each_line(bytes, [&](long line, const auto& words) { checker.check(line, words, -1); });
  checker.finish();
  return {{fs::absolute(file)}, ranks, checker.doubts()};
}

fs::path found(const fs::path& list, long line, const std::string& name) {
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) return fs::absolute(name);
  fs::path beside = fs::absolute(list).parent_path() / name;
  if (fs::is_regular_file(beside, ignored)) return beside;
  if (line == 1) {
    throw InputError(list.string(),
                     "is not a trace: not strata's, not GOAL, not actions of SMPI or a list of their files",
                     "record one with strata exec --record");
  }
  throw InputError(fmt::format("{}:{}", list.string(), line), "there is no file " + shown(name),
                   "names count from the current folder, or from the one of the list");
}

}  // namespace

bool is_actions(const std::string& bytes) {
  bool first = true, is = false;
  for_each_line(bytes, [&](long, const std::vector<std::string_view>& words) {
    if (std::exchange(first, false)) {
      int rank = 0;
      is = words.size() > 1 && parse(words.front(), rank) && action_of(words[1]) != nullptr;
    }
  });
  return is;
}

ActionFiles read_actions(const fs::path& file) {
  const std::string bytes = read_input(file, "give a trace");
  if (is_actions(bytes)) return shared(file, bytes);
  ActionFiles all;
  long line = 0;
  for (std::string_view text = bytes; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string name(text.substr(0, end));
    ++line;
    if (!name.empty() && name.back() == '\r') name.pop_back();
    if (!name.empty()) all.files.push_back(found(file, line, name));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (all.files.empty()) throw InputError(file.string(), "is empty", "give a trace");
  if (all.files.size() == 1) return shared(all.files.front(), read_input(all.files.front(), "give a trace"));
  all.ranks = static_cast<int>(all.files.size());
  Checker checker(all.ranks);
  for (int r = 0; r < all.ranks; ++r) {
    const fs::path& one = all.files[r];
    checker.open(one);
    const std::string actions = read_input(one, "give a trace");
    require_plain(one, actions);
    for_each_line(actions, [&](long number, const auto& words) { checker.check(number, words, r); });
  }
  checker.finish();
  all.doubts = checker.doubts();
  return all;
}

}  // namespace strata
