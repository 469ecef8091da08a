// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/signature.h"

#include <cstdio>
#include <iterator>

#include "mpi_ext/nbc/schedule_parts.h"
#include "mpi_ext/provider/provider.h"

namespace strata::mpix {
namespace {

// Handles of operations differ between processes, so they are compared by name: MPI's own operations have names.
std::string name_of(MPI_Op op, bool commutes) {
  struct Named {
    MPI_Op op;
    const char* name;
  };
  const Named named[] = {{MPI_MAX, "MPI_MAX"},   {MPI_MIN, "MPI_MIN"},       {MPI_SUM, "MPI_SUM"},
                         {MPI_PROD, "MPI_PROD"}, {MPI_LAND, "MPI_LAND"},     {MPI_BAND, "MPI_BAND"},
                         {MPI_LOR, "MPI_LOR"},   {MPI_BOR, "MPI_BOR"},       {MPI_LXOR, "MPI_LXOR"},
                         {MPI_BXOR, "MPI_BXOR"}, {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"}};
  for (const Named& n : named) {
    if (n.op == op) return n.name;
  }
  return commutes ? "an operation that commutes" : "an operation that does not commute";
}

// A number that contains a digest and a rank, and is ordered by digest first.
constexpr int kRankBits = 23;  // 8 million ranks; leaves a digest 40 bits of a positive number
constexpr std::int64_t kDigests = std::int64_t{1} << 40, kRanks = std::int64_t{1} << kRankBits;
std::int64_t pack(std::int64_t digest, int rank) { return digest * kRanks + rank; }
std::int64_t digest_of(std::int64_t packed) { return packed / kRanks; }
int rank_of(std::int64_t packed) { return static_cast<int>(packed % kRanks); }

// The smallest digest and the smallest complement of a digest received so far, each with its rank.
struct Heard {
  std::array<std::int64_t, 2> least, received;
};

int verdict(const Heard& heard, const Signature& signature) {
  const std::int64_t least = heard.least[0], greatest = heard.least[1];
  if (digest_of(least) == kDigests - 1 - digest_of(greatest)) return MPI_SUCCESS;
  const int mine = signature.what.rank, one = rank_of(least), another = rank_of(greatest);
  if (mine == one || mine == another) {
    std::fprintf(stderr, "strata: nonblocking collectives do not match: rank %d has started %s, rank %d another\n",
                 mine, signature.text().c_str(), mine == one ? another : one);
  }
  return MPI_ERR_ARG;
}

}  // namespace

std::string Signature::text() const {
  std::string text = "MPIX_I" + std::string(strata::mpix::name_of(what.collective));
  const bool blocks = what.collective == Nbc::kScatter || what.collective == Nbc::kGather;
  const bool rooted = blocks || what.collective == Nbc::kBcast || what.collective == Nbc::kReduce;
  if (what.collective != Nbc::kBarrier) text += " of " + std::to_string(bytes) + " B" + (blocks ? " a rank" : "");
  if (rooted) text += ", root " + std::to_string(what.root);
  if (op != MPI_OP_NULL) text += ", " + name_of(op, what.commutes);
  return text;
}

Part comparison(const Signature& signature) {
  const NbcCase& what = signature.what;
  const std::string all = signature.text() + " " + std::to_string(what.arity) + " " + std::to_string(what.steps);
  const auto digest = static_cast<std::int64_t>(hash_of(all) >> 24);
  const auto heard = std::make_shared<Heard>();
  heard->least = {pack(digest, what.rank), pack(kDigests - 1 - digest, what.rank)};
  const BlockRange least{Buffer::kSend, 0, 1}, received{Buffer::kReceive, 0, 1};
  Part part{.on_thread = true};
  for (int distance = 1; distance < what.size; distance *= 2) {
    const int after = (what.rank + distance) % what.size, before = (what.rank - distance + what.size) % what.size;
    part.rounds.push_back({send(after, least, 0), receive(before, received, 0)});
    part.rounds.push_back({combine(received, least)});
  }
  const Block two{static_cast<int>(std::size(heard->least)), MPI_INT64_T};
  part.buffers = std::make_shared<Buffers>(Memory{heard->least.data(), two}, Memory{heard->received.data(), two}, two,
                                           Schedule{}, MPI_MIN);
  part.verdict = [heard, signature] { return verdict(*heard, signature); };
  return part;
}

}  // namespace strata::mpix
