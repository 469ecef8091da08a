// SPDX-License-Identifier: LGPL-2.1-only
// The installation made by `strata mpi`, as users' build systems use it. Its folder has a blank in its name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;
using Json = nlohmann::ordered_json;

std::string source(const std::string& name) { return built("tests/toolchain/programs/" + name); }

// Lines in any order, because ranks at the same simulated time print in an unspecified order.
std::multiset<std::string> lines(const std::string& text) {
  const Words all = lines_of(text);
  return {all.begin(), all.end()};
}

class Toolchain : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    const Ran made = run_strata({"mpi", "--machine", "ntw10e5", "--prefix", prefix()});
    ASSERT_EQ(made.code, 0) << made.err;
    settings_ = made.out;
    fs::create_directories(scratch());
    std::ofstream(folder_->path() / "platform.xml")
        << "<?xml version='1.0'?>\n"
           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"host\" suffix=\"\" radical=\"0-7\" speed=\"1Gf\" "
           "bw=\"1GBps\" lat=\"1us\"/></platform>\n";
    std::ofstream hosts(folder_->path() / "hosts");
    for (int i = 0; i < 8; ++i) hosts << "host" << i << '\n';
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static fs::path prefix() { return folder_->path() / "an mpi"; }
  static fs::path scratch() { return folder_->path() / "scratch"; }
  static std::string tool(const std::string& name) { return prefix() / "bin" / name; }

  static std::map<std::string, std::string> environment() {
    return {{"PATH", tool("") + ":/usr/bin:/bin"},
            {"PKG_CONFIG_PATH", prefix() / "lib/pkgconfig"},
            {"MPI_HOME", prefix()},
            {"CMAKE_TOOLCHAIN_FILE", prefix() / "share/strata/toolchain.cmake"}};
  }

  // Runs a command in the test's folder, with the environment that `strata mpi` prints.
  Ran run(Words command, const std::string& input = "") const {
    if (command[0].starts_with("mpi")) command[0] = tool(command[0]);
    return Process(command, {.environment = environment(), .bare = true, .folder = here_.path(), .input = input})
        .wait();
  }

  void compile(const Words& command) const {
    const Ran ran = run(command);
    ASSERT_EQ(ran.code, 0) << testing::PrintToString(command) << '\n' << ran.out << ran.err;
    ASSERT_EQ(ran.err, "") << testing::PrintToString(command);
  }

  // Starts the simulator as `strata exec` does, but on a cluster of SimGrid's.
  Ran simulate(int ranks, const std::string& program, const Words& arguments = {}, bool supply = false) const {
    auto with = environment();
    with["LD_LIBRARY_PATH"] = scratch();
    with["LD_PRELOAD"] = built("toolchain/libstrata_loader.so");
    if (supply) with["LD_PRELOAD"] += ":" + built("mpi_ext/preload/libmpix_supply_smpi.so");
    const std::string simulator = std::string(STRATA_LIBRARIES) + "/simgrid/smpimain";
    Words command = {simulator,
                     program,
                     "--cfg=smpi/privatization:dlopen",
                     "--cfg=smpi/np:" + std::to_string(ranks),
                     "--cfg=smpi/hostfile:" + (folder_->path() / "hosts").string(),
                     "--cfg=smpi/tmpdir:" + scratch().string(),
                     "--cfg=smpi/simulate-computation:no",
                     "--cfg=smpi/wtime:0",
                     "--log=root.thres:error",
                     folder_->path() / "platform.xml",
                     "--"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    Ran ran = Process(command, {.environment = with, .bare = true, .folder = here_.path()}).wait();
    EXPECT_TRUE(fs::is_empty(scratch()));
    // With merged segments, as many ranks have them, the program does the same.
    with["STRATA_FEW_MAPPINGS"] = "1";
    const Ran merged = Process(command, {.environment = with, .bare = true, .folder = here_.path()}).wait();
    EXPECT_EQ(merged.code, ran.code) << merged.err;
    EXPECT_EQ(merged.out, ran.out) << merged.err;
    return ran;
  }

  // Returns mpirun's command line for strata exec, one word per line, printed by a stand-in for strata.
  Ran mpirun(const Words& arguments) const {
    const std::string echo =
        here_.write("strata",
                    "#!/bin/sh\nprintf '%s\\n' \"$@\"\n"
                    "while [ $# -gt 0 ]; do\n"
                    "  if [ \"$1\" = --hostfile ] && [ -p \"$2\" -o \"$2\" = /dev/fd/9 ]; then cat \"$2\"; fi\n"
                    "  shift\ndone\n");
    fs::permissions(echo, fs::perms::owner_all);
    // A copy of the prefix whose launcher starts the stand-in.
    const fs::path copy = here_.path() / "its mpi";
    if (!fs::exists(copy)) {
      fs::copy(prefix(), copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
      std::string launch = read_text(copy / "share/strata/launch.sh");
      const size_t at = launch.find("strata='");
      launch.replace(at, launch.find('\n', at) - at, "strata='" + echo + "'");
      std::ofstream(copy / "share/strata/launch.sh") << launch;
    }
    Words command = {copy / "bin/mpirun"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command);
  }

  void expect_exec(const Words& arguments, const Words& expected) const {
    Words all = {"exec", "--machine", "ntw10e5"};
    all.insert(all.end(), expected.begin(), expected.end());
    const Ran ran = mpirun(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(lines_of(ran.out), all) << testing::PrintToString(arguments) << ran.err;
  }

  void expect_refused(const Words& arguments, const std::string& words) const {
    const Ran ran = mpirun(arguments);
    EXPECT_EQ(ran.code, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }

  static std::unique_ptr<TemporaryFolder> folder_;
  static std::string settings_;
  TemporaryFolder here_;
};

std::unique_ptr<TemporaryFolder> Toolchain::folder_;
std::string Toolchain::settings_;

// --- strata mpi ---

TEST_F(Toolchain, AShellEvaluatesWhatItPrints) {
  const Ran ran =
      Process(
          {"sh", "-c",
           settings_ +
               "for tool in mpicc mpicxx mpic++ mpiCC mpif77 mpif90 mpifort mpirun mpiexec; do command -v $tool; done "
               "| grep -c 'an mpi/bin'\n"
               "pkg-config --exists mpi mpi-c mpi-cxx mpi-fort ompi ompi-c ompi-cxx ompi-fort mpich && echo packages\n"
               "[ \"$MPI_HOME\" = \"" +
               prefix().string() +
               "\" ] && echo home\n"
               "[ -r \"$CMAKE_TOOLCHAIN_FILE\" ] && echo toolchain\n"},
          {.bare = true})
          .wait();
  EXPECT_EQ(ran.out, "9\npackages\nhome\ntoolchain\n") << ran.err;
}

TEST_F(Toolchain, AToolchainFileOfTheUserStays) {
  const Ran ran = Process({"sh", "-c", settings_ + "echo \"$CMAKE_TOOLCHAIN_FILE\""},
                          {.environment = {{"CMAKE_TOOLCHAIN_FILE", "/my/own.cmake"}}, .bare = true})
                      .wait();
  EXPECT_EQ(ran.out, "/my/own.cmake\n");
}

TEST_F(Toolchain, TheDefaultPrefixIsInTheCache) {
  const Ran ran = run_strata({"mpi", "--machine", "theta"}, {.environment = {{"STRATA_CACHE", here_.path()}}});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("export MPI_HOME='" + (here_.path() / "mpi/theta").string() + "'"), std::string::npos)
      << ran.out;
  EXPECT_EQ(ran.err, "strata: MPI for theta is in " + (here_.path() / "mpi/theta").string() + "\n");
}

TEST_F(Toolchain, MakingItAgainChangesNoFile) {
  const auto before = fs::last_write_time(prefix() / "include/mpi.h");
  ASSERT_EQ(run_strata({"mpi", "--machine", "ntw10e5", "--prefix", prefix()}).code, 0);
  EXPECT_EQ(fs::last_write_time(prefix() / "include/mpi.h"), before);
}

TEST_F(Toolchain, RefusesWhatItCannotMake) {
  const std::string file = here_.write("mine", "text");
  const Ran other = run_strata({"mpi", "--machine", "theta", "--prefix", here_.path()});
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(other.out, "");
  EXPECT_NE(other.err.find("is not empty"), std::string::npos) << other.err;
  EXPECT_EQ(run_strata({"mpi"}).code, 2);
  EXPECT_EQ(run_strata({"mpi", "--machine", "no-such-machine"}).code, 2);
  EXPECT_EQ(run_strata({"mpi", "--machine", "theta", "--prefix", file}).code, 2);
}

// --- programs ---

TEST_F(Toolchain, AProgramWithoutMpiRunsByItself) {
  compile({"mpicc", "-Wall", "-o", "plain", source("plain.c")});
  const Ran ran = run({"./plain", "one", "two"});
  EXPECT_EQ(ran.out, "begin\n2 arguments, the last is two, clocks are real\nat exit\nend\n");
  EXPECT_EQ(ran.code, 3);
}

TEST_F(Toolchain, ClocksOfCTellSimulatedTime) {
  compile({"mpicc", "-Wall", "-Wextra", "-Wno-unused-parameter", "-O2", source("clocks.c"), "-o", "clocks"});
  // Arguments are passed unchanged, including those that SimGrid would interpret.
  const Ran ran = simulate(3, "./clocks", {"-e", "4", "--", "a b", "--help", "--"});
  const std::string rest = " 3 other arguments: [a b] [--help] [--]";
  EXPECT_EQ(lines(ran.out),
            (std::multiset<std::string>{"rank 0: 1.5 1.5 1.5 1.5 1.5 1.5 1, process 1," + rest,
                                        "rank 1: 2.5 2.5 2.5 2.5 2.5 2.5 2, process 2," + rest,
                                        "rank 2: 3.5 3.5 3.5 3.5 3.5 3.5 3, process 3," + rest, "rank 0 at exit"}))
      << ran.err;
  EXPECT_EQ(ran.code, 4);
}

TEST_F(Toolchain, CxxKeepsItsNamesAndEachRankItsStatics) {
  compile({"mpicxx", "-std=c++20", "-Wall", "-O2", source("cxx.cc"), "-o", "cxx"});
  const Ran ran = simulate(3, "./cxx", {"6"});
  EXPECT_EQ(lines(ran.out), (std::multiset<std::string>{"rank 0 of 3: -1 11 sum 3 250 ms 250 ms",
                                                        "rank 1 of 3: 0 12 sum 3 250 ms 250 ms",
                                                        "rank 2 of 3: 1 13 sum 3 250 ms 250 ms"}))
      << ran.err;
  EXPECT_EQ(ran.code, 6);
}

TEST_F(Toolchain, FortranInFixedFormHasUnitsPerRank) {
  compile({"mpif77", "-c", source("fixed.f"), "-o", "fixed.o"});
  compile({"mpif77", "-c", source("half.for")});
  compile({"mpif77", "fixed.o", "half.o", "-o", "fixed"});
  const Ran ran = simulate(3, "./fixed");
  EXPECT_EQ(lines(ran.out), (std::multiset<std::string>{"rank 0 total  6 read 100", "rank 1 total  6 read 101",
                                                        "rank 2 total  6 read 102", "rank 0 saved 0", "rank 1 saved 1",
                                                        "rank 2 saved 2"}))
      << ran.err;
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(read_text(here_.path() / "unit10.2"), "         102\n");
}

TEST_F(Toolchain, FortranInFreeFormHasSimulatedClocksAndStopsARank) {
  compile({"mpifort", "-Wall", "-O2", source("free.F90"), "-o", "free"});
  const Ran ran = simulate(2, "./free", {"word"});
  EXPECT_EQ(lines(ran.out), (std::multiset<std::string>{"rank 0: 1.0 1.0 1.0 1.0 sums 2.0 1.0 1 word",
                                                        "rank 1: 1.0 1.0 1.0 1.0 sums 2.0 1.0 1 word"}))
      << ran.err;
  EXPECT_EQ(ran.err, "STOP 5\n");
  EXPECT_EQ(ran.code, 5);
}

TEST_F(Toolchain, FortranReadsAndWritesFilesWithMpi) {
  compile({"mpifort", "-Wall", source("files.f90"), "-o", "files"});
  const Ran ran = simulate(4, "./files", {}, true);
  EXPECT_EQ(ran.out, "all is well\n") << ran.err;
  EXPECT_EQ(ran.code, 0);
}

TEST_F(Toolchain, TellsThatTheModuleMpiF08IsMissing) {
  here_.write("new.f90", "program new\n  use, intrinsic :: iso_c_binding\n  use mpi_f08\nend program\n");
  const Ran ran = run({"mpifort", "-c", "new.f90"});
  EXPECT_NE(ran.code, 0);
  EXPECT_NE(ran.err.find("mpifort: new.f90 uses the module mpi_f08, which the simulated MPI does not have"),
            std::string::npos)
      << ran.err;
}

// The simulator finds main, however the program is compiled and linked.
TEST_F(Toolchain, CompilersOptionsThatChangePrograms) {
  for (const Words& options : std::vector<Words>{{"-O3", "-flto", "-s"},
                                                 {"-O1", "-fvisibility=hidden", "-s"},
                                                 {"-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"},
                                                 {"-g", "-fPIE", "-pie"},
                                                 {"-no-pie", "-fno-pie"},
                                                 {"-fopenmp", "-D_FORTIFY_SOURCE=2", "-O2", "-fstack-protector-all"}}) {
    Words command = {"mpicc"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {source("clocks.c"), "-o", "clocks"});
    compile(command);
    const Ran ran = simulate(2, "./clocks");
    EXPECT_EQ(ran.code, 0) << testing::PrintToString(options) << ran.err;
    EXPECT_EQ(lines_of(ran.out).size(), 3u) << testing::PrintToString(options) << ran.out;
  }
}

TEST_F(Toolchain, LibrariesAreMadeWithTheWrappersToo) {
  const std::string project = built("tests/toolchain/cmake_project");
  compile({"mpicc", "-c", project + "/count.c"});
  compile({"ar", "rcs", "libcount.a", "count.o"});
  compile({"mpicc", "-shared", "-o", "libcounts.so", project + "/count.c"});
  compile({"mpicxx", project + "/main.cc", "-L.", "-lcount", "-o", "static"});
  compile({"mpicxx", project + "/main.cc", "-L.", "-lcounts", "-Wl,-rpath,$ORIGIN", "-o", "shared"});
  for (const char* program : {"./static", "./shared"}) {
    const Ran ran = simulate(2, program);
    EXPECT_EQ(lines(ran.out), (std::multiset<std::string>{"rank 0: 2 calls, 2.0 s", "rank 1: 2 calls, 2.0 s"}))
        << program << ran.err;
  }
}

TEST_F(Toolchain, SharedMallocKeepsLargeBlocksOnce) {
  compile({"mpicc", source("large.c"), "-o", "own"});
  compile({"mpicc", "-shared-malloc", source("large.c"), "-o", "shared"});
  const std::multiset<std::string> own = lines(simulate(3, "./own").out), shared = lines(simulate(3, "./shared").out);
  EXPECT_EQ(own,
            (std::multiset<std::string>{"rank 0: 0 0 0 small 0", "rank 1: 1 1 1 small 1", "rank 2: 2 2 2 small 2"}));
  // The large blocks contain one rank's numbers in all ranks, except where realloc has enlarged them.
  ASSERT_EQ(shared.size(), 3u);
  std::set<std::string> numbers;
  for (const std::string& line : shared) {
    numbers.insert(line.substr(7, 5));
    EXPECT_EQ(line.substr(12), std::string(1, line[5]) + " small " + line[5]);
  }
  EXPECT_EQ(numbers.size(), 1u) << testing::PrintToString(shared);
}

// --- build systems ---

TEST_F(Toolchain, SampledLoopsAreRunInPartAndCostTheWhole) {
  compile({"mpicc", "-O1", source("sampled.c"), "-o", "sampled"});
  const auto seconds = [this](const std::string& iterations, const std::string& compute) {
    const fs::path json = here_.path() / "run.json";
    const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", "2", "--compute", compute, "--json", json, "--",
                                here_.path() / "sampled", iterations});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(lines_of(ran.out).size(), 2U);
    for (const std::string& run : lines_of(ran.out)) EXPECT_LE(std::stoi(run), 10);
    return Json::parse(read_text(json)).at("simulated_time").at("value").get<double>();
  };
  const double once = seconds("1000", "measured");
  EXPECT_GT(once, 0.01);  // 2e8 additions in memory take at least this long at 20e9 operations per second
  const double ten_times = seconds("10000", "measured");
  EXPECT_GT(ten_times, 3 * once);
  EXPECT_LT(ten_times, 30 * once);
  EXPECT_LT(seconds("1000", "none"), 1e-3);
}

