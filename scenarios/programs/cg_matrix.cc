// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/programs/cg_matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace strata::programs {
namespace {

constexpr double kLeastWeight = 0.1;  // NPB's rcond: approximately w_n, and the value added to the diagonal
constexpr double kOwnPlace = 0.5;     // value of x_i at place i

struct Element {
  int row, column;
  double value;
};

// Generates the sparse vectors in order.
class Vectors {
 public:
  Vectors(int n, int nonzer) : n_(n), nonzer_(nonzer), range_(std::bit_ceil(static_cast<unsigned>(n))), met_(n, -1) {
    random_.next();
  }

  struct Entry {
    int place;
    double value;
  };

  // The next vector, with number `i`.
  const std::vector<Entry>& next(int i) {
    entries_.clear();
    while (static_cast<int>(entries_.size()) < nonzer_) {
      const double value = random_.next();
      const int place = static_cast<int>(range_ * random_.next());
      if (place >= n_ || met_[place] == i) continue;
      met_[place] = i;
      entries_.push_back({place, value});
    }
    if (met_[i] == i) {
      std::find_if(entries_.begin(), entries_.end(), [i](const Entry& e) { return e.place == i; })->value = kOwnPlace;
    } else {
      entries_.push_back({i, kOwnPlace});
    }
    return entries_;
  }

 private:
  int n_, nonzer_;
  double range_;  // of random places: a power of two; places beyond n are drawn again
  CgRandom random_;
  std::vector<int> met_;  // by place, the last vector with an element there
  std::vector<Entry> entries_;
};

int overlap(CgRange a, CgRange b) { return std::max(0, std::min(a.end(), b.end()) - std::max(a.first, b.first)); }

bool in(CgRange range, int i) { return i >= range.first && i < range.end(); }

// Adds elements with the same place.
CgMatrix assemble(std::vector<Element> elements, int rows) {
  std::stable_sort(elements.begin(), elements.end(), [](const Element& a, const Element& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  CgMatrix m;
  m.first.assign(1, 0);
  std::size_t next = 0;
  for (int row = 0; row < rows; ++row) {
    for (; next < elements.size() && elements[next].row == row; ++next) {
      const Element& e = elements[next];
      if (static_cast<long>(m.column.size()) > m.first.back() && m.column.back() == e.column) {
        m.value.back() += e.value;
      } else {
        m.column.push_back(e.column);
        m.value.push_back(e.value);
      }
    }
    m.first.push_back(static_cast<long>(m.column.size()));
  }
  return m;
}

}  // namespace

void CgMatrix::multiply(const double* p, double* w) const {
  for (std::size_t row = 0; row + 1 < first.size(); ++row) {
    double sum = 0;
    for (long k = first[row]; k < first[row + 1]; ++k) sum += value[k] * p[column[k]];
    w[row] = sum;
  }
}

CgMatrix make_cg_matrix(int n, int nonzer, double shift, CgRange rows, CgRange columns) {
  std::vector<Element> elements;
  elements.reserve(static_cast<std::size_t>(1.1 * expected_cg_elements(n, nonzer, rows, columns)));
  Vectors vectors(n, nonzer);
  const double ratio = std::pow(kLeastWeight, 1.0 / n);
  double weight = 1;
  for (int i = 0; i < n; ++i, weight *= ratio) {
    const auto& x = vectors.next(i);
    for (const auto& a : x) {
      if (!in(columns, a.place)) continue;
      for (const auto& b : x) {
        if (in(rows, b.place)) {
          elements.push_back({b.place - rows.first, a.place - columns.first, b.value * (weight * a.value)});
        }
      }
    }
  }
  for (int i = std::max(rows.first, columns.first); i < std::min(rows.end(), columns.end()); ++i) {
    elements.push_back({i - rows.first, i - columns.first, kLeastWeight - shift});
  }
  return assemble(std::move(elements), rows.count);
}

double expected_cg_elements(int n, int nonzer, CgRange rows, CgRange columns) {
  const double diagonal = overlap(rows, columns);
  const double others = static_cast<double>(rows.count) * columns.count - diagonal;
  return diagonal + others * nonzer * (nonzer + 1.0) / (n - 1.0);
}

}  // namespace strata::programs
