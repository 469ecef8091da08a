// SPDX-License-Identifier: LGPL-2.1-only
// Files that cannot be read or written, and limits of the computer: the command names them in one line, before
// any work that would be lost. tools/misuse tries far more of this, and takes longer.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/command/expect_refused.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const std::string kNode = "tests/command/2-sockets.xml";
const std::string kGuest = "tests/command/guest.so";

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words exec(const Words& options, const Words& program = {"arguments", "it runs"}) {
  return Words{"exec", "--xml", built(kNode), "--nodes", "2", "-n", "2"} + options + Words{"--", built(kGuest)} +
         program;
}

// `{}` in the words is replaced by this text.
Words with(Words words, const std::string& text) {
  for (std::string& word : words) {
    if (const size_t at = word.find("{}"); at != std::string::npos) word.replace(at, 2, text);
  }
  return words;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

// Runs the command in a shell that first sets a limit, such as "ulimit -n 8".
Ran run_limited(const std::string& limit, const Words& arguments, const Surroundings& surroundings = {}) {
  return Process(Words{"/bin/bash", "-c", limit + "; exec \"$@\"", "_"} + strata_command(arguments), surroundings)
      .wait();
}

// --- what cannot be written ---

// A recording, and a document of exec.
class Written : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const Ran ran = run_strata(exec({"--record", path("app.mpitrace"), "--json", path("exec.json")}));
    ASSERT_EQ(ran.code, 0) << ran.err;
    folder_->write("matrix", "0 1\n1 0\n");
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static std::string path(const std::string& name) { return folder_->path() / name; }

 private:
  static TemporaryFolder* folder_;
};

TemporaryFolder* Written::folder_ = nullptr;

TEST_F(Written, IsRefusedBeforeTheProgramRuns) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "text");
  for (const char* option : {"--json", "--report", "--record", "--traffic", "--timeline"}) {
    // For traffic, folders are made as needed.
    const std::string bad = (option == std::string("--traffic") ? file : folder.path().string() + "/none") + "/x.json";
    const Ran ran = run_strata(exec({option, bad}));
    expect_refused(ran, bad, "cannot be made", "choose another place");
  }
  EXPECT_EQ(read_text(file), "text");
}

TEST_F(Written, IsCheckedByEveryCommandThatWritesAFile) {
  const TemporaryFolder folder;
  const std::string bad = folder.path() / "none/x";
  const Words replay = {"replay", path("app.mpitrace"), "--xml", built(kNode), "--nodes", "2"};
  const Words map = {"map", "--matrix", path("matrix"), "--xml", built(kNode)};
  for (const Words& words :
       {replay + Words{"--report", bad}, replay + Words{"--timeline", bad + ".json"},
        replay + Words{"--timeline", bad + ".otf2"},
        Words{"replay", "convert", path("app.mpitrace"), "--to", "goal", "--out", bad},
        Words{"compare", path("exec.json"), path("exec.json"), "--junit", bad}, map + Words{"--rankfile", bad},
        map + Words{"--out", bad}, map + Words{"--svg", bad},
        Words{"matrix", path("matrix"), "--to", "mtx", "--out", bad}, Words{"matrix", path("matrix"), "--svg", bad},
        Words{"topo", built(kNode), "--svg", bad}, Words{"nodecart", "--dims", "4x4", "--ppn", "4", "--svg", bad},
        Words{"splittree", "--cores", "8", "-n", "6", "--svg", bad},
        Words{"splittree", "--cores", "8", "-n", "6", "--timeline", bad},
        Words{"report", folder.path(), "--report", bad}, Words{"report", folder.path(), "--reproduction", bad},
        Words{"check", "hsplit", "--svg", bad}}) {
    SCOPED_TRACE(joined(words));
    expect_refused(run_strata(words), bad, "cannot be made: No such file or directory", "choose another place");
  }
}

TEST_F(Written, IsCheckedByEveryCommandThatMakesAFolder) {
  const TemporaryFolder folder;
  const std::string bad = folder.write("file", "text") + "/x";
  for (const Words& words :
       {Words{"run", "quickstart", "--out", bad},
        Words{"run", "quickstart", "--out", folder.path() / "out", "--record", bad}, Words{"quickstart", "--out", bad},
        Words{"replay", path("app.mpitrace"), "--xml", built(kNode), "--traffic", bad},
        Words{"report", folder.path(), "--out", bad}, Words{"topo", built(kNode), "--out", bad},
        Words{"probe", "--node", built(kNode), "--out", bad}, Words{"calibrate", "--node", built(kNode), "--out", bad},
        Words{"submit", "merge", folder.path(), "--out", bad},
        Words{"submit", "quickstart", "--shards", "2", "--out", bad},
        Words{"mpi", "--machine", "ntw10e5", "--prefix", bad},
        Words{"splittree", "figures", "--cores", "8", "--out", bad}, Words{"check", "quickstart", "--out", bad}}) {
    SCOPED_TRACE(joined(words));
    expect_refused(run_strata(words), bad, "cannot be made: Not a directory", "choose another place");
  }
  EXPECT_FALSE(fs::exists(folder.path() / "out"));
}

