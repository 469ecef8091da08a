// SPDX-License-Identifier: LGPL-2.1-only
// Real jobs of Open MPI and MPICH: 8 ranks on made-up nodes of unequal size, which talk by the libraries' own
// transports.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "native/launch/launched_ranks.h"
#include "tests/error_of.h"
#include "tests/process/process.h"

namespace strata::native {
namespace {

using ::testing::ElementsAre;
using Kind = RankEvent::Kind;

// 3 ranks on node 0, 4 on node 1, 1 on node 2, in blocks or round robin.
constexpr int kBlocks[] = {0, 0, 0, 1, 1, 1, 1, 2};
constexpr int kInTurn[] = {0, 1, 2, 0, 1, 0, 1, 1};

// A process that has ended, and waits for its parent (Z), does not run.
bool runs(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state = "Z";
  status >> number >> name >> state;
  return state != "Z" && state != "X";
}

// A killed process may take a moment to end.
bool ends(pid_t pid) {
  for (int i = 0; i < 1000 && runs(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !runs(pid);
}

class Job : public ::testing::TestWithParam<const char*> {
 protected:
  Job() {
    for (const char* folder : {"scratch", "tmp"}) std::filesystem::create_directory(folder_.path() / folder);
    // Node 2 has fewer cores than nodes 0 and 1.
    for (const auto& [name, tree] : {std::pair{"a.xml", "pack:2 numa:1 core:4 pu:1"}, {"b.xml", "pack:1 core:2 pu:1"}})
      EXPECT_EQ(
          Process({"lstopo-no-graphics", "-i", tree, "--of", "xml", (folder_.path() / name).string()}).wait().code, 0);
  }

  std::string program() const { return built(std::string("tests/native/launch_mpi_program_") + GetParam()); }

  Places places(const int (&nodes)[8]) const {
    Places places;
    for (const char* file : {"a.xml", "a.xml", "b.xml"})
      places.nodes.push_back({"sim" + std::to_string(places.nodes.size()), folder_.path() / file});
    for (const int node : nodes) places.ranks.push_back({node, 0, ""});
    number_local_ranks(places);
    for (RankPlace& rank : places.ranks) rank.cpuset = std::to_string(2 * rank.local_rank);
    return places;
  }

  JobRequest request(const std::vector<std::string>& words, const int (&nodes)[8] = kBlocks) {
    JobRequest request{.words = words,
                       .folder = {},
                       .places = places(nodes),
                       .library = find_library(find_program(words[0])),
                       .scratch = folder_.path() / "scratch",
                       .environment = inherited(environ)};
    request.environment["TMPDIR"] = (folder_.path() / "tmp").string();
    request.environment["HOME"] = folder_.path();  // which Open MPI 5 needs and Bazel unsets
    request.environment["OMPI_MCA_pml"] = "ob1";
    request.environment["OMPI_MCA_btl"] = "tcp,self";
    request.environment["OMPI_MCA_btl_tcp_if_include"] = "lo";  // a sandbox may have no other
    request.output = ::open((folder_.path() / "out").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    request.error = ::open((folder_.path() / "err").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    descriptors_ = {request.output, request.error};
    return request;
  }

  JobResult run(JobRequest request) {
    JobResult result;
    {
      Ranks ranks(std::move(request));
      ranks.wait();
      events_ = ranks.poll();
      result = ranks.result();
      pids_ = ranks.processes();
    }
    for (const int descriptor : descriptors_) ::close(descriptor);
    nothing_remains();
    return result;
  }
  JobResult run(const std::string& end) { return run(request({program(), end})); }

  void nothing_remains() const {
    for (const pid_t pid : pids_) EXPECT_FALSE(runs(pid)) << pid;
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "scratch"));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "tmp"));
  }

  std::vector<std::string> output() const {
    std::vector<std::string> lines = lines_of(read_text(folder_.path() / "out"));
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  int count(Kind kind) const {
    return static_cast<int>(
        std::count_if(events_.begin(), events_.end(), [kind](const RankEvent& e) { return e.kind == kind; }));
  }

  TemporaryFolder folder_;
  std::vector<int> descriptors_;
  std::vector<RankEvent> events_;
  std::vector<pid_t> pids_;
};

INSTANTIATE_TEST_SUITE_P(Libraries, Job, ::testing::Values("openmpi", "mpich"), [](const auto& i) { return i.param; });

TEST_P(Job, RanksKnowTheirNodes) {
  const JobResult result = run(request({program()}));
  EXPECT_EQ(result.exit_code, 0) << result.reason << read_text(folder_.path() / "err");
  EXPECT_THAT(output(), ElementsAre("rank 0 of 8 node: first 0 rank 0 of 3 sum 28 env 0/8/0/3 pus 8",
                                    "rank 1 of 8 node: first 0 rank 1 of 3 sum 28 env 1/8/1/3 pus 8",
                                    "rank 2 of 8 node: first 0 rank 2 of 3 sum 28 env 2/8/2/3 pus 8",
                                    "rank 3 of 8 node: first 3 rank 0 of 4 sum 28 env 3/8/0/4 pus 8",
                                    "rank 4 of 8 node: first 3 rank 1 of 4 sum 28 env 4/8/1/4 pus 8",
                                    "rank 5 of 8 node: first 3 rank 2 of 4 sum 28 env 5/8/2/4 pus 8",
                                    "rank 6 of 8 node: first 3 rank 3 of 4 sum 28 env 6/8/3/4 pus 8",
                                    "rank 7 of 8 node: first 7 rank 0 of 1 sum 28 env 7/8/0/1 pus 2"));
  EXPECT_EQ(count(Kind::kInitialized), 8);
  EXPECT_EQ(count(Kind::kFinalized), 8);
  EXPECT_EQ(count(Kind::kExited), 8);
  EXPECT_EQ(events_.size(), 24u);
}

TEST_P(Job, RanksInTurn) {
  const JobResult result = run(request({program()}, kInTurn));
  EXPECT_EQ(result.exit_code, 0) << result.reason << read_text(folder_.path() / "err");
  EXPECT_THAT(output(), ElementsAre("rank 0 of 8 node: first 0 rank 0 of 3 sum 28 env 0/8/0/3 pus 8",
                                    "rank 1 of 8 node: first 1 rank 0 of 4 sum 28 env 1/8/0/4 pus 8",
                                    "rank 2 of 8 node: first 2 rank 0 of 1 sum 28 env 2/8/0/1 pus 2",
                                    "rank 3 of 8 node: first 0 rank 1 of 3 sum 28 env 3/8/1/3 pus 8",
                                    "rank 4 of 8 node: first 1 rank 1 of 4 sum 28 env 4/8/1/4 pus 8",
                                    "rank 5 of 8 node: first 0 rank 2 of 3 sum 28 env 5/8/2/3 pus 8",
                                    "rank 6 of 8 node: first 1 rank 2 of 4 sum 28 env 6/8/2/4 pus 8",
                                    "rank 7 of 8 node: first 1 rank 3 of 4 sum 28 env 7/8/3/4 pus 8"));
}

// Bindings are PUs 0, 2, 4, 6 of each node: two ranks of node 1 share a package and its NUMA node, none a core.
TEST_P(Job, OpenMpiKnowsTheBindings) {
  if (GetParam() != std::string("openmpi"))
    GTEST_SKIP() << "MPICH asks the kernel where its process is bound, and these are not";
  const JobResult result = run("levels");
  EXPECT_EQ(result.exit_code, 0) << result.reason << read_text(folder_.path() / "err");
  EXPECT_THAT(output(), ElementsAre("rank 0 levels: 2 2 1 1", "rank 1 levels: 2 2 1 1", "rank 2 levels: 1 1 1 1",
                                    "rank 3 levels: 2 2 1 1", "rank 4 levels: 2 2 1 1", "rank 5 levels: 2 2 1 1",
                                    "rank 6 levels: 2 2 1 1", "rank 7 levels: 1 1 1 1"));
}

// Ranks look each other up by it, so it must be there before they are.
TEST_P(Job, IsNamedBeforeItsRanksStart) {
  JobRequest job = request({program()});
  std::string named;
  std::vector<std::string> known;
  job.on_name = [&](const std::string& name) { named = name; };
  job.variables = [&](int) {
    known.push_back(named);
    return Environment{};
  };
  EXPECT_EQ(run(std::move(job)).exit_code, 0);
  const bool has_pmix = std::string(GetParam()) == "openmpi";
  EXPECT_NE(named.empty(), has_pmix);
  EXPECT_EQ(known, std::vector<std::string>(8, named));
}

TEST_P(Job, AbortEndsAll) {
  const JobResult result = run("abort");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.reason.substr(0, 28), "rank 1 called MPI_Abort with");
  EXPECT_THAT(events_, ::testing::Contains(RankEvent{Kind::kAborted, 1, 7}));
  EXPECT_EQ(count(Kind::kExited) + count(Kind::kKilled), 8);
}

TEST_P(Job, ASignalIsReported) {
  const JobResult result = run("crash");
  EXPECT_EQ(result.exit_code, 128 + SIGSEGV);
  EXPECT_EQ(result.reason, "rank 1 was ended by signal 11 (Segmentation fault) after MPI_Init");
  EXPECT_THAT(events_, ::testing::Contains(RankEvent{Kind::kKilled, 1, SIGSEGV}));
}

// The kernel sends these when memory, or /dev/shm, is full.
TEST_P(Job, SignalsOfAFullMemorySaySo) {
  const std::string cause = " after MPI_Init; if the program did not cause it, memory or /dev/shm was full";
  EXPECT_EQ(run("kill").reason, "rank 1 was ended by signal 9 (Killed)" + cause);
  EXPECT_EQ(run("bus").reason, "rank 1 was ended by signal 7 (Bus error)" + cause);
}

TEST_P(Job, ExitCodes) {
  const JobResult result = run("exit");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.reason, "rank 1 exited with code 5 after MPI_Init");
}

TEST_P(Job, ExitWithoutFinalize) {
  const JobResult result = run("leave");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.reason, "rank 1 exited without MPI_Finalize");
}

