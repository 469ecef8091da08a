// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/memory_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platforms/memory.h"

namespace strata::calibration {
namespace {

// The cores and caches of the first NUMA node, or of the first node if it has no NUMA nodes.
struct Place {
  int cores = 0;
  int of_node = 1;           // number of such places in a node
  double all_caches = 0;     // B, total of its cores' outermost caches
  double largest_cache = 0;  // B
  int sharing = 0;           // the number of cores below that one
  double inner_cache = 0;    // B, the largest cache inside it on the way to a core
};

Place first_place(const Topology& t) {
  const Memories memories(t);
  Place place;
  place.of_node = std::max(1, memories.count() / t.num_nodes());
  const OutermostCaches outermost(t);
  std::set<int> caches;
  for (int core = 0; core < static_cast<int>(t.cores().size()); ++core) {
    if (memories.of(core) != 0) continue;
    ++place.cores;
    if (outermost.of(core) >= 0) caches.insert(outermost.of(core));
  }
  for (const int c : caches) {
    place.all_caches += outermost.bytes(c);
    if (outermost.bytes(c) <= place.largest_cache) continue;
    place.largest_cache = outermost.bytes(c);
    const int vertex = outermost.vertex(c);
    place.sharing = t.num_cores(vertex);
    place.inner_cache = 0;
    for (int v = t.cores()[t.first_core(vertex)]; v != vertex; v = t.parent(v)) {
      if (t.type(v) == ObjectType::kCache)
        place.inner_cache = std::max(place.inner_cache, static_cast<double>(t.object(v)->cache_bytes));
    }
  }
  return place;
}

// Whether the copies of up to all cores below one cache were in this cache.
bool is_in_shared_cache(const Place& place, const Measurement& m) {
  const double both_arrays = kMovedByCopy * m.bytes;
  return m.at_once <= place.sharing && both_arrays <= place.largest_cache &&
         both_arrays > m.at_once * place.inner_cache;
}

// The rates of cores of one NUMA node with arrays in memory. Appends the others, whose arrays fit into caches, to
// `cached`.
Evidence in_memory(const Place& place, const Evidence& all, Evidence& cached, std::vector<std::string>& notes) {
  Evidence found;
  int spread = 0;
  for (Measurement m : all) {
    // Cores of several NUMA nodes, as in a job of all nodes, use the caches of each: each has its share of the arrays.
    const double here = m.at_once <= place.cores ? m.bytes : m.bytes * place.cores / m.at_once;
    if (here <= std::min(m.at_once * place.largest_cache, place.all_caches)) {
      cached.push_back(std::move(m));
      continue;
    }
    if (m.at_once > place.cores) {
      if (m.at_once % (place.cores * place.of_node) != 0) {
        ++spread;
        continue;
      }
      m.value *= static_cast<double>(place.cores) / m.at_once;
      m.at_once = place.cores;
    }
    found.push_back(std::move(m));
  }
  if (spread > 0) {
    notes.push_back(
        fmt::format("memory: rates ({}) of more than the {} cores of a NUMA node, but not of all {} of a "
                    "node, are not used",
                    name_of(all.front().operation), place.cores, place.cores * place.of_node));
  }
  return found;
}

// Rates of one core in a cache are what the cache gives (`cache`). Others are used for nothing, and neither are any if
// nothing else was measured.
void note_cached(const Place& place, const Evidence& cached, bool is_measured, std::vector<std::string>& notes) {
  const bool several = std::any_of(cached.begin(), cached.end(), [](const Measurement& m) { return m.at_once > 1; });
  if (cached.empty() || (is_measured && !several)) return;
  notes.push_back(fmt::format(
      "memory: {} {} of arrays that fit into the caches of their cores ({} B in a NUMA node); they are not used",
      files_of(cached), cached.size() == 1 ? "has 1 rate" : fmt::format("has {} rates", cached.size()),
      place.all_caches));
}

// The rate of one core, in bytes copied or combined: its rate divided by `moved`, the bytes moved for each of them. If
// one core was not measured, b of the saturation.
Estimate of_one_core(const SaturationOf& s, double moved) {
  const Evidence one = select(s.evidence, [](const Measurement& m) { return m.at_once == 1; });
  double rate = s.fit.one;
  std::optional<Interval> interval = s.one;
  if (!one.empty()) {
    const std::vector<double> values = values_of(one);
    rate = median(values);
    interval = interval_of_median(values);
  }
  if (interval) interval = Interval{interval->low / moved, interval->high / moved};
  return {rate / moved, interval, one.empty() ? s.evidence : one};
}

void scale(SaturationOf& s, double factor) {
  for (Measurement& m : s.evidence) m.value *= factor;
  s.fit.one *= factor;
  s.fit.all *= factor;
  for (std::optional<Interval>* i : {&s.one, &s.all}) {
    if (*i) *i = Interval{factor * (*i)->low, factor * (*i)->high};
  }
}

}  // namespace

MemoryEstimate estimate_memory(const Topology& t, const Evidence& measurements, std::vector<std::string>& notes) {
  const Place place = first_place(t);
  const auto of = [&](Operation operation) {
    return select(measurements, [&](const Measurement& m) { return m.operation == operation; });
  };
  const Evidence copies = of(Operation::kCopy), triads = of(Operation::kTriad), daxpys = of(Operation::kDaxpy);
  MemoryEstimate e{.cores = place.cores};
  Evidence in_cache;
  const Evidence copied = in_memory(place, copies, in_cache, notes);
  if (!copied.empty()) {
    e.copy = saturation_of(copied);
  } else if (const Evidence of_triads = in_memory(place, triads, in_cache, notes); !of_triads.empty()) {
    // Writes first read their cache lines: a triad moves 4 bytes where 3 count, a copy moves 3 where 2 count.
    constexpr double kCopyOfTriad = (4.0 / 3) / (3.0 / 2);
    e.copy = saturation_of(of_triads);
    scale(*e.copy, kCopyOfTriad);
    e.from_triads = true;
  }
  if (e.copy) e.core_copy = of_one_core(*e.copy, kMovedByCopy);
  if (const Evidence combined = in_memory(place, daxpys, in_cache, notes); !combined.empty()) {
    e.combine = saturation_of(combined);
    e.core_combine = of_one_core(*e.combine, kMovedByCombine);
  }
  const Evidence of_cache = select(copies, [&](const Measurement& m) { return is_in_shared_cache(place, m); });
  if (std::any_of(of_cache.begin(), of_cache.end(), [](const Measurement& m) { return m.at_once > 1; })) {
    e.shared_cache = saturation_of(of_cache);
    e.sharing_cache = place.sharing;
    if (e.copy)
      std::erase_if(in_cache, [&](const Measurement& m) {
        return m.operation == Operation::kCopy && is_in_shared_cache(place, m);
      });
  }
  note_cached(place, in_cache, e.copy.has_value(), notes);
  Evidence cached = select(copies, [&](const Measurement& m) {
    return m.at_once == 1 && m.bytes > 0 && 2 * m.bytes <= place.largest_cache;
  });
  if (!cached.empty()) {  // use the largest arrays, since smaller ones stay in inner caches
    double largest = 0;
    for (const Measurement& m : cached) largest = std::max(largest, m.bytes);
    cached = select(cached, [&](const Measurement& m) { return m.bytes == largest; });
    const std::vector<double> values = values_of(cached);
    e.cache = {median(values), interval_of_median(values), cached};
  }
  return e;
}

}  // namespace strata::calibration
