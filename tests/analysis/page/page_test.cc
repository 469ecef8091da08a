// SPDX-License-Identifier: LGPL-2.1-only
// The data of pages: the numbers of the records, sums if there are too many, text that must not become markup, and bad
// input.
#include "analysis/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/page/base64.h"
#include "analysis/page/study_json.h"
#include "base/error.h"
#include "base/output_error.h"
#include "records/events.h"
#include "records/folder.h"
#include "tests/analysis/page/made_run.h"
#include "tests/analysis/small_study.h"
#include "tests/process/process.h"

namespace strata::analysis {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& e) {
    return e.what();
  } catch (const OutputError& e) {
    return e.what();
  }
  return "";
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A slow decoder of BASE64.
std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned value = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    value = value << 6 | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(value >> (bits -= 8) & 255);
  }
  return bytes;
}

// `calls` decoded as in the browser, one rank after another.
struct ReadCall {
  double from = 0, to = 0, waiting = 0;
  int function = 0;
  std::vector<int> waits_for;
};
std::vector<std::vector<ReadCall>> read_calls(const Json& timeline) {
  const Json& calls = timeline.at("calls");
  const std::string bytes = from_base64(calls.at("rows").get<std::string>());
  size_t at = 0;
  const auto number = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(at++));
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const double from = calls.at("from_s"),
               tick = (calls.at("to_s").get<double>() - from) / calls.at("ticks").get<double>();
  std::vector<std::vector<ReadCall>> ranks(timeline.at("ranks").get<size_t>());
  for (std::vector<ReadCall>& rank : ranks) {
    std::uint64_t moment = 0;
    rank.resize(number());
    for (ReadCall& call : rank) {
      moment += number();
      call.from = from + static_cast<double>(moment) * tick;
      call.function = static_cast<int>(number());
      moment += number();
      call.to = from + static_cast<double>(moment) * tick;
      for (std::uint64_t waits = number(); waits > 0; --waits) {
        number();
        call.waiting += static_cast<double>(number()) * tick;
        call.waits_for.push_back(static_cast<int>(number()) - 1);
      }
    }
  }
  EXPECT_EQ(at, bytes.size());
  return ranks;
}

TEST(Base64, WorkedExamplesOfTheStandard) {
  const std::map<std::string, std::string> examples = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) EXPECT_EQ(base64(bytes), text);
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(Page, TextIsNoMarkup) {
  const Json hostile = {{"text", "</script><!--<b>&\xe2\x80\xa8\xe2\x80\xa9"}};
  const std::string text = json_for_script(hostile);
  for (const char* bad : {"<", ">", "&", "\xe2\x80\xa8", "\xe2\x80\xa9"}) EXPECT_THAT(text, Not(HasSubstr(bad)));
  EXPECT_EQ(Json::parse(text), hostile);
  EXPECT_NO_THROW(json_for_script({{"text", "\xff"}})) << "no UTF-8";
}

class PageTest : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  TemporaryFolder folder_;
};

TEST_F(PageTest, SameInputSameBytesAndNothingIsLoaded) {
  const MadeRun run = make_run(path("run"), "node:2 pack:2 core:3", 4);
  const std::string html = page_html(page_document({program_json(page_of(run))}, ""));
  EXPECT_EQ(html, page_html(page_document({program_json(page_of(run))}, "")));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, HasSubstr("<title>ring &lt;/script&gt;&lt;b&gt;"));
  for (const char* loads : {" src=", "<link", "@import", "url("})
    EXPECT_THAT(html, Not(HasSubstr(std::string("\n") + loads)));
}

