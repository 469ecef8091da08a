// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/packed.h"

#include <algorithm>

#include "mpi_ext/preload/supply/behind.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Datatype;
using simgrid::smpi::Op;

class StandIn final : public Datatype {
 public:
  StandIn(MPI_Datatype original, MPI_Op op) : Datatype(0, 0, 0, kCommitted), original_(original), op_(op) {
    size_ = original->size();
    ub_ = static_cast<MPI_Aint>(size_);
    duplicated_datatype_ = MPI_BYTE;
    MPI_Datatype(MPI_BYTE)->ref();
    original_->ref();
  }
  ~StandIn() override { unref(original_); }
  MPI_Datatype original() const { return original_; }
  MPI_Op op() const { return op_; }

 private:
  MPI_Datatype original_;
  MPI_Op op_;
};

// `count` elements of a type in memory of their own, at their places around address().
class Elements {
 public:
  Elements(const char* packed, int count, MPI_Datatype type) : map_(map_of(type)), count_(count) {
    const long last = (count - 1) * map_->extent();
    begin_ = std::min(0L, last) + std::min({0L, map_->lower, map_->data_begin});
    const long end = std::max(0L, last) + std::max({0L, map_->upper, map_->data_end});
    memory_.resize(static_cast<std::size_t>(end - begin_));
    unpack(*map_, packed, bytes(), address());
  }
  char* address() { return memory_.data() - begin_; }
  void pack_to(char* packed) { pack(*map_, address(), bytes(), packed); }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * map_->size; }

  SharedMap map_;
  int count_;
  long begin_;
  std::vector<char> memory_;
};

void combine_stand_ins(void* in, void* inout, int* count, MPI_Datatype* type) {
  const auto* stand_in = static_cast<const StandIn*>(*type);
  combine(stand_in->op(), static_cast<const char*>(in), static_cast<char*>(inout), *count, stand_in->original());
}

}  // namespace

bool is_scattered(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return false;
  const MappedType* own = mapped(type);
  return own != nullptr && (!own->map().tiles() || own->map().data_begin != 0 || own->map().lower != 0);
}

PackedType::PackedType(MPI_Datatype instead_of, MPI_Op op) : type_(new StandIn(instead_of, op)) {
  if (op != MPI_OP_NULL) STRATA_BEHIND(Op_create)(combine_stand_ins, op->is_commutative() ? 1 : 0, &op_);
}

PackedType::~PackedType() {
  Datatype::unref(type_);
  if (op_ != MPI_OP_NULL) STRATA_BEHIND(Op_free)(&op_);
}

std::vector<char> packed(const void* buffer, std::size_t count, MPI_Datatype type) {
  std::vector<char> bytes(count * type->size());
  if (!bytes.empty()) pack(*map_of(type), static_cast<const char*>(address(buffer)), bytes.size(), bytes.data());
  return bytes;
}

void unpack_to(void* buffer, const char* packed, std::size_t count, MPI_Datatype type) {
  const std::size_t bytes = count * type->size();
  if (bytes > 0) unpack(*map_of(type), packed, bytes, static_cast<char*>(address(buffer)));
}

void combine(MPI_Op op, const char* in, char* inout, int count, MPI_Datatype type) {
  if (count == 0) return;
  if (!is_scattered(type)) return op->apply(in, inout, &count, type);
  Elements first(in, count, type), second(inout, count, type);
  op->apply(first.address(), second.address(), &count, type);
  second.pack_to(inout);
}

}  // namespace strata::mpix
