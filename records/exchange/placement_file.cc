// SPDX-License-Identifier: LGPL-2.1-only
#include "records/exchange/placement_file.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "platforms/placement.h"
#include "records/exchange/exchanged_words.h"

namespace strata {
namespace {

constexpr const char* kHexDigits = "0123456789ABCDEF";

// Encodes "Pod 2" as "Pod%202".
std::string encoded(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte != 0x7F && std::strchr("()#%", c) == nullptr) {
      text += c;
    } else {
      text += {'%', kHexDigits[byte / 16], kHexDigits[byte % 16]};
    }
  }
  return text;
}

// Parses "10" or "(Switch 12) (Switch 6)", nested to any depth.
class NetworkText {
 public:
  NetworkText(std::string text, std::string where) : text_(std::move(text)), where_(std::move(where)) {}

  NetworkGroup read() {
    NetworkGroup root = group();
    if (at_ != text_.size()) fail("')' without '('");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where_, "network: " + what, "write `10` or `(Switch 12) (Switch 6)`");
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  // The inverse of encoded().
  std::string decoded(const std::string& text) const {
    const auto digit = [&](size_t i) -> long {
      const char* at = i < text.size() ? std::strchr(kHexDigits, text[i]) : nullptr;
      if (at == nullptr || *at == '\0') fail("'" + text + "' has a % without two digits");
      return at - kHexDigits;
    };
    std::string name;
    for (size_t i = 0; i < text.size(); ++i) {
      name += text[i] == '%' ? static_cast<char>(16 * digit(i + 1) + digit(i + 2)) : text[i];
      if (text[i] == '%') i += 2;
    }
    return name;
  }
  NetworkGroup group() {
    NetworkGroup g;
    for (skip_space(); at_ < text_.size() && text_[at_] != ')'; skip_space()) {
      if (text_[at_] == '(') {
        ++at_;
        const size_t end = std::min(text_.find_first_of(" \t()", at_), text_.size());
        const std::string level = decoded(text_.substr(at_, end - at_));
        if (level.empty()) fail("a group without a name");
        at_ = end;
        g.groups.push_back(group());
        g.groups.back().level = level;
        if (at_ == text_.size()) fail("'(' without ')'");
        ++at_;
      } else {
        size_t digits = 0;
        while (at_ + digits < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + digits]))) ++digits;
        const size_t end = std::min(text_.find_first_of(" \t()", at_), text_.size());
        const std::string word = text_.substr(at_, end - at_);
        if (digits != word.size() || digits > 7) fail("'" + word + "' is not a number of nodes");
        g.nodes += std::stoi(word);
        total_ += std::stoi(word);
        if (total_ > kMaxNodes) fail("more than " + std::to_string(kMaxNodes) + " nodes");
        at_ = end;
      }
    }
    if (g.count_nodes() == 0) fail("a group without nodes");
    return g;
  }

  std::string text_, where_;
  size_t at_ = 0;
  long total_ = 0;  // nodes read so far
};

// A line without its comment. A comment begins with a '#' at the start of the line or after a blank, because paths may
// contain '#'.
std::string without_comment(const std::string& line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || std::isspace(static_cast<unsigned char>(line[i - 1])))) return line.substr(0, i);
  }
  return line;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

std::string format_network(const NetworkGroup& group) {
  std::string text;
  for (const NetworkGroup& g : group.groups) {
    text += (text.empty() ? "(" : " (") + encoded(g.level) + " " + format_network(g) + ")";
  }
  if (group.nodes > 0) text += (text.empty() ? "" : " ") + std::to_string(group.nodes);
  return text;
}

std::string format_rest(const NetworkGroup& network, const std::filesystem::path& bindings, int application) {
  return "network " + format_network(network) + "\nbindings " + bindings.string() + "\n" +
         (application > 0 ? "application " + std::to_string(application) + "\n" : "");
}

// The nodes of lines such as "4 xml /path/node-1.xml". Lines with the same inside share it.
class NodesByKind {
 public:
  void add(const std::string& value, const std::string& where) {
    std::istringstream words(value);
    int count = 0;
    std::string word, inside;
    words >> count >> word >> std::ws;
    std::getline(words, inside);
    if (count < 1 || (word != "xml" && word != "synthetic") || inside.empty()) {
      throw InputError(where, "node-kind: '" + value + "' is not nodes of a kind",
                       "write `4 xml PATH` or `4 synthetic TEXT`");
    }
    if (nodes_.size() + count > kMaxNodes) {
      throw InputError(where, "node-kind: more than " + std::to_string(kMaxNodes) + " nodes", "give fewer");
    }
    std::shared_ptr<const NodeTree>& tree = known_[{word, inside}];
    if (tree == nullptr) tree = word == "xml" ? import_node_xml(inside) : import_node_synthetic(inside);
    nodes_.insert(nodes_.end(), count, tree);
  }

