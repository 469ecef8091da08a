// SPDX-License-Identifier: LGPL-2.1-only
// Which MPI library a program uses, of real programs, and of loaders' texts.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "native/launch/library.h"
#include "tests/error_of.h"
#include "tests/process/process.h"

namespace strata::native {
namespace {

using Kind = Library::Kind;

TEST(FindLibrary, OpenMpi) {
  const Library library = find_library(built("tests/native/launch_mpi_program_openmpi"));
  EXPECT_EQ(library.kind, Kind::kOpenMpi);
  EXPECT_EQ(library.file.filename(), "libmpi.so.40");
  const Ran info = Process({"ompi_info", "--version"}, {.environment = {{"HOME", "/tmp"}}}).wait();
  EXPECT_EQ("Open MPI v" + library.version, lines_of(info.out).at(0));
}

TEST(FindLibrary, Mpich) {
  const Library library = find_library(built("tests/native/launch_mpi_program_mpich"));
  EXPECT_EQ(library.kind, Kind::kMpich);
  const Ran info = Process({"mpichversion"}).wait();
  EXPECT_EQ(version_in(lines_of(info.out).at(0)), library.version);
}

TEST(FindLibrary, ScriptsAndProgramsWithoutMpi) {
  const TemporaryFolder folder;
  EXPECT_EQ(find_library(folder.write("run.sh", "#!/bin/sh\nexec ./a.out\n")).kind, Kind::kUnknown);
  EXPECT_EQ(find_library("/usr/bin/python3").kind, Kind::kUnknown);
  EXPECT_EQ(find_library("/bin/sh").kind, Kind::kUnknown);
}

std::string compiled(const TemporaryFolder& folder, const std::string& name, const std::string& source,
                     const std::vector<std::string>& options, const char* compiler = "gcc") {
  std::string program = (folder.path() / name).string();
  std::vector<std::string> command = {compiler, folder.write(name + ".c", source), "-o", program};
  command.insert(command.end(), options.begin(), options.end());
  EXPECT_EQ(Process(command).wait().code, 0);
  return program;
}

TEST(FindLibrary, Smpi) {
  const TemporaryFolder folder;
  const std::string program =
      compiled(folder, "smpi", "#include <mpi.h>\nint main() { return MPI_Init(0, 0); }\n", {}, "smpicc");
  EXPECT_EQ(find_library(program).kind, Kind::kSmpi);
}

TEST(FindLibrary, RefusesWhatCannotUseUcx) {
  const TemporaryFolder folder;
  const std::string fixed = compiled(folder, "fixed", "int main() {}\n", {"-static"});
  EXPECT_EQ(
      error_of([&] { find_library(fixed); }),
      fixed + ": is linked statically; link it with the shared library of Open MPI or MPICH: mpicc without -static");
  const std::string shared = compiled(folder, "shared.so", "int f() { return 1; }\n", {"-shared", "-fPIC"});
  EXPECT_EQ(error_of([&] { find_library(shared); }),
            shared +
                ": is a shared library, not a program; link it with the shared library of Open MPI or MPICH: mpicc "
                "without -static");
  // A program with an MPI library in it: libmpich.a has this text, which strip keeps.
  const std::string within =
      compiled(folder, "within", "const char text[] = \"MPICH Version:\";\nint main() { return text[0] == 0; }\n", {});
  EXPECT_EQ(error_of([&] { find_library(within); }),
            within +
                ": contains a static MPI library; link it with the shared library of Open MPI or MPICH: mpicc "
                "without -static");
}

TEST(FindLibrary, RefusesScriptsThatCannotRun) {
  const TemporaryFolder folder;
  const std::string script = folder.write("run", "#!/nowhere/sh -e\n");
  EXPECT_EQ(error_of([&] { find_library(script); }),
            script + ": its interpreter '/nowhere/sh' does not exist; correct its first line");
  const std::string text = folder.write("text", "hello\n");
  EXPECT_EQ(error_of([&] { find_library(text); }),
            text + ": is neither a program nor a script; begin a script with a line such as #!/bin/sh");
}

TEST(FindLibrary, RefusesAProgramOfAnotherUser) {
  const TemporaryFolder folder;
  const std::string program = compiled(folder, "app", "int main() {}\n", {});
  if (::chown(program.c_str(), 65534, ::getgid()) != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(::chmod(program.c_str(), 04755), 0);
  EXPECT_EQ(error_of([&] { find_library(program); }),
            program + ": runs with the rights of another user (setuid); take them away: chmod ug-s " + program);
}

TEST(FindLibrary, RefusesAProgramWithBothLibraries) {
  const TemporaryFolder folder;
  std::vector<std::string> libraries;
  for (const char* const name : {"libmpi.so.40", "libmpich.so.12"})
    libraries.push_back(compiled(folder, name,
                                 std::string("int ") + (name[6] == '.' ? "a" : "b") + "() { return 0; }\n",
                                 {"-shared", "-fPIC", std::string("-Wl,-soname,") + name}));
  libraries.push_back("-Wl,-rpath," + folder.path().string());
  const std::string program = compiled(folder, "app", "int a(), b();\nint main() { return a() + b(); }\n", libraries);
  EXPECT_EQ(error_of([&] { find_library(program); }),
            program + ": is linked to Open MPI and to MPICH; link it with one of them; ldd shows what needs it");
}

TEST(FindLibrary, RefusesALibraryWithoutUcx) {
  // A library of this soname that tells a version and has no component beside it.
  const TemporaryFolder folder;
  const std::string library = compiled(folder, "libmpi.so.40",
                                       "#include <string.h>\nint MPI_Get_library_version(char* t, int* n) { strcpy(t, "
                                       "\"Open MPI v9.8.7, x\"); return 0; }\n",
                                       {"-shared", "-fPIC", "-Wl,-soname,libmpi.so.40"});
  const std::string program =
      compiled(folder, "app",
               "int MPI_Get_library_version(char*, int*);\nint main() { return MPI_Get_library_version(0, 0); }\n",
               {library, "-Wl,-rpath," + folder.path().string()});
  EXPECT_EQ(error_of([&] { find_library(program); }),
            program + ": uses Open MPI without UCX, " + library +
                "; use one with UCX, for example Debian's, or configure yours --with-ucx");
  std::filesystem::create_directories(folder.path() / "openmpi");
  folder.write("openmpi/mca_pml_ucx.so", "");
  const Library found = find_library(program);
  EXPECT_EQ(found.kind, Kind::kOpenMpi);
  EXPECT_EQ(found.file, library);
  EXPECT_EQ(found.version, "9.8.7");
}

TEST(FindLibrary, RefusesAProgramWhoseLibraryIsGone) {
  const TemporaryFolder folder;
  const std::string library =
      compiled(folder, "libgone.so", "int f() { return 0; }\n", {"-shared", "-fPIC", "-Wl,-soname,libgone.so"});
  const std::string program = compiled(folder, "app", "int f();\nint main() { return f(); }\n", {library});
  EXPECT_EQ(error_of([&] { find_library(program); }),
            program + ": cannot be loaded: " + program +
                ": error while loading shared libraries: libgone.so: cannot open shared object file: No such file or "
                "directory; set LD_LIBRARY_PATH to the folders of its libraries");
}

TEST(FindLibrary, RefusesAnotherArchitecture) {
  // The header of an ELF file for aarch64 (machine 183).
  const TemporaryFolder folder;
  std::string bytes = read_text("/bin/true");
  bytes[18] = static_cast<char>(bytes[18] == 62 ? 183 : 62);
  const std::string program = folder.write("arm", bytes);
  EXPECT_EQ(error_of([&] { find_library(program); }),
            program + ": is for another architecture than this computer; compile it here");
}

TEST(FindProgram, ByPathAndInPath) {
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_TRUE(find_program("sh").is_absolute());
  EXPECT_EQ(error_of([] { find_program("/nowhere/a"); }), "/nowhere/a: does not exist; give the path of a program");
  EXPECT_EQ(error_of([] { find_program("no-such-program"); }),
            "no-such-program: is not in a folder of PATH; give its path, for example ./no-such-program");
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  EXPECT_EQ(error_of([&] { find_program(file); }), file + ": may not be run; run chmod +x " + file);
}

TEST(VersionIn, Texts) {
  EXPECT_EQ(version_in("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022"),
            "4.1.4");
  EXPECT_EQ(version_in("MPICH Version:      4.0.2\nMPICH Release date: Thu Apr  7 12:34:45 CDT 2022\n"), "4.0.2");
  EXPECT_EQ(version_in("MPICH Version:\t4.2.0rc1\n"), "4.2.0rc1");
  EXPECT_EQ(version_in("no version 7"), "");
}

TEST(ParseLoaderList, Lines) {
  const std::vector<Loaded> expected = {{"libmpi.so.40", "/usr/lib/libmpi.so.40"},
                                        {"libx.so", ""},
                                        {"ld-linux-x86-64.so.2", "/lib64/ld-linux-x86-64.so.2"}};
  EXPECT_EQ(parse_loader_list("\tlinux-vdso.so.1 (0x00007ffe)\n\tlibmpi.so.40 => /usr/lib/libmpi.so.40 (0x00007f)\n"
                              "\tlibx.so => not found\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f2)\nwarning: x\n"),
            expected);
}

}  // namespace
}  // namespace strata::native