TEST_F(PageTest, CallsAreThoseOfTheEvents) {
  const MadeRun run = make_run(path("run"), "node:2 pack:2 core:3", 10);
  const Json timeline = program_json(page_of(run)).at("points").at(0).at("timeline");
  EXPECT_FALSE(timeline.at("calls").at("left_out").get<bool>());
  const double close = run.profile.simulated_time * 1e-8;
  std::map<std::string, CallProfile> sums;
  const auto ranks = read_calls(timeline);
  ASSERT_EQ(ranks.size(), run.profile.ranks.size());
  for (size_t r = 0; r < ranks.size(); ++r) {
    double in_mpi = 0, waiting = 0;
    for (const ReadCall& call : ranks[r]) {
      CallProfile& sum = sums[timeline.at("functions").at(call.function)];
      ++sum.count;
      sum.seconds += call.to - call.from;
      sum.waiting += call.waiting;
      in_mpi += call.to - call.from;
      waiting += call.waiting;
      const int left = static_cast<int>((r + ranks.size() - 1) % ranks.size());
      for (const int other : call.waits_for) EXPECT_TRUE(other == left || other == 0) << other;
    }
    EXPECT_NEAR(waiting, run.profile.ranks[r].waiting, close);
    EXPECT_NEAR(run.profile.ranks[r].end - in_mpi, run.profile.ranks[r].computing, close);
    EXPECT_NEAR(timeline.at("times").at("waiting").at(r).get<double>(), run.profile.ranks[r].waiting, 1e-12);
    EXPECT_NEAR(timeline.at("times").at("computing").at(r).get<double>(), run.profile.ranks[r].computing, 1e-12);
  }
  for (const CallProfile& c : run.profile.calls) {
    EXPECT_EQ(sums.at(c.call).count, c.count);
    EXPECT_NEAR(sums.at(c.call).seconds, c.seconds, close * static_cast<double>(c.count));
    EXPECT_NEAR(sums.at(c.call).waiting, c.waiting, close * static_cast<double>(c.count));
  }
  for (const Json& c : timeline.at("sums")) {
    const auto known = std::find_if(run.profile.calls.begin(), run.profile.calls.end(),
                                    [&](const CallProfile& p) { return p.call == c.at("call").get<std::string>(); });
    ASSERT_NE(known, run.profile.calls.end());
    EXPECT_EQ(c.at("count"), known->count);
    EXPECT_NEAR(c.at("seconds").get<double>(), known->seconds, 1e-12);
  }
}

TEST_F(PageTest, SharesAddUpWhereCallsAreTooMany) {
  const MadeRun run = make_run(path("run"), "node:2 pack:2 core:3", 100);
  const Json timeline = timeline_json(run.events, {.bytes = 12 * 4 * 200 + 2000, .window_bytes = 2000});
  ASSERT_TRUE(timeline.at("calls").at("left_out").get<bool>());
  const Json& shares = timeline.at("shares");
  const int columns = shares.at("columns");
  EXPECT_EQ(columns, 200);
  const std::string cells = from_base64(shares.at("cells"));
  ASSERT_EQ(cells.size(), 12u * columns * 4);
  const double width = run.profile.simulated_time / columns;
  for (int r = 0; r < 12; ++r) {
    double computing = 0, communicating = 0, waiting = 0;
    for (int c = 0; c < columns; ++c) {
      const auto byte = [&](int i) { return static_cast<unsigned char>(cells[(r * columns + c) * 4 + i]); };
      computing += byte(1) / 255.0 * width;
      communicating += byte(2) / 255.0 * width;
      waiting += byte(3) / 255.0 * width;
      EXPECT_LE(byte(0), 4);
    }
    const double close = columns * width / 510;  // shares are rounded to multiples of 1/255
    EXPECT_NEAR(computing, run.profile.ranks[r].computing, close);
    EXPECT_NEAR(communicating, run.profile.ranks[r].communicating, close);
    EXPECT_NEAR(waiting, run.profile.ranks[r].waiting, close);
  }
  // The window contains every call within its limits.
  const double from = timeline.at("calls").at("from_s"), to = timeline.at("calls").at("to_s");
  EXPECT_LT(0, from);
  EXPECT_LT(from, to);
  const auto all = read_calls(timeline_json(run.events)), part = read_calls(timeline);
  for (size_t r = 0; r < all.size(); ++r) {
    const auto inside =
        std::count_if(all[r].begin(), all[r].end(), [&](const ReadCall& c) { return c.to > from && c.from < to; });
    EXPECT_NEAR(static_cast<double>(part[r].size()), static_cast<double>(inside), 2) << "of those at the ends";
  }
  const Json wanted =
      timeline_json(run.events, {.bytes = 12 * 4 * 200 + 2000, .window_bytes = 2000, .from_s = 1e-4, .to_s = 3e-4});
  EXPECT_DOUBLE_EQ(wanted.at("calls").at("from_s").get<double>(), 1e-4);
  EXPECT_DOUBLE_EQ(wanted.at("calls").at("to_s").get<double>(), 3e-4);
}

TEST_F(PageTest, TheWindowHasCallsWhereARunPauses) {
  const MadeRun run = make_run(path("run"), "node:2 pack:2 core:3", 100, 1000);
  const Json timeline = timeline_json(run.events, {.bytes = 12 * 4 * 200 + 2000, .window_bytes = 2000});
  size_t calls = 0;
  for (const auto& rank : read_calls(timeline)) calls += rank.size();
  EXPECT_GT(calls, 50u);
  EXPECT_LT(timeline.at("calls").at("to_s").get<double>() - timeline.at("calls").at("from_s").get<double>(), 0.1);
}

