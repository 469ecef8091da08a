// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/switch_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/line_reader.h"
#include "platforms/topology.h"

namespace strata {
namespace {

constexpr std::string_view kFormat = "strata.fabric/1";
// Refuses typing errors instead of attempting them.
constexpr int kMostCables = 1'000'000;
constexpr size_t kMostRoutes = 200'000'000;  // entries of the table of routes, switches x switches with nodes: 400 MB

class GraphReader {
 public:
  explicit GraphReader(const std::filesystem::path& path)
      : file_(path, "a fabric file, which begins with strata.fabric/1") {}

  SwitchGraph read() {
    if (!file_.next() || file_.text() != kFormat) file_.fail("is not the line strata.fabric/1");
    while (file_.next()) {
      if (file_.text().empty() || file_.text().front() == '#') continue;
      read_line(words());
    }
    std::set<int> leaves;
    for (const SwitchGraph::Node& node : graph_.nodes) leaves.insert(node.at);
    if (leaves.size() * graph_.switches.size() > kMostRoutes) {
      file_.fail(fmt::format("{} switches, {} of them with nodes, are too many", graph_.switches.size(), leaves.size()),
                 "give fewer");
    }
    if (graph_.nodes.empty()) file_.fail("no `node` line", "give each node a line: node NAME SWITCH");
    number_kinds();
    require_connected();
    return std::move(graph_);
  }

 private:
  void read_line(const std::vector<std::string>& words) {
    const std::string& word = words.front();
    const size_t n = words.size();
    if (word == "switch" && n == 2) return add_switch(words[1]);
    if (word == "link" && (n == 4 || n == 5)) return add_link(words);
    if (word == "node" && (n == 3 || n == 4)) return add_node(words);
    file_.fail(shown(file_.text()) + " is not a line of a fabric",
               "write `switch NAME`, `link SWITCH SWITCH KIND [CABLES]` or `node NAME SWITCH [TARGET]`");
  }

  // Words are separated by blanks or are in "quotes". A word that begins with `#` starts a comment.
  std::vector<std::string> words() const {
    std::vector<std::string> words;
    const std::string_view text = file_.text();
    for (size_t at = text.find_first_not_of(" \t"); at < text.size() && text[at] != '#';) {
      const bool is_quoted = text[at] == '"';
      size_t end = is_quoted ? text.find('"', at + 1) : std::min(text.find_first_of(" \t", at), text.size());
      if (end == std::string_view::npos) file_.fail("has a quote that is not closed", "close it");
      words.emplace_back(text.substr(at + (is_quoted ? 1 : 0), end - at - (is_quoted ? 1 : 0)));
      if (words.back().empty()) file_.fail("has an empty name", "write a name");
      if (is_quoted) ++end;
      at = text.find_first_not_of(" \t", end);
    }
    return words;
  }

  void add_switch(const std::string& name) {
    const auto [known, is_new] =
        switches_.emplace(name, std::pair(static_cast<int>(graph_.switches.size()), file_.line()));
    if (!is_new) fail_twice("switch", name, known->second.second);
    graph_.switches.push_back(name);
  }

  void add_link(const std::vector<std::string>& words) {
    int a = switch_of(words[1]), b = switch_of(words[2]);
    if (a == b) file_.fail("connects switch " + shown(words[1]) + " with itself", "name two switches");
    if (a > b) std::swap(a, b);
    const int kind = kinds_.emplace(words[3], static_cast<int>(kinds_.size())).first->second;
    const auto [known, is_new] = links_.emplace(std::tuple(a, b, kind), file_.line());
    if (!is_new) {
      file_.fail(fmt::format("a second line of {} cables between {} and {}", shown(words[3]), shown(words[1]),
                             shown(words[2])),
                 fmt::format("add its cables to line {}", known->second));
    }
    cables_ += words.size() == 5 ? number(words[4], 1) : 1;
    if (cables_ > kMostCables) file_.fail(fmt::format("more than {} cables", kMostCables), "give fewer");
    graph_.links.push_back({a, b, kind, words.size() == 5 ? number(words[4], 1) : 1});
  }

