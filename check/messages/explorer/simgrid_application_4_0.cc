// SPDX-License-Identifier: LGPL-2.1-only
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "check/messages/explorer/explored_process.h"
#include "check/messages/explorer/simgrid_application.h"
#include "sim/simgrid/checked_application_4_0.h"

namespace strata::check {
namespace {

namespace wire = sim::checked;

// A stream of messages. Throws Died if the other side has closed it.
class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const void* data, std::size_t bytes) {
    const char* at = static_cast<const char*>(data);
    while (bytes > 0) {
      const ssize_t sent = ::send(socket_, at, bytes, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) throw Died();
      if (sent < 0) fail("the explored program cannot be reached");
      at += sent;
      bytes -= static_cast<std::size_t>(sent);
    }
  }
  template <class T>
  void send(const T& message) {
    send(&message, sizeof message);
  }

  template <class T>
  T receive() {
    while (buffer_.size() - at_ < sizeof(T)) fill();
    T value;
    std::memcpy(&value, buffer_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class T>
  T receive(wire::Message type) {
    const T message = receive<T>();
    if (message.type != type) throw std::runtime_error("the explored program's SimGrid is not 4.0");
    return message;
  }
  /// Throws Died if an assertion has failed.
  void expect_waiting() {
    if (const auto type = receive<wire::Message>(); type == wire::Message::kAssertionFailed) {
      throw Died();
    } else if (type != wire::Message::kWaiting) {
      throw std::runtime_error("the explored program's SimGrid is not 4.0");
    }
  }
  void drop_text() {
    const auto length = receive<unsigned short>();
    for (int i = 0; i <= length; ++i) receive<char>();  // a zero at the end
  }
  int socket() const { return socket_; }
  /// Ignores the rest of the latest message.
  void drop() { at_ = buffer_.size(); }

 private:
  void fill() {
    buffer_.erase(0, at_);
    at_ = 0;
    char more[1 << 16];
    ssize_t got = 0;
    while ((got = ::recv(socket_, more, sizeof more, 0)) < 0 && errno == EINTR) {
    }
    if (got == 0 || (got < 0 && errno == ECONNRESET)) throw Died();
    if (got < 0) fail("the explored program cannot be reached");
    buffer_.append(more, static_cast<std::size_t>(got));
  }

  int socket_;
  std::string buffer_;
  std::size_t at_ = 0;
};

class SimgridApplication final : public Application {
 public:
  SimgridApplication(const std::vector<std::string>& words, const std::vector<std::string>& variables);
  ~SimgridApplication() override { ::close(listening_); }

  void restart(const std::vector<Step>& steps) override;
  std::vector<Actor> actors() override;
  Step take(long actor, int choice) override;
  void finish() override;

 private:
  Step receive_step(long actor, int choice);

  ExploredProcess process_;  // the process that is copied
  bool started_ = false;     // it is about to take its first step
  int listening_ = -1;
  std::string socket_;                     // its name
  Connection first_;                       // to the copied process
  std::unique_ptr<Connection> execution_;  // to the copy
};

SimgridApplication::SimgridApplication(const std::vector<std::string>& words, const std::vector<std::string>& variables)
    : process_(words, variables, wire::kSocketVariable, SOCK_STREAM), first_(process_.take_socket()) {
  // An abstract socket without a file. The other side uses all bytes of the name.
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  static_assert(sizeof address.sun_path == sizeof wire::Fork::socket);
  static std::atomic<int> applications = 0;
  const std::string name = "strata-check-" + std::to_string(::getpid()) + "-" + std::to_string(++applications);
  std::copy(name.begin(), name.end(), address.sun_path + 1);
  socket_.assign(address.sun_path, sizeof address.sun_path);
  listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening_ < 0 || ::bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listening_, 1) != 0)
    fail("the explored program cannot be reached");
}

