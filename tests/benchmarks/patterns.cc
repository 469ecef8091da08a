// SPDX-License-Identifier: LGPL-2.1-only
// Programs with the communication patterns of applications, for `strata map --objective time`. They only send messages.
//
//   patterns PATTERN [--bytes 65536] [--iterations 3]
//
// An iteration has one or more rounds. In a round each rank sends to its partners, receives from them, and waits for
// all. Ranks are numbered row by row in a grid that is as square, or as cubic, as their number allows.
//
//   halo-2d      4 neighbours on an open grid (W. D. Gropp, EuroMPI'18, Section 3.1)
//   halo-3d      6 neighbours on an open grid (the same)
//   stencil-27   26 neighbours: faces, edges (1/16 of the bytes) and corners (1/256), as in HPCG
//   transpose    all-to-all within each row, then within each column (NPB FT in two dimensions; SUMMA, RR-9077)
//   butterfly    rank r with r xor 1, then r xor 2, ...: recursive doubling
//   cg           the butterfly within a row, then the transposed rank (NPB CG; PDSEC'20, Section VI)
//   groups       rings of 24 ranks, each ring dealt over the whole machine (PDSEC'20, Figure 6)
//   random       4 random partners for each rank, from a fixed seed
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

struct Partner {
  int rank;
  int bytes;
};
using Round = std::vector<Partner>;

// The largest divisor that does not exceed the root: 15 for the square root of 240, 6 for its cube root.
int side_of(int size, int root) {
  int side = static_cast<int>(std::floor(std::pow(size, 1.0 / root) + 1e-9));
  while (size % side != 0) --side;
  return side;
}

struct Grid {
  int x, y, z;
};

Grid grid_of(int size, int dims) {
  const int z = dims == 3 ? side_of(size, 3) : 1, y = side_of(size / z, 2);
  return {size / z / y, y, z};
}

std::vector<Round> stencil(int rank, int size, int dims, bool diagonals, int bytes) {
  const Grid g = grid_of(size, dims);
  const int x = rank / g.z / g.y, y = rank / g.z % g.y, z = rank % g.z;
  Round round;
  for (int i = x - 1; i <= x + 1; ++i) {
    for (int j = y - 1; j <= y + 1; ++j) {
      for (int k = z - 1; k <= z + 1; ++k) {
        const int away = (i != x) + (j != y) + (k != z);
        const bool inside = i >= 0 && i < g.x && j >= 0 && j < g.y && k >= 0 && k < g.z;
        if (!inside || away == 0 || (away > 1 && !diagonals)) continue;
        round.push_back({(i * g.y + j) * g.z + k, away == 1 ? bytes : away == 2 ? bytes / 16 : bytes / 256});
      }
    }
  }
  return {round};
}

std::vector<Round> transpose(int rank, int size, int bytes) {
  const int columns = side_of(size, 2), rows = size / columns;
  std::vector<Round> rounds(2);
  for (int c = 0; c < columns; ++c) rounds[0].push_back({rank / columns * columns + c, bytes / columns});
  for (int r = 0; r < rows; ++r) rounds[1].push_back({r * columns + rank % columns, bytes / rows});
  for (Round& round : rounds) std::erase_if(round, [&](const Partner& p) { return p.rank == rank; });
  return rounds;
}

std::vector<Round> butterfly(int rank, int size, int bytes) {
  std::vector<Round> rounds;
  for (int bit = 1; bit < size; bit *= 2) {
    rounds.emplace_back();
    if ((rank ^ bit) < size) rounds.back().push_back({rank ^ bit, bytes});
  }
  return rounds;
}

// Rows of 2^k ranks. The remaining ranks have no partner in the transposition.
std::vector<Round> cg(int rank, int size, int bytes) {
  int columns = 1;
  while (4 * columns * columns <= size) columns *= 2;
  const int row = rank / columns, column = rank % columns;
  std::vector<Round> rounds;
  for (int bit = 1; bit < columns; bit *= 2) rounds.push_back({{row * columns + (column ^ bit), bytes / columns}});
  rounds.emplace_back();
  if (row < columns && row != column && (column + 1) * columns <= size && size % columns == 0)
    rounds.back().push_back({column * columns + row, bytes});
  return rounds;
}

std::vector<Round> groups(int rank, int size, int bytes) {
  const int rings = size / 24, ring = rank % rings, at = rank / rings;
  const int members = (size - ring + rings - 1) / rings;
  std::vector<Round> rounds(1);
  rounds[0].push_back({(at + 1) % members * rings + ring, bytes});
  if (members > 2) rounds[0].push_back({(at + members - 1) % members * rings + ring, bytes});
  return rounds;
}

std::vector<Round> random(int rank, int size, int bytes) {
  std::uint64_t state = 1;
  const auto below = [&](int bound) {  // Knuth's generator for MMIX
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(bound));
  };
  std::set<int> partners;
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < 4; ++i) {
      const int other = below(size);
      if (other == r) continue;
      if (r == rank) partners.insert(other);
      if (other == rank) partners.insert(r);
    }
  }
  std::vector<Round> rounds(1);
  for (const int p : partners) rounds[0].push_back({p, bytes});
  return rounds;
}

std::vector<Round> rounds_of(const std::string& pattern, int rank, int size, int bytes) {
  if (pattern == "halo-2d") return stencil(rank, size, 2, false, bytes);
  if (pattern == "halo-3d") return stencil(rank, size, 3, false, bytes);
  if (pattern == "stencil-27") return stencil(rank, size, 3, true, bytes);
  if (pattern == "transpose") return transpose(rank, size, bytes);
  if (pattern == "butterfly") return butterfly(rank, size, bytes);
  if (pattern == "cg") return cg(rank, size, bytes);
  if (pattern == "groups") return groups(rank, size, bytes);
  return random(rank, size, bytes);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string pattern;
  int iterations = 3, bytes = 65536;
  strata::cli::App app("patterns");
  app.add_option("PATTERN", pattern)
      ->required()
      ->check(strata::cli::IsMember(
          {"halo-2d", "halo-3d", "stencil-27", "transpose", "butterfly", "cg", "groups", "random"}));
  app.add_option("--iterations", iterations)->check(strata::cli::PositiveNumber);
  app.add_option("--bytes", bytes)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);

  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::vector<Round> rounds = rounds_of(pattern, rank, size, bytes);
  void* payload = strata::mpix::allocate_payload(bytes);
  for (int i = 0; i < iterations; ++i) {
    for (const Round& round : rounds) {
      std::vector<MPI_Request> requests;
      for (const Partner& p : round) {
        MPI_Irecv(payload, p.bytes, MPI_BYTE, p.rank, 0, MPI_COMM_WORLD, &requests.emplace_back());
      }
      for (const Partner& p : round) {
        MPI_Isend(payload, p.bytes, MPI_BYTE, p.rank, 0, MPI_COMM_WORLD, &requests.emplace_back());
      }
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
  }
  strata::mpix::free_payload(payload);
  MPI_Finalize();
  return 0;
}