TEST_F(Toolchain, CmakeFindsIt) {
  compile({"cmake", "-S", built("tests/toolchain/cmake_project"), "-B", "build", "-DCMAKE_C_COMPILER=gcc",
           "-DCMAKE_CXX_COMPILER=g++"});
  compile({"cmake", "--build", "build"});
  for (const char* program : {"build/modern", "build/old"}) {
    const Ran ran = simulate(2, program);
    EXPECT_EQ(lines(ran.out), (std::multiset<std::string>{"rank 0: 2 calls, 2.0 s", "rank 1: 2 calls, 2.0 s"}))
        << program << ran.err;
  }
}

TEST_F(Toolchain, ConfigureIsContent) {
  const Ran ran = run({built("tests/toolchain/configure"), "mpicc"});
  EXPECT_EQ(ran.out,
            "programs run\ngettimeofday is there\nno_such is not there\nMPI_Init is there\nMPI_No_such is not there\n"
            "an MPI_Fint has 4 bytes\n")
      << ran.err;
}

TEST_F(Toolchain, PkgConfigSaysWhatToAdd) {
  compile({"sh", "-c", "eval gcc \"$1\" $(pkg-config --cflags --libs mpi) -o clocks", "sh", source("clocks.c")});
  const Ran ran = simulate(2, "./clocks");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.out).size(), 3u) << ran.out;
}

