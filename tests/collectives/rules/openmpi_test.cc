// SPDX-License-Identifier: LGPL-2.1-only
// Compares fixed decisions, files of rules and look-ups with those of the Open MPI 4.1 that is installed, by calling
// the functions of its component tuned. The decision functions call ompi_coll_tuned_OPERATION_intra_do_this with the
// algorithm; this program defines these functions, which are found before the component's, and notes the algorithm. No
// MPI program runs: the communicator, the datatype and the operation are memory filled with the one number that the
// decisions read from them.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/rules/fixed_decisions.h"
#include "collectives/rules/look_up.h"
#include "collectives/rules/tuned_file.h"
#include "tests/collectives/rules/random_rules.h"
#include "tests/collectives/rules/rule_texts.h"

namespace {

int noted_algorithm = -1;

int note(int algorithm) {
  noted_algorithm = algorithm;
  return 0;
}

}  // namespace

// With the parameters of Open MPI 4.1.4, whose pointers are void* here.
extern "C" {
int ompi_coll_tuned_allreduce_intra_do_this(void*, void*, int, void*, void*, void*, void*, int algorithm, int, int) {
  return note(algorithm);
}
int ompi_coll_tuned_alltoall_intra_do_this(void*, int, void*, void*, int, void*, void*, void*, int algorithm, int, int,
                                           int) {
  return note(algorithm);
}
int ompi_coll_tuned_alltoallv_intra_do_this(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                                            int algorithm) {
  return note(algorithm);
}
int ompi_coll_tuned_barrier_intra_do_this(void*, void*, int algorithm, int, int) { return note(algorithm); }
int ompi_coll_tuned_bcast_intra_do_this(void*, int, void*, int, void*, void*, int algorithm, int, int) {
  return note(algorithm);
}
int ompi_coll_tuned_reduce_intra_do_this(void*, void*, int, void*, void*, int, void*, void*, int algorithm, int, int,
                                         int) {
  return note(algorithm);
}
int ompi_coll_tuned_reduce_scatter_intra_do_this(void*, void*, void*, void*, void*, void*, void*, int algorithm, int,
                                                 int) {
  return note(algorithm);
}
int ompi_coll_tuned_reduce_scatter_block_intra_do_this(void*, void*, int, void*, void*, void*, void*, int algorithm,
                                                       int, int) {
  return note(algorithm);
}
int ompi_coll_tuned_allgather_intra_do_this(void*, int, void*, void*, int, void*, void*, void*, int algorithm, int,
                                            int) {
  return note(algorithm);
}
int ompi_coll_tuned_allgatherv_intra_do_this(void*, int, void*, void*, void*, void*, void*, void*, void*, int algorithm,
                                             int, int) {
  return note(algorithm);
}
int ompi_coll_tuned_gather_intra_do_this(void*, int, void*, void*, int, void*, int, void*, void*, int algorithm, int,
                                         int) {
  return note(algorithm);
}
int ompi_coll_tuned_scatter_intra_do_this(void*, int, void*, void*, int, void*, int, void*, void*, int algorithm, int,
                                          int) {
  return note(algorithm);
}
}

namespace strata::collectives {
namespace {

constexpr Library kInstalled{Library::Family::kOpenMpi, 4, 1, 4};

class Tuned : public testing::Test {
 protected:
  void SetUp() override {
    constexpr const char* kFile = "/usr/lib/x86_64-linux-gnu/openmpi/lib/openmpi3/mca_coll_tuned.so";
    if (!std::filesystem::exists(kFile)) GTEST_SKIP() << "no Open MPI 4.1 with a component tuned of its own";
    static void* const found = [&] {
      ::dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
      return ::dlopen(kFile, RTLD_NOW);
    }();
    ASSERT_NE(found, nullptr) << ::dlerror();
    std::array<char, 1024> version{};
    int length = 0;
    function<int(char*, int*)>("MPI_Get_library_version", found)(version.data(), &length);
    if (std::string_view(version.data()).find("v4.1.") == std::string_view::npos) GTEST_SKIP() << version.data();
    library_ = found;
  }

  template <class Function>
  Function* function(const std::string& name) const {
    return function<Function>(name, library_);
  }

  template <class Function>
  static Function* function(const std::string& name, void* library) {
    void* const symbol = ::dlsym(library, name.c_str());
    EXPECT_NE(symbol, nullptr) << name;
    return reinterpret_cast<Function*>(symbol);
  }

  // The algorithm of the fixed decision.
  int decide(const Call& call) {
    std::array<std::int32_t, 1024> group;
    group.fill(call.ranks);  // grp_proc_count
    std::array<void*, 512> communicator;
    communicator.fill(group.data());  // c_local_group
    std::array<std::int64_t, 512> type;
    type.fill(1);  // its size in bytes
    std::array<unsigned char, 4096> op;
    op.fill(call.is_commutative ? 0xff : 0);  // o_flags
    void *const c = communicator.data(), *const t = type.data(), *const o = op.data();
    std::array<char, 8> buffer{};
    void* const b = buffer.data();
    const int n = static_cast<int>(call.bytes);
    counts_.assign(has_counts(call.operation) ? static_cast<size_t>(call.ranks) : 0, n);
    void *const each = counts_.data(), *const at = counts_.data();  // displacements are not read
    const std::string name = std::string("ompi_coll_tuned_") + name_of(call.operation) + "_intra_dec_fixed";
    noted_algorithm = -1;
    using P = void*;
    switch (call.operation) {
      case Operation::kAllreduce:
        function<int(P, P, int, P, P, P, P)>(name)(b, b, n, t, o, c, b);
        break;
      case Operation::kAllgather:
      case Operation::kAlltoall:
        function<int(P, int, P, P, int, P, P, P)>(name)(b, n, t, b, n, t, c, b);
        break;
      case Operation::kAlltoallv:
        function<int(P, P, P, P, P, P, P, P, P, P)>(name)(b, each, at, t, b, each, at, t, c, b);
        break;
      case Operation::kBarrier:
        function<int(P, P)>(name)(c, b);
        break;
      case Operation::kBcast:
        function<int(P, int, P, int, P, P)>(name)(b, n, t, 0, c, b);
        break;
      case Operation::kReduce:
        function<int(P, P, int, P, P, int, P, P)>(name)(b, b, n, t, o, 0, c, b);
        break;
      case Operation::kReduceScatter:
        function<int(P, P, P, P, P, P, P)>(name)(b, b, each, t, o, c, b);
        break;
      case Operation::kReduceScatterBlock:
        function<int(P, P, int, P, P, P, P)>(name)(b, b, n, t, o, c, b);
        break;
      case Operation::kAllgatherv:
        function<int(P, int, P, P, P, P, P, P, P)>(name)(b, n, t, b, each, at, t, c, b);
        break;
      case Operation::kGather:
      case Operation::kScatter:
        function<int(P, int, P, P, int, P, int, P, P)>(name)(b, n, t, b, n, t, 0, c, b);
        break;
      default:
        break;
    }
    return noted_algorithm;
  }

