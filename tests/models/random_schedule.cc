// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/models/random_schedule.h"

#include <algorithm>

namespace strata::models {

Schedule random_schedule(int np, std::mt19937_64& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Schedule s(np);
  struct Open {
    int from, to;
    double bytes;
  };
  std::vector<Open> open;  // posted, not yet sent
  for (int n = pick(1, 12); n > 0 || !open.empty(); --n) {
    const int from = pick(0, np - 1), to = (from + pick(1, np - 1)) % np;
    const double bytes = pick(0, 1) ? pick(0, 900) : pick(1000, 4000);
    const auto ends = [&](const Open& o) { return (o.from == from && o.to == to) || (o.from == to && o.to == from); };
    const int kind = n > 0 && std::none_of(open.begin(), open.end(), ends) ? pick(0, 5) : 6;
    if (kind == 0) message(s, from, to, bytes);
    if (kind == 1) {
      send_receive(s, from, to, bytes, to, bytes / 2);
      send_receive(s, to, from, bytes / 2, from, bytes);
    }
    if (kind == 2) combine(s, from, bytes);
    if (kind == 3) compute(s, from, bytes);
    if (kind == 4) {
      post_receive(s, to, from, bytes);
      open.push_back({from, to, bytes});
    }
    if (kind == 5) {  // sends to several ranks at once
      std::vector<int> others;
      for (int r = 0; r < np; ++r) {
        const auto is_open = [&](const Open& o) { return o.from == r || o.to == r || o.from == from || o.to == from; };
        if (r != from && std::none_of(open.begin(), open.end(), is_open)) others.push_back(r);
      }
      std::shuffle(others.begin(), others.end(), random);
      if (others.size() > 4) others.resize(4);
      for (const int r : others) start_send(s, from, r, bytes);
      for (const int r : others) receive(s, r, from, bytes);
      for (const int r : others) wait_send(s, from, r, bytes);
    }
    if (kind == 6 && !open.empty()) {  // in the order of posting, in which Hockney's receiver takes messages
      const Open o = open.front();
      open.erase(open.begin());
      send(s, o.from, o.to, o.bytes);
      wait_receive(s, o.to, o.from, o.bytes);
    }
  }
  return s;
}

}  // namespace strata::models
