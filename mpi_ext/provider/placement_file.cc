#include "mpi_ext/provider/placement_file.h"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "platforms/error.h"
#include "platforms/placement.h"

namespace strata::mpix {
namespace {

// Reads "10" or "(Switch 12) (Switch 6)", nested at will.
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
  NetworkGroup group() {
    NetworkGroup g;
    for (skip_space(); at_ < text_.size() && text_[at_] != ')'; skip_space()) {
      if (text_[at_] == '(') {
        ++at_;
        const size_t end = std::min(text_.find_first_of(" ()", at_), text_.size());
        const std::string level = text_.substr(at_, end - at_);
        if (level.empty()) fail("a group without a name");
        at_ = end;
        g.groups.push_back(group());
        g.groups.back().level = level;
        if (at_ == text_.size()) fail("'(' without ')'");
        ++at_;
      } else {
        size_t digits = 0;
        while (at_ + digits < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + digits]))) ++digits;
        if (digits == 0 || digits > 7) fail("'" + text_.substr(at_, 8) + "' is no number of nodes");
        g.nodes += std::stoi(text_.substr(at_, digits));
        at_ += digits;
      }
    }
    if (g.count_nodes() == 0) fail("a group without nodes");
    return g;
  }

  std::string text_, where_;
  size_t at_ = 0;
};

std::string format_network(const NetworkGroup& group) {
  std::string text;
  for (const NetworkGroup& g : group.groups) {
    text += (text.empty() ? "(" : " (") + g.level + " " + format_network(g) + ")";
  }
  if (group.nodes > 0) text += (text.empty() ? "" : " ") + std::to_string(group.nodes);
  return text;
}

}  // namespace

PlacementFile read_placement_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw InputError(file.string(), std::strerror(errno), "STRATA_PLACEMENT names a placement file");
  std::shared_ptr<const NodeTree> node;
  NetworkGroup network;
  std::string bindings, line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string where = file.string() + ":" + std::to_string(number);
    line.erase(std::min(line.find('#'), line.size()));
    const size_t key_end = line.find(' ');
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    const std::string key = line.substr(0, key_end);
    const std::string value = key_end == std::string::npos ? "" : line.substr(key_end + 1);
    if (key == "node-xml") {
      node = import_node_xml(value);
    } else if (key == "node-synthetic") {
      node = import_node_synthetic(value);
    } else if (key == "network") {
      network = NetworkText(value, where).read();
    } else if (key == "bindings") {
      bindings = value;
    } else {
      throw InputError(where, "unknown word '" + key + "'", "known are node-xml, node-synthetic, network, bindings");
    }
  }
  if (node == nullptr || network.count_nodes() == 0 || bindings.empty()) {
    throw InputError(file.string(), "lacks a line", "give node-xml or node-synthetic, network, and bindings");
  }
  PlacementFile result;
  result.topology = std::make_shared<const Topology>(network, std::vector(network.count_nodes(), node));
  for (const Binding& b : read_bindings(bindings, *result.topology)) {
    result.vertex.push_back(result.topology->covering(b.node, b.cpuset));
  }
  return result;
}

std::string format_placement_file(const std::filesystem::path& xml, const std::string& synthetic,
                                  const NetworkGroup& network, const std::filesystem::path& bindings) {
  return (xml.empty() ? "node-synthetic " + synthetic : "node-xml " + xml.string()) + "\nnetwork " +
         format_network(network) + "\nbindings " + bindings.string() + "\n";
}

}  // namespace strata::mpix
