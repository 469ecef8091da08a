#include "analysis/point_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "analysis/format.h"
#include "analysis/markdown_text.h"
#include "platforms/error.h"

namespace strata::analysis {
namespace {

constexpr const char* kHeading = "link,level,direction,capacity_bytes_per_s,bytes,messages,utilisation";
constexpr const char* kRemedy = "the file may be damaged; make it again with `traffic: on`";

// Fields of a line of CSV (RFC 4180, without line feeds in fields).
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields = {""};
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

std::string percent(double share) { return fmt::format("{:.2g} %", share * 100); }

PointTraffic summarize(const std::vector<LinkTraffic>& links) {
  PointTraffic point;
  for (const LinkTraffic& l : links) {
    auto level = std::find_if(point.levels.begin(), point.levels.end(),
                              [&](const LevelTraffic& known) { return known.level == l.level; });
    if (level == point.levels.end()) level = point.levels.insert(level, {.level = l.level});
    ++level->links;
    level->used += l.messages > 0 ? 1 : 0;
    level->bytes += l.bytes;
    level->mean += l.utilisation;
    level->most = std::max(level->most, l.utilisation);
  }
  for (LevelTraffic& level : point.levels) level.mean /= static_cast<double>(level.links);
  for (const LinkTraffic& l : links) {
    if (l.bytes > 0) point.busiest.push_back(l);
  }
  std::stable_sort(point.busiest.begin(), point.busiest.end(),
                   [](const LinkTraffic& a, const LinkTraffic& b) { return a.utilisation > b.utilisation; });
  if (point.busiest.size() > kBusiestLinks) point.busiest.resize(kBusiestLinks);
  return point;
}

void append_point(std::string& out, const PointTraffic& point) {
  out += markdown_head({"level", "links", "used", "bytes over them", "mean utilisation", "largest"}, "lrrrrr");
  for (const LevelTraffic& l : point.levels) {
    out += markdown_row({markdown_text(l.level), std::to_string(l.links), std::to_string(l.used),
                         with_unit(l.bytes, "B", 4), percent(l.mean), percent(l.most)});
  }
  out += "\n";
  if (point.busiest.empty()) return;
  out += markdown_head({"busiest links", "level", "", "capacity", "bytes", "messages", "utilisation"}, "lllrrrr");
  for (const LinkTraffic& l : point.busiest) {
    out += markdown_row({markdown_text(l.link), markdown_text(l.level), l.direction, with_unit(l.capacity, "B/s", 3),
                         with_unit(l.bytes, "B", 4), std::to_string(l.messages), percent(l.utilisation)});
  }
  out += "\n";
}

}  // namespace

std::vector<LinkTraffic> read_links(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!std::getline(in, line) || line != kHeading)
    throw InputError(file.string() + ":1", std::string("is not '") + kHeading + "'", kRemedy);
  std::vector<LinkTraffic> links;
  for (int number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string> fields = fields_of(line);
    const auto fail = [&](const std::string& what) -> InputError {
      return {fmt::format("{}:{}", file.string(), number), what, kRemedy};
    };
    if (fields.size() != 7) throw fail(fmt::format("has {} fields where 7 were expected", fields.size()));
    const auto number_of = [&](const std::string& text) {
      double value = 0;
      const char* end = text.data() + text.size();
      const auto [at, error] = std::from_chars(text.data(), end, value);
      if (error != std::errc() || at != end || !std::isfinite(value) || value < 0)
        throw fail("'" + text + "' is not a number of 0 or more");
      return value;
    };
    links.push_back({fields[0], fields[1], fields[2], number_of(fields[3]), number_of(fields[4]),
                     static_cast<long>(number_of(fields[5])), number_of(fields[6])});
  }
  return links;
}

std::vector<PointTraffic> summarize_traffic(const Results& results) {
  const Study& study = results.manifest.study;
  const std::vector<Json> points = study.points();
  std::vector<PointTraffic> all;
  for (size_t i = 0; i < points.size(); ++i) {
    const std::string folder = fmt::format("traffic/point-{}", i);
    const std::filesystem::path file = results.folder / folder / "links.csv";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) continue;
    PointTraffic point = summarize(read_links(file));
    point.title = points[i].empty() ? study.title : parameters_text(points[i]);
    point.folder = folder;
    all.push_back(std::move(point));
  }
  return all;
}

std::string traffic_markdown(const std::vector<PointTraffic>& points) {
  if (points.empty()) return "";
  std::string out =
      "## Traffic\n\n"
      "What the links carried, a message counting on each link of its way, with its envelope of 16 B. Utilisation is "
      "of "
      "the time in which any message was under way. All links are in `links.csv`, who sent how much to whom in "
      "`size.mtx` and `msg.mtx` (`strata matrix` draws them).\n\n";
  for (const PointTraffic& p : points) {
    if (points.size() == 1) {
      out += fmt::format("`{}`:\n\n", p.folder);
      append_point(out, p);
      continue;
    }
    out += fmt::format("<details><summary>{}: <code>{}</code></summary>\n\n", markdown_text(p.title), p.folder);
    append_point(out, p);
    out += "</details>\n\n";
  }
  return out;
}

}  // namespace strata::analysis
