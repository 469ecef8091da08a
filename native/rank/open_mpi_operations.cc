// SPDX-License-Identifier: LGPL-2.1-only
// Sees the reductions of Open MPI. Its predefined operations are objects that every library of Open MPI 4.1 and 5.0
// exports, for example ompi_mpi_op_sum. An object has two tables of functions, one function for each datatype:
//
//   f(in, in_out, &count, &datatype, module)            in_out = in op in_out
//   f(in_1, in_2, out, &count, &datatype, module)       out = in_1 op in_2
//
// This writes functions into the tables that note the combination and call the ones that were there. It finds the
// tables as the two runs of addresses of code in the object, whose other addresses are those of data.
//
// Source: Open MPI, ompi/op/op.h (ompi_op_t) and ompi/mca/op/op.h (ompi_op_base_handler_fn_1_0_0_t,
// ompi_op_base_3buff_handler_fn_1_0_0_t), versions 4.1 and 5.0.
#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "native/rank/library_parts.h"
#include "native/rank/library_work.h"

namespace strata::native {
namespace {

constexpr std::array<const char*, 12> kObjects = {"ompi_mpi_op_max",  "ompi_mpi_op_min",    "ompi_mpi_op_sum",
                                                  "ompi_mpi_op_prod", "ompi_mpi_op_land",   "ompi_mpi_op_band",
                                                  "ompi_mpi_op_lor",  "ompi_mpi_op_bor",    "ompi_mpi_op_lxor",
                                                  "ompi_mpi_op_bxor", "ompi_mpi_op_maxloc", "ompi_mpi_op_minloc"};

// All arguments are pointers, so a function that takes five may be called with six.
using Operation = void (*)(void*, void*, void*, void*, void*, void*);

struct Original {
  Operation function = nullptr;
  bool has_three = false;  // buffers
};
constexpr std::size_t kMost = 1024;
std::array<Original, kMost> originals;
std::size_t found = 0;
long calls = 0;  // of them

int size_of(void* datatype) {
  static auto* const size = reinterpret_cast<int (*)(void*, int*)>(::dlsym(RTLD_DEFAULT, "PMPI_Type_size"));
  int bytes = 0;
  return size != nullptr && size(datatype, &bytes) == 0 ? bytes : 0;
}

template <std::size_t kNumber>
void operate(void* a, void* b, void* c, void* d, void* e, void* f) {
  const Original& original = originals[kNumber];
  ++calls;
  const auto count = static_cast<std::size_t>(std::max(0, *static_cast<int*>(original.has_three ? d : c)));
  void* const datatype = *static_cast<void**>(original.has_three ? e : d);
  note_work(Kind::kCombine, count * static_cast<std::size_t>(size_of(datatype)), a, original.has_three ? c : b);
  original.function(a, b, c, d, e, f);
}

template <std::size_t... kNumbers>
constexpr std::array<Operation, sizeof...(kNumbers)> all_operations(std::index_sequence<kNumbers...> /*numbers*/) {
  return {&operate<kNumbers>...};
}
constexpr std::array<Operation, kMost> kOperations = all_operations(std::make_index_sequence<kMost>());

void replace_in(const std::vector<Part>& code_of_all, void** words, std::size_t count) {
  enum { kBefore, kTwoBuffers, kBetween, kThreeBuffers } where = kBefore;
  for (std::size_t i = 0; i < count; ++i) {
    void* const word = words[i];
    if (word == nullptr) continue;  // the operation is not defined for this datatype
    const bool code = is_in(code_of_all, word);
    if (where == kBefore && code) where = kTwoBuffers;
    if (where == kTwoBuffers && !code) where = kBetween;
    if (where == kBetween && code) where = kThreeBuffers;
    if (!code || found == kMost) continue;
    originals[found] = {reinterpret_cast<Operation>(word), where == kThreeBuffers};
    words[i] = reinterpret_cast<void*>(kOperations[found++]);
  }
}

}  // namespace

bool find_operations_of_open_mpi() {
  const std::vector<Part> code = parts_with(PF_X);
  for (const char* const name : kObjects) {
    void* const object = ::dlsym(RTLD_DEFAULT, name);
    Dl_info info;
    void* symbol = nullptr;
    if (object == nullptr || ::dladdr1(object, &info, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) continue;
    replace_in(code, static_cast<void**>(object), static_cast<const ElfW(Sym)*>(symbol)->st_size / sizeof(void*));
  }
  using Reduce = int (*)(const void*, void*, int, void*, void*);
  auto* const reduce = reinterpret_cast<Reduce>(::dlsym(RTLD_DEFAULT, "PMPI_Reduce_local"));
  void* const integer = ::dlsym(RTLD_DEFAULT, "ompi_mpi_int");
  void* const sum = ::dlsym(RTLD_DEFAULT, "ompi_mpi_op_sum");
  if (reduce == nullptr || integer == nullptr || sum == nullptr) return false;
  const long before = calls;
  const int one = 1;
  int result = 1;
  return reduce(&one, &result, 1, integer, sum) == 0 && calls > before;
}

}  // namespace strata::native