TEST_F(Written, KeepsWhatIsThereUntilThereIsSomethingNew) {
  const TemporaryFolder folder;
  const std::string file = folder.write("exec.json", "from before");
  EXPECT_EQ(run_strata(exec({"--json", file, "--bindings", folder.path() / "none"})).code, 2);
  EXPECT_EQ(read_text(file), "from before");
  // Nothing but results: the check leaves nothing behind.
  for (const auto& entry : fs::directory_iterator(folder.path())) EXPECT_EQ(entry.path().filename(), "exec.json");
}

TEST_F(Written, ADirectoryIsNoFile) {
  const TemporaryFolder folder;
  expect_refused(run_strata(exec({"--json", folder.path()})), folder.path(), "is a directory",
                 "give the name of a file");
  fs::create_directory(folder.path() / "x.otf2");
  expect_refused(run_strata(exec({"--timeline", folder.path() / "x.otf2"})), "x.otf2", "not an archive of OTF2",
                 "give another name");
  fs::create_directory(folder.path() / "x.json");
  expect_refused(run_strata(exec({"--timeline", folder.path() / "x.json"})), "x.json", "is a directory",
                 "give the name of a file");
}

// --- what cannot be read ---

// Inputs of all kinds; {} is the file.
std::vector<Words> readers(const std::string& matrix) {
  return {exec({"--bindings", "{}"}),
          exec({"--rankfile", "{}"}),
          exec({"--hostfile", "{}"}),
          exec({"--reorder", "{}"}),
          {"exec", "--xml", "{}", "-n", "2", "--", built(kGuest)},
          {"exec", "--machine", "{}", "-n", "2", "--", built(kGuest)},
          {"exec", "--xml", built(kNode), "-n", "2", "--", "{}"},
          {"hsplit", "--xml", "{}", "--engine", "pure"},
          {"topo", "{}"},
          {"topo", "--slurm-topology", "{}"},
          {"topo", "--ibnetdiscover", "{}"},
          {"run", "{}"},
          {"run", "quickstart", "--set", "machine={}"},
          {"map", "--matrix", "{}", "--xml", built(kNode)},
          {"map", "--trace", "{}", "--xml", built(kNode)},
          {"matrix", "{}"},
          {"replay", "{}", "--xml", built(kNode)},
          {"replay", "timeline", "{}"},
          {"compare", "{}", "{}"},
          {"calibrate", "--node", "{}", "--out", "out"},
          {"calibrate", "--node", built(kNode), "--probe", "{}", "--out", "out"},
          {"calibrate", "--node", built(kNode), "--osu", "Machine={}", "--out", "out"},
          {"splittree", "tune", "--cores", "8", "--scalability", "{}"},
          {"check", "--program", "{}", "--xml", built(kNode), "--np", "2"},
          {"report", "{}"},
          {"submit", "merge", "{}", matrix}};
}

TEST(Read, WhatIsNoRegularFileIsRefused) {
  const TemporaryFolder folder;
  const std::string matrix = folder.write("matrix", "0 1\n1 0\n");
  const std::string pipe = folder.path() / "pipe", large = folder.path() / "large", link = folder.path() / "link";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::ofstream(large).close();
  fs::resize_file(large, std::uintmax_t{2} << 30);  // it takes no space
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  fs::create_symlink(link, link);
  const std::string socket = folder.path() / "socket";
  const fs::path before = fs::current_path();  // the folder's own name may be longer than a socket's may be
  fs::current_path(folder.path());
  std::string("socket").copy(address.sun_path, sizeof address.sun_path);
  ASSERT_EQ(::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  fs::current_path(before);
  for (const std::string& bad : {pipe, std::string("/dev/zero"), socket, large, link}) {
    for (const Words& words : readers(matrix)) {
      SCOPED_TRACE(joined(words) + bad);
      const Ran ran = run_strata(with(words, bad), {.folder = folder.path(), .limit_s = 20});
      EXPECT_FALSE(ran.timed_out);
      expect_refused(ran, "", "", "");
      EXPECT_LT(ran.peak_bytes, 500e6);
    }
  }
  ::close(server);
}

TEST(Read, TheLineSaysWhatItIs) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_refused(run_strata({"topo", pipe}, {.limit_s = 20}), pipe, "is a pipe, not a regular file",
                 "give a YAML file");
  expect_refused(run_strata({"hsplit", "--xml", "/dev/zero", "--engine", "pure"}, {.limit_s = 20}), "/dev/zero",
                 "is a device, not a regular file", "lstopo --of xml");
  expect_refused(run_strata({"matrix", folder.path()}), folder.path(), "is a directory", "");
  expect_refused(run_strata({"submit", "merge", built(kNode), "--out", folder.path() / "out"}), kNode,
                 "is not a whole document", "");
}

// --- what the computer refuses ---