// --- the wrappers' options ---

TEST_F(Toolchain, WrappersSayWhatTheyDo) {
  const std::string include = "-I\"" + (prefix() / "include").string() + "\"",
                    lib = "-L\"" + (prefix() / "lib").string() + "\"";
  EXPECT_EQ(run({"mpicc", "-showme:compile"}).out, include + " -fPIC\n");
  EXPECT_EQ(run({"mpicxx", "--showme:compile"}).out, include + " -fPIC -fno-gnu-unique\n");
  EXPECT_EQ(run({"mpicc", "-showme:incdirs"}).out, "\"" + (prefix() / "include").string() + "\"\n");
  EXPECT_EQ(run({"mpicc", "-showme:libdirs"}).out, "\"" + (prefix() / "lib").string() + "\"\n");
  EXPECT_EQ(run({"mpicc", "-showme:command"}).out, "gcc\n");
  const std::string link = run({"mpicc", "-showme:link"}).out;
  EXPECT_NE(link.find("-Wl,-shared "), std::string::npos) << link;
  EXPECT_NE(link.find(lib + " -lstrata_program "), std::string::npos) << link;
  EXPECT_EQ(run({"mpicc", "-show", "-c", "a.c"}).out, "gcc -c a.c " + include + " -fPIC\n");
  EXPECT_EQ(run({"mpicc", "-compile_info"}).out, "gcc " + include + " -fPIC\n");
  EXPECT_EQ(run({"mpicc", "-link_info"}).out, "gcc " + include + " -fPIC " + link);
  EXPECT_EQ(run({"mpicc", "-show", "-shared", "a.o"}).out.find("-Wl,-shared"), std::string::npos);
  EXPECT_TRUE(run({"mpicc", "--version"}).out.starts_with("gcc"));
  EXPECT_NE(run({"mpicc", "-v"}).err.find("gcc version"), std::string::npos);
  EXPECT_TRUE(run({"mpicc", "-showme:version"}).out.starts_with("mpicc: Strata "));
  EXPECT_EQ(run({"mpicc", "-showme:nonsense"}).code, 2);
}

