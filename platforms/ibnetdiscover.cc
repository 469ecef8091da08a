// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/ibnetdiscover.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/error.h"
#include "base/line_reader.h"
#include "platforms/hostlist.h"
#include "platforms/topology.h"

namespace strata {
namespace {

constexpr int kMostPort = 254;  // of a switch (InfiniBand Architecture Specification, volume 1, 14.2.5.3: NumPorts)

// The first word of a block determines its kind.
enum class Kind { kSwitch, kAdapter, kRouter };

// One end of a link.
struct Port {
  int number, other_port;
  std::string other;  // identifier of the device at the other end
  std::string rate;   // "4xEDR"
  int line;
};

struct Device {
  Kind kind;
  std::string id, description;
  int line;
  std::vector<Port> ports = {};
};

// Compares numbers in names by value: node2 comes before node10.
bool natural_less(const std::string& a, const std::string& b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    while (i + 1 < a.size() && a[i] == '0' && is_digit(a[i + 1])) ++i;
    while (j + 1 < b.size() && b[j] == '0' && is_digit(b[j + 1])) ++j;
    size_t k = i, l = j;
    while (k < a.size() && is_digit(a[k])) ++k;
    while (l < b.size() && is_digit(b[l])) ++l;
    if (k - i != l - j) return k - i < l - j;
    if (const int order = a.compare(i, k - i, b, j, l - j); order != 0) return order < 0;
    i = k, j = l;
  }
  return std::tuple(a.size() - i, a) < std::tuple(b.size() - j, b);
}

// Whether the tool printed the line to stderr: a warning of its libraries ("ibwarn: [1234] mad_rpc: ..."), a failure
// ("/usr/sbin/ibnetdiscover: iberror: failed: ..."), or one that names its source ("src/query_smp.c:227; umad ...").
bool is_message(std::string_view text) {
  for (const char* word : {"ibwarn:", "ibpanic:", "ibdebug:", "iberror:"}) {
    if (text.starts_with(word)) return true;
  }
  if (text.find(": iberror: ") != std::string_view::npos || text.find(": ibpanic: ") != std::string_view::npos)
    return true;
  const size_t c = text.find(".c:");
  if (c == std::string_view::npos || text.find(' ') < c) return false;
  const size_t number = c + 3, end = text.find_first_not_of("0123456789", number);
  return end != std::string_view::npos && end > number && (text[end] == ';' || text[end] == ':');
}

// "3 hosts", "1 host".
std::string counted(size_t n, const std::string& noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

// --- the file ------------------------------------------------------------------------------------------------------

class DiscoverReader {
 public:
  explicit DiscoverReader(const std::filesystem::path& path) : file_(path, "the output of ibnetdiscover") {}

  std::vector<Device> read() {
    while (file_.next()) read_line();
    if (devices_.empty()) file_.fail("no switch and no adapter");
    if (file_.is_cut()) file_.fail("the file ends within a line", "it is cut; run ibnetdiscover again");
    check_links();
    if (messages_ > 0) {
      notes_.push_back(fmt::format("{} that ibnetdiscover printed about its work left out; the first is {}",
                                   counted(messages_, "line"), first_message_));
    }
    return std::move(devices_);
  }

  const LineReader& file() const { return file_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void read_line() {
    const std::string_view text = file_.text();
    const auto begins = [&](std::string_view word) { return text.substr(0, word.size()) == word; };
    if (text.empty() || text.front() == '#') return;
    // Identifiers that the first lines of blocks repeat, and headings of option -g.
    for (const char* word : {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "Chassis ",
                             "Non-Chassis Nodes", "Hostname:"}) {
      if (begins(word)) return;
    }
    if (text.front() == '[') return add_port();
    if (is_message(text)) {
      if (messages_++ == 0) first_message_ = file_.where() + ": " + shown(text);
      return;
    }
    const std::vector<std::string_view> words = words_of(text.substr(0, text.find('#')));
    const bool is_header = words.size() == 3 && words[2].size() > 2 && words[2].front() == '"' &&
                           words[2].find('"', 1) == words[2].size() - 1;
    if (is_header && words[0] == "Switch") return add_device(Kind::kSwitch, words[2]);
    if (is_header && words[0] == "Ca") return add_device(Kind::kAdapter, words[2]);
    if (is_header && words[0] == "Rt") return add_device(Kind::kRouter, words[2]);
    file_.fail(shown(text) + " is not a line of ibnetdiscover", if_cut());
  }

  // The remedy for a line that may be incomplete.
  std::string if_cut() const { return file_.is_cut() ? "the file is cut; run ibnetdiscover again" : ""; }

  void add_device(Kind kind, std::string_view quoted_id) {
    const std::string id(quoted_id.substr(1, quoted_id.size() - 2));
    const auto [known, is_new] = index_.emplace(id, static_cast<int>(devices_.size()));
    if (!is_new) {
      file_.fail(fmt::format("{} is described twice", shown(id)),
                 fmt::format("keep one; the other is line {}", devices_[known->second].line));
    }
    const std::string_view text = file_.text();
    const size_t comment = text.find('#'), open = text.find('"', std::min(comment, text.size())),
                 close = text.rfind('"');
    std::string description;
    if (open != std::string_view::npos && close > open) description = text.substr(open + 1, close - open - 1);
    devices_.push_back({kind, id, description, file_.line()});
  }

  // Reads [19] "S-0002c90200404600"[3] # "spine1" lid 9 4xEDR. The ports may also be written [19](guid) and [3](guid).
  void add_port() {
    const std::string_view text = file_.text();
    if (devices_.empty()) file_.fail("a port of no switch and no adapter", "give the whole output of ibnetdiscover");
    Port port{.number = 0, .other_port = 0, .other = "", .rate = "", .line = file_.line()};
    const size_t open = text.find('"'), close = open == std::string_view::npos ? open : text.find('"', open + 1);
    const size_t comment = text.find('#', close == std::string_view::npos ? text.size() : close);
    const bool whole =
        comment != std::string_view::npos && close + 1 < text.size() && text[close + 1] == '[' && close > open + 1;
    if (!whole || !number_in_brackets(text, port.number) ||
        !number_in_brackets(text.substr(close + 1), port.other_port)) {
      file_.fail(shown(text) + " is not a port of ibnetdiscover", if_cut());
    }
    port.other = text.substr(open + 1, close - open - 1);
    for (const std::string_view word : words_of(text.substr(comment + 1))) {
      const size_t x = word.find('x');
      const bool digits = x > 0 && x < 3 && x + 1 < word.size() && word.find_first_not_of("0123456789") == x;
      if (digits || word == "????" || word.substr(0, 3) == "??x") port.rate = word;
    }
    if (port.rate.empty()) {
      file_.fail("the link has no width and speed, as 4xEDR", if_cut());
    }
    std::vector<Port>& ports = devices_.back().ports;
    for (const Port& other : ports) {
      if (other.number == port.number)
        file_.fail(fmt::format("port {} is described twice", port.number),
                   fmt::format("keep one; the other is line {}", other.line));
    }
    ports.push_back(std::move(port));
  }

  static bool number_in_brackets(std::string_view text, int& number) {
    const size_t close = text.find(']');
    if (text.empty() || text.front() != '[' || close == std::string_view::npos) return false;
    const char* end = text.data() + close;
    return std::from_chars(text.data() + 1, end, number).ptr == end && number >= 0 && number <= kMostPort;
  }

  // Both ends of a link must list it.
  void check_links() {
    for (Device& device : devices_) {
      for (Port& port : device.ports) {
        const auto known = index_.find(port.other);
        if (known == index_.end()) {
          file_.fail(port.line, fmt::format("a link leads to {}, which the file does not describe", shown(port.other)),
                     "the file is cut or was edited; run ibnetdiscover again");
        }
        Device& other = devices_[known->second];
        const auto back = std::find_if(other.ports.begin(), other.ports.end(),
                                       [&](const Port& p) { return p.number == port.other_port; });
        if (back == other.ports.end() || back->other != device.id || back->other_port != port.number) {
          file_.fail(port.line,
                     fmt::format("only this end knows of the link from {} port {} to {} port {}", shown(device.id),
                                 port.number, shown(other.id), port.other_port),
                     fmt::format("{} should have the line [{}] \"{}\"[{}]", shown(other.id), port.other_port, device.id,
                                 port.number));
        }
        if (port.line < back->line) agree_on_rate(port, *back);
      }
    }
  }

  // If the two ends report different rates, both get the lower one.
  void agree_on_rate(Port& a, Port& b) {
    for (const Port* p : {&a, &b}) {
      if (!infiniband_rate(p->rate)) {
        file_.fail(
            p->line, fmt::format("{} is not a width and speed of InfiniBand", shown(p->rate)),
            "write it as 4xEDR, with the width 1x, 2x, 4x, 8x or 12x and the speed SDR, DDR, QDR, FDR10, FDR, EDR, "
            "HDR, NDR or XDR");
      }
    }
    if (a.rate == b.rate) return;
    const bool a_is_slower = infiniband_rate(a.rate)->gigabits_per_s < infiniband_rate(b.rate)->gigabits_per_s;
    const std::string slower = a_is_slower ? a.rate : b.rate;
    notes_.push_back(fmt::format("{}: the ends of a link say {} and {} (line {}): {} is used", file_.where(a.line),
                                 a.rate, b.rate, b.line, slower));
    a.rate = b.rate = slower;
  }

  LineReader file_;
  std::vector<Device> devices_;
  std::map<std::string, int> index_;
  size_t messages_ = 0;  // lines of stderr
  std::string first_message_;
  std::vector<std::string> notes_;
};

// --- the machine's part of the network -----------------------------------------------------------------------------

// A port of a host on a switch.
struct Attachment {
  std::string adapter;  // the adapter's description
  int device;           // the adapter's number
  int port, on, on_port;
  std::string rate;
  int line;
};

struct Host {
  std::string name;
  std::vector<Attachment> ports = {};
  int line = 0;          // of its first adapter
  bool is_named = true;  // otherwise the name is the adapter's identifier
};

bool is_digit_at(const std::string& text, size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; }

// Whether the first word of an adapter's description is the name of a host. It is not if the description is from the
// card's vendor ("MT4119 ConnectX5 Mellanox Technologies"), if it begins with the name of a device ("mlx5_0", "HCA-1"),
// or if the host had no name when its adapter was named.
bool names_a_host(const std::string& description) {
  const std::vector<std::string_view> words = words_of(description);
  if (words.empty()) return false;
  const std::string first(words.front());
  for (const char* no_host :
       {"localhost", "localhost.localdomain", "(none)", "Mellanox", "ConnectX", "QLogic", "Intel"}) {
    if (first == no_host) return false;
  }
  struct Prefix {
    const char* text;
    size_t length;
  };
  for (const Prefix device : {Prefix{"MT", 2}, {"HCA-", 4}, {"mlx4_", 5}, {"mlx5_", 5}, {"hfi1_", 5}, {"mthca", 5}}) {
    if (first.starts_with(device.text) && is_digit_at(first, device.length)) return false;
  }
  return true;
}

class Discovered {
 public:
  Discovered(const std::vector<Device>& devices, const LineReader& file, DiscoveredFabric& into)
      : devices_(devices), file_(file), into_(into), planes_(devices.size()) {
    for (size_t i = 0; i < devices.size(); ++i) index_[devices[i].id] = static_cast<int>(i);
    for (size_t i = 0; i < devices.size(); ++i) {
      for (const Port& port : devices[i].ports) {
        const int other = index_.at(port.other);
        if (is_switch(static_cast<int>(i)) && is_switch(other)) planes_.join(static_cast<int>(i), other);
      }
    }
    find_hosts();
  }

  // `wanted`: names, and the places at which they are given. If it is empty, takes all hosts.
  void build(const std::vector<std::pair<std::string, std::string>>& wanted) {
    if (hosts_.empty()) file_.fail(devices_.front().line, "no host", "give the output of the whole fabric");
    std::vector<std::string> names;
    if (wanted.empty()) names = all_hosts();
    for (const auto& [name, where] : wanted) {
      if (!hosts_.contains(name)) {
        throw InputError(where, fmt::format("host {} is not in {}", shown(name), file_.file()),
                         "its hosts are " + some_hosts());
      }
      names.push_back(name);
    }
    const int plane = plane_of(names);
    add_switches(plane);
    add_nodes(names, plane);
  }

 private:
  bool is_switch(int device) const { return devices_[device].kind == Kind::kSwitch; }

  // The hosts that are named, or all adapters if none is.
  std::vector<std::string> all_hosts() {
    std::vector<std::string> named, others;
    for (const auto& [name, host] : hosts_) (host.is_named ? named : others).push_back(name);
    for (std::vector<std::string>* names : {&named, &others}) std::sort(names->begin(), names->end(), natural_less);
    if (others.empty()) return named;
    const std::string which =
        fmt::format("{} whose description names no host ({})", counted(others.size(), "adapter"), some_of(others));
    if (named.empty()) {
      into_.notes.push_back(which + ": each counts as a host; name them with ibnetdiscover --node-name-map");
      return others;
    }
    into_.notes.push_back(which + " left out; name them with ibnetdiscover --node-name-map, or list all with --hosts");
    return named;
  }

  void find_hosts() {
    size_t aggregation = 0, routers = 0;
    std::map<std::string, int> described;  // lines
    for (size_t i = 0; i < devices_.size(); ++i) {
      const Device& device = devices_[i];
      routers += device.kind == Kind::kRouter ? 1 : 0;
      if (device.kind != Kind::kAdapter) continue;
      if (device.description.find("Aggregation Node") != std::string::npos) {
        ++aggregation;
        continue;
      }
      const bool is_named = names_a_host(device.description);
      const std::string name = is_named ? std::string(words_of(device.description).front()) : device.id;
      if (is_named) {
        const auto [other, is_new] = described.emplace(device.description, device.line);
        if (!is_new) {
          file_.fail(
              device.line, fmt::format("a second adapter {}", shown(device.description)),
              fmt::format("the other is line {}; restart rdma-ndd on these hosts, or name them with ibnetdiscover "
                          "--node-name-map",
                          other->second));
        }
      }
      Host& host = hosts_.try_emplace(name, Host{.name = name, .ports = {}, .line = device.line, .is_named = is_named})
                       .first->second;
      for (const Port& port : device.ports) {
        const int other = index_.at(port.other);
        if (is_switch(other))
          host.ports.push_back(
              {device.description, static_cast<int>(i), port.number, other, port.other_port, port.rate, port.line});
      }
    }
    for (auto& [name, host] : hosts_) {
      std::sort(host.ports.begin(), host.ports.end(), [](const Attachment& a, const Attachment& b) {
        if (a.adapter != b.adapter) return natural_less(a.adapter, b.adapter);
        return std::tuple(a.device, a.port) < std::tuple(b.device, b.port);
      });
    }
    if (aggregation > 0) into_.notes.push_back(counted(aggregation, "aggregation node") + " inside switches left out");
    if (routers > 0) into_.notes.push_back(counted(routers, "router") + " to other subnets left out");
  }

  // The fabric with most of these hosts; among equals, the first.
  int plane_of(const std::vector<std::string>& names) {
    std::map<int, int> hosts_of;
    std::vector<int> planes;
    for (const std::string& name : names) {
      const Host& host = hosts_.at(name);
      if (host.ports.empty()) {
        file_.fail(host.line, fmt::format("host {} is on no switch", shown(name)),
                   "check its cable, or leave it out with --hosts FILE");
      }
      std::set<int> own;
      for (const Attachment& port : host.ports) {
        const int plane = planes_.find(port.on);
        if (own.insert(plane).second && hosts_of[plane]++ == 0) planes.push_back(plane);
      }
    }
    const int best =
        *std::max_element(planes.begin(), planes.end(), [&](int a, int b) { return hosts_of[a] < hosts_of[b]; });
    if (planes.size() > 1) {
      into_.notes.push_back(
          fmt::format("the switches are {} fabrics without a cable between them: that of switch {} is used, "
                      "which has {} of {}",
                      planes.size(), shown(devices_[best].description), hosts_of[best], counted(names.size(), "host")));
    }
    return best;
  }

  // Makes names of switches unique, and removes quotes from them.
  void add_switches(int plane) {
    std::vector<int> members;
    std::map<std::string, int> times;
    const auto name_of = [&](int s) {
      std::string name = devices_[s].description;
      std::replace(name.begin(), name.end(), '"', ' ');
      return words_of(name).empty() ? devices_[s].id : name;
    };
    for (size_t i = 0; i < devices_.size(); ++i) {
      if (!is_switch(static_cast<int>(i)) || !planes_.together(static_cast<int>(i), plane)) continue;
      members.push_back(static_cast<int>(i));
      ++times[name_of(members.back())];
    }
    std::vector<std::pair<std::string, int>> named;
    for (const int s : members) {
      const std::string name = name_of(s);
      named.emplace_back(times[name] == 1 ? name : name + " " + devices_[s].id, s);
    }
    std::sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return natural_less(a.first, b.first); });
    std::map<std::string, int> kinds;
    std::map<std::tuple<int, int, std::string>, int> cables;
    for (const auto& [name, s] : named) {
      if (!into_.graph.switches.empty() && into_.graph.switches.back() == name)
        file_.fail(devices_[s].line, fmt::format("a second switch {}", shown(name)), "give each its own name");
      switch_[s] = static_cast<int>(into_.graph.switches.size());
      into_.graph.switches.push_back(name);
    }
    size_t loops = 0;
    std::string first_loop;
    for (const int s : members) {
      for (const Port& port : devices_[s].ports) {
        const int other = index_.at(port.other);
        if (!is_switch(other) || switch_.at(other) < switch_.at(s)) continue;
        if (other == s) {  // both ports list a cable; a plug in one port is a link from this port to itself
          if (port.other_port >= port.number && loops++ == 0) first_loop = file_.where(port.line);
          continue;
        }
        ++cables[{switch_.at(s), switch_.at(other), port.rate}];
        kinds[port.rate] = 0;
      }
    }
    if (loops > 0) {
      into_.notes.push_back(
          fmt::format("{} from a switch back to itself left out; the first is {}", counted(loops, "link"), first_loop));
    }
    for (auto& [name, number] : kinds) {
      number = static_cast<int>(into_.graph.kinds.size());
      into_.graph.kinds.push_back(name);
    }
    for (const auto& [ends, count] : cables) {
      const auto& [a, b, rate] = ends;
      into_.graph.links.push_back({a, b, kinds.at(rate), count});
    }
  }

  void add_nodes(const std::vector<std::string>& names, int plane) {
    const std::map<std::string, int> targets = number_targets(plane);
    std::map<std::string, int> rates;
    size_t several = 0;
    for (const std::string& name : names) {
      const Attachment* port = port_on(hosts_.at(name), plane);
      if (port == nullptr) {
        const Host& host = hosts_.at(name);
        file_.fail(host.line, fmt::format("no cables lead from host {} to the other hosts", shown(name)),
                   "check the cables, or leave it out with --hosts FILE");
      }
      if (name.find('"') != std::string::npos) file_.fail(port->line, "a quote in the name of a host", "rename it");
      into_.graph.nodes.push_back({name, switch_.at(port->on), targets.at(name)});
      ++rates[port->rate];
      several += hosts_.at(name).ports.size() > 1 ? 1 : 0;
    }
    if (several > 0) {
      into_.notes.push_back(
          fmt::format("{} with several ports: the first port of the first adapter on this fabric is used",
                      counted(several, "host")));
    }
    into_.injection = rates.begin()->first;
    std::string all;
    for (const auto& [rate, count] : rates) {
      if (infiniband_rate(rate)->gigabits_per_s < infiniband_rate(into_.injection)->gigabits_per_s)
        into_.injection = rate;
      all += fmt::format("{}{} of {}", all.empty() ? "" : ", ", count, rate);
    }
    if (rates.size() > 1) {
      into_.notes.push_back(
          fmt::format("the hosts' links differ ({}): every node has that of the slowest, {}", all, into_.injection));
    }
  }

  const Attachment* port_on(const Host& host, int plane) {
    for (const Attachment& port : host.ports) {
      if (planes_.together(port.on, plane)) return &port;
    }
    return nullptr;
  }

  // Numbers all hosts of the plane by switch and port.
  std::map<std::string, int> number_targets(int plane) {
    std::vector<std::tuple<int, int, std::string>> seats;
    for (const auto& [name, host] : hosts_) {
      if (const Attachment* port = port_on(host, plane)) seats.emplace_back(switch_.at(port->on), port->on_port, name);
    }
    std::sort(seats.begin(), seats.end());
    std::map<std::string, int> targets;
    for (const auto& [at, port, name] : seats) targets.emplace(name, static_cast<int>(targets.size()));
    return targets;
  }

  std::string some_hosts() const {
    std::vector<std::string> names;
    for (const auto& [name, host] : hosts_) names.push_back(name);
    std::sort(names.begin(), names.end(), natural_less);
    return some_of(std::move(names));
  }

  // The first names.
  static std::string some_of(std::vector<std::string> names) {
    constexpr size_t kMost = 5;
    const bool more = names.size() > kMost;
    if (more) names.resize(kMost);
    return fmt::format("{}{}", fmt::join(names, ", "), more ? ", ..." : "");
  }

  const std::vector<Device>& devices_;
  const LineReader& file_;
  DiscoveredFabric& into_;
  DisjointSets planes_;  // connected switches, as devices: one set for each fabric
  std::map<std::string, int> index_;
  std::map<std::string, Host> hosts_;
  std::map<int, int> switch_;  // by device: its number in the graph
};

// A line contains names or lists of names. Only its first word is read, so slots=4 of a hostfile is ignored.
std::vector<std::pair<std::string, std::string>> read_hosts(const std::filesystem::path& path) {
  LineReader file(path, "a file with a host's name in each line");
  std::vector<std::pair<std::string, std::string>> hosts;  // with the place
  std::map<std::string, int> lines;
  while (file.next()) {
    const std::vector<std::string_view> words = words_of(file.text().substr(0, file.text().find('#')));
    if (words.empty()) continue;
    for (const std::string& name : expand_hostlist(words.front(), file.where())) {
      const auto [known, is_new] = lines.emplace(name, file.line());
      if (!is_new)
        file.fail(fmt::format("host {} is named twice", shown(name)),
                  fmt::format("keep one; the other is line {}", known->second));
      hosts.emplace_back(name, file.where());
      if (hosts.size() > kMaxNodes) file.fail(fmt::format("more than {} hosts", kMaxNodes), "give fewer");
    }
  }
  if (hosts.empty()) file.fail("no host");
  return hosts;
}

}  // namespace

