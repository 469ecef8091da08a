// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/message_matching.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <tuple>

#include "base/error.h"

namespace strata {
namespace {

using Kind = Call::Kind;
// Communicator, sender, receiver, tag; ranks in MPI_COMM_WORLD.
using Key = std::tuple<int, int, int, int>;

bool sends(Kind kind) {
  return kind == Kind::kSend || kind == Kind::kSsend || kind == Kind::kIsend || kind == Kind::kIssend;
}
bool receives(Kind kind) { return kind == Kind::kRecv || kind == Kind::kIrecv; }

}  // namespace

void match_messages(const std::vector<RankCalls>& ranks, const CommonCalls& common, const std::string& archive,
                    std::vector<std::string>& notes) {
  std::map<Key, std::deque<long>> sent, received;                   // B, of messages without their counterparts
  std::vector<std::vector<bool>> has(common.communicators.size());  // by communicator and rank
  for (std::size_t c = 0; c < has.size(); ++c) {
    has[c].resize(ranks.size());
    for (const int member : common.communicators[c]) has[c][member] = true;
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto rank = static_cast<int>(r);
    for (const Call& c : ranks[r].calls) {
      if (!sends(c.kind) && !receives(c.kind)) continue;
      const auto communicator = static_cast<std::size_t>(c.communicator);
      const std::vector<int>& members = common.communicators[communicator];
      if (c.peer < 0 || static_cast<std::size_t>(c.peer) >= members.size() || !has[communicator][r])
        throw InputError(
            archive,
            fmt::format("rank {} exchanges a message with rank {} of a communicator of {} ranks{}", r, c.peer,
                        members.size(), has[communicator][r] ? "" : ", to which it does not belong"),
            "the archive is damaged");
      if (c.tag < 0)
        throw InputError(archive, fmt::format("rank {} has a message with tag {}", r, c.tag), "the archive is damaged");
      const int peer = members[c.peer];
      const bool out = sends(c.kind);
      const Key key{c.communicator, out ? rank : peer, out ? peer : rank, c.tag};
      std::map<Key, std::deque<long>>&mine = out ? sent : received, &others = out ? received : sent;
      const auto other = others.find(key);
      if (other == others.end()) {
        mine[key].push_back(c.bytes);
        continue;
      }
      const long bytes = other->second.front();
      if (bytes != c.bytes)
        throw InputError(
            archive,
            fmt::format("rank {} receives {} B of a message of {} B from rank {} with tag {}", std::get<2>(key),
                        out ? bytes : c.bytes, out ? c.bytes : bytes, std::get<1>(key), c.tag),
            "the archive is damaged");
      other->second.pop_front();
      if (other->second.empty()) others.erase(other);
    }
  }
  long lost = 0;
  for (const auto& [key, messages] : sent) lost += static_cast<long>(messages.size());
  if (lost > 0)
    notes.push_back(fmt::format(
        "messages that are sent and not received: {}; the first is from rank {} to rank {} with tag {}", lost,
        std::get<1>(sent.begin()->first), std::get<2>(sent.begin()->first), std::get<3>(sent.begin()->first)));
}

}  // namespace strata
