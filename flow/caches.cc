// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/caches.h"

#include <algorithm>
#include <unordered_map>

namespace strata::flow {

Caches::Caches(const Topology& t) : need_(t.cores().size()), users_(t.cores().size()) {
  std::unordered_map<int, int> cache_at;  // by vertex
  for (const int core : t.cores()) {
    const int machine = t.node_vertex(t.node(core));
    int outermost = -1;
    for (int v = core; v != machine; v = t.parent(v)) {
      if (t.type(v) == ObjectType::kCache) outermost = v;
    }
    if (outermost < 0) {
      cache_of_.push_back(-1);
      continue;
    }
    const auto [at, is_new] = cache_at.emplace(outermost, static_cast<int>(caches_.size()));
    if (is_new) {
      caches_.push_back(
          {static_cast<double>(t.object(outermost)->cache_bytes), t.first_core(outermost), t.num_cores(outermost), {}});
    }
    cache_of_.push_back(at->second);
  }
}

double Caches::needed(const Cache& cache, const Data& data, const Data& also) const {
  double sum = data.bytes;
  for (int core = cache.first_core; core < cache.first_core + cache.cores; ++core) {
    if (core == data.core) continue;
    sum += std::min(need_[core] + (core == also.core ? also.bytes : 0), data.bytes);
  }
  return sum;
}

bool Caches::fits(const Data& data, const Data& also) const {
  if (cache_of_[data.core] < 0) return data.bytes <= 0;
  const Cache& cache = caches_[cache_of_[data.core]];
  if (data.bytes > cache.bytes) return false;
  return always_fit(cache, data.bytes) || needed(cache, data, also) <= cache.bytes;
}

// Adds to the space that the core needs, or takes from it if `bytes` is negative.
void Caches::change_need(int core, double bytes, std::vector<int>* evicted) {
  const double before = need_[core];
  users_[core] += evicted != nullptr ? 1 : -1;
  need_[core] = users_[core] == 0 ? 0 : before + bytes;  // without what rounding has left
  if (cache_of_[core] < 0) return;
  Cache& cache = caches_[cache_of_[core]];
  std::erase_if(cache.in_question, [&](int number) {
    Entry& e = entries_[number];
    if (e.data.core == core) return false;
    e.needed += std::min(need_[core], e.data.bytes) - std::min(before, e.data.bytes);
    if (evicted == nullptr || e.needed <= cache.bytes) return false;
    e.in_question = false;
    evicted->push_back(number);
    return true;
  });
}

void Caches::enter(int number, const Data& data, bool cached, std::vector<int>& evicted) {
  if (entries_.size() <= static_cast<std::size_t>(number)) entries_.resize(number + std::size_t{1});
  entries_[number] = {data};
  change_need(data.core, data.bytes, &evicted);
  if (!cached || cache_of_[data.core] < 0) return;
  Cache& cache = caches_[cache_of_[data.core]];
  if (always_fit(cache, data.bytes)) return;
  entries_[number].needed = needed(cache, data, {});
  entries_[number].in_question = true;
  cache.in_question.push_back(number);
}

void Caches::leave(int number) {
  Entry& e = entries_[number];
  if (e.in_question) {
    std::erase(caches_[cache_of_[e.data.core]].in_question, number);
    e.in_question = false;
  }
  change_need(e.data.core, -e.data.bytes, nullptr);
}

}  // namespace strata::flow
