// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/mapped_type.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "mpi_ext/preload/supply/behind.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Datatype;
using simgrid::smpi::Request;

bool is_predefined(MPI_Datatype type) { return (type->flags() & Datatype::kPredefined) != 0; }

// The alignment of MPI's own types in C's structures on this machine. Types with two parts, such as MPI_DOUBLE_INT, are
// structures of C.
std::size_t alignment_of(std::size_t part) { return std::min(part, alignof(long double)); }

struct Pair {
  MPI_Datatype type;
  std::size_t first, second;
};

// SMPI sends these with their padding, which counts to the second part here.
const Pair* pair_of(MPI_Datatype type) {
  static const std::array<Pair, 6> pairs = {{{MPI_FLOAT_INT, sizeof(float), sizeof(int)},
                                             {MPI_DOUBLE_INT, sizeof(double), sizeof(int)},
                                             {MPI_LONG_INT, sizeof(long), sizeof(int)},
                                             {MPI_2INT, sizeof(int), sizeof(int)},
                                             {MPI_SHORT_INT, sizeof(short), sizeof(int)},
                                             {MPI_LONG_DOUBLE_INT, sizeof(long double), sizeof(int)}}};
  const auto at = std::find_if(pairs.begin(), pairs.end(), [type](const Pair& p) { return p.type == type; });
  return at == pairs.end() ? nullptr : &*at;
}

std::size_t complex_part(MPI_Datatype type) {
  for (MPI_Datatype complex : {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX}) {
    if (type == complex) return type->size() / 2;
  }
  return type->size();
}

SharedMap map_of_basic(MPI_Datatype type) {
  if (type->size() == 0) return std::make_shared<const TypeMap>();  // MPI_LB, MPI_UB
  if (const Pair* p = pair_of(type)) {
    // C places the second part at the next multiple of its size.
    const std::size_t second_at = (p->first + p->second - 1) / p->second * p->second;
    const std::size_t gaps = type->size() - p->first - p->second;
    return basic_map(type, {second_at, type->size() - second_at}, alignment_of(std::max(p->first, p->second)), gaps);
  }
  return basic_map(type, {type->size()}, alignment_of(complex_part(type)));
}

// Copies what a number of elements of one type have in memory to elements of another.
void copy_bytes(const void* from, MPI_Datatype type, void* to, MPI_Datatype to_type, std::size_t bytes) {
  const SharedMap out = map_of(type), in = map_of(to_type);
  if (out->tiles()) {
    unpack(*in, static_cast<const char*>(from) + out->data_begin, bytes, static_cast<char*>(to));
  } else if (in->tiles()) {
    pack(*out, static_cast<const char*>(from), bytes, static_cast<char*>(to) + in->data_begin);
  } else {
    std::vector<char> packed(bytes);
    pack(*out, static_cast<const char*>(from), bytes, packed.data());
    unpack(*in, packed.data(), bytes, static_cast<char*>(to));
  }
}

}  // namespace

void unpack_incomplete_element(const Request& request) {
  const MappedType* type = mapped(request.type());
  if (type == nullptr || type->size() == 0 || (request.flags() & Request::kReceive) == 0 ||
      (request.flags() & (Request::kPrepared | Request::kFinished | Request::kAccumulate)) != 0)
    return;
  const std::size_t bytes = std::min(request.real_size(), request.size());
  const std::size_t whole = bytes / type->size();
  if (bytes == whole * type->size() || request.buffer() == nullptr) return;
  unpack(type->map(), static_cast<const char*>(request.buffer()) + whole * type->size(), bytes % type->size(),
         static_cast<char*>(request.users_buffer()) + static_cast<long>(whole) * type->map().extent());
}

MappedType::MappedType(SharedMap map, Construction construction)
    : Datatype(0, map->lower, map->upper, kDerived), map_(std::move(map)), construction_(std::move(construction)) {
  size_ = map_->size;
  for (MPI_Datatype type : construction_.types) type->ref();
}

MappedType::~MappedType() {
  for (MPI_Datatype type : construction_.types) unref(type);
}

int MappedType::clone(MPI_Datatype* type) {
  auto* copy = new MappedType(map_, {.combiner = MPI_COMBINER_DUP, .integers = {}, .addresses = {}, .types = {this}});
  if ((flags() & kCommitted) != 0) copy->commit();
  *type = copy;
  return copy->copy_attrs(this);
}

void MappedType::serialize(const void* memory, void* packed, int count) {
  pack(*map_, static_cast<const char*>(memory), static_cast<std::size_t>(count) * map_->size,
       static_cast<char*>(packed));
}

void MappedType::unserialize(const void* packed, void* memory, int count, MPI_Op op) {
  if (op == MPI_OP_NULL) return;
  auto* const to = static_cast<char*>(memory);
  if (op == MPI_REPLACE) return unpack(*map_, static_cast<const char*>(packed), count * map_->size, to);
  for (const Run& run : runs(*map_, static_cast<const char*>(packed), count, to)) {
    const int number = static_cast<int>(run.count);
    auto* const basic = static_cast<MPI_Datatype>(const_cast<void*>(run.basic));
    op->apply(run.packed, run.memory, &number, basic);
  }
}

SharedMap map_of(MPI_Datatype type) {
  while (type->duplicated_datatype() != MPI_DATATYPE_NULL) type = type->duplicated_datatype();
  if (const MappedType* own = mapped(type)) return own->shared_map();
  if (!is_predefined(type)) return map_of_basic(type);
  static auto& known = *new std::unordered_map<MPI_Datatype, SharedMap>;
  const auto [at, is_new] = known.try_emplace(type);
  if (is_new) at->second = map_of_basic(type);
  return at->second;
}

MPI_Datatype another(MPI_Datatype type) {
  if (is_predefined(type)) return type;
  if (const MappedType* own = mapped(type)) {
    auto* copy = new MappedType(own->shared_map(), own->construction());
    copy->commit();
    return copy;
  }
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  type->clone(&copy);  // a duplicate of a predefined type
  return copy;
}

}  // namespace strata::mpix

namespace simgrid::smpi {

int Datatype::copy(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type) {
  static auto* const smpis = strata::mpix::behind<decltype(Datatype::copy)>(kDatatypeCopy);
  if (strata::mpix::mapped(type) == nullptr && strata::mpix::mapped(to_type) == nullptr)
    return smpis(from, count, type, to, to_count, to_type);
  const std::size_t sent = static_cast<std::size_t>(count) * type->size();
  const std::size_t place = static_cast<std::size_t>(to_count) * to_type->size();
  if (to_count > 0 && from != to) strata::mpix::copy_bytes(from, type, to, to_type, std::min(sent, place));
  return sent > place ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

}  // namespace simgrid::smpi
