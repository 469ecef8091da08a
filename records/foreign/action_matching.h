// SPDX-License-Identifier: LGPL-2.1-only
// Checks that the actions of all ranks (actions.h) fit together, as MPI demands it and SMPI's replayer, which would
// crash or wait for ever, takes for granted. For example
//
//   0 bcast 100 0      and in its place      1 barrier          not the same collective
//   0 bcast 100 0                            1 bcast 100 1      not the same root
//   0 gather 8 8 0                           1 gather 9 8 0     the root receives 8 B from rank 1, which sends 9
//   0 send 1 5 8                             (nothing)          no receive takes the message
//
// The k-th collective calls of all ranks belong together, because a trace has no communicators. The k-th
// message of two ranks with one tag is for the k-th receive. Receives from any source or with any tag take what the
// others leave; then only numbers are compared. Memory grows with the calls whose counterparts have not come yet.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace strata {

class ActionMatching {
 public:
  explicit ActionMatching(int ranks) : ranks_(ranks), collectives_(static_cast<std::size_t>(ranks)), any_(ranks) {}

  /// The next action of a rank, with its words; their number and types are right. `file` must outlive this object.
  /// Throws InputError.
  void add(int rank, const std::string& file, long line, const std::vector<std::string_view>& words);
  /// After the last action of the last rank. Throws InputError.
  void finish() const;

 private:
  struct Place {
    const std::string* file = nullptr;
    long line = 0;
    std::string text() const;
    bool operator<(const Place& other) const { return std::tie(*file, line) < std::tie(*other.file, other.line); }
  };
  // One rank's view of a collective call; all numbers in B.
  struct Part {
    std::string name;  // not a view: the file of the rank that came first may be gone
    int root = -1;
    double block = -1;                // the same on all ranks; -1: has none
    double root_block = -1;           // of a rank's block, as the root counts it; only at the root
    double own = -1;                  // this rank's block, if blocks differ
    std::vector<double> blocks = {};  // by rank, as the root or each rank counts them
    std::uint64_t pairs = 0;          // of alltoallv: a sum over sent and received blocks that cancel each other
    double largest = 0;               // of its buffers
  };
  struct Collective {
    Part part;  // of the rank that came first
    int first = 0;
    Place place;
    int came = 0;
    std::map<int, double> owns = {};  // by rank, until blocks are known
    std::uint64_t pairs = 0;
  };
  struct Message {
    Place place;
    double bytes = -1;  // -1: unknown
  };
  struct Key {
    int from, to, tag;
    bool operator<(const Key& other) const {
      return std::tie(from, to, tag) < std::tie(other.from, other.to, other.tag);
    }
  };
  struct Any {
    long receives = 0;  // from any source or with any tag
    Place place;
  };

  [[noreturn]] static void fail(const Place& place, const std::string& what, const std::string& remedy);
  Part part_of(int rank, const Place& place, const std::vector<std::string_view>& words) const;
  double size_of(std::size_t at, const std::vector<std::string_view>& words) const;
  void collective(int rank, const Place& place, Part part);
  void send(const Key& key, Message message);
  void receive(const Key& key, Message message);
  void compare(const Key& key, const Message& sent, const Message& received);

  int ranks_;
  std::vector<std::size_t> collectives_;  // by rank: number of its calls
  std::size_t forgotten_ = 0;             // collective calls at the front that all ranks have made
  std::deque<Collective> waiting_ = {};
  std::map<Key, std::deque<Message>> sent_ = {}, received_ = {};  // without their counterparts
  std::map<int, std::pair<Place, std::string>> too_long_ = {};    // by receiver: the first message that does not fit
  std::vector<Any> any_;                                          // by rank
  double default_bytes_ = 0;                                      // of an element; 0: no init came yet
};

}  // namespace strata
