// SPDX-License-Identifier: LGPL-2.1-only
#include "base/fork_server.h"

#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace strata {
namespace {

// The number of the server's end of the socket.
constexpr const char* kSocket = "STRATA_FORK_SERVER";
// Loading takes 20 ms on an idle computer.
constexpr timeval kPatience = {.tv_sec = 60, .tv_usec = 0};

// A request is its length and then strings, each of which ends with a zero byte.
class Writer {
 public:
  void add(std::string_view text) { (text_ += text) += '\0'; }
  void add(std::uint64_t number) { add(std::to_string(number)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  std::string string() {
    const size_t end = rest_.find('\0');
    if (end == std::string_view::npos) throw std::runtime_error("fork server: a request ends too early");
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::uint64_t number() { return std::stoull(string()); }

 private:
  std::string_view rest_;
};

std::string format(const Command& command) {
  Writer w;
  w.add(command.words.size());
  for (const std::string& word : command.words) w.add(word);
  w.add(command.folder.string());
  w.add(command.output.string());
  w.add(command.environment.size());
  for (const auto& [name, value] : command.environment) {
    w.add(name);
    w.add(value ? "=" + *value : "");
  }
  w.add(command.folders.size());
  for (const auto& [number, folder] : command.folders) {
    w.add(static_cast<std::uint64_t>(number));
    w.add(folder.string());
  }
  w.add(static_cast<std::uint64_t>(command.most_bytes));
  return w.text();
}

Command parse(std::string_view text) {
  Reader r(text);
  Command command;
  command.words.resize(r.number());
  for (std::string& word : command.words) word = r.string();
  command.folder = r.string();
  command.output = r.string();
  command.environment.resize(r.number());
  for (auto& [name, value] : command.environment) {
    name = r.string();
    if (const std::string given = r.string(); !given.empty()) value = given.substr(1);
  }
  command.folders.resize(r.number());
  for (auto& [number, folder] : command.folders) {
    number = static_cast<int>(r.number());
    folder = r.string();
  }
  command.most_bytes = static_cast<long>(r.number());
  return command;
}

bool send_all(int socket, const void* data, size_t bytes) {
  for (const char* at = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t sent = ::send(socket, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* data, size_t bytes) {
  for (char* at = static_cast<char*>(data); bytes > 0;) {
    const ssize_t received = ::recv(socket, at, bytes, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    at += received;
    bytes -= static_cast<size_t>(received);
  }
  return true;
}

}  // namespace

ForkServer::ForkServer(Command command) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  socket_ = ends[0];
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  // A number of its own, so that no other process of ours inherits the server's end.
  command.kept.push_back(ends[1]);
  command.environment.emplace_back(kSocket, std::to_string(ends[1]));
  server_ = strata::start(command);
  ::close(ends[1]);
}

ForkServer::~ForkServer() { end(); }

void ForkServer::end() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  if (server_ >= 0) kill_group(server_);
  server_ = -1;
}

std::optional<pid_t> ForkServer::start(const Command& command) {
  if (command.interactive) throw std::logic_error("a fork server starts no interactive commands");
  if (socket_ < 0) return {};
  const std::string request = format(command);
  const std::uint64_t length = request.size();
  pid_t pid = -1;
  if (!send_all(socket_, &length, sizeof length) || !send_all(socket_, request.data(), request.size()) ||
      !receive_all(socket_, &pid, sizeof pid) || pid < 0) {
    end();
    return {};
  }
  ::setpgid(pid, pid);  // as it does itself, perhaps not yet
  return pid;
}

bool is_fork_server() { return std::getenv(kSocket) != nullptr; }

void serve(const std::function<int(std::vector<char*>&)>& run) {
  const int socket = std::atoi(std::getenv(kSocket));
  const pid_t client = ::getppid();
  std::uint64_t length = 0;
  std::string request;
  while (receive_all(socket, &length, sizeof length)) {
    request.resize(length);
    if (!receive_all(socket, request.data(), length)) return;
    Command command = parse(request);
    // fork(2) has no flag for this. The C library's own fork would also renew its note of the thread's number, which
    // only the owners of recursive mutexes are compared with: those of one process by the same number.
    const auto pid =
        static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (pid == 0) {
      ::close(socket);
      ::unsetenv(kSocket);
      become(command, client);
      std::vector<char*> arguments;
      for (size_t i = 1; i < command.words.size(); ++i) arguments.push_back(command.words[i].data());
      arguments.push_back(nullptr);
      std::exit(run(arguments));
    }
    if (!send_all(socket, &pid, sizeof pid)) return;
  }
}

}  // namespace strata
