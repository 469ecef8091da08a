// SPDX-License-Identifier: LGPL-2.1-only
// The sockets between a Pmi1Server and its ranks: bytes in, whole lines to the server, its replies out. A rank finds
// its end of the pair by the variable PMI_FD.
#pragma once

#include <string>
#include <vector>

#include "native/launch/pmi1_server.h"

namespace strata::native {

class Pmi1Sockets {
 public:
  explicit Pmi1Sockets(Pmi1Server& server, int size);
  ~Pmi1Sockets();
  Pmi1Sockets(const Pmi1Sockets&) = delete;
  Pmi1Sockets& operator=(const Pmi1Sockets&) = delete;

  /// Makes the pair of a rank and returns the rank's end, which the caller closes once the rank has it. Both ends are
  /// closed on exec. Throws SystemError.
  int open(int rank);
  /// Our end, to wait for; -1: closed.
  int descriptor(int rank) const { return connections_[rank].descriptor; }
  /// Reads all that has arrived from a rank, and answers. Closes our end if the rank has closed its own, or does not
  /// read its answers.
  void receive(int rank);

 private:
  struct Connection {
    int descriptor = -1;
    std::string begun;  // a line whose end has not arrived
  };
  void close(int rank);
  void send(const Pmi1Server::Reply& reply);

  Pmi1Server& server_;
  std::vector<Connection> connections_;
};

}  // namespace strata::native
