// SPDX-License-Identifier: LGPL-2.1-only
// The figures that drawings write beside an object, in text and in SVG: "32GB, 17.6 GB/s" of a NUMA node.
#pragma once

#include <map>
#include <string>

#include "platforms/memory.h"
#include "platforms/topology.h"

namespace strata {

/// Keeps references to all of its arguments.
class DrawNotes {
 public:
  /// `memory` and `cache`: the bandwidth of each memory, and of each outermost cache; empty: unknown. `ports`:
  /// port_labels.
  DrawNotes(const Topology& topology, const std::string& memory, const std::string& cache,
            const std::map<int, std::string>& ports)
      : memory_(memory), cache_(cache), ports_(ports), memories_(topology), caches_(topology) {}

  /// `text` and the figures of a vertex, separated by commas.
  std::string with_figures(std::string text, int vertex) const {
    const auto add = [&](const std::string& figure) { text += (text.empty() ? "" : ", ") + figure; };
    if (!memory_.empty() && memories_.is_one(vertex)) add(memory_);
    if (!cache_.empty() && caches_.is_one(vertex)) add(cache_);
    if (const auto port = ports_.find(vertex); port != ports_.end()) add(port->second);
    return text;
  }

 private:
  const std::string &memory_, &cache_;
  const std::map<int, std::string>& ports_;
  const Memories memories_;
  const OutermostCaches caches_;
};

}  // namespace strata