  const std::vector<std::shared_ptr<const NodeTree>>& nodes() const { return nodes_; }

 private:
  std::vector<std::shared_ptr<const NodeTree>> nodes_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const NodeTree>> known_;
};

}  // namespace

PlacementFile read_placement_file(const std::filesystem::path& file) {
  std::ifstream in = open_input(file, std::string(words::kPlacement) + " names a placement file", kAnySize_bytes);
  std::shared_ptr<const NodeTree> node;
  NodesByKind kinds;  // if nodes differ
  NetworkGroup network;
  std::string bindings, application, application_where, line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string where = file.string() + ":" + std::to_string(number);
    line = trimmed(without_comment(line));
    if (line.empty()) continue;
    const size_t key_end = std::min(line.find_first_of(" \t"), line.size());
    const std::string key = line.substr(0, key_end), value = trimmed(line.substr(key_end));
    const auto once = [&](bool first) {
      if (!first) throw InputError(where, "'" + key + "' is duplicate", "give each word one line");
    };
    if (key == "node-xml" || key == "node-synthetic") {
      if (node != nullptr || !kinds.nodes().empty())
        throw InputError(where, "a second node", "give node-xml or node-synthetic, once");
      node = key == "node-xml" ? import_node_xml(value) : import_node_synthetic(value);
    } else if (key == "node-kind") {
      if (node != nullptr) throw InputError(where, "a second node", "give node-xml or node-synthetic, once");
      kinds.add(value, where);
    } else if (key == "network") {
      once(network.count_nodes() == 0);
      network = NetworkText(value, where).read();
    } else if (key == "bindings") {
      once(bindings.empty());
      bindings = value;
    } else if (key == "application") {
      once(application.empty());
      application = value.empty() ? "0" : value;
      application_where = where;
    } else {
      throw InputError(where, "unknown word '" + key + "'",
                       "known are node-xml, node-synthetic, node-kind, network, bindings, application");
    }
  }
  if ((node == nullptr && kinds.nodes().empty()) || network.count_nodes() == 0 || bindings.empty()) {
    throw InputError(file.string(), "lacks a line", "give node-xml or node-synthetic, network, and bindings");
  }
  PlacementFile result;
  const std::vector<std::shared_ptr<const NodeTree>> nodes =
      node == nullptr ? kinds.nodes() : std::vector(network.count_nodes(), node);
  if (static_cast<int>(nodes.size()) != network.count_nodes()) {
    throw InputError(file.string(),
                     "has " + std::to_string(nodes.size()) + " nodes by node-kind, and " +
                         std::to_string(network.count_nodes()) + " in its network",
                     "describe each node");
  }
  result.topology = std::make_shared<const Topology>(network, nodes);
  for (const Binding& b : read_bindings(bindings, *result.topology)) {
    result.vertex.push_back(result.topology->covering(b.node, b.cpuset));
  }
  if (application.empty()) return result;
  // The second half of the ranks are their progress threads.
  if (result.vertex.size() % 2 != 0 || application != std::to_string(result.vertex.size() / 2)) {
    throw InputError(application_where,
                     "application: '" + application + "' is not half of the " + std::to_string(result.vertex.size()) +
                         " ranks that are bound",
                     "bind each rank of the application, then each one's progress thread");
  }
  result.application = static_cast<int>(result.vertex.size()) / 2;
  return result;
}

std::string format_placement_file(const std::vector<PlacedNodes>& nodes, const NetworkGroup& network,
                                  const std::filesystem::path& bindings, int application) {
  std::string text;
  for (const PlacedNodes& n : nodes) {
    text += "node-kind " + std::to_string(n.count) +
            (n.xml.empty() ? " synthetic " + n.synthetic : " xml " + n.xml.string()) + "\n";
  }
  return text + format_rest(network, bindings, application);
}

std::string format_placement_file(const std::filesystem::path& xml, const std::string& synthetic,
                                  const NetworkGroup& network, const std::filesystem::path& bindings, int application) {
  return (xml.empty() ? "node-synthetic " + synthetic : "node-xml " + xml.string()) + "\n" +
         format_rest(network, bindings, application);
}

}  // namespace strata
