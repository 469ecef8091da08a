// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/launched_ranks.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {  // which glibc 2.36 forgets to say
#include <sys/pidfd.h>
}

#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/child.h"
#include "base/error.h"
#include "base/system_error.h"
#include "native/launch/guard.h"
#include "native/launch/pmi1_server.h"
#include "native/launch/pmi1_sockets.h"
#include "native/launch/pmix_server.h"
#include "native/launch/process_mapping.h"
#include "native/launch/rank_process.h"

namespace strata::native {
namespace {

constexpr int kSignalCheck_ms = 50;  // how often the thread looks whether a signal has arrived

class Descriptor {
 public:
  explicit Descriptor(int number, const char* what) : number_(number) {
    if (number < 0) throw SystemError(what, errno);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }
  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// While in scope, this process may open as many files as the system allows: three or so for a rank.
class ManyFiles {
 public:
  ManyFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit most{before_.rlim_max, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &most);
  }
  ~ManyFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  ManyFiles(const ManyFiles&) = delete;
  ManyFiles& operator=(const ManyFiles&) = delete;
  const rlimit& before() const { return before_; }

 private:
  rlimit before_{};
};

std::vector<int> nodes_of(const Places& places) {
  std::vector<int> nodes;
  for (const RankPlace& rank : places.ranks) nodes.push_back(rank.node);
  return nodes;
}

// How far a rank has come.
enum class Phase { kBeforeInit, kInitialized, kFinalized };

std::string when(Phase phase) {
  constexpr std::array<const char*, 3> kTexts = {" before MPI_Init", " after MPI_Init", " after MPI_Finalize"};
  return kTexts[static_cast<std::size_t>(phase)];
}

bool serves(Library::Kind served, Library::Kind library) {
  return library == served || library == Library::Kind::kUnknown;
}

// As Open MPI's mpirun looks for it: by PATH, otherwise in the folder where it runs.
std::filesystem::path program_in(const SpawnProgram& program) {
  const std::filesystem::path name = program.words.front();
  if (name.is_absolute()) return find_program(name);
  const std::filesystem::path there = program.folder / name;
  std::error_code ignored;
  if (name.has_parent_path() || std::filesystem::exists(there, ignored)) return find_program(there);
  return find_program(name);
}

JobRequest checked(JobRequest request) {
  if (request.words.empty()) throw InputError("the command", "has no program", "give the program to run");
  if (request.library.kind == Library::Kind::kSmpi)
    throw InputError(request.words.front(), "uses SMPI", "compile it with mpicc of Open MPI or MPICH");
  check_places(request.places);
  return request;
}

void wake(const Descriptor& descriptor) {
  const uint64_t one = 1;
  while (::write(descriptor.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
}

// The kernel sends these if memory, or the place in /dev/shm, is full.
std::string likely_cause(int signal) {
  return signal == SIGKILL || signal == SIGBUS ? "; if the program did not cause it, memory or /dev/shm was full" : "";
}

}  // namespace

class Ranks::Job {
 public:
  explicit Job(JobRequest request);
  ~Job();

  std::vector<RankEvent> poll();
  bool ended() const;
  void wait();
  void end(int exit_code, const std::string& reason);
  JobResult result() const;
  const std::vector<pid_t>& processes() const { return pids_; }
  std::string name_of(int rank) const;

 private:
  enum class Source { kWake, kProcess, kSocket };
  struct Rank {
    Phase phase = Phase::kBeforeInit;
    std::optional<Descriptor> process = {};  // readable when it has ended; empty: it has
  };

  // Ranks that start together.
  struct Started {
    int first = 0, parent = -1;  // ranks of the run; -1: none
  };

  void start_ranks();
  Environment environment_of(int rank, const Places& places, int rank_in_job, const Environment& own) const;
  void start_rank(RankProcess& process, int rank);
  void watch(int descriptor, Source source, int rank);

  // In the thread:
  void serve();
  void take_inbox();
  void receive(int rank);
  void reap(int rank);
  void spawn(const SpawnOrder& order);
  void start_spawned(const SpawnOrder& order, const Places& places, const std::vector<std::filesystem::path>& programs);
  void refuse(const SpawnOrder& order, SpawnOrder::Outcome outcome, const std::string& why);
  void enter(int rank, Phase phase);
  void abort(int rank, int exit_code, const std::string& message);
  void exited(int rank, int exit_code);
  void check_partners();
  void report(const RankEvent& event);

  const JobRequest request_;
  const std::filesystem::path program_;
  ManyFiles files_;
  Guard guard_;
  Descriptor poll_, wake_;
  std::vector<pid_t> pids_;
  std::vector<Rank> ranks_;  // of the thread once it runs; closed under the mutex
  int running_ = 0;          // of the thread
  int waiting_ = -1;         // a rank that has called MPI_Init; -1: none
  int absent_ = -1;          // a rank that ended well without MPI_Init

  mutable std::mutex mutex_;  // for what follows, up to the servers
  std::condition_variable ended_changed_;
  std::vector<Started> started_ = {{}};
  std::vector<PmixServer::Event> inbox_;
  std::vector<RankEvent> events_;
  JobResult result_;
  bool failed_ = false, ended_ = false;

  std::optional<PmixServer> pmix_;
  std::optional<Pmi1Server> pmi1_;
  std::optional<Pmi1Sockets> sockets_;
  std::thread thread_;
};

Ranks::Job::Job(JobRequest request)
    : request_(checked(std::move(request))),
      program_(find_program(request_.words.front())),
      guard_(request_.scratch),
      poll_(::epoll_create1(EPOLL_CLOEXEC), "epoll_create"),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd"),
      ranks_(request_.places.size()) {
  watch(wake_.get(), Source::kWake, 0);
  if (serves(Library::Kind::kOpenMpi, request_.library.kind)) {
    const std::filesystem::path folder = request_.scratch / "pmix";
    std::filesystem::create_directories(folder);
    pmix_.emplace(request_.places, folder, [this](const PmixServer::Event& event) {
      {
        const std::lock_guard lock(mutex_);
        inbox_.push_back(event);
      }
      wake(wake_);
    });
    if (request_.on_name) request_.on_name(pmix_->name());
  }
  if (serves(Library::Kind::kMpich, request_.library.kind)) {
    pmi1_.emplace(request_.places.size(), process_mapping(nodes_of(request_.places)));
    sockets_.emplace(*pmi1_, request_.places.size());
  }
  start_ranks();
  thread_ = std::thread([this] { serve(); });
}

Ranks::Job::~Job() {
  end(1, "the launcher has ended the job");
  thread_.join();
}

void Ranks::Job::start_ranks() {
  const Descriptor no_input(::open("/dev/null", O_RDONLY | O_CLOEXEC), "/dev/null");
  RankProcess process{.program = program_,
                      .words = request_.words,
                      .folder = request_.folder,
                      .environment = {},
                      .streams = {no_input.get(), request_.output, request_.error},
                      .kept = request_.kept,
                      .group = 0,
                      .open_files = files_.before()};
  for (int rank = 0; rank < request_.places.size(); ++rank) {
    Environment own;
    std::optional<Descriptor> socket;
    process.kept = request_.kept;
    if (sockets_) {
      socket.emplace(sockets_->open(rank), "socketpair");
      process.kept.push_back(socket->get());
      own["PMI_FD"] = std::to_string(socket->get());
      watch(sockets_->descriptor(rank), Source::kSocket, rank);
    }
    process.environment = environment_of(rank, request_.places, rank, own);
    process.streams[0] = rank == 0 ? request_.input : no_input.get();
    // Only processes of the terminal's group may read from it.
    process.group = rank == 0 && ::isatty(request_.input) != 0 ? 0 : guard_.group();
    start_rank(process, rank);
  }
}

// `rank`: of the run. `own`: variables that only this rank, or its program, has.
Environment Ranks::Job::environment_of(int rank, const Places& places, int rank_in_job, const Environment& own) const {
  Environment environment = request_.environment;
  const auto set = [&environment](const Environment& more) {
    for (const auto& [name, value] : more) environment[name] = value;
  };
  set(own);
  add_settings(environment, request_.library.kind);
  add_rank(environment, places, rank_in_job);
  if (pmix_) set(pmix_->environment(rank));
  if (request_.variables) set(request_.variables(rank));
  return environment;
}

void Ranks::Job::start_rank(RankProcess& process, int rank) {
  pids_.push_back(start(process));
  ranks_[rank].process.emplace(::pidfd_open(pids_.back(), 0), "pidfd_open");
  watch(ranks_[rank].process->get(), Source::kProcess, rank);
  ++running_;
}

void Ranks::Job::watch(int descriptor, Source source, int rank) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = static_cast<uint64_t>(source) << 32U | static_cast<uint32_t>(rank);
  if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0) throw SystemError("epoll_ctl", errno);
}

void Ranks::Job::serve() {
  std::array<epoll_event, 256> ready;
  while (running_ > 0) {
    const int count = ::epoll_wait(poll_.get(), ready.data(), ready.size(), kSignalCheck_ms);
    if (const int signal = SignalGuard::caught(); signal != 0)
      end(128 + signal, "interrupted by signal " + std::to_string(signal));
    // Messages of a rank come before its end.
    std::vector<int> over;
    for (int i = 0; i < count; ++i) {
      const auto source = static_cast<Source>(ready[i].data.u64 >> 32U);
      const int rank = static_cast<int>(ready[i].data.u64 & 0xffffffffU);
      if (source == Source::kSocket) receive(rank);
      if (source == Source::kProcess) over.push_back(rank);
    }
    take_inbox();
    for (const int rank : over) reap(rank);
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  if (request_.on_event) request_.on_event();
}

void Ranks::Job::take_inbox() {
  uint64_t count = 0;
  while (::read(wake_.get(), &count, sizeof count) < 0 && errno == EINTR) {
  }
  std::vector<PmixServer::Event> events;
  {
    const std::lock_guard lock(mutex_);
    events.swap(inbox_);
  }
  for (const PmixServer::Event& event : events) {
    switch (event.kind) {
      case PmixServer::Event::Kind::kConnected:
        enter(event.rank, Phase::kInitialized);
        break;
      case PmixServer::Event::Kind::kFinalized:
        enter(event.rank, Phase::kFinalized);
        break;
      case PmixServer::Event::Kind::kAborted:
        abort(event.rank, event.exit_code, event.message);
        break;
      case PmixServer::Event::Kind::kSpawns:
        spawn(event.order);
        break;
    }
  }
}

void Ranks::Job::receive(int rank) {
  if (!sockets_ || rank >= request_.places.size()) return;
  const bool aborted_before = pmi1_->aborted().has_value();
  sockets_->receive(rank);
  if (pmi1_->phase(rank) == Pmi1Server::Phase::kInitialized) enter(rank, Phase::kInitialized);
  if (pmi1_->phase(rank) == Pmi1Server::Phase::kFinalized) enter(rank, Phase::kFinalized);
  if (!aborted_before && pmi1_->aborted())
    abort(pmi1_->aborted()->rank, pmi1_->aborted()->exit_code, pmi1_->aborted()->message);
}

// --- ranks that others start ---

void Ranks::Job::refuse(const SpawnOrder& order, SpawnOrder::Outcome outcome, const std::string& why) {
  const std::string text = "strata: MPI_Comm_spawn of " + name_of(order.parent) + ": " + why + "\n";
  if (::write(request_.error, text.data(), text.size()) < 0) return order.answer(outcome, "");
  order.answer(outcome, "");
}

void Ranks::Job::spawn(const SpawnOrder& order) {
  std::vector<std::filesystem::path> programs;
  try {
    for (const SpawnProgram& program : order.programs) programs.push_back(program_in(program));
  } catch (const InputError& e) {
    return refuse(order, SpawnOrder::Outcome::kNoProgram, e.what());
  }
  if (!request_.admit) return refuse(order, SpawnOrder::Outcome::kNoRoom, "no further ranks can be started");
  std::string job;
  Admission admission;
  try {
    job = pmix_->next_name();
    admission = request_.admit(order, job);
  } catch (const std::length_error& e) {
    admission.refusal = e.what();
  }
  if (admission.ends_run) return end(1, admission.refusal);
  if (!admission.refusal.empty()) return refuse(order, SpawnOrder::Outcome::kNoRoom, admission.refusal);
  Places places{.nodes = request_.places.nodes, .ranks = admission.ranks, .universe = request_.places.universe};
  number_local_ranks(places);
  try {
    pmix_->add_job(job, places, order.parent);
    start_spawned(order, places, programs);
  } catch (const std::runtime_error& e) {
    return end(1, "MPI_Comm_spawn of " + name_of(order.parent) + ": " + e.what());
  }
  order.answer(SpawnOrder::Outcome::kStarted, job);
}

void Ranks::Job::start_spawned(const SpawnOrder& order, const Places& places,
                               const std::vector<std::filesystem::path>& programs) {
  const Descriptor no_input(::open("/dev/null", O_RDONLY | O_CLOEXEC), "/dev/null");
  const auto first = static_cast<int>(ranks_.size());
  {
    const std::lock_guard lock(mutex_);
    started_.push_back({first, order.parent});
    ranks_.resize(ranks_.size() + places.ranks.size());
  }
  for (int rank = 0; rank < places.size(); ++rank) {
    const auto app = static_cast<std::size_t>(places.ranks[rank].app);
    const SpawnProgram& program = order.programs[app];
    RankProcess process{.program = programs[app],
                        .words = program.words,
                        .folder = program.folder.empty() ? request_.folder : program.folder,
                        .environment = environment_of(first + rank, places, rank, program.environment),
                        .streams = {no_input.get(), request_.output, request_.error},
                        .kept = request_.kept,
                        .group = guard_.group(),
                        .open_files = files_.before()};
    start_rank(process, first + rank);
  }
  const std::lock_guard lock(mutex_);
  if (failed_) ::kill(-guard_.group(), SIGKILL);  // end() has not met them
}

void Ranks::Job::enter(int rank, Phase phase) {
  if (rank < 0 || rank >= static_cast<int>(ranks_.size()) || ranks_[rank].phase >= phase) return;
  ranks_[rank].phase = phase;
  if (phase == Phase::kInitialized) waiting_ = rank;
  report({phase == Phase::kInitialized ? RankEvent::Kind::kInitialized : RankEvent::Kind::kFinalized, rank});
  check_partners();
}

void Ranks::Job::abort(int rank, int exit_code, const std::string& message) {
  report({RankEvent::Kind::kAborted, rank, exit_code});
  // As a shell sees it: of exit codes 8 bits remain.
  const int seen = (exit_code & 0xff) == 0 ? 1 : exit_code & 0xff;
  end(seen,
      name_of(rank) + " called MPI_Abort with " + std::to_string(exit_code) + (message.empty() ? "" : ": " + message));
}

void Ranks::Job::reap(int rank) {
  receive(rank);
  int status = 0;
  if (::waitpid(pids_[rank], &status, WNOHANG) == 0) return;
  {
    const std::lock_guard lock(mutex_);
    // A rank that is about to run its program may have a copy still, so closing does not remove it.
    ::epoll_ctl(poll_.get(), EPOLL_CTL_DEL, ranks_[rank].process->get(), nullptr);
    ranks_[rank].process.reset();
  }
  --running_;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    report({RankEvent::Kind::kKilled, rank, signal});
    const char* name = ::sigdescr_np(signal);
    end(128 + signal, name_of(rank) + " was ended by signal " + std::to_string(signal) +
                          (name == nullptr ? "" : " (" + std::string(name) + ")") + when(ranks_[rank].phase) +
                          likely_cause(signal));
  } else {
    exited(rank, WEXITSTATUS(status));
  }
}

void Ranks::Job::exited(int rank, int exit_code) {
  const Phase phase = ranks_[rank].phase;
  report({RankEvent::Kind::kExited, rank, exit_code});
  if (exit_code != 0) {
    end(exit_code, name_of(rank) + " exited with code " + std::to_string(exit_code) + when(phase));
  } else if (phase == Phase::kInitialized) {
    end(1, name_of(rank) + " exited without MPI_Finalize");
  } else if (phase == Phase::kBeforeInit) {
    absent_ = rank;
    check_partners();
  }
}

// MPI_Init of the others would wait for ever.
void Ranks::Job::check_partners() {
  if (waiting_ >= 0 && absent_ >= 0)
    end(1, name_of(absent_) + " exited without MPI_Init, which " + name_of(waiting_) + " has called");
}

void Ranks::Job::report(const RankEvent& event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
  }
  if (request_.on_event) request_.on_event();
}