  void add_node(const std::vector<std::string>& words) {
    const auto [known, is_new] = nodes_.emplace(words[1], file_.line());
    if (!is_new) fail_twice("node", words[1], known->second);
    const int target = words.size() == 4 ? number(words[3], 0) : static_cast<int>(graph_.nodes.size());
    const auto [other, is_free] = targets_.emplace(target, file_.line());
    if (!is_free)
      file_.fail(fmt::format("target {} is also that of line {}", target, other->second), "give each node its own");
    graph_.nodes.push_back({words[1], switch_of(words[2]), target});
    if (graph_.nodes.size() > kMaxNodes) file_.fail(fmt::format("more than {} nodes", kMaxNodes), "give fewer");
  }

  [[noreturn]] void fail_twice(const std::string& what, const std::string& name, int line) const {
    file_.fail(fmt::format("{} {} is described twice", what, shown(name)),
               fmt::format("keep one; the other is line {}", line));
  }

  int switch_of(const std::string& name) const {
    const auto known = switches_.find(name);
    if (known == switches_.end())
      file_.fail("switch " + shown(name) + " is not described", "give its `switch` line before");
    return known->second.first;
  }

  int number(const std::string& word, int least) const {
    int value = -1;
    const char* end = word.data() + word.size();
    if (std::from_chars(word.data(), end, value).ptr != end || value < least || value > kMostCables)
      file_.fail(fmt::format("{} is not a number from {} to {}", shown(word), least, kMostCables), "write one");
    return value;
  }

  // In alphabetical order, independent of the order of the lines.
  void number_kinds() {
    std::vector<int> number(kinds_.size());
    for (const auto& [name, first] : kinds_) {
      number[first] = static_cast<int>(graph_.kinds.size());
      graph_.kinds.push_back(name);
    }
    for (SwitchGraph::Link& link : graph_.links) link.kind = number[link.kind];
  }

  void require_connected() const {
    DisjointSets parts(graph_.switches.size());
    for (const SwitchGraph::Link& link : graph_.links) parts.join(link.a, link.b);
    const SwitchGraph::Node& first = graph_.nodes.front();
    for (const SwitchGraph::Node& node : graph_.nodes) {
      if (parts.together(node.at, first.at)) continue;
      file_.fail(nodes_.at(node.name),
                 fmt::format("no cables lead from node {} to node {}", shown(first.name), shown(node.name)),
                 "give the links between their switches");
    }
  }

  LineReader file_;
  SwitchGraph graph_;
  std::map<std::string, std::pair<int, int>> switches_;  // number and line
  std::map<std::string, int> kinds_;
  std::map<std::tuple<int, int, int>, int> links_;  // lines
  std::map<std::string, int> nodes_;                // lines
  std::map<int, int> targets_;                      // lines
  long cables_ = 0;
};

std::string in_quotes(const std::string& name) {
  const bool plain = std::none_of(name.begin(), name.end(), [](char c) { return (c >= 0 && c <= ' ') || c == '#'; });
  return plain ? name : '"' + name + '"';
}

}  // namespace

SwitchGraph read_switch_graph(const std::filesystem::path& file) { return GraphReader(file).read(); }

std::string format_switch_graph(const SwitchGraph& graph) {
  std::string text = std::string(kFormat) + "\n";
  const auto name = [&](int s) { return in_quotes(graph.switches[s]); };
  for (const std::string& s : graph.switches) text += "switch " + in_quotes(s) + "\n";
  for (const SwitchGraph::Link& link : graph.links) {
    text +=
        fmt::format("link {} {} {} {}\n", name(link.a), name(link.b), in_quotes(graph.kinds[link.kind]), link.cables);
  }
  for (const SwitchGraph::Node& node : graph.nodes) {
    text += fmt::format("node {} {} {}\n", in_quotes(node.name), name(node.at), node.target);
  }
  return text;
}

}  // namespace strata
