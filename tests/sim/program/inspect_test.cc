// SPDX-License-Identifier: LGPL-2.1-only
// Checks of programs before they run: programs of a line or two, compiled here, and the verdict on each.
#include "sim/program/inspect.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/process/process.h"

namespace strata::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kMain = "int MPI_Init(int*, char***); int main(int c, char** v) { return MPI_Init(&c, &v); }\n";

class Inspected : public ::testing::Test {
 protected:
  // Compiles C (or, by the name's end, C++) to a shared object as smpicc does, or with other options.
  std::string build(const std::string& name, const std::string& text, const std::vector<std::string>& options = {},
                    bool shared = true) {
    const bool cxx = text.find("//c++") != std::string::npos;
    const std::string source = folder_.write(name + (cxx ? ".cc" : ".c"), text);
    std::string out = path(name);
    std::vector<std::string> words = {cxx ? "g++" : "gcc", "-w", "-fPIC", source, "-o", out};
    words.insert(words.end(), {"-Wl,--no-as-needed", "-Wl,-z,lazy"});
    if (shared) words.push_back("-shared");
    if (name.starts_with("lib")) words.push_back("-Wl,-soname," + name);
    words.insert(words.end(), options.begin(), options.end());
    const Ran ran = Process(words).wait();
    EXPECT_EQ(ran.code, 0) << ran.err;
    return out;
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }

  static std::string error_of(const std::string& program, const std::string& supply = "") {
    try {
      inspect_program(program, supply);
    } catch (const InputError& error) {
      std::string line = error.what();
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
      return line;
    }
    return "none";
  }

  TemporaryFolder folder_;
};

TEST_F(Inspected, AGoodProgram) {
  const ProgramFacts facts = inspect_program(build("good", kMain, {"-lm"}), "");
  EXPECT_THAT(facts.missing_functions, IsEmpty());
  EXPECT_THAT(facts.private_libraries, IsEmpty());
  EXPECT_THAT(facts.warnings("good"), IsEmpty());
}

TEST_F(Inspected, FilesThatAreNotPrograms) {
  EXPECT_EQ(error_of(path("none")), path("none") + ": No such file or directory; give the path of a program");
  EXPECT_EQ(error_of(folder_.path()), folder_.path().string() + ": is a folder; give the path of a program");
  EXPECT_THAT(error_of(folder_.write("script", "#!/bin/sh\n./a.out\n")),
              HasSubstr(": is a script; give the MPI program"));
  EXPECT_THAT(error_of(folder_.write("text", "hello\n")), HasSubstr(": is not a program (ELF file)"));
  EXPECT_THAT(error_of(folder_.write("empty", "")), HasSubstr(": is not a program (ELF file)"));
  EXPECT_THAT(error_of(build("object", kMain, {"-c"}, false)), HasSubstr(": is an object file; link it"));
}

TEST_F(Inspected, ProgramsThatSmpiCannotLoad) {
  const std::string stub = build("libstub.so", "int MPI_Init(int* c, char*** v) { return 0; }");
  const std::vector<std::string> with_stub = {stub, "-Wl,-rpath," + folder_.path().string()};
  auto pie = with_stub, fixed = with_stub;
  pie.push_back("-pie");
  fixed.push_back("-no-pie");
  EXPECT_THAT(error_of(build("pie", kMain, pie, false)),
              HasSubstr(": is an executable, which SMPI cannot load; build it with the compilers of `strata mpi`"));
  EXPECT_THAT(error_of(build("fixed", kMain, fixed, false)), HasSubstr(": is an executable, which SMPI cannot load"));
  EXPECT_THAT(error_of(build("static", "int main() { return 0; }", {"-static"}, false)),
              HasSubstr(": is statically linked"));
  EXPECT_THAT(error_of(build("plain", "int main() { return 0; }")), HasSubstr(": calls no function of MPI"));
  const std::string weak = "#pragma weak MPI_Init\n";  // a weak reference only tests whether the function exists
  EXPECT_THAT(error_of(build("asks", weak + kMain)), HasSubstr(": calls no function of MPI"));
  const std::string all_weak = "#pragma weak MPI_Barrier\nint MPI_Barrier(); int f() { return MPI_Barrier(); }\n";
  EXPECT_EQ(error_of(build("weak", weak + all_weak + kMain)), "none") << "as smpicc makes them";
  EXPECT_THAT(error_of("/bin/ls"), HasSubstr("/bin/ls: calls no function of MPI"));
  EXPECT_THAT(error_of(build("library", "int MPI_Init(); int f() { return MPI_Init(); }")),
              HasSubstr(": has no function main; give a program"));

  std::string bytes = read_text(build("foreign", kMain));
  Elf64_Ehdr header;
  bytes.copy(reinterpret_cast<char*>(&header), sizeof header);
  header.e_machine = header.e_machine == EM_S390 ? EM_PPC64 : EM_S390;
  bytes.replace(0, sizeof header, reinterpret_cast<const char*>(&header), sizeof header);
  EXPECT_THAT(error_of(folder_.write("foreign", bytes)), HasSubstr(": is built for another processor"));
}