std::string Ranks::Job::name_of(int rank) const {
  const std::lock_guard lock(mutex_);
  std::size_t job = started_.size() - 1;
  while (rank < started_[job].first) --job;
  const Started& with = started_[job];
  const std::string name = "rank " + std::to_string(rank - with.first);
  return with.parent < 0 ? name : name + " of the job that rank " + std::to_string(with.parent) + " has started";
}

std::vector<RankEvent> Ranks::Job::poll() {
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

bool Ranks::Job::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void Ranks::Job::wait() {
  std::unique_lock lock(mutex_);
  ended_changed_.wait(lock, [this] { return ended_; });
}

void Ranks::Job::end(int exit_code, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (ended_ || failed_) return;
  failed_ = true;
  result_ = {exit_code, reason};
  ::kill(-guard_.group(), SIGKILL);
  // Rank 0 may be in the terminal's group.
  if (ranks_[0].process) ::pidfd_send_signal(ranks_[0].process->get(), SIGKILL, nullptr, 0);
}

JobResult Ranks::Job::result() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

Ranks::Ranks(JobRequest request) : job_(std::make_unique<Job>(std::move(request))) {}
Ranks::~Ranks() = default;
std::string Ranks::name_of(int rank) const { return job_->name_of(rank); }
std::vector<RankEvent> Ranks::poll() { return job_->poll(); }
bool Ranks::ended() const { return job_->ended(); }
void Ranks::wait() { job_->wait(); }
void Ranks::end(int exit_code, const std::string& reason) { job_->end(exit_code, reason); }
JobResult Ranks::result() const { return job_->result(); }
const std::vector<pid_t>& Ranks::processes() const { return job_->processes(); }

}  // namespace strata::native
