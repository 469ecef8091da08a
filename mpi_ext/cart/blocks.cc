#include "mpi_ext/cart/blocks.h"

#include <string>

#include "mpi_ext/cart/divisors.h"
#include "mpi_ext/cart/mapping.h"

namespace strata::mpix {
Shape factor_block(const Shape& dims, int size) {
  Shape block(dims.size(), 1), remaining = dims;
  std::vector<int> primes = primes_of(size);
  for (; !primes.empty(); primes.pop_back()) {
    const int prime = primes.back();
    int best = -1;
    for (int i = 0; i < static_cast<int>(dims.size()); ++i) {
      if (remaining[i] % prime != 0) continue;
      if (best < 0 || remaining[i] > remaining[best] || (remaining[i] == remaining[best] && block[i] < block[best])) {
        best = i;
      }
    }
    if (best < 0) {
      throw Unmappable("no block of " + std::to_string(size) + " processes fits the mesh: its factor " +
                       std::to_string(prime) + " divides no remaining dimension; give dimensions that " +
                       std::to_string(size) + " divides");
    }
    block[best] *= prime;
    remaining[best] /= prime;
  }
  return block;
}

}  // namespace strata::mpix