TEST_F(Toolchain, WrappersPassTheCompilersOptionsOn) {
  here_.write("a.c", "#include <mpi.h>\nint number = MPI_VERSION;\nint main(void) { return 0; }\n");
  EXPECT_NE(run({"mpicc", "-E", "-P", "a.c"}).out.find("int number = 3;"), std::string::npos);
  EXPECT_EQ(run({"mpicc", "-E", "-"}, "MPI").out.find("error"), std::string::npos);
  EXPECT_TRUE(run({"mpicc", "-M", "a.c"}).out.starts_with("a.o:"));
  compile({"mpicc", "-S", "a.c"});
  EXPECT_TRUE(fs::exists(here_.path() / "a.s"));
  compile({"mpicc", "-c", "-o", "there.o", "a.c"});
  EXPECT_TRUE(fs::exists(here_.path() / "there.o"));
  here_.write("words.rsp", "-c a.c -o from_file.o");
  compile({"mpicc", "@words.rsp"});
  EXPECT_TRUE(fs::exists(here_.path() / "from_file.o"));
  compile({"mpicxx", "-x", "c++", "-c", "a.c", "-o", "cxx.o"});
  const Ran fixed = run({"mpicc", "-static", "a.c", "-o", "a"});
  EXPECT_EQ(fixed.code, 0);
  EXPECT_NE(fixed.err.find("mpicc: -static is left out"), std::string::npos) << fixed.err;
  EXPECT_EQ(run({"./a"}).code, 0);
}

