// SPDX-License-Identifier: LGPL-2.1-only
// Sees the reductions of MPICH. Some are functions of its library for datatypes (yaksa), for one datatype and several
// operations; the others are functions for one operation and all datatypes. It exports neither:
//
//   f(in, in_out, count, type, 2)             in_out = in + in_out, for integers of 4 bytes
//   g(in, in_out, &count, &datatype)          in_out = the larger one and where it is, for MPI_MAXLOC
//
// To find the function, this calls MPI_Reduce_local with one element whose page cannot be accessed. The access fails in
// the function that we look for. Its handler notes the address of the instruction and makes the page accessible, and
// the operation proceeds. The table of unwinding says where the function with this instruction begins. MPICH keeps this
// address in its data and, for each datatype, in the heap. There, this writes the address of a function that notes the
// combination and calls the one that was there.
//
// Source: MPICH 4.0 to 4.2, src/include/mpir_op.h (MPIR_op_function), mpi.h (handles of operations and datatypes), and
// yaksa, src/frontend/include/yaksa.h.in (yaksa_op_t), src/backend/seq/include/yaksuri_seqi.h (yaksuri_seqi_type_s).
#include <dlfcn.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "native/rank/library_parts.h"
#include "native/rank/library_work.h"

// libgcc's, which has no header.
extern "C" {
struct dwarf_eh_bases {
  void* tbase;
  void* dbase;
  void* func;
};
const void* _Unwind_Find_FDE(void* instruction, dwarf_eh_bases* bases);  // NOLINT(bugprone-reserved-identifier)
}

