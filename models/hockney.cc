#include "models/hockney.h"

#include <bit>
#include <stdexcept>
#include <string>

namespace strata::models {
namespace {

void require_processes(int processes) {
  if (processes < 1) throw std::invalid_argument(std::to_string(processes) + " processes: a tree has at least 1");
}

}  // namespace

Seconds message_time(const HockneyCost& cost, Bytes m) { return cost.latency + m / cost.bandwidth; }

Seconds flat_tree_time(int processes, const HockneyCost& cost, Bytes m) {
  require_processes(processes);
  return (processes - 1.0) * message_time(cost, m);
}

Seconds binomial_tree_time(int processes, const HockneyCost& cost, Bytes m) {
  require_processes(processes);
  const int rounds = std::bit_width(static_cast<unsigned>(processes) - 1);  // ceil(log2 p)
  return static_cast<double>(rounds) * message_time(cost, m);
}

Seconds hierarchical_flat_tree_time(std::span<const HockneyLevel> levels, Bytes m) {
  Seconds total;
  for (const HockneyLevel& level : levels) total = total + flat_tree_time(level.processes, level.cost, m);
  return total;
}

}  // namespace strata::models
