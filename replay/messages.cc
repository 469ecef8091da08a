// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/messages.h"

#include "records/exchange/acknowledgement.h"

namespace strata::replay {

using Kind = TraceStep::Kind;

constexpr double kNearlyNothing = 1e-12;  // B

namespace {

double queue_search_s(const Machine& machine, const Programs& programs) {
  return machine.queue_search && !programs.native() ? machine.queue_search->si : 0;
}

}  // namespace

Messages::Messages(Kernel& kernel, Locks& locks, Requests& requests, const Programs& programs, Traffic* traffic)
    : kernel_(kernel),
      locks_(locks),
      requests_(requests),
      programs_(programs),
      traffic_(traffic),
      postings_(static_cast<std::size_t>(kernel.ranks())),
      mailboxes_(static_cast<std::size_t>(kernel.ranks())),
      queue_search_s_(queue_search_s(kernel.machine(), programs)),
      lists_(queue_search_s_ > 0 ? mailboxes_.size() : 0),
      channels_(static_cast<std::size_t>(programs.num_channels())) {
  if (!programs.native()) return;
  unseen_.resize(mailboxes_.size());
  seen_.resize(mailboxes_.size());
  lines_.resize(channels_.size());
}

// --- starting ---

void Messages::post(int rank, const Op& op) {
  postings_[rank] = {&op, first_stage(), kernel_.now(), lists_.empty() ? 0 : search(rank, op)};
  if (op.kind == Kind::kSend) {
    const int to = receiver(rank, op);
    // SMPI charges the overhead if the sender continues before the receiver is ready.
    const bool continues = leaves_at_once(op) || (op.modes & (TraceStep::kImmediate | TraceStep::kSynchronous)) != 0;
    const double overhead_s =
        continues ? kernel_.paths().send_overhead(kernel_.core(rank), kernel_.core(to), op.amount) : 0;
    if (overhead_s > 0) {
      kernel_.observer().work(rank, {.kind = Kind::kSend, .amount = op.amount}, to, kernel_.now());
      return kernel_.sleep_for(rank, overhead_s);
    }
  }
  resume(rank);
}

// As a library that has lists. Like the code that charges SMPI's receives, when the send or receive begins.
int Messages::search(int rank, const Op& op) {
  if (op.kind == Kind::kSend) {
    const int channel = programs_.out(rank, op.lane);
    const End end{channel, channels_[channel].next_sent()};
    Lists& lists = lists_[receiver(rank, op)];
    const auto found = lists.receives.take_first([&](const End& e) { return e == end; });
    if (!found.entry) lists.messages.add(end);
    return found.passed;
  }
  const int channel = programs_.in(rank, op.lane);
  const End end{channel, channels_[channel].next_claimed(op.passed)};
  const auto found = lists_[rank].messages.take_first([&](const End& e) { return e == end; });
  if (!found.entry) lists_[rank].receives.add(end);
  return found.passed;
}

// Like Request::start (src/smpi/mpi/smpi_request.cpp of SimGrid 3.32): each stage is a call of the simulator's kernel,
// during which the other ranks continue.
void Messages::resume(int rank) {
  Posting& posting = postings_[rank];
  const Op& op = *posting.op;
  const bool sends = op.kind == Kind::kSend;
  switch (posting.stage) {
    case Stage::kLock:
      posting.stage = sends && !is_short(op) ? Stage::kPost : Stage::kLook;
      return locks_.lock(mailbox(sends ? receiver(rank, op) : rank), rank);
    case Stage::kLook: {
      // A receive first looks for an eager message and, if it is short and finds none, for any other. A short send
      // looks for its receive, twice if it is synchronous.
      const bool again =
          sends ? (op.modes & TraceStep::kSynchronous) != 0 : is_short(op) && !eager_one_is_there(rank, op);
      posting.stage = again ? Stage::kLookAgain : Stage::kPost;
      return kernel_.wake(rank);
    }
    case Stage::kLookAgain:
      posting.stage = Stage::kPost;
      return kernel_.wake(rank);
    case Stage::kPost:
      sends ? send(rank, op) : receive(rank, op);
      if (first_stage() == Stage::kLock) {
        posting.stage = Stage::kUnlock;
      } else {
        posting.op = nullptr;
      }
      return kernel_.wake(rank);
    case Stage::kUnlock:
      posting.op = nullptr;
      return locks_.unlock(mailbox(sends ? receiver(rank, op) : rank), rank);
  }
}

bool Messages::eager_one_is_there(int rank, const Op& op) {
  const Channel::Slot& slot = channels_[programs_.in(rank, op.lane)].next(op.passed);
  return slot.sent && of(slot.message).eager;
}

bool Messages::is_sent(int rank, const Op& op) {
  const auto channel = static_cast<std::size_t>(programs_.in(rank, op.lane));
  const Channel::Slot& slot = channels_[channel].next(op.passed);
  if (slot.sent) {
    kernel_.observer().probe(rank, slot.message, kernel_.now());
    return true;
  }
  kernel_.observer().look(rank, kernel_.now());
  if (arrivals_.empty()) arrivals_.resize(channels_.size());
  arrivals_[channel].push_back(rank);
  return false;
}

// --- sending and receiving ---

void Messages::send(int rank, const Op& op) {
  const int channel_number = programs_.out(rank, op.lane);
  Channel& channel = channels_[channel_number];
  const int to = receiver(rank, op);
  Channel::Slot& slot = channel.send();
  if (!slot.claimed) slot.message = new_message();
  const int number = slot.message;
  const bool claimed = slot.claimed;
  channel.forget();
  Message& m = of(number);
  m.from = rank;
  m.to = to;
  m.bytes = op.amount;
  m.passed += postings_[rank].passed;
  m.spans.source = op.moved;
  m.eager = is_eager(op);
  m.sent_s = kernel_.now();
  m.acknowledgement_s = (op.modes & TraceStep::kSynchronous) != 0 && is_short(op)
                            ? kernel_.paths().latency(kernel_.core(to), kernel_.core(rank))
                            : 0;
  const bool leaves = leaves_at_once(op);
  const std::int64_t sending = requests_.start(rank, {.done = leaves, .left_at_once = leaves});
  if (!leaves) m.sending = sending;
  ++sent_;
  bytes_ += op.amount;
  if (traffic_ != nullptr) traffic_->sent(rank, to, op.amount);
  kernel_.observer().send(rank, sending, number, claimed,
                          {.to = to, .tag = op.number, .eager = m.eager, .bytes = op.amount}, kernel_.now());
  if (programs_.native()) {
    m.channel = channel_number;
    stand_in_line(number);
    if (m.eager) {
      start(number);
    } else {
      m.ready = true;
      m.was_on_its_way = postings_[rank].begun_s < kernel_.now();
      deliver_in_order(channel_number);
    }
  } else if (m.eager || claimed) {
    start(number);
  }
  if (!arrivals_.empty()) {
    for (const int waiting : arrivals_[channel_number]) kernel_.wake(waiting);
    arrivals_[channel_number].clear();
  }
}

void Messages::receive(int rank, const Op& op) {
  Channel& channel = channels_[programs_.in(rank, op.lane)];
  Channel::Slot& slot = channel.claim(op.passed);
  if (!slot.sent) slot.message = new_message();
  const int number = slot.message;
  const bool sent = slot.sent;
  channel.forget();
  Message& m = of(number);
  m.passed += postings_[rank].passed;
  const bool nearly = nearly_there(m);
  const bool done = m.arrived || nearly;
  const std::int64_t receiving = requests_.start(rank, {.done = done,
                                                        .receiving_s = done && !programs_.native() ? receiving_s(m) : 0,
                                                        .unseen = done && m.unseen == requests_.looks(rank)});
  kernel_.observer().receive(rank, receiving, number, sent, nearly, kernel_.now());
  m.receiving = receiving;
  m.spans.destination = op.moved;
  if (!sent) {
    m.from = sender(rank, op);
    m.to = rank;
    m.bytes = op.amount;
  }
  if (m.arrived) {
    release(number);
  } else if (sent && !m.eager && (m.accepted || !programs_.native())) {
    start(number);
  }
}

// SimGrid checks how much of an eager message is still to come, and takes the message if that is almost zero
// (CommImpl::irecv). The check also rounds the remaining bytes.
bool Messages::nearly_there(const Message& m) {
  return !programs_.native() && m.eager && m.flow >= 0 && !m.arrived &&
         kernel_.flows().flows().remains(m.flow, kernel_.now()) < kNearlyNothing;
}

int Messages::new_message() {
  if (free_messages_.empty()) {
    messages_.emplace_back();
    return static_cast<int>(messages_.size()) - 1;
  }
  const int number = free_messages_.back();
  free_messages_.pop_back();
  return number;
}

void Messages::release(int number) {
  of(number) = {};
  free_messages_.push_back(number);
}

// Called when both sides are ready, or when an eager message is sent.
void Messages::start(int number) {
  Message& m = of(number);
  m.started_s = kernel_.now();
  if (programs_.native() && m.eager) m.spans.destination = 0;  // its library copies it when it has arrived
  const double delay_s = kernel_.observer().start(number, m.spans, kernel_.now());
  m.flow = kernel_.start_message(number, m.from, m.to, m.bytes, m.spans, delay_s);
}

int Messages::send_one_sided(int from, int to, double bytes) {
  const int number = new_message();
  of(number) = {.from = from, .to = to, .bytes = bytes, .eager = true};
  ++sent_;
  bytes_ += bytes;
  start(number);
  return number;
}

void Messages::arrive(int number) {
  Message& m = of(number);
  if (!programs_.native() || !m.eager) return complete(number);
  m.ready = true;
  deliver_in_order(m.channel);
}

void Messages::complete(int number) {
  const Message& m = messages_[number];
  of(number).arrived = true;
  kernel_.observer().arrive(number, kernel_.now());
  if (m.sending != Requests::kNone) {
    const double acknowledged_s =
        m.acknowledgement_s > 0
            ? kernel_.now() + acknowledgement_after_arrival(m.acknowledgement_s, m.started_s - m.sent_s)
            : 0;
    requests_.complete(m.from, m.sending, {.acknowledged_s = acknowledged_s});
  }
  if (m.kept >= 0) requests_.complete_kept(m.kept);
  const double receiving_s = this->receiving_s(m);
  if (programs_.native() && receiving_s > 0) {
    of(number).arrived = false;
    return requests_.deliver(m.to, {.message = number, .seconds = receiving_s});
  }
  if (m.receiving != Requests::kNone) requests_.complete(m.to, m.receiving, {.receiving_s = receiving_s});
  // An eager message may arrive before its receive is posted.
  if (m.kept != Message::kNotKept || m.receiving != Requests::kNone) release(number);
}

// --- with a real library ---

void Messages::stand_in_line(int number) {
  Line& line = lines_[of(number).channel];
  (line.first < 0 ? line.first : of(line.last).behind) = number;
  line.last = number;
}

void Messages::deliver_in_order(int channel) {
  Line& line = lines_[channel];
  while (line.first >= 0 && of(line.first).ready) {
    const int number = line.first;
    const Message& m = of(number);
    line.first = m.behind;
    if (m.eager) {
      if (!requests_.is_looking(m.to)) of(number).unseen = requests_.looks(m.to);
      complete(number);
    } else if (!(m.was_on_its_way ? requests_.has_just_looked(m.to) : requests_.is_looking(m.to))) {
      unseen_[m.to].push_back(number);
    } else if (requests_.sees_now(m.to)) {
      unseen_[m.to].insert(unseen_[m.to].begin() + static_cast<std::ptrdiff_t>(seen_[m.to]++), number);
    } else {
      accept(number);
    }
  }
}

void Messages::accept(int number) {
  Message& m = of(number);
  m.accepted = true;
  if (m.receiving == Requests::kNone) return;
  kernel_.observer().accept(m.to, number, kernel_.now());
  start(number);
}

void Messages::look(int rank, bool waits) {
  if (!programs_.native()) return;
  requests_.look(rank, waits);
  seen_[rank] = unseen_[rank].size();
  if (!requests_.has_seen(rank)) accept_seen(rank);
}

void Messages::accept_seen(int rank) {
  if (!programs_.native() || unseen_[rank].empty()) return;
  const auto end = unseen_[rank].begin() + static_cast<std::ptrdiff_t>(seen_[rank]);
  const std::vector<int> seen(unseen_[rank].begin(), end);
  unseen_[rank].erase(unseen_[rank].begin(), end);
  seen_[rank] = 0;
  for (const int number : seen) accept(number);
}

void Messages::taken(int number) {
  Message& m = of(number);
  m.arrived = true;
  m.unseen = -1;
  if (m.receiving == Requests::kNone) return;
  requests_.complete(m.to, m.receiving, {.seen = true});
  release(number);
}

const Message* Messages::of_request(int rank, std::int64_t request) const {
  for (const Message& m : messages_) {
    if ((m.from == rank && m.sending == request) || (m.to == rank && m.receiving == request)) return &m;
  }
  return nullptr;
}

}  // namespace strata::replay