TEST_F(PageTest, LinksAreThoseOfTheRecords) {
  const MadeRun run = make_run(path("run"), "node:2 pack:2 core:3", 10);
  const Json json = program_json(page_of(run));
  const Json& links = json.at("points").at(0).at("links");
  const ShownMachine shown(run.machine, {});
  size_t found = 0;
  for (const LinkTraffic& l : read_links(run.traffic / kLinksFile)) {
    const int entry = shown.entry(shown.vertex_of_link(l.link));
    for (size_t i = 0; i < links.at("entry").size(); ++i) {
      if (links.at("entry").at(i) != entry) continue;
      const Json& way = links.at(l.direction);
      EXPECT_EQ(way.at("bytes").at(i), l.bytes);
      EXPECT_EQ(way.at("messages").at(i), l.messages);
      EXPECT_EQ(way.at("utilisation").at(i), l.utilisation);
      EXPECT_EQ(links.at("kinds").at(links.at("kind").at(i).get<int>()).at("capacity_bytes_per_s"), l.capacity);
      ++found;
    }
  }
  EXPECT_EQ(found, 2 * links.at("entry").size());
  double sampled = 0, expected = 0;
  for (const LinkSample& s : read_samples(run.traffic / kSamplesFile)) expected += s.bytes;
  for (const Json& l : json.at("points").at(0).at("samples").at("links"))
    for (const double bytes : l.at("bytes")) sampled += bytes;
  EXPECT_EQ(sampled, expected);
}

TEST_F(PageTest, EveryViewOfTheMatrixHasAllBytes) {
  const MadeRun run = make_run(path("run"), "node:4 pack:2 core:4", 10);
  const Json matrix = program_json(page_of(run)).at("points").at(0).at("matrix");
  EXPECT_EQ(matrix.at("bytes"), run.bytes);
  EXPECT_EQ(matrix.at("messages"), run.messages);
  std::vector<std::string> views;
  for (const Json& view : matrix.at("views")) {
    views.push_back(view.at("by"));
    double bytes = 0, messages = 0;
    for (const double b : view.at("bytes")) bytes += b;
    for (const double m : view.at("messages")) messages += m;
    EXPECT_EQ(bytes, run.bytes) << views.back();
    EXPECT_EQ(messages, run.messages) << views.back();
  }
  EXPECT_EQ(views, (std::vector<std::string>{"rank", "Package", "Machine"}));
  const ShownMachine shown(run.machine, {});
  const RankOrder order({0, 1, 2, 3, 4, 5, 6, 7});
  std::vector<Flow> all;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) all.push_back({i, j, 1});
  const Pattern dense(8, all);
  const Json few = matrix_json(shown, order, dense, dense, 16).at("views").at(0);
  EXPECT_EQ(few.at("per_cell"), 2);
  EXPECT_EQ(few.at("bytes"), std::vector<double>(16, 4)) << "4 x 4 cells of 2 x 2 pairs";
}

TEST_F(PageTest, RanksAreInTheOrderOfTheirCores) {
  const RankOrder order({5, 1, 3, 1});
  EXPECT_EQ(order.rank_at, (std::vector<int>{1, 3, 2, 0}));
  EXPECT_EQ(order.position, (std::vector<int>{3, 0, 2, 1}));
}

TEST_F(PageTest, AStudyIsItsRecords) {
  const Results results = make_study(path("study"));
  const Json json = study_json(results, small_checks());
  const Json& values = json.at("values").at(0);
  EXPECT_EQ(values.at("metric"), "time");
  ASSERT_EQ(values.at("values").size(), results.records.size());
  for (size_t i = 0; i < results.records.size(); ++i) EXPECT_EQ(values.at("values").at(i), results.records[i].value);
  EXPECT_EQ(json.at("tables").at(0).at("columns").at(0).at("values").at(0), results.records[0].value);
  ASSERT_EQ(json.at("points").size(), 2u);
  EXPECT_EQ(json.at("points").at(1).at("number"), 3);
  EXPECT_EQ(json.at("points").at(0).at("absent"), Json::array());
  EXPECT_EQ(json.at("models").at(0).at("disagree"), 1);
  EXPECT_EQ(json.at("claims").at(0).at("outcome"), "reproduced");
  EXPECT_EQ(json.at("claims").at(0).at("ours"), 15);
  EXPECT_EQ(json.at("claims").at(1).at("cause"), "parameter");
  EXPECT_EQ(json.at("causes").size(), 1u);
  EXPECT_EQ(json.at("causes").at(0).at("cause"), "parameter");
  EXPECT_EQ(json.at("causes").at(0).at("claims"), 1);
  EXPECT_EQ(study_json(results, {}, {.points = {3}}).at("points").size(), 1u);
  EXPECT_THAT(error_of([&] { study_json(results, {}, {.points = {8}}); }), HasSubstr("has no point 8; give 0 to 7"));
}