namespace strata::native {
namespace {

// Operations that a class of datatypes has (MPI 4.0, 6.9.2), by MPICH's handles. The combinations whose function is
// looked for are all that programs may use, because one function may do several of them, and different libraries divide
// them in different ways.
constexpr int kMax = 0x58000001, kSum = 0x58000003, kProd = 0x58000004, kLand = 0x58000005, kLor = 0x58000007,
              kLxor = 0x58000009, kBxor = 0x5800000a, kMinloc = 0x5800000b, kMaxloc = 0x5800000c;
constexpr int kInt = 0x4c000405;
constexpr int kIntegers[] = {
    0x4c000118, 0x4c000102, 0x4c000203, 0x4c000204,  // signed and unsigned char, short
    kInt,       0x4c000406, 0x4c000807, 0x4c000808,  // int, long
    0x4c000809, 0x4c000819,                          // long long
    0x4c000137, 0x4c000238, 0x4c000439, 0x4c00083a,  // int8_t to int64_t
    0x4c00013b, 0x4c00023c, 0x4c00043d, 0x4c00083e,  // uint8_t to uint64_t
};
constexpr int kNumbers[] = {
    0x4c00040a, 0x4c00080b, 0x4c00100c,  // float, double, long double
    0x4c00041b, 0x4c00041c, 0x4c00081f,  // INTEGER, REAL, DOUBLE PRECISION
};
constexpr int kComplex[] = {0x4c000840, 0x4c001041};                 // float and double
constexpr int kTruths[] = {0x4c00013f, 0x4c00041d};                  // bool, LOGICAL
constexpr unsigned kPairs[] = {0x4c000816, 0x8c000000, 0x8c000001};  // two ints, float and int, double and int

struct Probe {
  int operation, datatype;
};
std::vector<Probe> probes() {
  std::vector<Probe> all;
  const auto add = [&](int datatype, int first, int last) {
    for (int operation = first; operation <= last; ++operation) all.push_back({operation, datatype});
  };
  for (const int datatype : kIntegers) add(datatype, kMax, kBxor);
  for (const int datatype : kNumbers) add(datatype, kMax, kProd);
  for (const int datatype : kComplex) add(datatype, kSum, kProd);
  for (const int datatype : kTruths) {
    for (const int operation : {kLand, kLor, kLxor}) all.push_back({operation, datatype});
  }
  for (const unsigned datatype : kPairs) add(static_cast<int>(datatype), kMinloc, kMaxloc);
  return all;
}

// All arguments are in registers, so a function that takes four may be called with five.
using Operation = long (*)(void*, void*, std::uint64_t, const int*, long);

struct Original {
  Operation function = nullptr;
  std::size_t bytes = 0;  // of an element
};
// Not in the heap, which is searched for these addresses.
constexpr std::size_t kMost = 256;
std::array<Original, kMost> originals;
std::size_t found = 0;
long calls = 0;  // of them

std::size_t size_of(int datatype) {
  constexpr unsigned kBasic = 0x4c000000, kKind = 0xff000000;  // a basic datatype's handle has its size
  if ((static_cast<unsigned>(datatype) & kKind) == kBasic) return static_cast<unsigned>(datatype) >> 8U & 0xffU;
  static auto* const size = reinterpret_cast<int (*)(int, int*)>(::dlsym(RTLD_DEFAULT, "PMPI_Type_size"));
  int bytes = 0;
  return size != nullptr && size(datatype, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

template <std::size_t kNumber>
long operate(void* in, void* in_out, std::uint64_t count, const int* type, long operation) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 40U;  // a larger number is an address on the stack
  constexpr int kReplace = 10;                                      // YAKSA_OP__REPLACE
  const Original& original = originals[kNumber];
  ++calls;
  if (count > kMostElements) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): MPI_Aint*
    note_work(Kind::kCombine, *reinterpret_cast<const std::uint64_t*>(count) * size_of(*type), in, in_out);
  } else {
    note_work(static_cast<int>(operation) == kReplace ? Kind::kCopy : Kind::kCombine, count * original.bytes, in,
              in_out);
  }
  return original.function(in, in_out, count, type, operation);
}

template <std::size_t... kNumbers>
constexpr std::array<Operation, sizeof...(kNumbers)> all_operations(std::index_sequence<kNumbers...> /*numbers*/) {
  return {&operate<kNumbers>...};
}
constexpr auto kNoting = all_operations(std::make_index_sequence<kMost>());

// For the handler.
void* closed_page = nullptr;
std::size_t page_bytes = 0;
void* accessing = nullptr;  // the instruction

void note_access(int signal, siginfo_t* info, void* context) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto begin = reinterpret_cast<std::uintptr_t>(closed_page);
  if (at < begin || at >= begin + page_bytes) {  // not ours: it happens again, as if this were not here
    std::signal(signal, SIG_DFL);
    return;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an instruction
  accessing = reinterpret_cast<void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  ::mprotect(closed_page, page_bytes, PROT_READ | PROT_WRITE);
}

using Reduce = int (*)(const void*, void*, int, int, int);
Reduce reduce_local() {
  static auto* const function = reinterpret_cast<Reduce>(::dlsym(RTLD_DEFAULT, "PMPI_Reduce_local"));
  return function;
}

// The beginning of the function that combines, or null.
void* function_for(const Probe& probe) {
  accessing = nullptr;
  ::mprotect(closed_page, page_bytes, PROT_NONE);
  alignas(16) const std::array<char, 32> element = {};
  const bool done = reduce_local()(element.data(), closed_page, 1, probe.datatype, probe.operation) == 0;
  if (!done || accessing == nullptr) return nullptr;
  dwarf_eh_bases bases = {};
  return _Unwind_Find_FDE(accessing, &bases) == nullptr ? nullptr : bases.func;
}

// Distinct functions, in the order of the probes; none if they cannot be found.
void find_functions() {
  page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  closed_page = ::mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (closed_page == MAP_FAILED || reduce_local() == nullptr) return;
  struct sigaction before = {}, ours = {};
  ours.sa_sigaction = note_access;
  ours.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &ours, &before);
  for (const Probe& probe : probes()) {
    auto* const function = reinterpret_cast<Operation>(function_for(probe));
    const bool is_known = std::any_of(originals.cbegin(), originals.cbegin() + found,
                                      [&](const Original& o) { return o.function == function; });
    if (function != nullptr && !is_known && found < kMost) originals[found++] = {function, size_of(probe.datatype)};
  }
  ::sigaction(SIGSEGV, &before, nullptr);
  ::munmap(closed_page, page_bytes);
}

Part heap() {
  Part part;
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return part;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0, end = 0;
    if (std::strstr(line, "[heap]") != nullptr && std::sscanf(line, "%lx-%lx", &begin, &end) == 2) part = {begin, end};
  }
  std::fclose(maps);
  return part;
}

void replace_in(const Part& part) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): data
  auto** const words = reinterpret_cast<void**>(part.begin);
  const auto address = [](const Original& o) { return reinterpret_cast<void*>(o.function); };
  const auto* const begin = originals.cbegin();
  const auto* const end = begin + found;
  const auto [first, last] =
      std::minmax_element(begin, end, [&](const auto& a, const auto& b) { return address(a) < address(b); });
  for (std::size_t i = 0; i < (part.end - part.begin) / sizeof(void*); ++i) {
    if (words[i] < address(*first) || words[i] > address(*last)) continue;
    const auto* const at = std::find_if(begin, end, [&](const Original& o) { return address(o) == words[i]; });
    if (at != end) replace_address(words + i, reinterpret_cast<void*>(kNoting[static_cast<std::size_t>(at - begin)]));
  }
}

}  // namespace

bool find_operations_of_mpich() {
  find_functions();
  if (found == 0) return false;
  for (const Part& part : parts_with(PF_W, "/libmpich.so")) replace_in(part);
  replace_in(heap());
  const long before = calls;
  const int one = 1;
  int sum = 1;
  return reduce_local()(&one, &sum, 1, kInt, kSum) == 0 && calls > before;
}

}  // namespace strata::native
