// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/type_map.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace strata::mpix {
namespace {

struct Interval {
  long begin, end;
};

// All of `count` copies of `one` that are `apart` bytes apart.
Interval spread(Interval one, long count, long apart) {
  const long last = (count - 1) * apart;
  return {one.begin + std::min(0L, last), one.end + std::max(0L, last)};
}

Interval shifted(Interval i, long by) { return {i.begin + by, i.end + by}; }

// Smallest lower and largest upper bound. If a bound is fixed for some of the types, only these determine it.
class Bounds {
 public:
  void add(Interval i, bool fixed_lower, bool fixed_upper) {
    if (fixed_lower > fixed_lower_ || !any_) {
      lower_ = i.begin;
    } else if (fixed_lower == fixed_lower_) {
      lower_ = std::min(lower_, i.begin);
    }
    if (fixed_upper > fixed_upper_ || !any_) {
      upper_ = i.end;
    } else if (fixed_upper == fixed_upper_) {
      upper_ = std::max(upper_, i.end);
    }
    fixed_lower_ = fixed_lower_ || fixed_lower;
    fixed_upper_ = fixed_upper_ || fixed_upper;
    any_ = true;
  }
  void store(TypeMap& map) const {
    map.lower = lower_;
    map.upper = upper_;
    map.fixed_lower = fixed_lower_;
    map.fixed_upper = fixed_upper_;
  }

 private:
  long lower_ = 0, upper_ = 0;
  bool fixed_lower_ = false, fixed_upper_ = false, any_ = false;
};

// Whether the data of the blocks follow each other without gaps, and each repetition those of the one before it.
bool is_dense(const TypeMap& map, std::size_t bytes_once) {
  bool first = true;
  long expected = 0;
  for (const Block& b : map.blocks) {
    if (b.of->size == 0) continue;
    if (!b.of->dense || (b.count > 1 && !b.of->tiles())) return false;
    if (!first && b.at + b.of->data_begin != expected) return false;
    expected = b.at + b.of->data_begin + b.count * static_cast<long>(b.of->size);
    first = false;
  }
  return map.repetitions == 1 || map.stride == static_cast<long>(bytes_once);
}

// Adds what follows from the tree.
SharedMap completed(TypeMap map) {
  std::erase_if(map.blocks, [](const Block& b) { return b.count <= 0; });
  if (map.repetitions <= 0) map.blocks.clear();
  if (map.blocks.empty()) return std::make_shared<const TypeMap>();
  if (map.repetitions == 1) map.stride = 0;
  Bounds bounds;
  std::optional<Interval> data;
  std::size_t bytes = 0;
  bool one_basic = true;
  for (const Block& b : map.blocks) {
    const auto count = static_cast<std::size_t>(b.count);
    const TypeMap& t = *b.of;
    const auto everywhere = [&](Interval i) {
      return spread(shifted(spread(i, b.count, t.extent()), b.at), map.repetitions, map.stride);
    };
    bounds.add(everywhere({t.lower, t.upper}), t.fixed_lower, t.fixed_upper);
    map.alignment = std::max(map.alignment, t.alignment);
    if (t.size == 0) continue;
    const Interval there = everywhere({t.data_begin, t.data_end});
    data = data ? Interval{std::min(data->begin, there.begin), std::max(data->end, there.end)} : there;
    bytes += count * t.size;
    map.elements += count * t.elements;
    map.gaps_in_parts += count * t.gaps_in_parts;
    one_basic = one_basic && t.only_basic != nullptr && (map.only_basic == nullptr || map.only_basic == t.only_basic);
    map.only_basic = t.only_basic;
    map.basic_bytes = t.basic_bytes;
  }
  if (!one_basic) map.only_basic = nullptr;
  bounds.store(map);
  map.dense = is_dense(map, bytes);
  const auto repetitions = static_cast<std::size_t>(map.repetitions);
  map.size = bytes * repetitions;
  map.elements *= repetitions;
  map.gaps_in_parts *= repetitions;
  if (data) {
    map.data_begin = data->begin;
    map.data_end = data->end;
  }
  return std::make_shared<const TypeMap>(std::move(map));
}

// Calls `piece(memory, bytes)` for the contiguous pieces of the first `left` bytes of an array of `count` elements, in
// the order of the data. Reduces `left` by what it has passed.
template <class Char, class Piece>
void walk(const TypeMap& map, Char* memory, long count, std::size_t& left, const Piece& piece) {
  if (map.size == 0) return;
  if (map.tiles()) {
    const std::size_t bytes = std::min(left, static_cast<std::size_t>(count) * map.size);
    if (bytes > 0) piece(memory + map.data_begin, bytes);
    left -= bytes;
    return;
  }
  for (long i = 0; i < count && left > 0; ++i, memory += map.extent()) {
    if (map.dense) {
      const std::size_t bytes = std::min(left, map.size);
      piece(memory + map.data_begin, bytes);
      left -= bytes;
      continue;
    }
    for (long r = 0; r < map.repetitions && left > 0; ++r) {
      for (const Block& b : map.blocks) walk(*b.of, memory + r * map.stride + b.at, b.count, left, piece);
    }
  }
}

// The number of elements, of which the last may be incomplete, that have `bytes` bytes.
long elements_in(const TypeMap& map, std::size_t bytes) {
  return map.size == 0 ? 0 : static_cast<long>((bytes + map.size - 1) / map.size);
}

void add_runs(const TypeMap& map, const char*& packed, long count, char* memory, std::vector<Run>& all) {
  if (map.size == 0) return;
  if (map.tiles() && map.only_basic != nullptr) {
    const auto bytes = static_cast<std::size_t>(count) * map.size;
    all.push_back({memory + map.data_begin, packed, static_cast<long>(bytes / map.basic_bytes), map.only_basic});
    packed += bytes;
    return;
  }
  for (long i = 0; i < count; ++i, memory += map.extent()) {
    for (long r = 0; r < map.repetitions; ++r) {
      for (const Block& b : map.blocks) add_runs(*b.of, packed, b.count, memory + r * map.stride + b.at, all);
    }
  }
}

// As basic_elements, of one element, for fewer bytes than it has.
std::optional<long> elements_of_beginning(const TypeMap& map, std::size_t bytes) {
  long number = 0;
  if (map.basic != nullptr) {
    for (std::size_t i = 0; bytes > 0; ++i, ++number) {
      if (bytes < map.parts[i]) return std::nullopt;
      bytes -= map.parts[i];
    }
    return number;
  }
  const std::size_t once = map.size / static_cast<std::size_t>(map.repetitions);
  number = static_cast<long>(bytes / once * (map.elements / static_cast<std::size_t>(map.repetitions)));
  bytes %= once;
  for (const Block& b : map.blocks) {
    if (bytes == 0) break;
    const std::size_t whole = std::min(static_cast<std::size_t>(b.count), b.of->size == 0 ? 0 : bytes / b.of->size);
    number += static_cast<long>(whole * b.of->elements);
    bytes -= whole * b.of->size;
    if (b.of->size == 0 || whole == static_cast<std::size_t>(b.count) || bytes == 0) continue;
    const std::optional<long> rest = elements_of_beginning(*b.of, bytes);
    return rest ? std::optional<long>(number + *rest) : std::nullopt;
  }
  return number;
}

}  // namespace

