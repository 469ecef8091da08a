// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/machine_zone.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>
#include <xbt/config.hpp>

#include "platforms/fabric.h"
#include "platforms/segments.h"
#include "records/exchange/address.h"
#include "records/exchange/words.h"
#include "sim/plugin/core_of.h"
#include "sim/plugin/detours.h"
#include "sim/plugin/duplex_links.h"
#include "sim/plugin/flow_model.h"
#include "sim/plugin/memory.h"
#include "sim/plugin/network_cards.h"

namespace strata::sim {

using simgrid::kernel::routing::NetPoint;
using simgrid::kernel::routing::Route;

namespace {

// Bytes that SMPI adds to every message on the wire (SimGrid 3.32 and 4.0, src/smpi/mpi/smpi_request.cpp:
// payload_size_).
constexpr double kEnvelope = 16;

// A number that reads back as the same: 17 digits.
std::string exact(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

}  // namespace

MachineZone::MachineZone(const Machine& machine) : Zone(machine.name), machine_(machine), tree_(machine) {
  const Topology& t = *machine.topology;
  flows_ = std::make_shared<FlowModel>(
      [this](const simgrid::s4u::Host& src, const simgrid::s4u::Host& dst, double bytes, Path& into) {
        find_path(core_of(src), core_of(dst), bytes, into);
        if (memory_ != nullptr) memory_->add_uses(core_of(src), core_of(dst), bytes - kEnvelope, into);
      },
      simgrid::config::get_value<double>(kPrecision), get_network_model());
  const std::string copy_bandwidth = exact(machine.copy_bandwidth.si);
  const std::string combine_bandwidth = exact(machine.combine_bandwidth().si);
  const std::string copies = exact(machine.copies().si);
  for (int core = 0; core < tree_.num_cores(); ++core) {
    const std::string name = host_name(t, core);
    simgrid::s4u::Host* host = make_host(name, machine.core_speed.si);
    host->set_property(words::kCopyBandwidthProperty, copy_bandwidth);
    host->set_property(words::kCombineBandwidthProperty, combine_bandwidth);
    host->set_property(words::kCopiesProperty, copies);
    if (machine.polling && machine.polling->si > 0) {
      polled_.push_back({.look = machine.polling->si});
      host->set_property(words::kPollingProperty, text_of_address(&polled_.back()));
    }
    host->set_property(words::kNodeProperty, std::to_string(t.node(t.cores()[core])));
    loopback_latency_.push_back(machine.loopback_latency(t.cores()[core]).value);
    loopback_bandwidth_.push_back(machine.loopback_bandwidth(t.cores()[core]).value);
    loopback_.push_back(make_plain_link(name + ".loopback", loopback_bandwidth_.back()));
  }
  const auto& stops = tree_.stops();
  for (int s = 0; s < static_cast<int>(stops.size()); ++s) {
    const std::string name = t.name(stops[s].vertex) + "#" + std::to_string(stops[s].vertex);
    add_link(name + ".up", RouteTree::up_link(s));
    add_link(name + ".down", RouteTree::down_link(s));
  }
  for (int l = tree_.first_fabric_link(); l < tree_.num_links(); ++l) {
    add_link(machine.fabric->fabric->describe(l - tree_.first_fabric_link()), l);
  }
  for (const double bandwidth : loopback_bandwidth_) flows_->add_link(bandwidth);
  if (machine.memory) {
    memory_ = std::make_unique<Memory>(machine, *flows_);
    set_root_property(words::kMemoryProperty, text_of_address(static_cast<MemoryWork*>(memory_.get())));
  }
  duplex_ = std::make_unique<DuplexLinks>(machine, tree_, *flows_);
  add_gates();
  if (machine.fabric && machine.fabric->routing == Routing::kAdaptive) {
    detours_ = std::make_unique<Detours>(tree_, machine.fabric->fabric->num_routers(),
                                         [this](int link) { return flows_->queued(link); });
  }
  set_root_property(words::kMachineProperty, machine.name);
  // For programs that report how many messages they cost (mpi_ext/adapter/measure.h).
  set_root_property(words::kMessagesProperty, text_of_address(&flows_->sent()));
  cards_ = std::make_unique<NetworkCards>(tree_, *flows_);
  set_root_property(words::kLinkBytesProperty, text_of_address(static_cast<LinkBytes*>(cards_.get())));
  set_network_model(flows_);
  simgrid::s4u::Engine::get_instance()->add_model(flows_);
  seal();
}

MachineZone::~MachineZone() = default;

// One for each network card, on a machine whose levels have gaps.
void MachineZone::add_gates() {
  if (std::none_of(machine_.levels.begin(), machine_.levels.end(), [](const LevelCosts& c) { return bool(c.gap); }))
    return;
  std::map<int, int> gates;  // by card
  for (int core = 0; core < tree_.num_cores(); ++core) {
    const auto [at, first] = gates.try_emplace(tree_.card(core), 0);
    if (first) at->second = flows_->add_gate();
    gate_.push_back(at->second);
  }
}

// The next of tree_'s, for messages and for SimGrid.
void MachineZone::add_link(const std::string& name, int link) {
  constexpr double kNobodyTakesIt = 1;  // B/s
  const double bandwidth = tree_.link_bandwidth(link);
  links_.push_back(bandwidth == 0 ? nullptr : make_plain_link(name, bandwidth));
  flows_->add_link(bandwidth == 0 ? kNobodyTakesIt : bandwidth);
}

MachineZone::Link* MachineZone::make_plain_link(const std::string& name, double bandwidth) {
  simgrid::s4u::Link* link = make_link(name, bandwidth);
  link->set_latency(0.0);  // latency belongs to the level where paths meet: get_local_route adds it
  link->seal();
  return get_link_list_impl({simgrid::s4u::LinkInRoute(link)}, false).front();
}

void MachineZone::get_local_route(const NetPoint* src, const NetPoint* dst, Route* into, double* latency) {
  const int a = core_of(*src), b = core_of(*dst);
  if (a == b) {
    into->link_list_.push_back(loopback_[a]);
    return;  // without latency: see find_path
  }
  way_.clear();
  const RouteTree::Way way = tree_.find_way(a, b, way_);
  if (latency != nullptr) *latency += wire_latency(way, figures_of(*tree_.stops()[way.meet].costs, 0));
  for (const int l : way_) into->link_list_.push_back(links_[l]);
}

void MachineZone::find_path(int a, int b, double bytes, Path& into) {
  if (a == b) {
    into.latency_s = 0;  // all of a loopback's latency is the sender's overhead: one core does both
    into.bandwidth = loopback_bandwidth_[a];
    into.uses.push_back({tree_.num_links() + a, 1});
    return;
  }
  const RouteTree::Way way = find_uses(a, b, into.uses);
  duplex_->add_uses(a, b, way.meet, into.uses);
  const LevelCosts& costs = *tree_.stops()[way.meet].costs;
  const MessageFigures figures = figures_of(costs, bytes - kEnvelope);
  into.latency_s = wire_latency(way, figures);
  into.bandwidth = figures.bandwidth;
  if (!costs.gap) return;
  into.gate = gate_[a];
  into.gate_s = costs.gap->si;
}

RouteTree::Way MachineZone::find_uses(int a, int b, std::vector<FairShares::Use>& uses) {
  if (detours_) return detours_->find(a, b, uses);
  if (machine_.fabric && machine_.fabric->routing != Routing::kMinimal) return tree_.find_uses(a, b, -1, uses);
  way_.clear();
  const RouteTree::Way way = tree_.find_way(a, b, way_);
  for (const int l : way_) uses.push_back({l, 1});
  return way;
}

// From the end of the send's overhead until the first byte arrives, s.
double MachineZone::wire_latency(const RouteTree::Way& way, const MessageFigures& figures) const {
  const double hops_s = way.hops == 0 ? 0 : way.hops * machine_.fabric->hop_latency.si;
  return figures.latency_s - figures.overhead_s + hops_s;
}

double MachineZone::send_overhead(double bytes, const simgrid::s4u::Host* src, const simgrid::s4u::Host* dst) const {
  const int a = core_of(*src), b = core_of(*dst);
  return a == b ? loopback_latency_[a] : figures_of(*tree_.stops()[tree_.meet(a, b)].costs, bytes).overhead_s;
}

}  // namespace strata::sim
