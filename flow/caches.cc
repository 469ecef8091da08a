// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/caches.h"

#include <algorithm>

#include "platforms/memory.h"

namespace strata::flow {

Caches::Caches(const Topology& t)
    : under_way_(t.cores().size()),
      working_set_(t.cores().size()),
      widest_(t.cores().size()),
      spans_(t.cores().size()),
      users_(t.cores().size()) {
  const OutermostCaches outermost(t);
  for (int c = 0; c < outermost.count(); ++c) {
    const int v = outermost.vertex(c);
    caches_.push_back({outermost.bytes(c), t.first_core(v), t.num_cores(v), {}});
  }
  for (int core = 0; core < static_cast<int>(t.cores().size()); ++core) cache_of_.push_back(outermost.of(core));
}

double Caches::needed(const Cache& cache, const Data& data, const Data& also) const {
  const double space = data.space();
  double sum = space;
  for (int core = cache.first_core; core < cache.first_core + cache.cores; ++core) {
    if (core == data.core) continue;
    sum += std::min(core == also.core ? std::max(need(core) + also.bytes, also.span) : need(core), space);
  }
  return sum;
}

bool Caches::fits(const Data& data, const Data& also) const {
  if (cache_of_[data.core] < 0) return data.bytes <= 0;
  const Cache& cache = caches_[cache_of_[data.core]];
  if (data.space() > cache.bytes) return false;
  return always_fit(cache, data.space()) || needed(cache, data, also) <= cache.bytes;
}

// The data come into use or, if `evicted` is null, end.
void Caches::change_need(const Data& data, std::vector<int>* evicted) {
  const int core = data.core;
  const double before = need(core);
  if (evicted != nullptr) {
    ++users_[core];
    under_way_[core] += data.bytes;
    if (data.used_again) working_set_[core] = data.bytes;
  } else {
    --users_[core];
    under_way_[core] = users_[core] == 0 ? 0 : under_way_[core] - data.bytes;  // without what rounding has left
  }
  if (data.span > 0) change_widest(data, evicted != nullptr);
  const double after = need(core);
  if (cache_of_[core] < 0) return;
  Cache& cache = caches_[cache_of_[core]];
  std::erase_if(cache.in_question, [&](int number) {
    Entry& e = entries_[number];
    if (e.data.core == core) return false;
    e.needed += std::min(after, e.data.space()) - std::min(before, e.data.space());
    if (evicted == nullptr || e.needed <= cache.bytes) return false;
    e.in_question = false;
    evicted->push_back(number);
    return true;
  });
}

void Caches::change_widest(const Data& data, bool begins) {
  std::vector<double>& spans = spans_[data.core];
  double& widest = widest_[data.core];
  if (begins) {
    spans.push_back(data.span);
    widest = std::max(widest, data.span);
    return;
  }
  const auto at = std::find(spans.begin(), spans.end(), data.span);
  *at = spans.back();
  spans.pop_back();
  if (data.span == widest) widest = spans.empty() ? 0 : *std::max_element(spans.begin(), spans.end());
}

void Caches::enter(int number, const Data& data, bool cached, std::vector<int>& evicted) {
  if (entries_.size() <= static_cast<std::size_t>(number)) entries_.resize(number + std::size_t{1});
  entries_[number] = {data};
  change_need(data, &evicted);
  if (!cached || cache_of_[data.core] < 0) return;
  Cache& cache = caches_[cache_of_[data.core]];
  if (always_fit(cache, data.space())) return;
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
  change_need(e.data, nullptr);
}

}  // namespace strata::flow