TEST_F(Toolchain, WrappersTakeOtherCompilers) {
  for (const auto& [variable, wrapper] : std::vector<std::pair<std::string, std::string>>{{"OMPI_CC", "mpicc"},
                                                                                          {"MPICH_CC", "mpicc"},
                                                                                          {"OMPI_CXX", "mpic++"},
                                                                                          {"OMPI_FC", "mpifort"},
                                                                                          {"MPICH_F90", "mpif90"}}) {
    auto with = environment();
    with[variable] = "my compiler";
    const Ran ran = Process({tool(wrapper), "-show", "-c", "a.f90"}, {.environment = with, .bare = true}).wait();
    EXPECT_TRUE(ran.out.starts_with("my compiler -c a.f90 ")) << variable << ran.out;
  }
  EXPECT_TRUE(run({"mpicc", "-cc=other", "-show", "-c", "a.c"}).out.starts_with("other -c a.c "));
  const std::string clang = run({"mpicxx", "-cxx=clang++", "-show", "-c", "a.cc"}).out;
  EXPECT_EQ(clang.find("-fno-gnu-unique"), std::string::npos) << clang;
}

// --- mpirun ---

TEST_F(Toolchain, MpirunTranslatesOptions) {
  here_.write("app", "");
  expect_exec({"-n", "4", "./app", "-n", "x y"}, {"-n", "4", "--", "./app", "-n", "x y"});
  expect_exec({"-np", "4", "app"}, {"-n", "4", "--", "./app"});
  expect_exec({"--np=4", "--map-by", "socket", "--bind-to", "hwthread", "./app"},
              {"-n", "4", "--map-by", "package", "--bind-to", "core", "--", "./app"});
  expect_exec({"-map-by", "node:OVERSUBSCRIBE", "-bind-to", "none", "./app"},
              {"--map-by", "node", "--oversubscribe", "--bind-to", "none", "--", "./app"});
  expect_exec({"--map-by", "socket:PE=4", "./app"}, {"--map-by", "package:PE=4", "--", "./app"});
  expect_exec({"--map-by", "pe=2", "./app"}, {"--map-by", "core:PE=2", "--", "./app"});
  expect_exec({"--map-by", "slot:PE=2,OVERSUBSCRIBE", "./app"},
              {"--map-by", "core:PE=2", "--oversubscribe", "--", "./app"});
  expect_exec({"--oversubscribe", "--rankfile", "a file", "./app"},
              {"--oversubscribe", "--rankfile", "a file", "--", "./app"});
  expect_exec({"-x", "A=b c", "-x", "HOME", "-genv", "D", "e", "./app"},
              {"-x", "A=b c", "-x", "HOME", "-x", "D=e", "--", "./app"});
  expect_exec({"--hostfile", "hosts", "-wdir", "/tmp", "./app"},
              {"--hostfile", "hosts", "--wdir", "/tmp", "--", "./app"});
  expect_exec({"-f", "hosts", "--timeout", "10", "--", "./app"},
              {"--hostfile", "hosts", "--limit", "10", "--", "./app"});
  expect_exec({"--allow-run-as-root", "-q", "-envall", "ls"}, {"--", "/usr/bin/ls"});
  expect_exec({"--shim", "--critical-path", "./app"}, {"--shim", "--critical-path", "--", "./app"});
  expect_exec({"--error-bars", "-n", "2", "./app", "--error-bars"},
              {"-n", "2", "--error-bars", "--", "./app", "--error-bars"});
  expect_exec({"--record", "app.mpitrace", "./app"}, {"--record", "app.mpitrace", "--", "./app"});
  expect_exec({"--reorder", "treematch", "--json", "out", "--no-summary", "./app"},
              {"--reorder", "treematch", "--json", "out", "--no-summary", "--", "./app"});
}