TEST_P(Job, ARankThatNeverCallsInit) {
  const JobResult result = run("absent");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.reason, ::testing::StartsWith("rank 2 exited without MPI_Init, which rank "));
}

TEST_P(Job, AFailureBeforeInit) {
  const JobResult result = run("early");
  EXPECT_EQ(result.exit_code, 9);
  EXPECT_EQ(result.reason, "rank 1 exited with code 9 before MPI_Init");
}

TEST_P(Job, EndedByItsCaller) {
  bool called = false;
  JobRequest job = request({program(), "hang"});
  job.on_event = [&called] { called = true; };
  {
    Ranks ranks(std::move(job));
    int initialized = 0;
    while (initialized < 8 && !ranks.ended()) {
      for (const RankEvent& event : ranks.poll()) initialized += event.kind == Kind::kInitialized ? 1 : 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    pids_ = ranks.processes();
    ranks.end(3, "deadlock");
    ranks.wait();
    EXPECT_EQ(ranks.result().exit_code, 3);
    EXPECT_EQ(ranks.result().reason, "deadlock");
  }
  EXPECT_TRUE(called);
  nothing_remains();
}

// A script for which the library is not known gets the servers of both.
TEST_P(Job, AScriptThatStartsTheProgram) {
  const std::string script =
      folder_.write("run.sh", "#!/bin/sh\n" + program() + " init && echo $SLURM_PROCID of $SLURM_NTASKS\n");
  ::chmod(script.c_str(), 0700);
  JobRequest job = request({script});
  EXPECT_EQ(job.library.kind, Library::Kind::kUnknown);
  const JobResult result = run(std::move(job));
  EXPECT_EQ(result.exit_code, 0) << result.reason << read_text(folder_.path() / "err");
  EXPECT_THAT(output(), ElementsAre("0 of 8", "1 of 8", "2 of 8", "3 of 8", "4 of 8", "5 of 8", "6 of 8", "7 of 8"));
  EXPECT_EQ(count(Kind::kFinalized), 8);
}

// The launcher itself, which has no chance to tidy up after SIGKILL.
TEST_P(Job, NothingOutlivesAKilledLauncher) {
  for (const int signal : {SIGKILL, SIGTERM, SIGINT}) {
    std::filesystem::create_directory(folder_.path() / "scratch");
    const std::string err = (folder_.path() / "launcher").string();
    std::ofstream(err, std::ios::trunc).close();
    Process launcher(
        {"/bin/sh", "-c", "exec \"$@\" 2>" + err, "sh", built("tests/native/launch_ranks"),
         (folder_.path() / "scratch").string(), "3,4,1", (folder_.path() / "a.xml").string(), program(), "hang"},
        {.environment = {{"HOME", folder_.path()},
                         {"TMPDIR", (folder_.path() / "tmp").string()},
                         {"OMPI_MCA_pml", "ob1"},
                         {"OMPI_MCA_btl", "tcp,self"}}});
    std::vector<std::string> lines;
    while ((lines = lines_of(read_text(err))).empty() || lines[0].find("started") == std::string::npos) {
      if (lines.size() > 1) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::istringstream numbers(lines[0]);
    pids_.clear();
    for (pid_t pid; numbers >> pid;) pids_.push_back(pid);
    EXPECT_EQ(pids_.size(), 8u);
    ::kill(launcher.pid(), signal);
    const Ran ran = launcher.wait();
    EXPECT_EQ(ran.signal, signal);
    // The guard is at work still, if the launcher could not wait for it.
    for (int i = 0; i < 1000 && std::filesystem::exists(folder_.path() / "scratch"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    for (const pid_t pid : pids_) EXPECT_TRUE(ends(pid)) << pid;
    nothing_remains();
  }
}

class Start : public Job {};
INSTANTIATE_TEST_SUITE_P(Anything, Start, ::testing::Values("mpich"));

TEST_P(Start, StdinGoesToRank0AndDescriptorsToAll) {
  const std::string script =
      folder_.write("cat.sh", "#!/bin/sh\nread word; echo $SLURM_PROCID $word $MINE; echo kept >&9\n");
  ::chmod(script.c_str(), 0700);
  JobRequest job = request({script});
  const std::string kept = folder_.write("kept", "");
  job.input = ::open(folder_.write("in", "hello\n").c_str(), O_RDONLY | O_CLOEXEC);
  job.variables = [](int rank) { return Environment{{"MINE", "v" + std::to_string(rank)}}; };
  const int file = ::open(kept.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ::dup3(file, 9, O_CLOEXEC);
  job.kept = {9};
  EXPECT_EQ(run(std::move(job)).exit_code, 0);
  EXPECT_THAT(output(), ElementsAre("0 hello v0", "1 v1", "2 v2", "3 v3", "4 v4", "5 v5", "6 v6", "7 v7"));
  EXPECT_EQ(lines_of(read_text(kept)).size(), 8u);
  ::close(9);
  ::close(file);
}

// Processes that a rank leaves behind in the background.
TEST_P(Start, GrandchildrenEnd) {
  const std::string script = folder_.write("bg.sh", "#!/bin/sh\nsleep 1000 >/dev/null 2>&1 & echo $!\n");
  ::chmod(script.c_str(), 0700);
  EXPECT_EQ(run(request({script})).exit_code, 0);
  const std::vector<std::string> pids = output();
  ASSERT_EQ(pids.size(), 8u);
  for (const std::string& pid : pids) EXPECT_TRUE(ends(std::stoi(pid))) << pid;
}

TEST_P(Start, Refusals) {
  JobRequest smpi = request({"/bin/true"});
  smpi.library.kind = Library::Kind::kSmpi;
  EXPECT_EQ(error_of([&] { Ranks ranks(smpi); }), "/bin/true: uses SMPI; compile it with mpicc of Open MPI or MPICH");
  JobRequest missing = request({"/bin/true"});
  missing.words = {"/nowhere/app"};
  EXPECT_EQ(error_of([&] { Ranks ranks(missing); }), "/nowhere/app: does not exist; give the path of a program");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "scratch"));
}

}  // namespace
}  // namespace strata::native