void SimgridApplication::restart(const std::vector<Step>& steps) {
  execution_.reset();  // the process ends when its connection is closed
  if (!started_) {
    first_.send(wire::Plain{wire::Message::kContinue});
    first_.expect_waiting();
    started_ = true;
  }
  wire::Fork fork{.type = wire::Message::kFork, .socket = {}};
  std::copy(socket_.begin(), socket_.end(), fork.socket);
  first_.send(fork);
  pollfd either[] = {{.fd = listening_, .events = POLLIN, .revents = 0},
                     {.fd = first_.socket(), .events = POLLIN, .revents = 0}};
  while (::poll(either, 2, -1) < 0 && errno == EINTR) {
  }
  if ((either[0].revents & POLLIN) == 0) throw std::runtime_error("the explored program cannot be copied");
  const int connected = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connected < 0) fail("the explored program cannot be copied");
  execution_ = std::make_unique<Connection>(connected);
  execution_->receive<wire::Number>(wire::Message::kForkReply);
  execution_->send(wire::Plain{wire::Message::kContinue});
  execution_->expect_waiting();
  if (steps.empty()) return;
  std::string message(sizeof(wire::Number), '\0');
  const wire::Number replay{wire::Message::kReplay, steps.size()};
  std::memcpy(message.data(), &replay, sizeof replay);
  constexpr long kMost = 255;  // one byte each
  for (const Step& step : steps) {
    if (step.actor > kMost || step.choice > kMost) throw std::runtime_error("SimGrid 4.0 explores 255 ranks at most");
    message += static_cast<char>(step.actor);
  }
  for (const Step& step : steps) message += static_cast<char>(step.choice);
  execution_->send(message.data(), message.size());
  execution_->expect_waiting();
}

std::vector<Actor> SimgridApplication::actors() {
  execution_->send(wire::Actors{wire::Message::kActors, false});
  const int count = execution_->receive<wire::ActorsReply>(wire::Message::kActorsReply).count;
  std::vector<Actor> all;
  for (int i = 0; i < count; ++i) {
    const auto actor = execution_->receive<wire::Actor>(wire::Message::kActorsReplyActor);
    all.push_back({.id = actor.id, .enabled = actor.enabled, .choices = actor.choices});
  }
  return all;
}

// SimGrid describes a step after taking it, so it knows which communications were matched. Throws Died.
Step SimgridApplication::receive_step(long actor, int choice) {
  Connection& from = *execution_;
  Step step{.actor = actor, .choice = choice};
  const auto type = from.receive<wire::StepType>();
  switch (type) {
    case wire::StepType::kSend:
    case wire::StepType::kReceive:
      step.kind = type == wire::StepType::kSend ? StepKind::kSend : StepKind::kReceive;
      step.communication = from.receive<unsigned>();
      step.mailbox = from.receive<unsigned>();
      step.tag = from.receive<int>();
      from.drop_text();                                                                // position in the program
      if (type == wire::StepType::kReceive) step.from_anybody = from.receive<bool>();  // sent by corrections.cc
      break;
    case wire::StepType::kProbe:
      step.kind = StepKind::kProbe;
      step.mailbox = from.receive<unsigned>();
      from.receive<bool>();  // whether it looks for receives
      from.receive<int>();   // the tag
      break;
    case wire::StepType::kTest:
    case wire::StepType::kWait:
      step.kind = type == wire::StepType::kTest ? StepKind::kTest : StepKind::kWait;
      if (type == wire::StepType::kWait) from.receive<bool>();  // whether it has a timeout
      step.communication = from.receive<unsigned>();
      step.sender = from.receive<aid_t>();
      step.receiver = from.receive<aid_t>();
      step.mailbox = from.receive<unsigned>();
      from.drop_text();
      break;
    case wire::StepType::kTestAny:
    case wire::StepType::kWaitAny:
      step.kind = StepKind::kAnyOf;
      for (auto parts = from.receive<unsigned>(); parts > 0; --parts) step.parts.push_back(receive_step(actor, 0));
      from.drop_text();
      break;
    case wire::StepType::kRandom:
      step.kind = StepKind::kAlone;
      from.receive<int>();
      from.receive<int>();
      break;
    case wire::StepType::kActorSleep:
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
    case wire::StepType::kConditionLock:
    case wire::StepType::kConditionBroadcast:
    case wire::StepType::kConditionSignal:
    case wire::StepType::kConditionWait:
      step.kind = StepKind::kSynchronisation;
      from.drop();  // which mutex, barrier or semaphore: not needed
      break;
    default:
      step.kind = StepKind::kOther;
      from.drop();
      break;
  }
  return step;
}

Step SimgridApplication::take(long actor, int choice) {
  execution_->send(wire::Execute{wire::Message::kExecute, actor, choice, true});
  execution_->expect_waiting();
  execution_->receive<wire::ExecuteReply>(wire::Message::kExecuteReply);
  Step step = receive_step(actor, choice);
  execution_->send(wire::Plain{wire::Message::kContinue});
  execution_->expect_waiting();
  return step;
}

void SimgridApplication::finish() {
  execution_->send(wire::Number{wire::Message::kFinalize, 0});
  execution_->receive<wire::Plain>(wire::Message::kFinalizeReply);
}

}  // namespace

std::unique_ptr<Application> start_simgrid_application(const std::vector<std::string>& words,
                                                       const std::vector<std::string>& variables) {
  return std::make_unique<SimgridApplication>(words, variables);
}

}  // namespace strata::check
