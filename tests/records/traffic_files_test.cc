// SPDX-License-Identifier: LGPL-2.1-only
// links.csv, samples.csv, sends.csv and messages.csv: the exact text of each, random tables written and read back, and
// every fault reported with file and line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/error.h"
#include "records/links.h"
#include "records/message_files.h"
#include "records/samples.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

const std::string kLinks = "link,level,direction,capacity_bytes_per_s,bytes,messages,utilisation\n";

// Random texts, numbers and tables.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  // Names with all characters that CSV must quote.
  std::string name() {
    static constexpr std::string_view kCharacters = "ab0.# (),\"\n\r;\t";
    std::string text;
    for (std::uint64_t n = below(8); n > 0; --n) text += kCharacters[below(kCharacters.size())];
    return text;
  }
  double whole() { return static_cast<double>(engine_() >> (11 + below(50))); }
  // A fraction of a random power of ten.
  double real() {
    return std::uniform_real_distribution<double>(0, 1)(engine_) * std::pow(10, static_cast<double>(below(40)) - 20);
  }
  // Has no more digits than "{:.6g}" writes.
  double short_share() { return std::stod(std::to_string(below(999999)) + "e-6"); }

 private:
  std::mt19937_64 engine_;
};

// Calls `check` with several generators, and reports the seed of a failure.
void with_seeds(const std::function<void(Random&)>& check) {
  const std::uint64_t first = std::random_device{}();
  for (std::uint64_t seed = first; seed < first + 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    check(random);
  }
}

template <class Read>
std::string refused(const std::string& text, const Read& read) {
  const TemporaryFolder folder;
  try {
    read(folder.write("f", text));
  } catch (const InputError& e) {
    const std::string what = e.what();
    return what.substr(what.find("/f:") + 1);
  }
  return "no error";
}

