// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/pmix_server.h"

#include <pmix_server.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "native/launch/pmix_dynamic.h"
#include "native/launch/pmix_job.h"
#include "native/launch/pmix_log.h"

namespace strata::native {
namespace {

// The run that is served now. libpmix's functions have no argument of ours, so they find it here.
struct Served {
  std::mutex mutex;
  std::map<std::string, int> jobs;  // the first rank of each; empty: none
  std::function<void(const PmixServer::Event&)> on_event;
};

// Never destroyed: libpmix's thread uses it until the process ends.
Served& served() {
  static Served& one = *new Served;
  return one;
}

void tell(const pmix_proc_t& process, PmixServer::Event event) {
  const std::lock_guard lock(served().mutex);
  const auto job = served().jobs.find(process.nspace);
  if (job == served().jobs.end()) return;
  event.rank += job->second;
  if (event.kind == PmixServer::Event::Kind::kSpawns) event.order.parent = event.rank;
  served().on_event(event);
}

void done(pmix_op_cbfunc_t function, void* data) {
  if (function != nullptr) function(PMIX_SUCCESS, data);
}

pmix_status_t connected(const pmix_proc_t* process, void*, pmix_info_t*, size_t, pmix_op_cbfunc_t function,
                        void* data) {
  tell(*process, {PmixServer::Event::Kind::kConnected, static_cast<int>(process->rank)});
  done(function, data);
  return PMIX_SUCCESS;
}

pmix_status_t finalized(const pmix_proc_t* process, void*, pmix_op_cbfunc_t function, void* data) {
  tell(*process, {PmixServer::Event::Kind::kFinalized, static_cast<int>(process->rank)});
  done(function, data);
  return PMIX_SUCCESS;
}

pmix_status_t aborted(const pmix_proc_t* process, void*, int status, const char* message, pmix_proc_t*, size_t,
                      pmix_op_cbfunc_t function, void* data) {
  tell(*process,
       {PmixServer::Event::Kind::kAborted, static_cast<int>(process->rank), status, message == nullptr ? "" : message});
  done(function, data);
  return PMIX_SUCCESS;
}

// libpmix itself collects the data of a fence whose ranks are all on one server, as ours are.
pmix_status_t fence(const pmix_proc_t*, size_t, const pmix_info_t*, size_t, char* bytes, size_t count,
                    pmix_modex_cbfunc_t function, void* data) {
  if (function != nullptr) function(PMIX_SUCCESS, bytes, count, data, nullptr, nullptr);
  return PMIX_SUCCESS;
}

// All ranks are this server's, so what it does not know does not exist.
pmix_status_t direct_modex(const pmix_proc_t*, const pmix_info_t*, size_t, pmix_modex_cbfunc_t, void*) {
  return PMIX_ERR_NOT_FOUND;
}

// MPI_Comm_create_from_group of Open MPI 5 asks for a number that no other communicator has.
pmix_status_t group(pmix_group_operation_t, char*, const pmix_proc_t*, size_t, const pmix_info_t* wishes, size_t count,
                    pmix_info_cbfunc_t function, void* data) {
  static std::atomic<size_t> next{1};
  bool number = false;
  for (size_t i = 0; i < count; ++i)
    number = number || std::strncmp(wishes[i].key, PMIX_GROUP_ASSIGN_CONTEXT_ID, PMIX_MAX_KEYLEN) == 0;
  pmix_info_t* answer = nullptr;
  if (number) {
    size_t id = next++;
    PMIX_INFO_CREATE(answer, 1);
    PMIX_INFO_LOAD(answer, PMIX_GROUP_CONTEXT_ID, &id, PMIX_SIZE);
  }
  const auto release = [](void* given) {
    auto* infos = static_cast<pmix_info_t*>(given);
    if (infos != nullptr) PMIX_INFO_FREE(infos, 1);
  };
  function(PMIX_SUCCESS, answer, number ? 1 : 0, data, release, answer);
  return PMIX_SUCCESS;
}

// Shows texts of ranks, all on stderr.
void log(const pmix_proc_t*, const pmix_info_t* data, size_t count, const pmix_info_t*, size_t,
         pmix_op_cbfunc_t function, void* function_data) {
  const std::string text = logged_text(data, count);
  std::fwrite(text.data(), 1, text.size(), stderr);
  // libpmix holds a lock here that its answer takes too.
  std::thread([=] { done(function, function_data); }).detach();
}

pmix_server_module_t& functions() {
  static pmix_server_module_t all = [] {
    pmix_server_module_t module{};
    module.client_connected2 = connected;
    module.client_finalized = finalized;
    module.abort = aborted;
    module.fence_nb = fence;
    module.direct_modex = direct_modex;
    module.group = group;
    module.log = log;
    add_dynamic_functions(module, [](const pmix_proc_t& process, SpawnOrder order) {
      tell(process, {.kind = PmixServer::Event::Kind::kSpawns,
                     .rank = static_cast<int>(process.rank),
                     .order = std::move(order)});
    });
    return module;
  }();
  return all;
}

pmix_proc_t process_of(const std::string& job, int rank) {
  pmix_proc_t process;
  PMIX_PROC_CONSTRUCT(&process);
  PMIX_LOAD_PROCID(&process, job.c_str(), static_cast<pmix_rank_t>(rank));
  return process;
}

// Differs between the runs of a computer.
unsigned next_seed() {
  static unsigned runs = 0;
  return static_cast<unsigned>(::getpid()) + runs++;
}

// While in scope, a variable of this process has a value.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  ~Setting() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// While in scope, this thread and those that it starts are not ended by SIGPIPE.
class NoBrokenPipes {
 public:
  NoBrokenPipes() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before_);
  }
  ~NoBrokenPipes() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoBrokenPipes(const NoBrokenPipes&) = delete;
  NoBrokenPipes& operator=(const NoBrokenPipes&) = delete;

