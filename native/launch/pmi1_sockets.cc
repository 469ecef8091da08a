// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/pmi1_sockets.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "base/system_error.h"

namespace strata::native {
namespace {
constexpr std::size_t kLongestLine_bytes = 1 << 20;  // of a rank that does not talk PMI-1
}

Pmi1Sockets::Pmi1Sockets(Pmi1Server& server, int size) : server_(server), connections_(size) {}

Pmi1Sockets::~Pmi1Sockets() {
  for (std::size_t rank = 0; rank < connections_.size(); ++rank) close(static_cast<int>(rank));
}

int Pmi1Sockets::open(int rank) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) throw SystemError("socketpair", errno);
  connections_[rank].descriptor = pair[0];
  return pair[1];
}

void Pmi1Sockets::close(int rank) {
  if (connections_[rank].descriptor >= 0) ::close(connections_[rank].descriptor);
  connections_[rank].descriptor = -1;
}

void Pmi1Sockets::receive(int rank) {
  Connection& from = connections_[rank];
  std::array<char, 4096> bytes;
  while (from.descriptor >= 0) {
    const ssize_t got = ::recv(from.descriptor, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got <= 0) return close(rank);
    from.begun.append(bytes.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end; (end = from.begun.find('\n', begin)) != std::string::npos; begin = end + 1) {
      for (const Pmi1Server::Reply& reply : server_.receive(rank, from.begun.substr(begin, end - begin))) send(reply);
    }
    from.begun.erase(0, begin);
    if (from.begun.size() > kLongestLine_bytes) return close(rank);
  }
}

void Pmi1Sockets::send(const Pmi1Server::Reply& reply) {
  const int to = connections_[reply.rank].descriptor;
  if (to < 0) return;
  const ssize_t sent = ::send(to, reply.line.data(), reply.line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  // A rank waits for each answer, so the socket's buffer can only be full if the rank does not read.
  if (sent != static_cast<ssize_t>(reply.line.size())) close(reply.rank);
}

}  // namespace strata::native
