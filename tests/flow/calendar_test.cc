// SPDX-License-Identifier: LGPL-2.1-only
// Compares the calendar with a list that is searched from end to end.
#include "flow/calendar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace strata::flow {
namespace {

TEST(Calendar, OfOneDateTheFirstScheduledComesFirst) {
  Calendar calendar;
  calendar.schedule(7, 1.0);
  calendar.schedule(3, 1.0);
  calendar.schedule(5, 1.0);
  calendar.schedule(7, 1.0);  // again: now after the others
  EXPECT_EQ(calendar.pop(), 3);
  EXPECT_EQ(calendar.pop(), 5);
  EXPECT_EQ(calendar.pop(), 7);
  EXPECT_TRUE(calendar.empty());
}

// `rise`: by how much the dates grow from step to step.
void compare_with_list(unsigned seed, double rise) {
  std::mt19937 random(seed);
  struct Entry {
    double date;
    int key;
  };
  Calendar calendar;
  std::vector<Entry> list;  // in the order of scheduling
  for (int step = 0; step < 20000; ++step) {
    const int key = static_cast<int>(random() % 50);
    const auto same_key = [key](const Entry& e) { return e.key == key; };
    switch (random() % 4) {
      case 0:
      case 1: {
        const double date = rise * step + static_cast<double>(random() % 20);
        calendar.schedule(key, date);
        std::erase_if(list, same_key);
        list.push_back({date, key});
        break;
      }
      case 2:
        calendar.cancel(key);
        std::erase_if(list, same_key);
        break;
      default:
        if (list.empty()) break;
        const auto first =
            std::min_element(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.date < b.date; });
        ASSERT_EQ(calendar.first_date(), first->date) << "step " << step;
        ASSERT_EQ(calendar.pop(), first->key) << "step " << step;
        list.erase(first);
    }
    ASSERT_EQ(calendar.empty(), list.empty()) << "step " << step;
  }
}

TEST(Calendar, LikeSearchingAList) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const double rise : {0.0, 0.5, 20.0}) {
    SCOPED_TRACE("rise " + std::to_string(rise));
    compare_with_list(seed, rise);
  }
}

}  // namespace
}  // namespace strata::flow
