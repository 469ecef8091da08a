// SPDX-License-Identifier: LGPL-2.1-only
#include <mpi.h>
#include <smpi/smpi.h>

#include <array>
#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>
#include <xbt/config.hpp>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/transport.h"
#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/data_bytes.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"
#include "records/exchange/exchanged_words.h"

namespace strata::mpix {
namespace {

using simgrid::s4u::Host;

// The protocol of a message.
enum class Path { kPlain, kEager, kSingleCopy, kDoubleCopy };

// Tags of the parts of a message that is not eager: its own tag and the next two.
enum { kData = 0, kClearToSend = 1, kFinished = 2 };

// The hosts of all ranks of MPI_COMM_WORLD, found before the first message, when all its senders and receivers still
// exist. Later, a rank may have ended, together with its actor, while another still looks for its messages.
const std::vector<const Host*>& hosts() {
  static const auto& all = *new std::vector<const Host*>([] {
    std::vector<const Host*> found(size_of(MPI_COMM_WORLD));
    for (size_t r = 0; r < found.size(); ++r) {
      // SMPI gives its ranks the actor ids 1 to n.
      const simgrid::s4u::ActorPtr actor = simgrid::s4u::Actor::by_pid(static_cast<aid_t>(r) + 1);
      if (actor != nullptr) found[r] = actor->get_host();
    }
    return found;
  }());
  return all;
}

const Host& host_of(int rank, MPI_Comm comm) { return *hosts()[translate_ranks({rank}, comm, MPI_COMM_WORLD).front()]; }

std::string node_of(const Host& host) {
  const char* node = host.get_property(words::kNodeProperty);
  return node == nullptr ? host.get_cname() : node;  // get_name()'s string type differs in SimGrid with its checker
}

// In bytes: messages below this size are eager, and SMPI takes a copy of them. The launcher sets
// smpi/async-small-thresh to the same value. The model checker sets that to 0, because it has one mailbox for all
// sizes.
int eager_limit() {
  static const int limit = simgrid::config::get_value<int>("smpi/send-is-detached-thresh");
  return limit;
}

Path path_between(const Host& sender, const Host& receiver, std::size_t bytes) {
  if (bytes == 0) return Path::kPlain;
  if (bytes < static_cast<std::size_t>(eager_limit())) return Path::kEager;
  if (node_of(sender) != node_of(receiver)) return Path::kPlain;
  const char* copies = sender.get_property(words::kCopiesProperty);
  return copies != nullptr && std::atoi(copies) == 2 ? Path::kDoubleCopy : Path::kSingleCopy;
}

// Whether SMPI has taken a copy of the data. If so, MPI_Wait returns immediately, but MPI_Testany never finds it
// complete.
bool is_detached(int count, MPI_Datatype datatype) {
  return static_cast<long>(data_bytes(count, datatype)) < eager_limit();
}

}  // namespace

struct Message::State {
  Way way;
  Envelope envelope;
  Lane& lane;
  std::size_t bytes = 0;
  Path path = Path::kPlain;
  int own_tag = 0;  // contained in the RTS
  // In the order in which they must be waited for.
  std::array<MPI_Request, 4> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int posted = 0, completed = 0;
  double moving_since = 0;  // s, simulated: start of this end's data copy, if it has one

  void send(const void* buffer, int count, MPI_Datatype datatype, int tag) {
    MPI_Request& request = requests[posted++];
    const Marked internal(&Marks::internal);
    check(MPI_Isend(buffer, count, datatype, envelope.peer, tag, lane.comm(), &request));
    if (is_detached(count, datatype)) check(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  void receive(void* buffer, int count, MPI_Datatype datatype, int tag) {
    check(MPI_Irecv(buffer, count, datatype, envelope.peer, tag, lane.comm(), &requests[posted++]));
  }
  void send_data(int tag) {
    moving_since = simgrid::s4u::Engine::get_clock();
    send(envelope.buffer, envelope.count, envelope.datatype, tag);
  }
  void receive_data(int tag) {
    moving_since = simgrid::s4u::Engine::get_clock();
    receive(envelope.buffer, envelope.count, envelope.datatype, tag);
  }

  void start_send() {
    if (path == Path::kEager) charge_copy(bytes);
    if (path == Path::kPlain || path == Path::kEager) return send_data(envelope.tag);
    own_tag = lane.next_own_tag();
    send(&own_tag, 1, MPI_INT, envelope.tag);
    if (path == Path::kSingleCopy) {
      send_data(own_tag + kData);
      return receive(nullptr, 0, MPI_BYTE, own_tag + kFinished);
    }
    receive(nullptr, 0, MPI_BYTE, own_tag + kClearToSend);
  }
  void start_receive() {
    if (path == Path::kPlain || path == Path::kEager) return receive_data(envelope.tag);
    receive(&own_tag, 1, MPI_INT, envelope.tag);
  }

  // Continues as far as posted requests are complete.
  void resume() {
    while (completed < posted && requests[completed] == MPI_REQUEST_NULL) {
      ++completed;
      way == Way::kSend ? after_send() : after_receive();
    }
  }
  void after_send() {
    if (path != Path::kDoubleCopy) return;
    if (completed == 2) {  // RTS and CTS
      send_data(own_tag + kData);
      charge_message_copy(bytes);
      send(nullptr, 0, MPI_BYTE, own_tag + kFinished);
    }
    if (completed == 3) end_message_copy(moving_since);
  }
  void after_receive() {
    if (path == Path::kEager) charge_copy(bytes);
    if (path == Path::kPlain || path == Path::kEager) return;
    const bool twice = path == Path::kDoubleCopy;
    if (completed == 1) {  // RTS
      if (twice) send(nullptr, 0, MPI_BYTE, own_tag + kClearToSend);
      receive_data(own_tag + kData);
      if (twice) receive(nullptr, 0, MPI_BYTE, own_tag + kFinished);
      charge_message_copy(bytes);
    }
    if (completed == (twice ? 3 : 2)) {  // data
      end_message_copy(moving_since);
      if (!twice) send(nullptr, 0, MPI_BYTE, own_tag + kFinished);
    }
  }
};

Message::Message(Way way, const Envelope& e, Lane& lane)
    : state_(std::make_unique<State>(State{.way = way, .envelope = e, .lane = lane})) {
  state_->bytes = data_bytes(e.count, e.datatype);
  const Host& mine = *simgrid::s4u::this_actor::get_host();
  const Host& peers = host_of(e.peer, lane.comm());
  if (way == Way::kSend) {
    state_->path = path_between(mine, peers, state_->bytes);
    state_->start_send();
  } else {
    state_->path = path_between(peers, mine, state_->bytes);
    state_->start_receive();
  }
  state_->resume();
}

Message::~Message() {
  for (int i = state_->completed; i < state_->posted; ++i) {
    if (state_->requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&state_->requests[i]);
  }
}

bool Message::done() const { return state_->completed == state_->posted; }

MPI_Request Message::pending() const { return state_->requests[state_->completed]; }

void Message::advance(int error) {
  state_->requests[state_->completed] = MPI_REQUEST_NULL;
  check(error);
  state_->resume();
}

}  // namespace strata::mpix
