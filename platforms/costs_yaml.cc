// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/costs_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platforms/assumed_costs.h"
#include "platforms/costs_tree.h"
#include "platforms/fabric_form.h"
#include "platforms/figure_yaml.h"
#include "platforms/machine_figures.h"
#include "platforms/memory.h"
#include "platforms/network_yaml.h"
#include "platforms/port_places.h"
#include "platforms/segments.h"

namespace strata {
namespace {

constexpr const char* kWhatIf = "what if ";  // prefix of the source of a figure that what_if.h has changed

// --- reading -------------------------------------------------------------------------------------------------------

// `at`: the level or segment with these costs.
template <class Costs>
void check_overheads(const YamlReader& at, const Costs& c) {
  if (c.overhead.si > c.latency.si)
    at.at("overhead").fail("is longer than the latency, which includes it", "give at most the latency");
  if (c.receive_overhead && !fits_into_latency(c.overhead, *c.receive_overhead, c.latency))
    at.at("receive_overhead")
        .fail("is longer than the rest of the latency, which includes both overheads",
              "give at most the latency less the overhead");
}

// As above.
template <class Costs>
void check_copies(const YamlReader& at, const Costs& c) {
  const auto check = [&](const std::optional<Figure>& copy, const char* key) {
    if (copy && copy->si < c.bandwidth.si)
      at.at(key).fail("is less than what one message gets", "give at least the `bandwidth`, or leave it out");
  };
  check(c.send_copy, "send_copy");
  check(c.receive_copy, "receive_copy");
}

void read_segments(const YamlReader& at, LevelCosts& costs) {
  for (const YamlReader& item : at.items()) {
    Segment s;
    read_keys(item, keys_of(segment_figures()), s);
    if (!costs.segments.empty() && s.from.si <= costs.segments.back().from.si)
      item.at("from").fail("is not above that of the segment before", "give the segments by increasing `from`");
    check_overheads(item, s);
    check_copies(item, s);
    costs.segments.push_back(std::move(s));
  }
}

Keys<LevelCosts> level_keys() {
  Keys<LevelCosts> keys = {{{.name = "level",
                             .value = Value::text(),
                             .meaning = "The level of the tree at which the cores of these messages meet.",
                             .example = "level: Package",
                             .missing = "add it"},
                            [](const YamlReader& at, LevelCosts& costs) { costs.level = at.text(); }}};
  const auto append = [&](Keys<LevelCosts> more) { keys.insert(keys.end(), more.begin(), more.end()); };
  append(keys_of(level_figures()));
  append({{{.name = "segments",
            .value = Value::list(Value::mapping("Segment", [] { return rows_of(keys_of(segment_figures())); })),
            .meaning = "Figures of longer messages, which take another protocol: each item holds from its `from` "
                       "up to that of the next. The level's own hold for shorter ones."},
           read_segments}});
  append(keys_of(node_link_figures()));
  return keys;
}

// Requires that one message gets no more than the ports carry.
void check_ports(const YamlReader& item, const Machine& m, const LevelCosts& c) {
  if (!m.ports || !is_network_level(m, c.level)) return;
  const double most = most_through_ports(*m.ports);
  const auto check = [&](const YamlReader& at, const Figure& bandwidth) {
    if (bandwidth.si <= most) return;
    at.at("bandwidth")
        .fail("is more than the ports carry of one message",
              m.ports->stripe_from ? "give at most costs.ports.bandwidth for each port"
                                   : "give at most costs.ports.bandwidth, or state costs.ports.stripe_from");
  };
  check(item, c.bandwidth);
  for (size_t i = 0; i < c.segments.size(); ++i) check(item.at("segments").items()[i], c.segments[i].bandwidth);
}

// Checks segments, bandwidth of both directions together, and gap. Needs the link's bandwidth.
void check_level(const YamlReader& item, const Machine& m, const LevelCosts& c) {
  const bool injected = m.shares_injection(c.level);
  const std::string link =
      injected ? fmt::format("costs.{}.injection", m.fabric->form().key) : "the level's `link_bandwidth`";
  for (size_t i = 0; i < c.segments.size(); ++i) {
    if (c.segments[i].bandwidth.si > c.link_bandwidth.si)
      item.at("segments").items()[i].at("bandwidth").fail("is more than the link carries", "give at most " + link);
  }
  if (c.duplex_bandwidth && c.duplex_bandwidth->si < widest_bandwidth(c))
    item.at("duplex_bandwidth").fail("is less than what one message gets", "give at least the level's `bandwidth`");
  if (c.duplex_bandwidth && c.duplex_bandwidth->si > 2 * c.link_bandwidth.si)
    item.at("duplex_bandwidth").fail("is more than the links up and down carry", "give at most twice " + link);
  if (c.gap && !is_network_level(m, c.level))
    item.at("gap").fail("is between messages that leave a node, and '" + c.level + "' is inside one", "leave it out");
}

// Reads one item of costs.levels.
LevelCosts read_level(const YamlReader& item, const Machine& m, const std::vector<std::string>& needed) {
  LevelCosts c;
  read_keys(item, level_keys(), c);
  const bool injected = m.shares_injection(c.level);
  if (injected && item.has("link_bandwidth")) {
    item.at("link_bandwidth")
        .fail(fmt::format("no link leads up to '{}' of {}", c.level, m.fabric->form().with_article),
              fmt::format("leave it out: costs.{} says what links carry", m.fabric->form().key));
  }
  const Topology& t = *m.topology;
  bool present = false;
  for (int v = 0; v < t.num_vertices() && !present; ++v) present = t.name(v) == c.level;
  if (!present) {
    item.at("level").fail("unknown level '" + c.level + "'",
                          fmt::format("cores of this machine meet at {}", fmt::join(needed, ", ")));
  }
  for (const LevelCosts& other : m.levels) {
    if (other.level == c.level) item.at("level").fail("duplicate level '" + c.level + "'", "keep one");
  }
  if (injected) {
    c.link_bandwidth = m.fabric->injection;
  } else {
    item.at("link_bandwidth", "add it");
  }
  check_overheads(item, c);
  check_copies(item, c);
  if (injected && c.link_bandwidth.si < c.bandwidth.si) {
    item.at("bandwidth")
        .fail("is more than the injection of a node",
              fmt::format("give at most costs.{}.injection", m.fabric->form().key));
  }
  if (c.link_bandwidth.si < c.bandwidth.si) {
    item.at("link_bandwidth").fail("is less than what one message gets", "give at least the level's `bandwidth`");
  }
  check_level(item, m, c);
  check_ports(item, m, c);
  return c;
}

void read_levels(const YamlReader& levels, Machine& m) {
  const std::vector<std::string> needed = branching_levels(*m.topology);
  for (const YamlReader& item : levels.items()) m.levels.push_back(read_level(item, m, needed));
  for (const std::string& name : needed) {
    const bool found =
        std::any_of(m.levels.begin(), m.levels.end(), [&](const LevelCosts& c) { return c.level == name; });
    if (!found) {
      levels.fail("no figures for level '" + name + "', at which cores of this machine meet",
                  "add `- level: " + name + "` with latency, overhead" +
                      (m.shares_injection(name) ? " and bandwidth" : ", bandwidth and link_bandwidth"));
    }
  }
}

KeyOf<Machine> fabric_cost_key(const FabricForm& form) {
  return {{.name = form.key,
           .value = form.cost_value,
           .meaning = fmt::format("What the links of {} cost. Required where the network is one.", form.with_article)},
          [](const YamlReader& at, Machine& m) { read_fabric_costs(at, *m.fabric); }};
}

Keys<MemoryCosts> memory_keys() {
  Keys<MemoryCosts> keys = keys_of(memory_figures());
  keys.push_back(
      {{.name = "cached",
        .value = Value::word(names_of(kCachedWords)),
        .meaning = "Decides whether a message, a copy or a combination finds its data in the outermost cache. "
                   "`messages`: their size alone. `buffers`: what the rank's communication has touched since it last "
                   "used the same buffers, at least as much; so two buffers that are used again and again stay in a "
                   "cache, and the pieces of a long vector do not.",
        .example = "cached: buffers",
        .usual = word_of(kCachedWords, CachedBy::kMessages)},
       [](const YamlReader& at, MemoryCosts& memory) { memory.cached = *find_word(kCachedWords, at.text()); }});
  return keys;
}

// No machine may state polling: only a what-if does, which results keep.
void require_what_if(const YamlReader& polling, const Machine& m) {
  if (m.polling->source.find(kWhatIf) != std::string::npos) return;
  polling.fail("no machine may state it, because no measurement of it is known",
               "leave it out, or try a value: --set what_if.polling=0.1us");
}

Keys<Machine> cost_keys() {
  Keys<Machine> keys = {{{.name = "core",
                          .value = Value::mapping("Core", [] { return rows_of(keys_of(core_figures())); }),
                          .meaning = "What computing and copying cost.",
                          .missing = "give the core's `speed` and `copy_bandwidth`"},
                         [](const YamlReader& at, Machine& m) { read_keys(at, keys_of(core_figures()), m); }}};
  for (KeyOf<Machine>& k : keys_of(message_figures())) keys.push_back(std::move(k));
  keys.push_back(
      {{.name = "memory",
        .value = Value::mapping("Memory", [] { return rows_of(memory_keys()); }),
        .meaning = "The memory that cores share. Large messages, copies and streaming computations get at most their "
                   "share of it, unless their data stay in a cache. Left out: memory is never a bottleneck."},
       [](const YamlReader& at, Machine& m) { read_keys(at, memory_keys(), m.memory.emplace()); }});
  for (const FabricForm* form : fabric_forms()) keys.push_back(fabric_cost_key(*form));
  keys.push_back({{.name = "ports",
                   .value = Value::mapping("Ports", [] { return rows_of(keys_of(port_figures())); }),
                   .meaning = "The figures of a port. Required where `network` has `ports`."},
                  [](const YamlReader& at, Machine& m) { read_keys(at, keys_of(port_figures()), *m.ports); }});
  keys.push_back({{.name = "levels",
                   .value = Value::list(Value::mapping("Level", [] { return rows_of(level_keys()); })),
                   .meaning = "What messages cost: an item for each level at which the paths of two cores meet.",
                   .missing = "give the figures of every level"},
                  read_levels});
  return keys;
}

// --- writing -------------------------------------------------------------------------------------------------------

using Json = nlohmann::ordered_json;

// Writes nested mappings and lists whose leaves are texts, or numbers of figures.
void emit(YAML::Emitter& out, const Json& tree, const std::vector<PlacedFigure>& figures) {
  if (tree.is_number()) return emit_figure(out, *figures[tree.get<size_t>()].stated);
  if (tree.is_string()) {
    out << YAML::DoubleQuoted << tree.get<std::string>();
    return;
  }
  out << (tree.is_array() ? YAML::BeginSeq : YAML::BeginMap);
  for (const auto& [key, below] : tree.items()) {
    if (tree.is_object()) out << YAML::Key << key << YAML::Value;
    emit(out, below, figures);
  }
  out << (tree.is_array() ? YAML::EndSeq : YAML::EndMap);
}

}  // namespace

Value costs_value() {
  return Value::mapping("Costs", [] { return rows_of(cost_keys()); });
}

void read_costs(const YamlReader& at, Machine& m) {
  Keys<Machine> keys = cost_keys();
  const FabricForm* fabric = m.fabric ? &m.fabric->form() : nullptr;
  for (const FabricForm* form : fabric_forms()) {
    if (form != fabric) std::erase_if(keys, [&](const KeyOf<Machine>& k) { return k.key.name == form->key; });
  }
  if (!m.ports) std::erase_if(keys, [](const KeyOf<Machine>& k) { return k.key.name == "ports"; });
  for (KeyOf<Machine>& k : keys) {
    if (k.key.name == "ports") k.key.missing = "give the ports' `bandwidth`";
    if (fabric != nullptr && k.key.name == fabric->key)
      k.key.missing = fmt::format("give the {}'s hop_latency, injection and what its links carry", fabric->noun);
    if (k.key.name == "levels")
      k.key.missing = fmt::format("give the figures of {}", fmt::join(branching_levels(*m.topology), ", "));
  }
  read_keys(at, keys, m);
  if (m.polling) require_what_if(at.at("polling"), m);
}

void emit_costs(YAML::Emitter& out, const Machine& machine) {
  const std::vector<PlacedFigure> figures = figures_of(machine);
  const Json tree = costs_tree(machine, figures, [&](const PlacedFigure& f) {
    return f.stated && f.stated_here ? std::optional<Json>(&f - figures.data()) : std::nullopt;
  });
  emit(out, tree, figures);
}

}  // namespace strata
