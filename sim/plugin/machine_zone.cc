#include "sim/plugin/machine_zone.h"

#include <algorithm>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <unordered_set>
#include <utility>

namespace strata::sim {

namespace {

constexpr double kRouteLatency = 1.0;  // s, of every route: the weight that SimGrid gives to every flow

}  // namespace

using simgrid::kernel::routing::NetPoint;
using simgrid::kernel::routing::Route;

MachineZone::MachineZone(const Machine& machine) : NetZoneImpl(machine.name), machine_(machine), tree_(machine) {
  const Topology& t = *machine.topology;
  for (int core = 0; core < tree_.num_cores(); ++core) {  // a host's netpoint id is its core's index
    const std::string name = host_name(t, core);
    create_host(name, {machine.core_speed.si});
    loopback_.push_back(make_link(name + ".loopback", machine.copy_bandwidth.si, true));
    loopback_latency_.push_back(machine.loopback_latency(t.cores()[core]).value);
  }
  const auto& stops = tree_.stops();
  for (size_t s = 0; s < stops.size(); ++s) {
    up_.push_back(nullptr);
    down_.push_back(nullptr);
    if (stops[s].up < 0) continue;
    const std::string name = t.name(stops[s].vertex) + "#" + std::to_string(stops[s].vertex);
    up_[s] = make_link(name + ".up", stops[s].link_bandwidth, true);
    down_[s] = make_link(name + ".down", stops[s].link_bandwidth, true);
  }
  for (int core = 0; core < tree_.num_cores(); ++core) {
    for (int s = stops[core].up; s >= 0; s = stops[s].up) message_link(core, s);
  }
  // SimGrid weighs a flow's share of a link by its route's latency, as TCP does; here messages share alike. So every
  // route has the latency kRouteLatency, and the model's latency factor turns it into what the level says.
  get_iface()->get_network_model()->set_lat_factor_cb(
      [this](double, const simgrid::s4u::Host* src, const simgrid::s4u::Host* dst,
             const std::vector<simgrid::s4u::Link*>&,
             const std::unordered_set<simgrid::s4u::NetZone*>&) { return wire_latency(src, dst) / kRouteLatency; });
  get_iface()->get_network_model()->set_bw_factor_cb(
      [](double, const simgrid::s4u::Host*, const simgrid::s4u::Host*, const std::vector<simgrid::s4u::Link*>&,
         const std::unordered_set<simgrid::s4u::NetZone*>&) { return 1.0; });
  seal();
}

MachineZone::Link* MachineZone::make_link(const std::string& name, double bandwidth, bool shared) {
  simgrid::s4u::Link* link = create_link(name, {bandwidth});
  link->set_latency(0.0);  // latency belongs to the level where paths meet: get_local_route adds it
  if (!shared) link->set_sharing_policy(simgrid::s4u::Link::SharingPolicy::FATPIPE);
  link->seal();
  return get_link_list_impl({simgrid::s4u::LinkInRoute(link)}, false).front();
}

// What one message gets, where a link on the way does not already say so. A link for each core and level, not one for
// the level: messages that share a link, though they take nothing from each other there, are solved for together.
MachineZone::Link* MachineZone::message_link(int core, int meet) {
  const auto [at, fresh] = message_.try_emplace({core, meet}, nullptr);
  if (!fresh) return at->second;
  const auto& stops = tree_.stops();
  const double bandwidth = stops[meet].costs->bandwidth.si;
  double narrowest = stops[core].link_bandwidth;
  for (int s = core; s != meet; s = stops[s].up) narrowest = std::min(narrowest, stops[s].link_bandwidth);
  if (bandwidth < narrowest) {
    at->second = make_link(host_name(*machine_.topology, core) + ".message#" + std::to_string(stops[meet].vertex),
                           bandwidth, false);
  }
  return at->second;
}

void MachineZone::get_local_route(const NetPoint* src, const NetPoint* dst, Route* into, double* latency) {
  const int a = static_cast<int>(src->id());
  const int b = static_cast<int>(dst->id());
  if (latency != nullptr) *latency += kRouteLatency;
  if (a == b) {
    into->link_list_.push_back(loopback_[a]);
    return;
  }
  const auto& stops = tree_.stops();
  const int meet = tree_.meet(a, b);
  if (Link* message = message_.find({a, meet})->second) into->link_list_.push_back(message);
  for (int s = a; s != meet; s = stops[s].up) into->link_list_.push_back(up_[s]);
  const size_t top = into->link_list_.size();
  for (int s = b; s != meet; s = stops[s].up) into->link_list_.insert(into->link_list_.begin() + top, down_[s]);
}

double MachineZone::wire_latency(const simgrid::s4u::Host* src, const simgrid::s4u::Host* dst) const {
  const int a = static_cast<int>(src->get_netpoint()->id());
  const int b = static_cast<int>(dst->get_netpoint()->id());
  if (a == b) return 0;  // all of a loopback's latency is the sender's overhead: one core does both
  const LevelCosts& costs = *tree_.stops()[tree_.meet(a, b)].costs;
  return costs.latency.si - costs.overhead.si;
}

double MachineZone::send_overhead(const simgrid::s4u::Host* src, const simgrid::s4u::Host* dst) const {
  const int a = static_cast<int>(src->get_netpoint()->id());
  const int b = static_cast<int>(dst->get_netpoint()->id());
  return a == b ? loopback_latency_[a] : tree_.stops()[tree_.meet(a, b)].costs->overhead.si;
}

}  // namespace strata::sim
