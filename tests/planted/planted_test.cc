// SPDX-License-Identifier: LGPL-2.1-only
// `strata check` finds real mistakes: each planted mistake (planted.bzl) is caught by the property and with the
// smallest counter-example that its patch names, and the page in docs/ agrees.
//
// A patch begins with a line that describes the mistake. "Check:" gives the area, or the program of check/protocols,
// and arguments of `strata check`. "Found:" gives the key of the counter-example; for a program only the verdict,
// because the checker determines the length of its paths. Programs are explored if SimGrid's model checker is installed
// (`strata check --install-mc`), and skipped otherwise. After an intended change, write the keys (of the properties
// already named there, or of the first one that is violated) and the page again, and read the difference:
//
//   STRATA_GOLDENS_TO=$PWD bazel run //tests/planted:planted_test
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "tests/planted/";
constexpr const char* kPage = "docs/planted.md";
constexpr const char* kBegin = "<!-- planted -->";
constexpr const char* kEnd = "<!-- end -->";

struct Mistake {
  std::string name;
  std::string what;    // the mistake
  std::string source;  // the changed file
  std::string check;   // what is checked, with arguments
  std::string found;   // the key; for a program the verdict
};

void PrintTo(const Mistake& m, std::ostream* out) { *out << m.name; }

// The text after `word` on the first line before the diff that begins with it.
std::string after(const std::vector<std::string>& lines, const std::string& word) {
  for (const std::string& line : lines) {
    if (line.rfind(word, 0) == 0) return line.substr(word.size());
  }
  return {};
}

Mistake read_mistake(const fs::path& patch) {
  const std::vector<std::string> lines = lines_of(read_text(patch));
  return {patch.stem(), lines.at(0), after(lines, "+++ b/"), after(lines, "Check: "), after(lines, "Found: ")};
}

const char* goldens_to() { return std::getenv("STRATA_GOLDENS_TO"); }

std::vector<Mistake> all_mistakes() {
  std::vector<fs::path> patches;
  const fs::path folder = goldens_to() != nullptr ? fs::path(goldens_to()) / kFolder : fs::path(built(kFolder));
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".patch") patches.push_back(file.path());
  }
  std::sort(patches.begin(), patches.end());
  std::vector<Mistake> all;
  std::transform(patches.begin(), patches.end(), std::back_inserter(all), read_mistake);
  return all;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// Returns "hsplit/index" for "hsplit/index:CASE".
std::string property_of(const std::string& key) { return key.substr(0, key.find(':')); }

// Returns "deadlock" for "sessions/deadlock:PATH".
std::string verdict_of(const std::string& key) {
  const std::string property = property_of(key);
  return property.substr(property.find('/') + 1);
}

// The keys in a check's output, each from the command that replays it.
std::vector<std::string> keys_in(const std::string& printed) {
  const std::vector<std::string> words = words_of(printed);
  std::vector<std::string> keys;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1] == "--replay") keys.push_back(words[i]);
  }
  return keys;
}

// Whether the mistake is planted in a program rather than in the pure cores.
bool in_program(const Mistake& m) { return fs::exists(built(kFolder + m.name + ".so")); }

// Runs `strata check` with the mistake or, if not `planted`, on the correct code. Replays `key` if it is not empty.
Ran check(const Mistake& m, bool planted, const std::string& key) {
  std::vector<std::string> words = words_of(m.check);
  if (in_program(m)) {
    const std::string right = "check/protocols/" + words[0] + "_protocol.so";
    words[0] = built(planted ? kFolder + m.name + ".so" : right);
    words.insert(words.begin(), {"check", "--program"});
    if (!key.empty()) words.insert(words.begin() + 1, {"--replay", key});
    return run_strata(words);
  }
  if (!key.empty()) words = {"--replay", key};
  std::vector<std::string> command = strata_command({"check"});
  if (planted) command = {built(kFolder + ("check_" + m.name))};
  command.insert(command.end(), words.begin(), words.end());
  return Process(command).wait();
}

// --- the page ---

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? "\\|" : std::string(1, c);
  return result;
}

