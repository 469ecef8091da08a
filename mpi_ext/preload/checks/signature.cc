// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/signature.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "mpi_ext/preload/checks/smpis.h"

namespace strata::mpix {
namespace {

// A signature with more runs is not compared.
constexpr std::size_t kMostRuns = 4096;

const std::unordered_map<const void*, BasicType>& basic_types() {
  using enum BasicKind;
#define STRATA_BASIC(kind, type, c)                    \
  {                                                    \
    type, { kind, static_cast<int>(sizeof(c)), #type } \
  }
  static const auto& all = *new std::unordered_map<const void*, BasicType>{
      STRATA_BASIC(kAny, MPI_CHAR, char),
      STRATA_BASIC(kAny, MPI_SIGNED_CHAR, char),
      STRATA_BASIC(kAny, MPI_UNSIGNED_CHAR, char),
      STRATA_BASIC(kAny, MPI_BYTE, char),
      STRATA_BASIC(kAny, MPI_PACKED, char),
      STRATA_BASIC(kAny, MPI_INT8_T, char),
      STRATA_BASIC(kAny, MPI_UINT8_T, char),
      STRATA_BASIC(kInteger, MPI_SHORT, short),
      STRATA_BASIC(kInteger, MPI_INT, int),
      STRATA_BASIC(kInteger, MPI_LONG, long),
      STRATA_BASIC(kInteger, MPI_LONG_LONG, long long),
      STRATA_BASIC(kUnsigned, MPI_UNSIGNED_SHORT, short),
      STRATA_BASIC(kUnsigned, MPI_UNSIGNED, int),
      STRATA_BASIC(kUnsigned, MPI_UNSIGNED_LONG, long),
      STRATA_BASIC(kUnsigned, MPI_UNSIGNED_LONG_LONG, long long),
      STRATA_BASIC(kInteger, MPI_INT16_T, short),
      STRATA_BASIC(kInteger, MPI_INT32_T, int),
      STRATA_BASIC(kInteger, MPI_INT64_T, long),
      STRATA_BASIC(kUnsigned, MPI_UINT16_T, short),
      STRATA_BASIC(kUnsigned, MPI_UINT32_T, int),
      STRATA_BASIC(kUnsigned, MPI_UINT64_T, long),
      STRATA_BASIC(kFloat, MPI_FLOAT, float),
      STRATA_BASIC(kFloat, MPI_DOUBLE, double),
      STRATA_BASIC(kFloat, MPI_LONG_DOUBLE, long double),
      STRATA_BASIC(kFloat, MPI_REAL4, float),
      STRATA_BASIC(kFloat, MPI_REAL8, double),
      STRATA_BASIC(kPair, MPI_2INT, int[2]),
  };
#undef STRATA_BASIC
  return all;
}

void append(std::vector<BasicRun>& runs, const BasicRun& run) {
  if (run.count == 0) return;
  if (!runs.empty() && runs.back().type == run.type) {
    runs.back().count += run.count;
  } else {
    runs.push_back(run);
  }
}

// Adds `count` elements.
void append(TypeSignature& to, long count, const TypeSignature& of) {
  to.known = to.known && of.known;
  if (!to.known || count <= 0 || of.runs.empty()) return;
  if (of.runs.size() == 1) return append(to.runs, {of.runs[0].type, of.runs[0].count * count});
  for (long i = 0; i < count && to.known; ++i) {
    for (const BasicRun& run : of.runs) append(to.runs, run);
    to.known = to.runs.size() <= kMostRuns;
  }
}

// A type that the program has constructed: MPI_Type_get_contents gives the arguments of the constructor.
class Contents {
 public:
  explicit Contents(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0;
    STRATA_SMPIS(Type_get_envelope)(type, &integers, &addresses, &types, &combiner_);
    if (combiner_ == MPI_COMBINER_NAMED) return;
    integers_.resize(integers);
    std::vector<MPI_Aint> ignored(addresses);
    types_.resize(types);
    const int code = STRATA_SMPIS(Type_get_contents)(type, integers, addresses, types, integers_.data(), ignored.data(),
                                                     types_.data());
    if (code != MPI_SUCCESS) combiner_ = MPI_COMBINER_NAMED;
  }
  ~Contents() {
    for (MPI_Datatype& type : types_) {
      int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
      if (type != MPI_DATATYPE_NULL) STRATA_SMPIS(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
      if (combiner != MPI_COMBINER_NAMED) STRATA_SMPIS(Type_free)(&type);
    }
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  bool named() const { return combiner_ == MPI_COMBINER_NAMED; }
  void add_to(TypeSignature& to) const;

 private:
  int combiner_ = MPI_COMBINER_NAMED;
  std::vector<int> integers_;
  std::vector<MPI_Datatype> types_;
};

TypeSignature make_signature(MPI_Datatype type);

void Contents::add_to(TypeSignature& to) const {
  const std::vector<int>& n = integers_;
  const auto sum = [&](int from, int number) {
    long total = 0;
    for (int i = 0; i < number; ++i) total += n[from + i];
    return total;
  };
  long count = 0;
  switch (combiner_) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      count = 1;
      break;
    case MPI_COMBINER_CONTIGUOUS:
      count = n[0];
      break;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HVECTOR_INTEGER:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
      count = static_cast<long>(n[0]) * n[1];
      break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_INTEGER:
      count = sum(1, n[0]);
      break;
    case MPI_COMBINER_STRUCT:
    case MPI_COMBINER_STRUCT_INTEGER:
      for (int i = 0; i < n[0]; ++i) append(to, n[1 + i], make_signature(types_[i]));
      return;
    case MPI_COMBINER_SUBARRAY:
      count = 1;
      for (int i = 0; i < n[0]; ++i) count *= n[1 + n[0] + i];
      break;
    default:
      to.known = false;
      return;
  }
  append(to, count, make_signature(types_[0]));
}

TypeSignature make_signature(MPI_Datatype type) {
  TypeSignature signature;
  const auto basic = basic_types().find(type);
  int size = 0;
  MPI_Aint lower = 0, extent = 0, begin = 0, length = 0;
  STRATA_SMPIS(Type_size)(type, &size);
  STRATA_SMPIS(Type_get_extent)(type, &lower, &extent);
  STRATA_SMPIS(Type_get_true_extent)(type, &begin, &length);
  signature.size = size;
  signature.begin = begin;
  signature.end = begin + length;
  signature.extent = extent;
  signature.dense = length == size;
  if (basic != basic_types().end()) {
    signature.basic = true;
    append(signature.runs, {basic->second, size / std::max(basic->second.bytes, 1)});
    return signature;
  }
  const Contents contents(type);
  if (contents.named()) {
    signature.basic = true;
    signature.runs.push_back({{BasicKind::kAny, 1, ""}, size});
  } else {
    contents.add_to(signature);
  }
  return signature;
}

using Shared = std::shared_ptr<const TypeSignature>;

std::unordered_map<MPI_Datatype, Shared>& known() {
  static auto& all = *new std::unordered_map<MPI_Datatype, Shared>;
  return all;
}

const Shared& shared_signature(MPI_Datatype type) {
  const auto it = known().find(type);
  if (it != known().end()) return it->second;
  return known().emplace(type, std::make_shared<const TypeSignature>(make_signature(type))).first->second;
}

// Walks over the runs of `count` elements.
class Walk {
 public:
  explicit Walk(const Data& data) : data_(&data), left_(data.count) { next(); }
  bool end() const { return left_ <= 0; }
  const BasicType& type() const { return data_->type->runs[run_].type; }
  long bytes() const { return bytes_; }
  void skip(long bytes) {
    bytes_ -= bytes;
    if (bytes_ > 0) return;
    if (++run_ == data_->type->runs.size()) {
      run_ = 0;
      --left_;
    }
    next();
  }

 private:
  void next() {
    if (left_ <= 0) return;
    const BasicRun& run = data_->type->runs[run_];
    // A type of one run is one long run.
    const bool all = data_->type->runs.size() == 1;
    bytes_ = run.count * run.type.bytes * (all ? left_ : 1);
    if (all) left_ = 1;
  }
  const Data* data_;
  long left_;
  std::size_t run_ = 0;
  long bytes_ = 0;
};

}  // namespace

const TypeSignature& signature_of(MPI_Datatype type) { return *shared_signature(type); }

void forget_signature(MPI_Datatype type) { known().erase(type); }

std::string name_of(MPI_Datatype type) {
  const auto basic = basic_types().find(type);
  if (basic != basic_types().end()) return basic->second.name;
  std::array<char, MPI_MAX_OBJECT_NAME + 1> name{};
  int length = 0;
  STRATA_SMPIS(Type_get_name)(type, name.data(), &length);
  return length > 0 && signature_of(type).basic ? name.data() : "a datatype of the program";
}

Data data_of(long count, MPI_Datatype type) { return {count, shared_signature(type), name_of(type)}; }

std::string text_of(const Data& data) { return std::to_string(data.count) + " x " + data.name; }

std::optional<std::string> disagreement(const Data& sent, const Data& received, bool exact, bool& too_long) {
  too_long = sent.bytes() > received.bytes();
  if (too_long) return std::to_string(sent.bytes()) + " B do not fit into " + std::to_string(received.bytes()) + " B";
  if (exact && sent.bytes() < received.bytes())
    return std::to_string(sent.bytes()) + " B are fewer than " + std::to_string(received.bytes()) + " B";
  if (!sent.type->known || !received.type->known || sent.type->runs.empty() || received.type->runs.empty()) return {};
  constexpr int kMostSteps = 100000;
  Walk a(sent), b(received);
  for (int steps = 0; !a.end() && !b.end() && steps < kMostSteps; ++steps) {
    if (a.type().kind == BasicKind::kAny || b.type().kind == BasicKind::kAny) return {};
    if (!(a.type() == b.type())) return std::string(a.type().name) + " is not " + b.type().name;
    const long both = std::min(a.bytes(), b.bytes());
    a.skip(both);
    b.skip(both);
  }
  return {};
}

}  // namespace strata::mpix
