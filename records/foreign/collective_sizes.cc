// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/collective_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace strata {
namespace {

struct Taking {
  int rank = 0;  // in MPI_COMM_WORLD
  Call* call = nullptr;
  CollectiveBytes bytes;
};

// The bytes to or from each of n ranks.
long block(long bytes, long n) { return bytes % n == 0 || n == 1 ? bytes / n : (bytes + n - 2) / (n - 1); }

class Resolver {
 public:
  Resolver(CommonCalls& common, const std::string& archive) : common_(common), archive_(archive) {}

  // `members` of one call, by their rank in its communicator.
  void resolve(const std::vector<Taking>& members) {
    const Call& first = *members.front().call;
    for (const Taking& m : members) {
      if (m.call->collective == first.collective && m.call->peer == first.peer) continue;
      throw InputError(archive_,
                       fmt::format("rank {} calls MPI_{} where rank {} calls MPI_{}{}", members.front().rank,
                                   name_of(first.collective), m.rank, name_of(m.call->collective),
                                   m.call->peer == first.peer ? "" : " with another root"),
                       "trace the program with all of its MPI calls");
    }
    const auto root = static_cast<std::size_t>(first.peer);
    if (root >= members.size())
      throw InputError(archive_,
                       fmt::format("MPI_{} has root {} of {} ranks", name_of(first.collective), root, members.size()),
                       "the archive is damaged");
    const auto n = static_cast<long>(members.size());
    long sent = 0, received = 0;  // maximum of all ranks except the root
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i == root && n > 1) continue;
      sent = std::max(sent, members[i].bytes.sent);
      received = std::max(received, members[i].bytes.received);
    }
    const CollectiveBytes& of_root = members[root].bytes;
    switch (first.collective) {
      case Collective::kBarrier:
        return;
      case Collective::kBcast:
      case Collective::kScatter:
        return all(members, received > 0 ? received : block(of_root.sent, n), n);
      case Collective::kGather:
      case Collective::kReduce:
        return all(members, sent > 0 ? sent : block(of_root.received, n), n);
      case Collective::kAllgather:
      case Collective::kAlltoall:
      case Collective::kAllreduce:
      case Collective::kReduceScatterBlock:
        return all(members, block(std::max(sent, of_root.sent), n), n);
      case Collective::kScan:  // the first rank's block goes to all; the last rank gets all blocks
        return all(members, block(std::max(members.front().bytes.sent, members.back().bytes.received), n), n);
      case Collective::kExscan:  // the same, without the ranks' own blocks
        return all(members, std::max(members.front().bytes.sent, members.back().bytes.received) / std::max(n - 1, 1L),
                   n);
      case Collective::kGatherv:
        return each(
            members, [&](const Taking& m) { return m.bytes.sent; }, root, of_root.received);
      case Collective::kScatterv:
        return each(
            members, [&](const Taking& m) { return m.bytes.received; }, root, of_root.sent);
      case Collective::kAllgatherv:
        return each(members, [&](const Taking& m) { return block(m.bytes.sent, n); });
      case Collective::kReduceScatter:
        return each(members, [&](const Taking& m) { return block(m.bytes.received, n); });
      case Collective::kAlltoallv:
        each(members, [&](const Taking& m) { return m.bytes.received; });
        for (const Taking& m : members) m.call->received = m.call->sizes;
        return each(members, [&](const Taking& m) { return m.bytes.sent; });
    }
  }

 private:
  void fits(long bytes) const {
    if (bytes > std::numeric_limits<int>::max())
      throw InputError(archive_, fmt::format("a collective call moves {} B", bytes),
                       fmt::format("replayed calls count up to {} B", std::numeric_limits<int>::max()));
  }

  void all(const std::vector<Taking>& members, long bytes, long n) {
    fits(bytes);
    for (const Taking& m : members) m.call->bytes = bytes;
    common_.buffer = std::max(common_.buffer, bytes * n);
  }

  template <class Size>
  void each(const std::vector<Taking>& members, const Size& size) {
    std::vector<long> sizes;
    for (const Taking& m : members) sizes.push_back(size(m));
    share(members, std::move(sizes));
  }

  // With MPI_IN_PLACE the root's own block may be missing; then it is also missing in the root's total.
  template <class Size>
  void each(const std::vector<Taking>& members, const Size& size, std::size_t root, long total) {
    std::vector<long> sizes;
    for (const Taking& m : members) sizes.push_back(size(m));
    if (std::accumulate(sizes.begin(), sizes.end(), 0L) - sizes[root] == total) sizes[root] = 0;
    share(members, std::move(sizes));
  }

  void share(const std::vector<Taking>& members, std::vector<long> sizes) {
    const long sum = std::accumulate(sizes.begin(), sizes.end(), 0L);
    fits(sum);
    common_.buffer = std::max(common_.buffer, sum);
    const auto [at, added] = known_.try_emplace(sizes, static_cast<int>(common_.sizes.size()));
    if (added) common_.sizes.push_back(std::move(sizes));
    for (const Taking& m : members) m.call->sizes = at->second;
  }

  CommonCalls& common_;
  const std::string& archive_;
  std::map<std::vector<long>, int> known_;
};

}  // namespace

void resolve_collectives(std::vector<RankCalls>& ranks, CommonCalls& common, const std::string& archive) {
  // By communicator, number of the call there, and rank there: the member's part of the call.
  std::vector<std::vector<std::vector<Taking>>> instances(common.communicators.size());
  std::vector<std::vector<long>> done(common.communicators.size());
  std::vector<std::map<int, int>> place(common.communicators.size());
  for (std::size_t c = 0; c < place.size(); ++c) {
    done[c].resize(common.communicators[c].size());
    for (const int rank : common.communicators[c]) place[c].emplace(rank, static_cast<int>(place[c].size()));
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    std::size_t collective = 0;
    for (Call& call : ranks[r].calls) {
      if (call.kind != Call::Kind::kCollective && call.kind != Call::Kind::kICollective) continue;
      const auto c = static_cast<std::size_t>(call.communicator);
      const auto member = place[c].find(static_cast<int>(r));
      if (member == place[c].end())
        throw InputError(archive,
                         fmt::format("rank {} calls MPI_{} on a communicator without it", r, name_of(call.collective)),
                         "the archive is damaged");
      const auto number = static_cast<std::size_t>(done[c][member->second]++);
      if (instances[c].size() <= number) instances[c].emplace_back(common.communicators[c].size());
      instances[c][number][member->second] = {static_cast<int>(r), &call, ranks[r].bytes[collective++]};
    }
  }
  Resolver resolver(common, archive);
  for (std::size_t c = 0; c < instances.size(); ++c) {
    for (const std::vector<Taking>& members : instances[c]) {
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i].call != nullptr) continue;
        throw InputError(archive,
                         fmt::format("rank {} makes fewer collective calls than the others of its communicator",
                                     common.communicators[c][i]),
                         "trace the program from MPI_Init to MPI_Finalize, with all of its MPI calls");
      }
      resolver.resolve(members);
    }
  }
}

}  // namespace strata
