// SPDX-License-Identifier: LGPL-2.1-only
// PMI-1, by which MPICH's ranks learn from their launcher who they are, and exchange their addresses. A pure core: a
// line from a rank in, lines for ranks out.
//
//   Pmi1Server server(2, "(vector,(0,1,2))");
//   server.receive(0, "cmd=barrier_in");  // nothing yet
//   server.receive(1, "cmd=barrier_in");  // {{0, "cmd=barrier_out rc=0\n"}, {1, "cmd=barrier_out rc=0\n"}}
//
// Source: MPICH 4.0.2, src/pmi/simple/simple_pmi.c, and its answers in src/pm/hydra/pm/pmiserv/pmiserv_pmi_v1.c.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace strata::native {

class Pmi1Server {
 public:
  struct Reply {
    int rank;
    std::string line;  // with its line feed
    friend bool operator==(const Reply&, const Reply&) = default;
  };
  struct Abort {
    int rank;
    int exit_code;
    std::string message;  // may be empty
  };
  enum class Phase { kBeforeInit, kInitialized, kFinalized };

  /// `mapping`: see process_mapping.h. If MPICH's buffers cannot hold it, the server does not give it, and MPICH
  /// compares host names instead.
  Pmi1Server(int size, std::string mapping);

  /// A line without its line feed. A faulty one is answered with rc=-1 or not at all.
  std::vector<Reply> receive(int rank, const std::string& line);

  Phase phase(int rank) const { return phases_[rank]; }
  /// The first abort.
  const std::optional<Abort>& aborted() const { return aborted_; }

 private:
  std::vector<Reply> barrier(int rank);
  std::string put(const std::string& line);
  std::string get(const std::string& line) const;
  std::string publish(const std::string& line);
  std::string lookup(const std::string& line) const;
  std::string unpublish(const std::string& line);
  void abort(int rank, const std::string& line);

  std::map<std::string, std::string> values_, services_;
  std::vector<Phase> phases_;
  std::vector<bool> in_barrier_, in_spawn_;
  int waiting_ = 0;  // ranks in the barrier
  std::optional<Abort> aborted_;
};

}  // namespace strata::native
