// `strata check` finds what it is for: each planted mistake (planted.bzl) is caught, by the property and the smallest
// counter-example that its patch names, and the page in docs/ says the same.
//
// A patch begins with what is wrong, in a line. Then come "Check:", the arguments of `strata check`, and "Found:", the
// key of the counter-example. After a change that is meant, write the keys (of the properties that stand there, or of the
// first that is violated) and the page anew, and read the difference:
//
//   STRATA_GOLDENS_TO=$PWD bazel run //tests/planted:planted_test
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "tests/planted/";
constexpr const char* kPage = "docs/planted.md";
constexpr const char* kBegin = "<!-- planted -->";
constexpr const char* kEnd = "<!-- end -->";

struct Mistake {
  std::string name;
  std::string what;    // is wrong
  std::string source;  // the file that is changed
  std::string check;   // arguments of `strata check`
  std::string found;   // the key

  bool in_protocol() const { return check.rfind("--program", 0) == 0; }
};

void PrintTo(const Mistake& m, std::ostream* out) { *out << m.name; }

// What follows `word` at the beginning of a line before the diff.
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

std::vector<Mistake> all_mistakes() {
  std::vector<fs::path> patches;
  for (const auto& file : fs::directory_iterator(built(kFolder))) {
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

// "hsplit/index" of "hsplit/index:CASE".
std::string property_of(const std::string& key) { return key.substr(0, key.find(':')); }

// The keys that a check has printed, each after the command that replays it.
std::vector<std::string> keys_in(const std::string& printed) {
  const std::vector<std::string> words = words_of(printed);
  std::vector<std::string> keys;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1] == "--replay") keys.push_back(words[i]);
  }
  return keys;
}

Ran run_mistaken(const Mistake& m, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), built(kFolder + ("check_" + m.name)));
  return Process(arguments).wait();
}

// ------------------------------------------------------------------------------------------------------------ the tests

const char* goldens_to() { return std::getenv("STRATA_GOLDENS_TO"); }

// Writes the key that was found into the patch.
void write_found(const Mistake& m, const std::vector<std::string>& keys) {
  const auto same =
      std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return property_of(k) == property_of(m.found); });
  const fs::path file = fs::path(goldens_to()) / kFolder / (m.name + ".patch");
  const std::vector<std::string> lines = lines_of(read_text(file));
  std::ofstream out(file, std::ios::binary);
  for (const std::string& line : lines) {
    if (line.rfind("Found: ", 0) == 0) continue;
    out << line << "\n";
    if (line.rfind("Check: ", 0) == 0) out << "Found: " << (same != keys.end() ? *same : keys.at(0)) << "\n";
  }
}

class Planted : public ::testing::TestWithParam<Mistake> {};

TEST_P(Planted, IsCaught) {
  const Mistake& m = GetParam();
  const Ran checked = run_mistaken(m, words_of(m.check));
  ASSERT_EQ(checked.code, 1) << checked.out << checked.err;
  const std::vector<std::string> keys = keys_in(checked.out);
  ASSERT_FALSE(keys.empty()) << checked.out;
  if (goldens_to() != nullptr) return write_found(m, keys);
  ASSERT_THAT(keys, ::testing::Contains(m.found)) << checked.out;

  const Ran replayed = run_mistaken(m, {"--replay", m.found});
  EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
  const Ran right = run_strata({"check", "--replay", m.found});
  EXPECT_EQ(right.code, 0) << right.out << right.err;
}

INSTANTIATE_TEST_SUITE_P(All, Planted, ::testing::ValuesIn(all_mistakes()),
                         [](const auto& info) { return info.param.name; });

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? "\\|" : std::string(1, c);
  return result;
}

std::string table() {
  std::string text = "| mistake | in | caught by | smallest counter-example |\n| --- | --- | --- | --- |\n";
  for (const Mistake& m : all_mistakes()) {
    const std::string property = property_of(m.found);
    text += "| " + escaped(m.what) + " | `" + m.source + "` | `" + property + "` | `" +
            escaped(m.found.substr(std::min(m.found.size(), property.size() + 1))) + "` |\n";
  }
  return text;
}

TEST(Page, SaysWhatThePatchesSay) {
  const std::string page = goldens_to() != nullptr ? std::string(goldens_to()) + "/" + kPage : built(kPage);
  const std::string text = read_text(page);
  const size_t begin = text.find(kBegin), end = text.find(kEnd);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos && begin < end);
  const size_t from = begin + std::string(kBegin).size();
  const std::string expected = "\n\n" + table() + "\n";
  if (goldens_to() != nullptr) {
    std::ofstream(page, std::ios::binary) << text.substr(0, from) << expected << text.substr(end);
    return;
  }
  EXPECT_EQ(text.substr(from, end - from), expected);
}

TEST(Mistakes, AreAtLeast25) { EXPECT_GE(all_mistakes().size(), 25u); }

}  // namespace
}  // namespace strata
