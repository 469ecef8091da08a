// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/machine_zone.h"

#include <array>
#include <cstdio>
#include <xbt/config.hpp>

#include "platforms/core_name.h"
#include "platforms/fabric.h"
#include "platforms/memory.h"
#include "platforms/segments.h"
#include "records/exchange/address.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/message_spans.h"
#include "sim/plugin/acknowledgements.h"
#include "sim/plugin/core_of.h"
#include "sim/plugin/machine_receive_overheads.h"
#include "sim/plugin/memory_actions.h"
#include "sim/plugin/network_cards.h"

namespace strata::sim {

using simgrid::kernel::routing::NetPoint;
using simgrid::kernel::routing::Route;

namespace {

// With 17 digits, so that the text reads back as the same number.
std::string exact(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

}  // namespace

MachineZone::MachineZone(const Machine& machine)
    : Zone(machine.name),
      flows_(
          std::make_shared<FlowModel>(machine, simgrid::config::get_value<double>(kPrecision), get_network_model())) {
  const Topology& t = *machine.topology;
  const std::string copy_bandwidth = exact(machine.copy_bandwidth.si);
  const std::string combine_bandwidth = exact(machine.combine_bandwidth().si);
  const std::string copies = exact(machine.copies().si);
  for (int core = 0; core < tree().num_cores(); ++core) {
    const std::string name = core_name(t, core);
    simgrid::s4u::Host* host = make_host(name, machine.core_speed.si);
    host->set_property(words::kCopyBandwidthProperty, copy_bandwidth);
    host->set_property(words::kCombineBandwidthProperty, combine_bandwidth);
    host->set_property(words::kCopiesProperty, copies);
    if (machine.polling && machine.polling->si > 0) {
      polled_.push_back({.look = machine.polling->si});
      host->set_property(words::kPollingProperty, text_of_address(&polled_.back()));
    }
    host->set_property(words::kNodeProperty, std::to_string(t.node(t.cores()[core])));
    loopback_.push_back(make_plain_link(name + ".loopback", machine.loopback_bandwidth(t.cores()[core]).value));
  }
  const auto& stops = tree().stops();
  for (int s = 0; s < static_cast<int>(stops.size()); ++s) {
    const std::string name = t.name(stops[s].vertex) + "#" + std::to_string(stops[s].vertex);
    add_link(name + ".up", flow::RouteTree::up_link(s));
    add_link(name + ".down", flow::RouteTree::down_link(s));
  }
  for (int port = 0; tree().ports() != nullptr && port < tree().ports()->count(); ++port) {
    const int out = tree().first_port_link() + 2 * port;
    add_link(port_name(*machine.ports, port) + ".up", out);
    add_link(port_name(*machine.ports, port) + ".down", out + 1);
  }
  for (int l = tree().first_fabric_link(); l < tree().num_links(); ++l) {
    add_link(machine.fabric->fabric->describe(l - tree().first_fabric_link()), l);
  }
  if (machine.memory) {
    memory_ = std::make_unique<Memory>(*flows_);
    set_root_property(words::kMemoryProperty, text_of_address(static_cast<MemoryWork*>(memory_.get())));
  }
  if (is_cached_by_buffers(machine))
    set_root_property(kMessageSpansProperty, text_of_address(static_cast<MessageSpans*>(flows_.get())));
  set_root_property(words::kMachineProperty, machine.name);
  // For programs that report how many messages an operation takes (mpi_ext/adapter/measure.h).
  set_root_property(words::kMessagesProperty, text_of_address(&flows().sent()));
  cards_ = std::make_unique<NetworkCards>(tree(), flows());
  set_root_property(words::kLinkBytesProperty, text_of_address(static_cast<LinkBytes*>(cards_.get())));
  acknowledgements_ = std::make_unique<MachineAcknowledgements>(machine, flows_->paths());
  set_root_property(kAcknowledgementProperty, text_of_address(static_cast<Acknowledgements*>(acknowledgements_.get())));
  if (flows_->paths().has_receive_overheads() || (machine.queue_search && machine.queue_search->si > 0)) {
    receive_overheads_ = std::make_unique<MachineReceiveOverheads>(machine, flows_->paths());
    set_root_property(kReceiveOverheadProperty,
                      text_of_address(static_cast<ReceiveOverheads*>(receive_overheads_.get())));
  }
  set_network_model(flows_);
  simgrid::s4u::Engine::get_instance()->add_model(flows_);
  seal();
}

MachineZone::~MachineZone() = default;

// Adds the next link of tree() to SimGrid.
void MachineZone::add_link(const std::string& name, int link) {
  const double bandwidth = tree().link_bandwidth(link);
  links_.push_back(bandwidth == 0 ? nullptr : make_plain_link(name, bandwidth));
}

MachineZone::Link* MachineZone::make_plain_link(const std::string& name, double bandwidth) {
  simgrid::s4u::Link* link = make_link(name, bandwidth);
  link->set_latency(0.0);  // get_local_route adds the latency of the level at which two paths meet
  link->seal();
  return get_link_list_impl({simgrid::s4u::LinkInRoute(link)}, false).front();
}

void MachineZone::get_local_route(const NetPoint* src, const NetPoint* dst, Route* into, double* latency) {
  const int a = core_of(*src), b = core_of(*dst);
  if (a == b) {
    into->link_list_.push_back(loopback_[a]);
    return;  // no latency: see flow::Paths::find
  }
  way_.clear();
  const flow::RouteTree::Way way = tree().find_way(a, b, way_);
  if (latency != nullptr) {
    *latency += flows_->paths().wire_latency(way, figures_of(*tree().stops()[way.meet].costs, 0));
  }
  for (const int l : way_) into->link_list_.push_back(links_[l]);
}

double MachineZone::send_overhead(double bytes, const simgrid::s4u::Host* src, const simgrid::s4u::Host* dst) const {
  return flows_->paths().send_overhead(core_of(*src), core_of(*dst), bytes);
}

}  // namespace strata::sim