TEST_F(PageTest, PointsThatDoNotFitAreNamed) {
  const Json json = study_json(make_study(path("study")), {}, {.room = 1});
  EXPECT_EQ(json.at("points").size(), 1u);
  EXPECT_EQ(json.at("points_left_out").at(0).at("number"), 3);
}

TEST_F(PageTest, WhatIsMissingSaysWhatToSwitchOn) {
  const Results results = make_study(path("study"));
  fs::remove(results.folder / traffic_path(0) / kLinksFile);
  fs::remove_all(results.folder / kTracesFolder);
  const Json point = study_json(results, {}).at("points").at(0);
  EXPECT_TRUE(point.at("links").is_null());
  EXPECT_TRUE(point.at("timeline").is_null());
  ASSERT_EQ(point.at("absent").size(), 2u);
  EXPECT_THAT(point.at("absent").at(0).at("remedy").get<std::string>(), HasSubstr("--set traffic=on"));
  EXPECT_THAT(point.at("absent").at(1).at("remedy").get<std::string>(), HasSubstr("--set traces=true"));
}

TEST_F(PageTest, HalfFinishedRunsSaySo) {
  Results results = make_study(path("study"));
  results.records.pop_back();
  results.truncated = true;
  const Json json = study_json(results, {});
  EXPECT_THAT(json.at("notes").at(0).get<std::string>(), HasSubstr("1 of 8 points are missing"));
  EXPECT_THAT(json.at("notes").at(1).get<std::string>(), HasSubstr("cut off"));
  EXPECT_TRUE(json.at("values").at(0).at("values").back().is_null());
}

TEST_F(PageTest, DamagedFilesAreNamed) {
  const Results results = make_study(path("study"));
  const auto damaged = [&](const std::string& name, const std::string& text) {
    const fs::path file = results.folder / name;
    const std::string before = read(file);
    std::ofstream(file, std::ios::binary) << text;
    std::string what = error_of([&] { study_json(results, {}); });
    std::ofstream(file, std::ios::binary) << before;
    return what;
  };
  const std::string events = "traces/point-0.events";
  EXPECT_THAT(damaged(events, read(results.folder / events).substr(0, 900)), HasSubstr("point-0.events"));
  EXPECT_THAT(damaged("traffic/point-3/links.csv", "link\n"), HasSubstr("links.csv"));
  EXPECT_THAT(damaged("traffic/point-3/size.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 0\n"),
              HasSubstr("size.mtx"));
  EXPECT_THAT(damaged("machine.yaml", "name: ["), HasSubstr("machine.yaml"));
  EXPECT_EQ(error_of([&] { study_json(results, {}); }), "");
  fs::copy_file(results.folder / events, path("other.events"));
  const MadeRun small = make_run(path("small"), "node:2 core:2", 2);
  fs::copy_file(small.events, results.folder / events, fs::copy_options::overwrite_existing);
  EXPECT_THAT(error_of([&] { study_json(results, {}); }), HasSubstr("events of 4 ranks, and 32 were placed"));
}

TEST_F(PageTest, AFullDiskLeavesNoPage) {
  const MadeRun run = make_run(path("run"), "node:2 core:2", 2);
  EXPECT_THAT(error_of([&] { write_page(path("no/such/folder/page.html"), {program_json(page_of(run))}, ""); }),
              HasSubstr("page.html"));
  EXPECT_FALSE(fs::exists(path("no")));
}

TEST_F(PageTest, RunsOfOneNameAreToldApart) {
  const MadeRun run = make_run(path("run"), "node:2 core:2", 2);
  const Json one = program_json(page_of(run));
  const Json document = page_document({one, one}, "");
  EXPECT_NE(document.at("runs").at(0).at("name"), document.at("runs").at(1).at("name"));
}

// 4,096 ranks with about 250 calls each.
TEST_F(PageTest, LargeRunsStayBelow20MB) {
  const MadeRun run = make_run(path("run"), "switch:8 node:8 pack:2 numa:2 core:16", 200);
  const Json json = program_json(page_of(run));
  EXPECT_LT(page_html(page_document({json}, "")).size(), 20'000'000u);
  const Json& matrix = json.at("points").at(0).at("matrix");
  EXPECT_GT(matrix.at("views").at(0).at("per_cell"), 1);
  EXPECT_EQ(matrix.at("views").back().at("by"), "switch");
}

}  // namespace
}  // namespace strata::analysis