TEST_F(Inspected, AProgramForAnotherMpi) {
  for (const auto& [library, name] : std::vector<std::pair<std::string, std::string>>{
           {"libmpi.so.40", "Open MPI"}, {"libmpi.so.12", "MPICH"}, {"libmpich.so.12", "MPICH"}}) {
    const std::string stub = build(library, "int MPI_Init(int* c, char*** v) { return 0; }");
    EXPECT_EQ(error_of(build("program", kMain, {stub}, false)), path("program") + ": is built for " + name +
                                                                    " (it needs " + library +
                                                                    "); build it with the compilers of `strata mpi`");
    const std::string own = build("libown.so", "int MPI_Send(); int f() { return MPI_Send(); }", {stub});
    EXPECT_THAT(error_of(build("program", kMain, {own, "-Wl,-rpath,$ORIGIN"})),
                HasSubstr("libown.so: is built for " + name));
  }
  const std::string stub = build("libsimgrid.so.3.17", "int f;");
  EXPECT_THAT(error_of(build("program", kMain, {stub})),
              HasSubstr(": is built for another SimGrid (it needs libsimgrid.so.3.17); build it again"));
}

TEST_F(Inspected, FunctionsThatSmpiLacks) {
  // Functions that SMPI has, functions that it only declares, and functions that it lacks, in C and in Fortran.
  const std::string program = build(
      "program",
      "#pragma weak MPI_Comm_spawn\n"  // as SMPI's header declares all functions
      "int MPI_Send(), MPI_Comm_spawn(), MPI_Dist_graph_create(), MPI_Session_init(), PMPI_Graph_get();\n"
      "int mpi_send_(), mpi_intercomm_create_(), mpi_session_finalize_(), MPI_Win_sync(), MPIX_Mine(), MPI_own();\n"
      "int MPI_own() { return 0; }\n"
      "int main() { return MPI_Send() + MPI_Comm_spawn() + MPI_Dist_graph_create() + MPI_Session_init() +\n"
      "  PMPI_Graph_get() + mpi_send_() + mpi_intercomm_create_() + mpi_session_finalize_() + MPI_Win_sync() +\n"
      "  MPIX_Mine() + MPI_own(); }\n");
  const ProgramFacts alone = inspect_program(program, "");
  EXPECT_THAT(alone.missing_functions, ElementsAre("MPI_Comm_spawn", "MPI_Dist_graph_create", "MPI_Graph_get",
                                                   "MPI_Intercomm_create", "MPI_Session_finalize", "MPI_Session_init"));
  EXPECT_THAT(alone.warnings(program),
              ElementsAre(program + ": refers to MPI_Comm_spawn, MPI_Dist_graph_create, MPI_Graph_get, "
                                    "MPI_Intercomm_create, MPI_Session_finalize, MPI_Session_init, "
                                    "which the simulated MPI does not have; it will end where it calls "
                                    "one"));

  // If SMPI declares a function, the library must have its PMPI_ name; otherwise, the name itself.
  const std::string supply = build("supply",
                                   "int PMPI_Dist_graph_create() { return 0; } int PMPI_Graph_get() { return 0; }\n"
                                   "int PMPI_Intercomm_create() { return 0; } int MPI_Session_init() { return 0; }\n"
                                   "int MPI_Comm_spawn() { return 0; }\n");
  EXPECT_THAT(inspect_program(program, supply).missing_functions,
              ElementsAre("MPI_Comm_spawn", "MPI_Graph_get", "MPI_Session_finalize"));

  // A library of the user calls a function that SMPI lacks.
  const std::string own = build("libown.so", "int MPI_Mprobe(); int f() { return MPI_Mprobe(); }");
  const std::string user =
      build("user", std::string(kMain) + "int f(); int g() { return f(); }", {own, "-Wl,-rpath,$ORIGIN"});
  EXPECT_THAT(inspect_program(user, "").missing_functions, ElementsAre("MPI_Mprobe"));
}

