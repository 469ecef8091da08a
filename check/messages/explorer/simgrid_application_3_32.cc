// SPDX-License-Identifier: LGPL-2.1-only
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "check/messages/explorer/explored_process.h"
#include "check/messages/explorer/simgrid_application.h"
#include "sim/simgrid/checked_application_3_32.h"

namespace strata::check {
namespace {

namespace wire = sim::checked;

constexpr std::size_t kMostBytes = 1 << 18;  // in a packet: 16,384 actors

[[noreturn]] void wrong_version() {
  throw std::runtime_error("the explored program's SimGrid is not the one that --install-mc builds");
}

// The process that is copied, and the socket that all its copies use, one at a time.
class Connection {
 public:
  Connection(const std::vector<std::string>& words, const std::vector<std::string>& variables)
      : process_(words, variables, wire::kSocketVariable, SOCK_SEQPACKET), socket_(process_.take_socket()) {
    packet_.resize(kMostBytes);
  }
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  template <class T>
  void send(const T& message) {
    ssize_t sent = 0;
    while ((sent = ::send(socket_, &message, sizeof message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    if (sent >= 0) return;
    if (errno != EPIPE && errno != ECONNRESET) fail("the explored program cannot be reached");
    ended_ = true;
    throw Died();
  }

  /// The next message, which must have this type; valid until the next call. Throws Died if the program has ended or
  /// failed.
  template <class T>
  const T& receive(wire::Message type) {
    next();
    const auto* message = reinterpret_cast<const T*>(packet_.data());
    if (message->type != type || bytes_ != sizeof(T)) wrong_version();
    return *message;
  }
  void expect_waiting() { receive<wire::Plain>(wire::Message::kWaiting); }

  /// A packet of `count` items of this type.
  template <class T>
  std::vector<T> receive_all(int count) {
    std::vector<T> all(count);
    read();
    if (bytes_ != all.size() * sizeof(T)) wrong_version();
    std::memcpy(all.data(), packet_.data(), bytes_);
    return all;
  }

  /// The process has ended, so it cannot make further copies.
  bool ended() const { return ended_; }

 private:
  void read() {
    ssize_t got = 0;
    while ((got = ::recv(socket_, packet_.data(), packet_.size(), 0)) < 0 && errno == EINTR) {
    }
    if (got < 0 && errno != ECONNRESET) fail("the explored program cannot be reached");
    bytes_ = got < 0 ? 0 : static_cast<std::size_t>(got);
    if (bytes_ > 0) return;
    ended_ = true;
    throw Died();
  }

  void next() {
    while (true) {
      read();
      if (bytes_ < sizeof(wire::Message)) wrong_version();
      switch (*reinterpret_cast<const wire::Message*>(packet_.data())) {
        case wire::Message::kIgnoreHeap:
        case wire::Message::kUnignoreHeap:
        case wire::Message::kIgnoreMemory:
        case wire::Message::kStackRegion:
        case wire::Message::kRegisterSymbol:
          continue;
        case wire::Message::kCrashed:
          ended_ = true;
          throw Died();
        case wire::Message::kAssertionFailed:
          throw Died();
        default:
          return;
      }
    }
  }

  ExploredProcess process_;
  int socket_;
  alignas(8) std::vector<char> packet_;
  std::size_t bytes_ = 0;  // of the packet
  bool ended_ = false;
};

class SimgridApplication final : public Application {
 public:
  SimgridApplication(std::vector<std::string> words, std::vector<std::string> variables)
      : words_(std::move(words)), variables_(std::move(variables)) {
    connection_.emplace(words_, variables_);
  }

  void restart(const std::vector<Step>& steps) override;
  std::vector<Actor> actors() override;
  Step take(long actor, int choice) override;
  void finish() override;

 private:
  std::vector<std::string> words_, variables_;
  std::optional<Connection> connection_;
  bool started_ = false;    // it can make copies
  std::uint64_t heap_ = 0;  // start of the heap
};

void SimgridApplication::restart(const std::vector<Step>& steps) {
  if (connection_->ended()) {
    connection_.emplace(words_, variables_);
    started_ = false;
  }
  if (started_) {
    connection_->send(wire::Number{wire::Message::kFinalize, 1});
    connection_->receive<wire::Plain>(wire::Message::kFinalizeReply);
  } else {
    heap_ = connection_->receive<wire::InitialAddresses>(wire::Message::kInitialAddresses).heap;
    connection_->send(wire::Plain{wire::Message::kContinue});
    started_ = true;
  }
  connection_->expect_waiting();
  for (std::size_t done = 0; done < steps.size();) {
    wire::Replay replay{.type = wire::Message::kReplay, .count = 0, .steps = {}};
    for (; done < steps.size() && replay.count < wire::kMostReplayed; ++done)
      replay.steps[replay.count++] = {steps[done].actor, steps[done].choice};
    connection_->send(replay);
    connection_->expect_waiting();
  }
}

std::vector<Actor> SimgridApplication::actors() {
  connection_->send(wire::Plain{wire::Message::kActors});
  const int count = connection_->receive<wire::ActorsReply>(wire::Message::kActorsReply).count;
  std::vector<Actor> all;
  if (count == 0) return all;
  for (const wire::Actor& actor : connection_->receive_all<wire::Actor>(count))
    all.push_back({.id = actor.id, .enabled = actor.enabled, .choices = actor.choices});
  return all;
}

// Numbers separated by blanks.
class Numbers {
 public:
  explicit Numbers(const char* text) : at_(text) {}
  template <class T>
  T next() {
    char* end = nullptr;
    const T value = static_cast<T>(std::strtoull(at_, &end, 10));  // also reads -1
    if (end == at_) wrong_version();
    at_ = end;
    return value;
  }

 private:
  const char* at_;
};

Step read_step(Numbers& text, long actor, int choice, std::uint64_t heap) {
  Step step{.actor = actor, .choice = choice};
  // The start of the heap differs between processes, but the offset of a communication in it does not.
  const auto communication = [&] { return text.next<std::uint64_t>() - heap; };
  const auto type = static_cast<wire::StepType>(text.next<int>());
  switch (type) {
    case wire::StepType::kSend:
    case wire::StepType::kReceive:
      step.kind = type == wire::StepType::kSend ? StepKind::kSend : StepKind::kReceive;
      step.communication = communication();
      step.mailbox = text.next<unsigned>();
      text.next<std::uint64_t>();                                     // the buffer
      if (type == wire::StepType::kSend) text.next<std::uint64_t>();  // its size
      step.tag = text.next<int>();
      if (type == wire::StepType::kReceive) step.from_anybody = text.next<int>() != 0;
      break;
    case wire::StepType::kTest:
    case wire::StepType::kWait:
      step.kind = type == wire::StepType::kTest ? StepKind::kTest : StepKind::kWait;
      if (type == wire::StepType::kWait) text.next<int>();  // whether it has a timeout
      step.communication = communication();
      step.sender = text.next<long>();
      step.receiver = text.next<long>();
      step.mailbox = text.next<unsigned>();
      for (int i = 0; i < 3; ++i) text.next<std::uint64_t>();  // buffers and size
      break;
    case wire::StepType::kTestAny:
    case wire::StepType::kWaitAny:
      step.kind = StepKind::kAnyOf;
      for (auto parts = text.next<unsigned>(); parts > 0; --parts)
        step.parts.push_back(read_step(text, actor, 0, heap));
      break;
    case wire::StepType::kRandom:
      step.kind = StepKind::kAlone;
      break;
    case wire::StepType::kBarrierLock:
    case wire::StepType::kBarrierWait:
    case wire::StepType::kMutexLock:
    case wire::StepType::kMutexTest:
    case wire::StepType::kMutexTryLock:
    case wire::StepType::kMutexUnlock:
    case wire::StepType::kMutexWait:
    case wire::StepType::kSemaphoreLock:
    case wire::StepType::kSemaphoreUnlock:
    case wire::StepType::kSemaphoreWait:
      step.kind = StepKind::kSynchronisation;
      step.synchronisation =
          type <= wire::StepType::kBarrierWait
              ? static_cast<Synchronisation>(static_cast<int>(Synchronisation::kBarrierLock) + static_cast<int>(type) -
                                             static_cast<int>(wire::StepType::kBarrierLock))
              : static_cast<Synchronisation>(static_cast<int>(Synchronisation::kMutexLock) + static_cast<int>(type) -
                                             static_cast<int>(wire::StepType::kMutexLock));
      step.object = text.next<unsigned>();
      break;
    case wire::StepType::kUnknown:
      step.kind = StepKind::kUnknown;
      break;
    default:
      wrong_version();
  }
  return step;
}

// SimGrid describes a step after taking it, so it knows which communications were matched.
Step SimgridApplication::take(long actor, int choice) {
  connection_->send(wire::Execute{wire::Message::kExecute, actor, choice});
  connection_->expect_waiting();
  Numbers text(connection_->receive<wire::ExecuteReply>(wire::Message::kExecuteReply).step);
  Step step = read_step(text, actor, choice, heap_);
  connection_->send(wire::Plain{wire::Message::kContinue});
  connection_->expect_waiting();
  return step;
}

void SimgridApplication::finish() {
  connection_->send(wire::Number{wire::Message::kFinalize, 0});
  connection_->receive<wire::Plain>(wire::Message::kFinalizeReply);
}

}  // namespace

std::unique_ptr<Application> start_simgrid_application(const std::vector<std::string>& words,
                                                       const std::vector<std::string>& variables) {
  return std::make_unique<SimgridApplication>(words, variables);
}

}  // namespace strata::check