TEST(Csv, FieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csv_field("node0"), "node0");
  EXPECT_EQ(csv_field("router (0,1)"), "\"router (0,1)\"");
  EXPECT_EQ(csv_field("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field(""), "");
}

TEST(Links, AreThisText) {
  EXPECT_EQ(format_links({{"node0.core0", "Package", "up", 1e9, 500, 2, 0.25},
                          {"x+ link of router (0,1)", "x", "across", 0.1, 1e15, 10, 1.0 / 3}}),
            kLinks +
                "node0.core0,Package,up,1000000000,500,2,0.25\n"
                "\"x+ link of router (0,1)\",x,across,0.1,1000000000000000,10,0.333333\n");
}

TEST(Links, AreReadBack) {
  with_seeds([](Random& random) {
    std::vector<LinkTraffic> links;
    for (std::uint64_t n = random.below(20); n > 0; --n) {
      links.push_back({random.name(), random.name(), random.name(), random.real(), random.whole(),
                       static_cast<long>(random.below(1ULL << 63)), random.short_share()});
    }
    const TemporaryFolder folder;
    EXPECT_EQ(read_links(folder.write("links.csv", format_links(links))), links);
  });
}

TEST(Samples, AreReadBack) {
  EXPECT_EQ(format_sample({0.01, "router (0,1)", "across", 65536}), "0.01,\"router (0,1)\",across,65536\n");
  with_seeds([](Random& random) {
    std::vector<LinkSample> samples;
    std::string text = std::string(kSamplesHeading) + "\n";
    for (std::uint64_t n = random.below(20); n > 0; --n) {
      samples.push_back({random.short_share(), random.name(), random.name(), random.whole()});
      text += format_sample(samples.back());
    }
    const TemporaryFolder folder;
    EXPECT_EQ(read_samples(folder.write("samples.csv", text)), samples);
  });
}

TEST(Messages, AreReadBack) {
  EXPECT_EQ(format_message(SentMessage{MessageKind::kOneSided, 0, 7, UINT64_MAX}), "S,0,7,18446744073709551615\n");
  EXPECT_EQ(format_message(CarriedMessage{"node0.core0", "node1.core0", 65552, 0.0015, 0.00161}),
            "node0.core0,node1.core0,65552,0.0015,0.00161\n");
  with_seeds([](Random& random) {
    std::vector<SentMessage> sent;
    std::vector<CarriedMessage> carried;
    std::string sends = std::string(kSendsHeading) + "\n", messages = std::string(kMessagesHeading) + "\n";
    constexpr MessageKind kKinds[] = {MessageKind::kExternal, MessageKind::kInternal, MessageKind::kOneSided};
    for (std::uint64_t n = random.below(20); n > 0; --n) {
      const int from = static_cast<int>(random.below(1U << 31)), to = static_cast<int>(random.below(1U << 31));
      sent.push_back({kKinds[random.below(3)], from, to, random.below(UINT64_MAX)});
      sends += format_message(sent.back());
      const double start = random.real();
      carried.push_back({random.name(), random.name(), random.whole(), start, start + random.real()});
      messages += format_message(carried.back());
    }
    const TemporaryFolder folder;
    EXPECT_EQ(read_sent_messages(folder.write("sends.csv", sends)), sent);
    EXPECT_EQ(read_carried_messages(folder.write("messages.csv", messages)), carried);
  });
}

TEST(Links, DamagedFilesAreRefusedWithFileAndLine) {
  const std::string remedy = "; the file may be damaged; make it again with `traffic: on`";
  const std::string good = kLinks + "a,b,up,1,2,3,4\n";
  const auto error = [](const std::string& text) { return refused(text, read_links); };
  EXPECT_EQ(error(good), "no error");
  EXPECT_EQ(error(""), "f:1: is not '" + kLinks.substr(0, kLinks.size() - 1) + "'" + remedy);
  EXPECT_EQ(error("links\n"), "f:1: is not '" + kLinks.substr(0, kLinks.size() - 1) + "'" + remedy);
  EXPECT_EQ(error(good + "\n"), "f:3: has 1 field where 7 were expected" + remedy);
  EXPECT_EQ(error(good + "a,b,up,1,2,3,4,5\n"), "f:3: has 8 fields where 7 were expected" + remedy);
  EXPECT_EQ(error(good + "\"a\nb\",b,up,1,2,3,-4\n"), "f:3: '-4' is not a number of 0 or more" + remedy);
  EXPECT_EQ(error(kLinks + "\"a\nb\",b,up,1,2,3,4\na,b,up,1,2,3,nan\n"),
            "f:4: 'nan' is not a number of 0 or more" + remedy);
  EXPECT_EQ(error(good + "a,b,up,1,1e999,3,4\n"), "f:3: '1e999' is not a number of 0 or more" + remedy);
  EXPECT_EQ(error(good + "a,b,up,1,2,3.5,4\n"),
            "f:3: '3.5' is not a whole number from 0 to 9223372036854775807" + remedy);
  EXPECT_EQ(error(good + "\"a,b,up,1,2,3,4\n"), "f:3: has a quote that does not end" + remedy);
  EXPECT_EQ(error(good + "a\"b,b,up,1,2,3,4\n"), "f:3: has a quote inside a field" + remedy);
  EXPECT_EQ(error(good + "\"a\"b,b,up,1,2,3,4\n"), "f:3: has a quote inside a field" + remedy);
  const TemporaryFolder folder;
  EXPECT_THROW(read_links(folder.path() / "none"), InputError);
  EXPECT_THROW(read_links(folder.path()), InputError);
}

TEST(Messages, DamagedFilesAreRefusedWithFileAndLine) {
  const std::string remedy = "; the file may be damaged; make it again with `traffic: messages`";
  const std::string sends = std::string(kSendsHeading) + "\n", messages = std::string(kMessagesHeading) + "\n";
  const auto sent = [](const std::string& text) { return refused(text, read_sent_messages); };
  const auto carried = [](const std::string& text) { return refused(text, read_carried_messages); };
  EXPECT_EQ(sent(sends + "E,0,1,8\nC,0,1,8\n"), "f:3: 'C' is not a kind of message: E, I or S" + remedy);
  EXPECT_EQ(sent(sends + "E,0,-1,8\n"), "f:2: '-1' is not a whole number from 0 to 2147483647" + remedy);
  EXPECT_EQ(sent(sends + "E,0,1,8.5\n"), "f:2: '8.5' is not a whole number from 0 to 18446744073709551615" + remedy);
  EXPECT_EQ(sent(messages), "f:1: is not 'kind,sender,receiver,bytes'" + remedy);
  EXPECT_EQ(carried(messages + "a,b,8,2,1\n"), "f:2: arrives before it is sent" + remedy);
  EXPECT_EQ(carried(messages + "a,b,8,x,1\n"), "f:2: 'x' is not a number of 0 or more" + remedy);
  EXPECT_EQ(refused(std::string(kSamplesHeading) + "\n0.1,a,up\n", read_samples),
            "f:2: has 3 fields where 4 were expected; the file may be damaged; make it again with a period as "
            "`traffic: 10 ms`");
}

// Whichever bytes change, the file is read or refused.
TEST(Links, ChangedBytesAreReadOrRefused) {
  with_seeds([](Random& random) {
    std::string text = kLinks + "node0.core0,Package,up,1e9,500,2,0.25\n\"x+ (0,1)\",x,across,4e9,10,10,0.5\n";
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    }
    const std::string what = refused(text, read_links);
    if (what != "no error") {
      EXPECT_THAT(what, ::testing::StartsWith("f:"));
    }
  });
}

}  // namespace
}  // namespace strata