TEST_F(Inspected, AnUndefinedFunctionIsAnErrorWhereItIsLookedUpAtOnce) {
  const char* text = "int MPI_Session_init(), MPI_Mprobe(); int main() { return MPI_Session_init() + MPI_Mprobe(); }";
  EXPECT_THAT(error_of(build("now", text, {"-Wl,-z,now"})),
              HasSubstr("now: needs MPI_Session_init, which the simulated MPI does not have; link it without -z now"));
}

TEST_F(Inspected, LibrariesOfTheProgramsOwn) {
  const std::string inner = build("libinner.so", "int inner_state[100]; int inner() { return inner_state[3]; }");
  const std::string pure = build("libpure.so", "int inner(); int pure(int x) { return x + inner(); }", {inner});
  const std::string data =
      build("libdata.so", "int state = 7; static char more[40]; int data() { return state + more[3]; }");
  const std::string program =
      build("program", std::string(kMain) + "int pure(int), data(); int f() { return pure(data()); }",
            {pure, data, "-Wl,-rpath,$ORIGIN"});
  ::setenv("LD_LIBRARY_PATH", folder_.path().c_str(), 1);  // libpure.so has no path of libinner.so
  const ProgramFacts facts = inspect_program(program, "");
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_THAT(facts.private_libraries, ElementsAre(std::filesystem::path(data), std::filesystem::path(inner)));
  EXPECT_THAT(inspect_program(build("old", std::string(kMain) + "int pure(int); int f() { return pure(1); }",
                                    {pure, "-Wl,--disable-new-dtags,-rpath,$ORIGIN"}),
                              "")
                  .private_libraries,
              ElementsAre(std::filesystem::path(inner)))
      << "a DT_RPATH is for the libraries of libraries too";
  EXPECT_EQ(error_of(program), pure + ": needs libinner.so, which is not found; add its folder to LD_LIBRARY_PATH");
}

TEST_F(Inspected, VariablesThatAllCopiesShare) {
  const std::string text = std::string("//c++\nextern \"C\" ") + kMain +
                           "template <class T> struct Cache { static int size; static const int limit; };\n"
                           "template <class T> int Cache<T>::size = 1;\n"
                           "template <class T> const int Cache<T>::limit = 1;\n"
                           "inline int counter = 3;\n"
                           "inline int& local() { static int state = counter; return state; }\n"
                           "int f() { return Cache<int>::size + *&Cache<long>::limit + counter + local(); }\n";
  const std::string program = build("program", text);
  const ProgramFacts facts = inspect_program(program, "");
  EXPECT_THAT(facts.shared_variables, ElementsAre("Cache<int>::size", "counter", "local()::state"));
  EXPECT_THAT(facts.warnings("p"), ElementsAre("p: all ranks share the variables Cache<int>::size, counter, "
                                               "local()::state; compile it with -fno-gnu-unique"));
  EXPECT_THAT(inspect_program(build("other", text, {"-fno-gnu-unique"}), "").shared_variables, IsEmpty());
}

TEST_F(Inspected, ThreadLocalVariables) {
  const std::string text = std::string("__thread int mine; int* f() { return &mine; }\n") + kMain;
  EXPECT_FALSE(inspect_program(build("usual", text), "").static_tls);
  const ProgramFacts facts = inspect_program(build("static", text, {"-ftls-model=initial-exec"}), "");
  EXPECT_TRUE(facts.static_tls);
  EXPECT_THAT(facts.warnings("p"), ElementsAre(HasSubstr("p: its thread-local variables")));
}

// A damaged file gives an error of one line, or facts, but no crash.
TEST_F(Inspected, DamagedFiles) {
  const std::string whole = read_text(build("program", kMain));
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    std::string bytes = whole;
    if (i % 2 == 0) bytes.resize(random() % whole.size());
    for (int flips = 0; flips < i % 7; ++flips) {
      if (!bytes.empty()) bytes[random() % std::min<std::size_t>(bytes.size(), 8192)] = static_cast<char>(random());
    }
    refused += error_of(folder_.write("damaged", bytes)) != "none" ? 1 : 0;
  }
  EXPECT_GT(refused, 250);
}

}  // namespace
}  // namespace strata::sim