TEST_F(Toolchain, MpirunNamesOtherMachines) {
  const Ran ran = mpirun({"--machine", "theta", "-n", "2", "./app"});
  EXPECT_EQ(ran.out, "exec\n-n\n2\n--machine\ntheta\n--\n./app\n") << ran.err;
  EXPECT_EQ(mpirun({"--xml", "n.xml", "--nodes", "3", "./app"}).out, "exec\n--xml\nn.xml\n--nodes\n3\n--\n./app\n");
}

// The stand-in prints the lines of the hostfile.
TEST_F(Toolchain, MpirunPlacesRanksOnNodes) {
  const std::string begin = "exec\n--machine\nntw10e5\n";
  EXPECT_EQ(mpirun({"-n", "5", "--map-by", "ppr:2:node", "./app"}).out,
            begin + "-n\n5\n--hostfile\n/dev/fd/9\n--\n./app\n+n0 slots=2\n+n1 slots=2\n+n2 slots=2\n");
  EXPECT_EQ(mpirun({"-n", "2", "-ppn", "1", "./app"}).out,
            begin + "-n\n2\n--hostfile\n/dev/fd/9\n--\n./app\n+n0 slots=1\n+n1 slots=1\n");
  EXPECT_EQ(mpirun({"-host", "node3:2,node0", "./app"}).out,
            begin + "--hostfile\n/dev/fd/9\n--\n./app\nnode3 slots=2\nnode0 slots=1\n");
}