  static bool has_counts(Operation o) { return o == Operation::kReduceScatter || o == Operation::kAllgatherv; }

  void* library_ = nullptr;
  std::vector<int> counts_;
};

// On both sides of each threshold of any operation.
TEST_F(Tuned, DecidesAsTheTable) {
  std::set<int> ranks;
  std::set<std::int64_t> bytes;
  for (const bool is_commutative : {false, true}) {
    for (const CollectiveRules& c : fixed_decisions(is_commutative)) {
      for (const CommunicatorRule& row : c.levels.front().communicators) {
        for (const int r : {row.from_ranks - 1, row.from_ranks, row.from_ranks + 1}) ranks.insert(std::max(r, 2));
        for (const MessageRule& rule : row.rules) {
          for (std::int64_t b = rule.from_bytes - 1; b <= rule.from_bytes + 1; ++b) {
            bytes.insert(std::max<std::int64_t>(b, 0));
          }
        }
      }
    }
  }
  int compared = 0;
  for (const Operation operation :
       {Operation::kAllgather, Operation::kAllgatherv, Operation::kAllreduce, Operation::kAlltoall,
        Operation::kAlltoallv, Operation::kBarrier, Operation::kBcast, Operation::kGather, Operation::kReduce,
        Operation::kReduceScatter, Operation::kReduceScatterBlock, Operation::kScatter}) {
    for (const bool is_commutative : {false, true}) {
      for (const int r : ranks) {
        for (const std::int64_t b : bytes) {
          Call call{.operation = operation, .ranks = r, .bytes = b, .is_commutative = is_commutative};
          // The sum of a reduce_scatter is compared; so its thresholds are those of a block times the ranks.
          if (operation == Operation::kReduceScatter) call.bytes = (b + r - 1) / r;
          ASSERT_EQ(fixed_decision(call)->algorithm, decide(call))
              << name_of(operation) << ", " << r << " ranks, " << call.bytes << " B, commutative " << is_commutative;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 50000);
}

// Files of numbers, also damaged ones: Open MPI accepts the same, and finds the same rules.
TEST_F(Tuned, ReadsFilesAndFindsRulesAsWeDo) {
  const auto read = function<int(const char*, void**, int)>("ompi_coll_tuned_read_rules_config_file");
  const auto communicator_rule = function<void*(void*, int, int)>("ompi_coll_tuned_get_com_rule_ptr");
  const auto parameters = function<int(void*, size_t, int*, int*, int*)>("ompi_coll_tuned_get_target_method_params");
  const std::string path = testing::TempDir() + "/rules.conf";
  int accepted = 0, refused = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::string text = write_rules(RandomRules(Format::kTuned, kInstalled, seed).make());
    if (seed % 4 != 0) text = damaged(text, seed);
    std::ofstream(path, std::ios::binary) << text;
    void* theirs = nullptr;
    const bool is_accepted = read(path.c_str(), &theirs, kNumOpenMpiCollectives) >= 0;
    RuleFile ours;
    std::string error;
    try {
      ours = read_tuned(text, path, kInstalled, Reading::kAsTheLibrary);
    } catch (const InputError& e) {
      error = e.what();
    }
    ASSERT_EQ(is_accepted, error.empty()) << error << "\n" << text;
    ++(is_accepted ? accepted : refused);
    if (!is_accepted) continue;
    for (const auto& [operation, name] : kOperations) {
      for (const int ranks : {2, 3, 8, 100, 5000}) {
        for (const std::int64_t bytes : {0, 1, 9, 1000, 100000, 10000000}) {
          const Call call{.operation = operation, .ranks = ranks, .bytes = bytes};
          int faninout = 0, segment = 0, requests = 0;
          const int algorithm = parameters(communicator_rule(theirs, openmpi_id(operation), ranks),
                                           static_cast<size_t>(tuned_rule_bytes(call)), &faninout, &segment, &requests);
          const Decision d = look_up(ours, kInstalled, call);
          ASSERT_EQ(algorithm != 0, d.by == Decision::By::kRule || (d.by == Decision::By::kNone && d.line > 0))
              << name << " " << ranks << " " << bytes << "\n"
              << text << d.why;
          if (algorithm == 0) continue;
          ASSERT_EQ(d.choice.algorithm, algorithm) << name << " " << ranks << " " << bytes << "\n" << text;
          ASSERT_EQ(d.choice.faninout, faninout);
          ASSERT_EQ(d.choice.segment_bytes, segment);
        }
      }
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace strata::collectives
