#include "tests/mpi_ext/mpi_run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "sim/launcher/simulation.h"

namespace strata::mpix::testing {

namespace fs = std::filesystem;

Ended run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
          const fs::path& folder, double limit_s) {
  const std::string file = folder / "output.txt";
  std::vector<std::string> variables = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=" + folder.string(),
                                        "TMPDIR=" + folder.string()};
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& variable : variables) envp.push_back(const_cast<char*>(variable.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid == 0) {
    ::setpgid(0, 0);
    const int in = ::open("/dev/null", O_RDONLY), out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(out, 2);
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    ::execvpe(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  ::setpgid(pid, pid);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_s);
  Ended ended;
  int status = 0;
  bool in_time = true;
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (in_time && std::chrono::steady_clock::now() > limit) {
      in_time = false;
      ::kill(-pid, SIGTERM);  // launchers end their processes then
      std::this_thread::sleep_for(std::chrono::seconds(2));
      ::kill(-pid, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(-pid, SIGKILL);
  if (in_time) ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::ifstream in(file, std::ios::binary);
  ended.output.assign(std::istreambuf_iterator<char>(in), {});
  return ended;
}

fs::path runfile(const std::string& path) {
  const fs::path file = fs::path(std::getenv("TEST_SRCDIR")) / "strata" / path;
  if (!fs::exists(file)) throw std::runtime_error(file.string() + " is not among the test's data");
  return fs::canonical(file);
}

Verdict verdict_of(const std::string& output) {
  for (size_t at = 0; at < output.size(); at = std::min(output.find('\n', at), output.size() - 1) + 1) {
    Verdict v;
    if (std::sscanf(output.c_str() + at, "%d ranks, %ld checks, at least %ld a rank, %ld failures", &v.ranks, &v.checks,
                    &v.least, &v.failures) == 4) {
      return v;
    }
  }
  return {};
}

Placed placed(Machine machine, int np, const std::string& map_by, const std::string& bind_to) {
  std::vector<Binding> ranks = place(*machine.topology, np, {.map_by = map_by, .bind_to = bind_to});
  return {std::move(machine), std::move(ranks)};
}

Placed bound(Machine machine, const std::string& lines) {
  const sim::ScratchFolder scratch;
  std::ofstream(scratch.path() / "bindings") << lines;
  std::vector<Binding> ranks = read_bindings(scratch.path() / "bindings", *machine.topology);
  return {std::move(machine), std::move(ranks)};
}

Machine figure_1(int nodes) {
  return machine_from_tree("node:" + std::to_string(nodes) + " pack:2 [numa] l3:1 l2:2 l1d:1 core:2 pu:1");
}

Machine uneven_switches() {
  Machine m = machine_from_tree("Pod:2 Switch:2 node:2 pack:2 core:4 pu:1");  // for its costs of every level
  const auto nodes = [](int n) { return NetworkGroup{.level = "Switch", .groups = {}, .nodes = n}; };
  m.network = {
      .level = "", .groups = {nodes(3), {.level = "Pod", .groups = {nodes(1), nodes(2)}, .nodes = 0}}, .nodes = 0};
  m.topology = std::make_shared<const Topology>(
      m.network, std::vector(m.network.count_nodes(), import_node_synthetic(m.node.synthetic)));
  return m;
}

}  // namespace strata::mpix::testing
