// SPDX-License-Identifier: LGPL-2.1-only
// CG's matrix, compared with a slow implementation of its definition; the eigenvalues published with the NPB, computed
// by Eigen; and blocks compared with the whole.
#include "scenarios/programs/cg_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <eigen3/Eigen/Cholesky>
#include <eigen3/Eigen/IterativeLinearSolvers>
#include <eigen3/Eigen/SparseCore>
#include <map>
#include <set>
#include <vector>

#include "scenarios/programs/cg_classes.h"

namespace strata::programs {
namespace {

CgMatrix whole(const CgClass& c) { return make_cg_matrix(c.n, c.nonzer, c.shift, {0, c.n}, {0, c.n}); }

Eigen::SparseMatrix<double> for_eigen(const CgMatrix& a, int n) {
  std::vector<Eigen::Triplet<double>> elements;
  for (int i = 0; i < n; ++i) {
    for (long k = a.first[i]; k < a.first[i + 1]; ++k) elements.emplace_back(i, a.column[k], a.value[k]);
  }
  Eigen::SparseMatrix<double> m(n, n);
  m.setFromTriplets(elements.begin(), elements.end());
  return m;
}

// zeta by inverse power iteration, as the benchmark defines it. `solve` computes A^-1 x.
template <class Solve>
double zeta(const CgClass& c, const Solve& solve) {
  Eigen::VectorXd x = Eigen::VectorXd::Ones(c.n);
  double zeta = 0;
  for (int i = 0; i < c.niter; ++i) {
    const Eigen::VectorXd z = solve(x);
    zeta = c.shift + 1 / x.dot(z);
    x = z / z.norm();
  }
  return zeta;
}

// The generator is 5^13 x mod 2^46, computed here in 128 bits.
TEST(CgRandom, IsTheBenchmarks) {
  CgRandom random;
  unsigned __int128 x = 314159265;
  for (int i = 0; i < 100000; ++i) {
    x = x * 1220703125 % (static_cast<unsigned __int128>(1) << 46);
    ASSERT_EQ(random.next(), static_cast<double>(static_cast<std::uint64_t>(x)) / std::pow(2.0, 46)) << i;
  }
}

// By the definition: a dense sum of outer products of order 50, with numbers drawn one after another.
TEST(CgMatrix, IsTheSumOfItsVectorsOuterProducts) {
  const int n = 50, nonzer = 4;
  Eigen::MatrixXd expected = Eigen::MatrixXd::Identity(n, n) * (0.1 - 3);
  CgRandom random;
  random.next();
  for (int i = 0; i < n; ++i) {
    std::map<int, double> x;
    while (static_cast<int>(x.size()) < nonzer) {
      const double value = random.next();
      const int place = static_cast<int>(64 * random.next());
      if (place < n) x.emplace(place, value);
    }
    x[i] = 0.5;
    for (const auto& [a, u] : x) {
      for (const auto& [b, v] : x) expected(a, b) += std::pow(0.1, static_cast<double>(i) / n) * u * v;
    }
  }
  const CgMatrix m = make_cg_matrix(n, nonzer, 3, {0, n}, {0, n});
  EXPECT_LT((Eigen::MatrixXd(for_eigen(m, n)) - expected).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(m.elements(), (expected.array() != 0).count());
}

// With a dense Cholesky decomposition, because A - shift is negative definite.
TEST(CgMatrix, OfClassSHasThePublishedZeta) {
  const CgClass& c = *find_cg_class("S");
  const Eigen::LLT<Eigen::MatrixXd> inverse(-Eigen::MatrixXd(for_eigen(whole(c), c.n)));
  ASSERT_EQ(inverse.info(), Eigen::Success);
  const double found = zeta(c, [&](const Eigen::VectorXd& x) -> Eigen::VectorXd { return -inverse.solve(x); });
  EXPECT_NEAR(found, c.zeta, kCgTolerance * c.zeta);
}

// With Eigen's conjugate gradient.
TEST(CgMatrix, OfClassesWAndAHaveThePublishedZeta) {
  for (const char* name : {"W", "A"}) {
    const CgClass& c = *find_cg_class(name);
    const Eigen::SparseMatrix<double> a = -for_eigen(whole(c), c.n);
    Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> inverse(a);
    inverse.setTolerance(1e-14);
    const double found = zeta(c, [&](const Eigen::VectorXd& x) -> Eigen::VectorXd { return -inverse.solve(x); });
    EXPECT_NEAR(found, c.zeta, kCgTolerance * c.zeta) << name;
  }
}

TEST(CgMatrix, BlocksAreThoseOfTheWhole) {
  const CgClass& c = *find_cg_class("S");
  const CgMatrix all = whole(c);
  for (const int processes : {2, 8, 16, 32}) {
    long elements = 0;
    for (int r = 0; r < processes; ++r) {
      const CgShare s = cg_share(c.n, processes, r);
      const CgMatrix block = make_cg_matrix(c.n, c.nonzer, c.shift, s.rows, s.columns);
      elements += block.elements();
      for (int i = 0; i < s.rows.count; ++i) {
        long at = block.first[i];
        for (long k = all.first[s.rows.first + i]; k < all.first[s.rows.first + i + 1]; ++k) {
          const int column = all.column[k] - s.columns.first;
          if (column < 0 || column >= s.columns.count) continue;
          ASSERT_LT(at, block.first[i + 1]);
          ASSERT_EQ(block.column[at], column);
          ASSERT_EQ(block.value[at++], all.value[k]);
        }
        ASSERT_EQ(at, block.first[i + 1]);
      }
    }
    EXPECT_EQ(elements, all.elements());
  }
}

TEST(CgMatrix, MultipliesAsEigenDoes) {
  const CgClass& c = *find_cg_class("S");
  const CgMatrix a = whole(c);
  Eigen::VectorXd p(c.n), w(c.n);
  for (int i = 0; i < c.n; ++i) p[i] = std::sin(i);
  a.multiply(p.data(), w.data());
  EXPECT_LT((w - for_eigen(a, c.n) * p).cwiseAbs().maxCoeff(), 1e-13);
}

// The basis of the charged computation. In class S, 1 of 48 pairs of vectors overlap in an element, in class A 1 of
// 500. In class S, the blocks of 64 processes have about 1,250 elements each, within four standard deviations.
TEST(CgMatrix, HasTheExpectedNumberOfElements) {
  const std::map<char, double> fewer = {{'S', 0.022}, {'W', 0.006}, {'A', 0.006}};
  for (const auto& [name, share] : fewer) {
    const CgClass& c = *find_cg_class(std::string(1, name));
    const double expected = expected_cg_elements(c.n, c.nonzer, {0, c.n}, {0, c.n});
    EXPECT_NEAR(expected, c.n * (c.nonzer * (c.nonzer + 1.0) + 1), 1e-6 * expected);
    const auto found = static_cast<double>(whole(c).elements());
    EXPECT_LE(found, expected) << name;
    EXPECT_GE(found, (1 - share) * expected) << name;
  }
  const CgClass& c = *find_cg_class("S");
  for (int r = 0; r < 64; ++r) {
    const CgShare s = cg_share(c.n, 64, r);
    const double expected = expected_cg_elements(c.n, c.nonzer, s.rows, s.columns);
    const auto found = static_cast<double>(make_cg_matrix(c.n, c.nonzer, c.shift, s.rows, s.columns).elements());
    EXPECT_NEAR(found, expected, 0.2 * expected) << r;
  }
}

}  // namespace
}  // namespace strata::programs
