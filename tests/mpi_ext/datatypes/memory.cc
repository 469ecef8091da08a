// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/datatypes/memory.h"

#include <cstring>

namespace strata::mpix::testing {

int value(int rank, std::size_t number) {
  return 1 + static_cast<int>((number * 7 + static_cast<std::size_t>(rank) * 31) % 100);
}

void put(unsigned char* to, int which, int v) {
  const int i = v;
  const double d = v;
  const auto s = static_cast<short>(v);
  const auto c = static_cast<char>(v);
  const std::array<const void*, 4> from = {&i, &d, &s, &c};
  std::memcpy(to, from[which], static_cast<std::size_t>(basic(which).bytes));
}

int get(const unsigned char* from, int which) {
  int i = 0;
  double d = 0;
  short s = 0;
  char c = 0;
  const std::array<void*, 4> to = {&i, &d, &s, &c};
  std::memcpy(to[which], from, static_cast<std::size_t>(basic(which).bytes));
  return which == 0 ? i : which == 1 ? static_cast<int>(d) : which == 2 ? s : c;
}

void fill(Memory& memory, const std::vector<Element>& elements, int rank, std::size_t first) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    put(memory.at(elements[i].at), elements[i].which, value(rank, first + i));
}

std::vector<int> values(const Memory& memory, const std::vector<Element>& elements) {
  std::vector<int> all;
  for (const Element& e : elements) all.push_back(get(memory.at(e.at), e.which));
  return all;
}

void expect_arrival(const Memory& from, const std::vector<Element>& out, Memory& to, const std::vector<Element>& in) {
  for (std::size_t i = 0; i < out.size(); ++i)
    std::memcpy(to.at(in[i].at), from.at(out[i].at), static_cast<std::size_t>(basic(out[i].which).bytes));
}

}  // namespace strata::mpix::testing
