// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/words.h"
#include "platforms/fabric_form.h"
#include "platforms/machine_figures.h"
#include "platforms/named_figures.h"
#include "platforms/port_places.h"
#include "platforms/segments.h"

namespace strata {
namespace {

std::string text_of(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

constexpr const char* kWhatIf = "what if";  // where an error is, if no change is the cause
constexpr const char* kDuplexBandwidth = ".duplex_bandwidth";

std::string injection_of(const Machine& m) { return std::string(m.fabric->form().key) + ".injection"; }

std::string segment_name(const LevelCosts& c, size_t i) { return c.level + ".segments[" + std::to_string(i) + "]"; }

// The figure that a change names, with the value that applies before any change, if there is one.
PlacedFigure figure_to_change(const WhatIf& change, const Machine& m) {
  std::vector<std::string> names;
  for (PlacedFigure& f : figures_of(m)) {
    if (!f.stated_here) continue;
    if (f.name == change.figure) {
      if (!f.stated) f.stated = std::move(f.otherwise);
      return f;
    }
    names.push_back(f.name);
  }
  throw InputError(change.where, m.name + " has no figure '" + change.figure + "'",
                   fmt::format("it has {}", fmt::join(names, ", ")));
}

// The figure after the change.
Figure changed(const WhatIf& change, const std::string& machine, const std::optional<Figure>& was,
               const char* dimension) {
  const bool factor = change.unit.empty();
  if (factor && !was) {
    throw InputError(change.where, machine + " states no '" + change.figure + "' to multiply",
                     "give a value with its unit, for example 10GB/s");
  }
  const std::string before =
      was ? machine + "'s " + text_of(was->value) + " " + was->unit + " (" + was->source + ")" : "none";
  Figure now{.value = factor ? was->value * change.value : change.value,
             .unit = factor ? was->unit : change.unit,
             .source = change.source + "; what if " +
                       (factor ? text_of(change.value) + " times " + before : "instead of " + before),
             .si = 0,
             .plus_minus = factor ? was->plus_minus * change.value : 0};
  const double si = unit_factor(dimension, now.unit);
  if (si == 0) {
    throw InputError(change.where, "'" + now.unit + "' is not a valid unit of " + dimension,
                     "give " + choice_of(unit_names(dimension)) + "; or x for a factor");
  }
  if (std::string(dimension) == "copies" && !is_number_of_copies(now.value)) {
    throw InputError(change.where, text_of(now.value) + " is not a number of copies", "write 1 or 2");
  }
  const bool may_be_0 = std::string(dimension) == "time";
  if (!(now.value > 0 || (may_be_0 && now.value == 0))) {
    throw InputError(change.where, text_of(change.value) + " is too small",
                     may_be_0 ? "write 0 or more" : "write a number above 0");
  }
  now.si = now.value * si;
  return now;
}

// With six digits, for messages.
std::string rounded(const Figure& f) {
  std::ostringstream text;
  text << f.value << ' ' << f.unit;
  return text.str();
}

using WhoChanged = std::function<std::string(const std::string&, const std::string&)>;

// `name`: of the level or segment with these costs.
template <class Costs>
void require_sound_overheads(const Costs& c, const std::string& name, const WhoChanged& who) {
  if (c.overhead.si > c.latency.si) {
    throw InputError(who(name + ".latency", name + ".overhead"),
                     name + ": an overhead of " + rounded(c.overhead) + " is longer than the latency of " +
                         rounded(c.latency) + ", which includes it",
                     "change " + name + ".overhead too");
  }
  if (c.receive_overhead && !fits_into_latency(c.overhead, *c.receive_overhead, c.latency)) {
    std::string where = who(name + ".receive_overhead", name + ".overhead");
    if (where == kWhatIf) where = who(name + ".latency", name + ".latency");
    throw InputError(where,
                     name + ": overheads of " + rounded(c.overhead) + " and " + rounded(*c.receive_overhead) +
                         " are together longer than the latency of " + rounded(c.latency) + ", which includes them",
                     "change " + name + ".latency too");
  }
}

// As above.
template <class Costs>
void require_sound_copies(const Costs& c, const std::string& name, const WhoChanged& who) {
  const auto require = [&](const std::optional<Figure>& copy, const char* figure) {
    if (!copy || copy->si >= c.bandwidth.si) return;
    throw InputError(who(name + "." + figure, name + ".bandwidth"),
                     name + ": a core copies " + rounded(*copy) + ", less than the " + rounded(c.bandwidth) +
                         " that one message gets",
                     "change " + name + ".bandwidth too");
  };
  require(c.send_copy, "send_copy");
  require(c.receive_copy, "receive_copy");
}

// Checks a level's figures as load_machine does, and names the change that broke them. `link` is the name of the figure
// of its link bandwidth.
void require_sound(const LevelCosts& c, const std::string& link, const std::vector<WhatIf>& changes) {
  const auto who = [&](const std::string& a, const std::string& b) {
    const auto at = std::find_if(changes.begin(), changes.end(),
                                 [&](const WhatIf& change) { return change.figure == a || change.figure == b; });
    return at == changes.end() ? std::string(kWhatIf) : at->where;
  };
  require_sound_overheads(c, c.level, who);
  require_sound_copies(c, c.level, who);
  if (c.link_bandwidth.si < c.bandwidth.si) {
    throw InputError(who(c.level + ".bandwidth", link),
                     c.level + ": a link of " + rounded(c.link_bandwidth) + " is less than the " +
                         rounded(c.bandwidth) + " that one message gets",
                     "change " + link + " too");
  }
  for (size_t i = 0; i < c.segments.size(); ++i) {
    const Segment& s = c.segments[i];
    const std::string name = segment_name(c, i);
    if (i > 0 && s.from.si <= c.segments[i - 1].from.si) {
      throw InputError(
          who(name + ".from", segment_name(c, i - 1) + ".from"),
          name + ": begins at " + rounded(s.from) + ", and the segment before at " + rounded(c.segments[i - 1].from),
          "let them increase");
    }
    require_sound_overheads(s, name, who);
    require_sound_copies(s, name, who);
    if (s.bandwidth.si > c.link_bandwidth.si) {
      throw InputError(who(name + ".bandwidth", link),
                       name + ": a link of " + rounded(c.link_bandwidth) + " is less than the " + rounded(s.bandwidth) +
                           " that one message gets",
                       "change " + link + " too");
    }
  }
  if (!c.duplex_bandwidth) return;
  const std::string duplex = c.level + kDuplexBandwidth;
  if (c.duplex_bandwidth->si < widest_bandwidth(c)) {
    throw InputError(
        who(duplex, c.level + ".bandwidth"),
        c.level + ": both ways together carry " + rounded(*c.duplex_bandwidth) + ", less than one message gets",
        "change " + duplex + " too");
  }
  if (c.duplex_bandwidth->si > 2 * c.link_bandwidth.si) {
    throw InputError(who(duplex, link),
                     c.level + ": both ways together carry " + rounded(*c.duplex_bandwidth) +
                         ", more than twice the link's " + rounded(c.link_bandwidth),
                     "change " + duplex + " too");
  }
}

// As above, for the ports of a node: a level of the network whose messages get more than they carry.
void require_wide_ports(const Machine& m, const LevelCosts& c, const std::vector<WhatIf>& changes) {
  const double widest = widest_bandwidth(c);
  if (widest <= most_through_ports(*m.ports)) return;
  const auto at = std::find_if(changes.begin(), changes.end(), [&](const WhatIf& change) {
    return change.figure.starts_with("ports.") || change.figure.starts_with(c.level + ".");
  });
  throw InputError(at == changes.end() ? kWhatIf : at->where,
                   fmt::format("{}: ports of {} each carry less of one message than the {:g} GB/s that it gets",
                               c.level, rounded(m.ports->bandwidth), widest / 1e9),
                   "change ports.bandwidth too");
}

}  // namespace

Machine what_if(Machine machine, const std::vector<WhatIf>& changes) {
  if (changes.empty()) return machine;
  const Machine before = machine;
  std::string list;
  for (size_t i = 0; i < changes.size(); ++i) {
    const WhatIf& change = changes[i];
    for (size_t j = 0; j < i; ++j) {
      if (changes[j].figure == change.figure) {
        throw InputError(change.where, "figure '" + change.figure + "' is changed twice", "keep one");
      }
    }
    const PlacedFigure f = figure_to_change(change, before);
    state_figure(machine, f.name, changed(change, machine.name, f.stated, f.dimension));
    list += (list.empty() ? "" : ", ") + change.figure +
            (change.unit.empty() ? " x " + text_of(change.value) : " " + text_of(change.value) + " " + change.unit);
  }
  for (LevelCosts& c : machine.levels) {
    const bool shares = machine.shares_injection(c.level);
    if (shares) c.link_bandwidth = machine.fabric->injection;
    require_sound(c, shares ? injection_of(machine) : c.level + ".link_bandwidth", changes);
    if (machine.ports && is_network_level(machine, c.level)) require_wide_ports(machine, c, changes);
  }
  machine.description += "; what if: " + list;
  machine.source = "assumed: what if of " + machine.name + " (" + machine.source + ")";
  machine.name += " (what if)";
  return machine;
}

std::vector<NamedFigure> speeds_and_times(const Machine& machine) {
  std::vector<NamedFigure> all;
  for (PlacedFigure& f : figures_of(machine)) {
    const std::string dimension = f.dimension;
    const bool counts = dimension == "speed" || dimension == "bandwidth" || dimension == "time";
    if (f.stated && f.stated_here && counts && f.name != "polling") all.push_back({f.name, std::move(*f.stated)});
  }
  return all;
}

}  // namespace strata
