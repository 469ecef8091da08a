// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "platforms/error.h"
#include "platforms/line_text.h"
#include "records/foreign/bytes_of.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

constexpr int kAnySource = -555;  // MPI_ANY_SOURCE of SMPI (smpi/smpi.h)
constexpr int kDatatypes = 60;    // of SMPI, by number from 0 (src/smpi/mpi/smpi_datatype.cpp)
constexpr int kMostRanks = 1 << 24;

// The types of an action's arguments, one letter each; those after | are optional:
//
//   n  a count, s a count or -1 for unknown, f flop or s, i a whole number, d a datatype, r a rank, o a rank or
//   MPI_ANY_SOURCE, P one count for each rank, w any word
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
    {"irecv", "ois|d"},       {"isend", "rin|d"},        {"location", "wi"},     {"recv", "ois|d"},
    {"reduce", "nf|rd"},      {"reducescatter", "Pf|d"}, {"scan", "nf|d"},       {"scatter", "nn|rdd"},
    {"scatterv", "Pn|rdd"},   {"send", "rin|d"},         {"sendRecv", "nrnrdd"}, {"sleep", "f"},
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

class Checker {
 public:
  Checker(std::string file, int ranks)
      : file_(std::move(file)), ranks_(ranks), begun_(static_cast<std::size_t>(ranks)), outstanding_(begun_.size()) {}

  const std::map<std::string, long>& doubts() const { return doubts_; }

  void check(long line, const std::vector<std::string_view>& words, int only) {
    line_ = line;
    const int rank = integer(words.front(), "the rank", 0, ranks_ - 1);
    if (only >= 0 && rank != only)
      fail(fmt::format("an action of rank {} in the file of rank {}", rank, only), "one file has one rank's actions");
    if (words.size() < 2) fail("there is no action", "write for example '0 compute 1e6'");
    const Action* action = action_of(words[1]);
    if (action == nullptr) fail("SMPI replays no action " + shown(words[1]), known());
    // init also sets the default datatype; without it SMPI crashes.
    if (action->name == "init") begun_[static_cast<std::size_t>(rank)] = true;
    if (!begun_[static_cast<std::size_t>(rank)])
      fail(fmt::format("rank {} does this before init", rank), fmt::format("begin with '{} init'", rank));
    arguments(*action, words);
    requests(rank, words);
    if (words[1] == "test") ++doubts_["MPI_Test"];
    if (!action->arguments.starts_with('o')) return;
    if (words[2].front() == '-') ++doubts_[words[1] == "recv" ? "MPI_Recv" : "MPI_Irecv"];
    if (words[4].front() == '-') ++doubts_["MPI_Probe"];
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
      case 'P':
        return amount(word, "a count", 0, kMost);
      case 's':
        return amount(word, "a count", -1, kMost);
      case 'f':
        return amount(word, "an amount", 0, std::numeric_limits<double>::max());
      case 'i':
        integer(word, "a whole number", std::numeric_limits<int>::min(), kMost);
        return;
      case 'd':
        integer(word, "a datatype", 0, kDatatypes - 1);
        return;
      case 'o':
        if (int any = 0; parse(word, any) && any == kAnySource) return;
        [[fallthrough]];
      case 'r':
        integer(word, "a rank", 0, ranks_ - 1);
        return;
      default:
        return;
    }
  }

  // SMPI stops at a wait without a started request.
  void requests(int rank, const std::vector<std::string_view>& words) {
    const auto number = [&](std::size_t i) {
      int n = 0;
      parse(words[i], n);
      return n;
    };
    std::map<Key, long>& mine = outstanding_[static_cast<std::size_t>(rank)];
    if (words[1] == "isend") ++mine[{rank, number(2), number(3)}];
    if (words[1] == "irecv") ++mine[{number(2), rank, number(3)}];
    if (words[1] == "waitall") mine.clear();
    if (words[1] != "wait") return;
    if (mine.empty())
      fail(fmt::format("rank {} waits, but has started nothing", rank), "an isend or irecv comes before its wait");
    const auto found = mine.find({number(2), number(3), number(4)});
    if (found != mine.end() && --found->second == 0) mine.erase(found);
  }

  const std::string file_;
  const int ranks_;
  long line_ = 0;
  std::vector<bool> begun_;                       // by rank: had an init
  std::vector<std::map<Key, long>> outstanding_;  // by rank
  std::map<std::string, long> doubts_;
};

// Reads a file with the actions of all ranks.
ActionFiles shared(const fs::path& file, const std::string& bytes) {
  int ranks = 0;
  long actions = 0;
  for_each_line(bytes, [&](long line, const std::vector<std::string_view>& words) {
    int rank = 0;
    ++actions;
    if (!parse(words.front(), rank) || rank < 0 || rank >= kMostRanks)
      throw InputError(fmt::format("{}:{}", file.string(), line), shown(words.front()) + " is not a rank",
                       "an action begins with its rank, such as '0 compute 1e6'");
    ranks = std::max(ranks, rank + 1);
  });
  if (ranks > actions) {
    throw InputError(file.string(), fmt::format("there are {} ranks and {} actions", ranks, actions),
                     "ranks are 0, 1, ..., each with an action");
  }
  Checker checker(file, ranks);
  for_each_line(bytes, [&](long line, const auto& words) { checker.check(line, words, -1); });
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
  const std::string bytes = bytes_of(file, "give a trace");
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
  if (all.files.size() == 1) return shared(all.files.front(), bytes_of(all.files.front(), "give a trace"));
  all.ranks = static_cast<int>(all.files.size());
  for (int r = 0; r < all.ranks; ++r) {
    const fs::path& one = all.files[static_cast<std::size_t>(r)];
    Checker checker(one, all.ranks);
    for_each_line(bytes_of(one, "give a trace"),
                  [&](long number, const auto& words) { checker.check(number, words, r); });
    for (const auto& [function, count] : checker.doubts()) all.doubts[function] += count;
  }
  return all;
}

}  // namespace strata