TEST_F(Toolchain, MpirunSaysOnceWhatItIgnores) {
  const Ran ran = mpirun({"--mca", "btl", "self", "--mca", "pml", "ob1", "--report-bindings", "--tag-output", "./app"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err,
            "mpirun: without a meaning on a simulated machine, ignored: --mca btl,--mca "
            "pml,--report-bindings,--tag-output\n");
}

TEST_F(Toolchain, MpirunRefusesInOneLine) {
  here_.write("app", "");
  expect_refused({}, "no program is given");
  expect_refused({"-n", "2"}, "no program is given");
  expect_refused({"-n", "two", "./app"}, "-n two");
  expect_refused({"-n"}, "needs a value");
  expect_refused({"--no-such-option", "./app"}, "--no-such-option is not known");
  expect_refused({"-n", "1", "./app", ":", "-n", "1", "./app"}, "several programs");
  expect_refused({"--map-by", "core:SPAN", "./app"}, "SPAN is not supported");
  expect_refused({"--map-by", "ppr:1:socket", "./app"}, "ppr:1:socket is not supported");
  expect_refused({"--map-by", "rack", "./app"}, "--map-by rack is not known");
  expect_refused({"--rank-by", "node", "./app"}, "--rank-by node is not supported");
  expect_refused({"-ppn", "2", "./app"}, "give -n");
  expect_refused({"no-such-program"}, "no-such-program: not found");
}

// --- without mpirun ---

TEST_F(Toolchain, AnMpiProgramStartsTheLauncher) {
  mpirun({"./app"});  // makes a prefix with the stand-in, whose launcher replaces the program's own one below
  compile({"mpicc", source("clocks.c"), "-o", "clocks"});
  std::string program = read_text(here_.path() / "clocks");
  const std::string launch = read_text(here_.path() / "its mpi/share/strata/launch.sh");
  const fs::path own = prefix() / "share/strata/launch.sh";
  const std::string before = read_text(own);
  std::ofstream(own) << launch;
  const Ran ran = run({"./clocks", "a b"});
  std::ofstream(own) << before;
  const std::string path = fs::canonical(here_.path() / "clocks");
  EXPECT_EQ(ran.out, "exec\n--machine\nntw10e5\n-n\n1\n--\n" + path + "\na b\n") << ran.err;
}

}  // namespace
}  // namespace strata