SharedMap basic_map(const void* type, std::vector<std::size_t> parts, std::size_t alignment, std::size_t gaps) {
  TypeMap map;
  map.basic = map.only_basic = type;
  map.size = map.basic_bytes = std::accumulate(parts.begin(), parts.end(), std::size_t{0});
  map.elements = parts.size();
  map.parts = std::move(parts);
  map.upper = map.data_end = static_cast<long>(map.size);
  map.alignment = alignment;
  map.gaps_in_parts = gaps;
  return std::make_shared<const TypeMap>(std::move(map));
}

SharedMap repeated(std::vector<Block> blocks, long repetitions, long stride) {
  TypeMap map;
  map.blocks = std::move(blocks);
  map.repetitions = repetitions;
  map.stride = stride;
  return completed(std::move(map));
}

SharedMap structure(std::vector<Block> blocks) {
  TypeMap map = *repeated(std::move(blocks));
  const auto alignment = static_cast<long>(map.alignment);
  if (!map.fixed_upper) map.upper = map.lower + (map.extent() + alignment - 1) / alignment * alignment;
  return std::make_shared<const TypeMap>(std::move(map));
}

SharedMap bounded(const SharedMap& map, std::optional<long> lower, std::optional<long> upper) {
  TypeMap copy = *map;
  if (lower) copy.lower = *lower;
  if (upper) copy.upper = *upper;
  copy.fixed_lower = copy.fixed_lower || lower;
  copy.fixed_upper = copy.fixed_upper || upper;
  if (copy.basic != nullptr) {  // bounds that differ from those of the leaf
    TypeMap outer = *repeated({{0, 1, map}});
    outer.lower = copy.lower;
    outer.upper = copy.upper;
    outer.fixed_lower = copy.fixed_lower;
    outer.fixed_upper = copy.fixed_upper;
    return std::make_shared<const TypeMap>(std::move(outer));
  }
  return std::make_shared<const TypeMap>(std::move(copy));
}

SharedMap part_of_array(const std::vector<long>& sizes, const std::vector<long>& part, const std::vector<long>& first,
                        const SharedMap& of) {
  SharedMap map = of;
  long apart = of->extent(), at = 0;  // bytes between neighbours in this dimension; of the part's first element
  for (std::size_t d = sizes.size(); d-- > 0;) {
    map = repeated({{0, 1, map}}, part[d], apart);
    at += first[d] * apart;
    apart *= sizes[d];
  }
  return bounded(repeated({{at, 1, map}}), 0, apart);
}

void pack(const TypeMap& map, const char* memory, std::size_t bytes, char* packed) {
  std::size_t left = bytes;
  walk(map, memory, elements_in(map, bytes), left, [&packed](const char* piece, std::size_t length) {
    std::memcpy(packed, piece, length);
    packed += length;
  });
}

void unpack(const TypeMap& map, const char* packed, std::size_t bytes, char* memory) {
  std::size_t left = bytes;
  walk(map, memory, elements_in(map, bytes), left, [&packed](char* piece, std::size_t length) {
    std::memcpy(piece, packed, length);
    packed += length;
  });
}

std::vector<Run> runs(const TypeMap& map, const char* packed, long count, char* memory) {
  std::vector<Run> all;
  add_runs(map, packed, count, memory, all);
  return all;
}

std::optional<long> basic_elements(const TypeMap& map, std::size_t bytes) {
  if (map.size == 0) return bytes == 0 ? std::optional<long>(0) : std::nullopt;
  const std::optional<long> rest = elements_of_beginning(map, bytes % map.size);
  if (!rest) return std::nullopt;
  return static_cast<long>(bytes / map.size * map.elements) + *rest;
}

}  // namespace strata::mpix