std::optional<InfiniBandRate> infiniband_rate(const std::string& kind) {
  // InfiniBand Architecture Specification, volume 1, release 1.7 and volume 2: the signalling rate of a lane in Gb/s,
  // and the data bits among its bits. From HDR on, they are 256 of 257 bits, and 514 of 544 symbols because of error
  // correction.
  struct Speed {
    std::string_view name;
    double lane;
    double data;
    const char* code;
  };
  constexpr double kCorrected = 256.0 / 257 * 514 / 544;
  constexpr Speed kSpeeds[] = {{"SDR", 2.5, 8.0 / 10, "8b/10b"},
                               {"DDR", 5, 8.0 / 10, "8b/10b"},
                               {"QDR", 10, 8.0 / 10, "8b/10b"},
                               {"FDR10", 10.3125, 64.0 / 66, "64b/66b"},
                               {"FDR", 14.0625, 64.0 / 66, "64b/66b"},
                               {"EDR", 25.78125, 64.0 / 66, "64b/66b"},
                               {"HDR", 53.125, kCorrected, "256b/257b and RS(544,514)"},
                               {"NDR", 106.25, kCorrected, "256b/257b and RS(544,514)"},
                               {"XDR", 212.5, kCorrected, "256b/257b and RS(544,514)"}};
  const size_t x = kind.find('x');
  if (x == std::string::npos) return std::nullopt;
  const std::string width = kind.substr(0, x);
  if (width != "1" && width != "2" && width != "4" && width != "8" && width != "12") return std::nullopt;
  for (const Speed& speed : kSpeeds) {
    if (kind.substr(x + 1) != speed.name) continue;
    const int lanes = std::stoi(width);
    return InfiniBandRate{
        lanes * speed.lane * speed.data,
        fmt::format("{} {} of {} Gb/s, {}", lanes, lanes == 1 ? "lane" : "lanes", speed.lane, speed.code)};
  }
  return std::nullopt;
}

DiscoveredFabric read_ibnetdiscover(const std::filesystem::path& path, const std::filesystem::path& hosts) {
  DiscoveredFabric fabric;
  DiscoverReader reader(path);
  const std::vector<Device> devices = reader.read();
  fabric.notes = reader.notes();
  Discovered(devices, reader.file(), fabric)
      .build(hosts.empty() ? std::vector<std::pair<std::string, std::string>>() : read_hosts(hosts));
  return fabric;
}

}  // namespace strata