// For example "`hsplit/index-order`" or "`sessions --get root` on 3 ranks".
std::string caught_by(const Mistake& m) {
  if (!in_program(m)) return "`" + property_of(m.found) + "`";
  const std::vector<std::string> words = words_of(m.check);
  std::string command = words[0];
  const auto dashes = std::find(words.begin(), words.end(), "--");
  for (auto w = dashes == words.end() ? dashes : dashes + 1; w != words.end(); ++w) command += " " + *w;
  return "`" + command + "` on " + words.at(2) + " ranks";
}

std::string table() {
  std::string text = "| mistake | in | caught by | smallest counter-example |\n| --- | --- | --- | --- |\n";
  for (const Mistake& m : all_mistakes()) {
    const std::string shown = in_program(m) ? m.found : "`" + m.found.substr(m.found.find(':') + 1) + "`";
    text +=
        "| " + escaped(m.what) + " | `" + m.source + "` | " + escaped(caught_by(m)) + " | " + escaped(shown) + " |\n";
  }
  return text;
}

// The page as it is, and as it should be.
struct Page {
  std::string text, right;
};

Page read_page() {
  const std::string text = read_text(goldens_to() != nullptr ? std::string(goldens_to()) + "/" + kPage : built(kPage));
  const size_t begin = text.find(kBegin), end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    throw std::runtime_error(std::string(kPage) + " has lost its markers");
  return {text, text.substr(0, begin) + kBegin + "\n\n" + table() + "\n" + text.substr(end)};
}

// --- the tests ---

// Writes the key or verdict that was found into the patch.
void write_found(const Mistake& m, const std::vector<std::string>& keys) {
  const auto same =
      std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return property_of(k) == property_of(m.found); });
  const std::string& key = same != keys.end() ? *same : keys.at(0);
  const fs::path file = fs::path(goldens_to()) / kFolder / (m.name + ".patch");
  const std::vector<std::string> lines = lines_of(read_text(file));
  std::ofstream out(file, std::ios::binary);
  for (const std::string& line : lines) {
    if (line.rfind("Found: ", 0) != 0) {
      out << line << "\n";
    } else {
      out << "Found: " << (in_program(m) ? verdict_of(key) : key) << "\n";
    }
  }
}

void write_page() {
  const std::string right = read_page().right;
  std::ofstream(fs::path(goldens_to()) / kPage, std::ios::binary) << right;
}

class Planted : public ::testing::TestWithParam<Mistake> {};

TEST_P(Planted, IsCaught) {
  const Mistake& m = GetParam();
  const Ran checked = check(m, true, "");
  if (checked.code == 2 && checked.err.find("is not installed") != std::string::npos) GTEST_SKIP() << checked.err;
  ASSERT_EQ(checked.code, 1) << checked.out << checked.err;
  const std::vector<std::string> keys = keys_in(checked.out);
  ASSERT_FALSE(keys.empty()) << checked.out;
  if (goldens_to() != nullptr) {
    write_found(m, keys);
    return write_page();  // from the patches as they are now
  }
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const std::string& key) {
    return (in_program(m) ? verdict_of(key) : key) == m.found;
  });
  ASSERT_NE(found, keys.end()) << m.found << "\n" << checked.out;

  const Ran replayed = check(m, true, *found);
  EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
  // A correct program may not be able to follow the path of a wrong one, so all its paths are checked.
  const Ran right = check(m, false, in_program(m) ? "" : m.found);
  EXPECT_EQ(right.code, 0) << right.out << right.err;
}

INSTANTIATE_TEST_SUITE_P(All, Planted, ::testing::ValuesIn(all_mistakes()),
                         [](const auto& info) { return info.param.name; });

TEST(ThePage, SaysWhatThePatchesSay) {
  if (goldens_to() != nullptr) return write_page();
  const Page page = read_page();
  EXPECT_EQ(page.text, page.right);
}

TEST(Mistakes, AreAtLeast25) { EXPECT_GE(all_mistakes().size(), 25u); }

}  // namespace
}  // namespace strata