TEST(Limits, FewOpenFilesAreALine) {
  const TemporaryFolder folder;
  for (const int most : {3, 4, 5, 6, 8, 10, 12, 16}) {
    for (const Words& words : {Words{"topo", "ntw10e5"}, Words{"topo", built(kNode)}, Words{"machines"}}) {
      SCOPED_TRACE(joined(words) + std::to_string(most));
      const Ran ran = run_limited("ulimit -n " + std::to_string(most), words,
                                  {.environment = {{"TMPDIR", folder.path()}}, .limit_s = 60});
      EXPECT_EQ(ran.signal, 0);
      if (ran.code == 0 || ran.code == 127) continue;  // 127: the dynamic loader itself
      EXPECT_TRUE(ran.code == 2 || ran.code == 3) << ran.code;
      EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
      EXPECT_EQ(ran.err.find("internal error"), std::string::npos) << ran.err;
    }
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

// SimGrid would end in the middle of its work.
TEST(Limits, SimulationsThatNeedMoreOpenFilesAreRefused) {
  const TemporaryFolder folder;
  for (const Words& words : {exec({}), exec({"--record", "r", "--report", "page.html", "--timeline", "t.otf2"}),
                             Words{"run", "quickstart", "--jobs", "1", "--out", folder.path() / "out"},
                             Words{"hsplit", "--machine", "ntw10e5", "--np", "4"}}) {
    SCOPED_TRACE(joined(words));
    const Ran ran = run_limited("ulimit -n 16", words, {.environment = {{"TMPDIR", folder.path()}}});
    expect_refused(ran, "open files", "a process may have 16 here, and simulations need 34", "ulimit -n 34");
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
  const Ran enough = run_limited("ulimit -n 34", exec({}));
  EXPECT_EQ(enough.code, 0) << enough.err;
}

// 1.2 million cores, of which two have ranks.
TEST(Limits, AMachineThatNeedsMoreMemoryIsRefused) {
  const TemporaryFolder folder;
  const Words many = {"--xml", built(kNode), "--nodes", "200000"};
  for (const Words& words :
       {Words{"exec"} + many + Words{"-n", "2", "--", built(kGuest)}, Words{"hsplit"} + many + Words{"--np", "2"}}) {
    SCOPED_TRACE(joined(words));
    const Ran ran = run_limited("ulimit -v 4000000", words, {.environment = {{"TMPDIR", folder.path()}}});
    expect_refused(ran, "machine ", "a simulation of its 1200000 cores needs about 7.2 GB of memory, and 4.1 GB",
                   "give fewer nodes");
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Limits, LittleMemoryIsALine) {
  for (const int most_kb : {100000, 200000, 400000, 1000000}) {
    for (const Words& words :
         {Words{"topo", "ntw10e5"}, Words{"hsplit", "--machine", "ntw10e5", "--np", "4"}, exec({})}) {
      SCOPED_TRACE(joined(words) + std::to_string(most_kb));
      const Ran ran = run_limited("ulimit -v " + std::to_string(most_kb), words, {.limit_s = 60});
      EXPECT_EQ(ran.signal, 0);
      if (ran.code == 0 || ran.code == 127) continue;
      EXPECT_TRUE(ran.code == 2 || ran.code == 3) << ran.code;
      EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
      EXPECT_EQ(ran.err.find("internal error"), std::string::npos) << ran.err;
    }
  }
}

// --- TMPDIR ---

TEST(Tmpdir, ItsNameMayBeAnything) {
  const TemporaryFolder folder;
  for (const char* name : {"a b", "a'b\"c", "a%sb", "-rf", "a$HOME`id`", "ä"}) {
    SCOPED_TRACE(name);
    const fs::path odd = folder.path() / name;
    fs::create_directory(odd);
    const Ran ran = run_strata(exec({}), {.environment = {{"TMPDIR", odd}}});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "it runs\n");
    const Ran split = run_strata({"hsplit", "--machine", "ntw10e5", "--np", "4"}, {.environment = {{"TMPDIR", odd}}});
    EXPECT_EQ(split.code, 0) << split.err;
    EXPECT_TRUE(fs::is_empty(odd));
  }
}

TEST(Tmpdir, MayBeRelative) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "t");
  const Ran ran = run_strata({"hsplit", "--machine", std::string("ntw10e5"), "--np", "4"},
                             {.environment = {{"TMPDIR", "t"}}, .folder = folder.path()});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(fs::is_empty(folder.path() / "t"));
}

TEST(Tmpdir, WithALineBreakInItsNameIsRefused) {
  const TemporaryFolder folder;
  const fs::path odd = folder.path() / "a\nb";
  fs::create_directory(odd);
  expect_refused(run_strata(exec({}), {.environment = {{"TMPDIR", odd}}}), "TMPDIR", "has a line break",
                 "choose another folder");
}

TEST(Tmpdir, ThatIsNotThereIsALine) {
  for (const std::string& bad : {std::string("/nonexistent/tmp"), built(kNode)}) {
    const Ran ran = run_strata(exec({}), {.environment = {{"TMPDIR", bad}}});
    expect_refused(ran, bad, "cannot be made", "set TMPDIR to a folder with space");
  }
}

}  // namespace
}  // namespace strata