 private:
  sigset_t before_{};
};

// Started for the first job, and then there until the process ends: libpmix 4.2 cannot be started again. It is never
// finalized, because PMIx_server_finalize of 4.2.2 sometimes waits for ever for a lock of its own thread. Its files are
// in the job's scratch folder.
class Libpmix {
 public:
  Libpmix() {
    // Ranks get their data in messages. Otherwise they are in files in TMPDIR, which stay when this process is killed.
    const Setting storage("PMIX_MCA_gds", "hash");
    const NoBrokenPipes for_killed_ranks;
    PmixInfos infos;
    infos.add(PMIX_SERVER_TOOL_SUPPORT, false);
    infos.add(PMIX_SERVER_SYSTEM_SUPPORT, false);
    // Each rank loads its own node (HWLOC_XMLFILE) rather than the server's.
    infos.add(PMIX_SERVER_SHARE_TOPOLOGY, false);
    pmix_data_array_t array = infos.array();
    const pmix_status_t status = PMIx_server_init(&functions(), static_cast<pmix_info_t*>(array.array), array.size);
    PMIX_DATA_ARRAY_DESTRUCT(&array);
    check_pmix(status, "PMIx_server_init");
  }
  ~Libpmix() = delete;
  Libpmix(const Libpmix&) = delete;
  Libpmix& operator=(const Libpmix&) = delete;
};

// `parent`: null for the run's first job.
void register_job(const Places& places, const std::string& job, const std::filesystem::path& scratch,
                  const pmix_proc_t* parent) {
  PmixInfos infos;
  describe_job(infos, places, job, scratch);
  if (parent != nullptr) infos.add_parent(*parent);
  pmix_data_array_t array = infos.array();
  const pmix_status_t status = PMIx_server_register_nspace(
      job.c_str(), places.size(), static_cast<pmix_info_t*>(array.array), array.size, nullptr, nullptr);
  PMIX_DATA_ARRAY_DESTRUCT(&array);
  check_pmix(status, "PMIx_server_register_nspace");
  for (int rank = 0; rank < places.size(); ++rank) {
    const pmix_proc_t process = process_of(job, rank);
    check_pmix(PMIx_server_register_client(&process, ::getuid(), ::getgid(), nullptr, nullptr, nullptr),
               "PMIx_server_register_client");
  }
}

}  // namespace

PmixServer::PmixServer(const Places& places, const std::filesystem::path& scratch,
                       std::function<void(const Event&)> on_event)
    : scratch_(scratch), names_(next_seed()) {
  static const Libpmix& libpmix = *new Libpmix;
  static_cast<void>(libpmix);
  {
    const std::lock_guard lock(served().mutex);
    if (!served().jobs.empty()) throw std::logic_error("PmixServer: there is one already");
    served().on_event = std::move(on_event);
  }
  forget_published_names();
  try {
    add_job(names_.next(), places, -1);
  } catch (...) {
    stop();
    throw;
  }
}

PmixServer::~PmixServer() { stop(); }

void PmixServer::stop() {
  {
    const std::lock_guard lock(served().mutex);
    served().jobs.clear();
    served().on_event = nullptr;
  }
  for (const Job& job : jobs_) PMIx_server_deregister_nspace(job.name.c_str(), nullptr, nullptr);
}

void PmixServer::add_job(const std::string& name, const Places& places, int parent) {
  const int first = jobs_.empty() ? 0 : jobs_.back().first + jobs_.back().places.size();
  std::optional<pmix_proc_t> asked;
  if (parent >= 0) asked = process_of(job_of(parent).name, parent - job_of(parent).first);
  jobs_.push_back({name, first, places});
  {
    const std::lock_guard lock(served().mutex);
    served().jobs[name] = first;
  }
  register_job(places, name, scratch_, asked ? &*asked : nullptr);
}

const PmixServer::Job& PmixServer::job_of(int rank) const {
  std::size_t job = jobs_.size() - 1;
  while (rank < jobs_[job].first) --job;
  return jobs_[job];
}

Environment PmixServer::environment(int rank) const {
  const Job& job = job_of(rank);
  const pmix_proc_t process = process_of(job.name, rank - job.first);
  char** variables = static_cast<char**>(std::calloc(1, sizeof(char*)));
  check_pmix(PMIx_server_setup_fork(&process, &variables), "PMIx_server_setup_fork");
  Environment environment;
  for (char** variable = variables; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::size_t sign = text.find('=');
    if (sign != std::string::npos) environment[text.substr(0, sign)] = text.substr(sign + 1);
    std::free(*variable);
  }
  std::free(variables);
  environment["PMIX_HOSTNAME"] = job.places.node_of(rank - job.first).host;
  return environment;
}

}  // namespace strata::native
