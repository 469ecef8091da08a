// SPDX-License-Identifier: LGPL-2.1-only
// Layout of simgrid::smpi::Datatype and of Op in SimGrid 3.32 and 4.0, as src/smpi/include/smpi_datatype.hpp,
// smpi_keyvals.hpp and smpi_op.hpp declare them (LGPL-2.1), so that a type of ours can take the place of SMPI's. Debian
// does not install these headers. The constants are those of smpi_datatype.hpp.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <unordered_map>

#include "sim/simgrid/request.h"
#include "sim/simgrid/version.h"

namespace simgrid::smpi {

class Datatype_contents;

class Datatype : public F2C {
  std::unordered_map<int, void*> attributes_;  // of Keyval, the second base
  std::string name_, id_;

 protected:
  std::size_t size_;
  MPI_Aint lb_, ub_;

 private:
  int flags_;
  int refcount_;
  Datatype_contents* contents_;  // a std::unique_ptr

 protected:
  MPI_Datatype duplicated_datatype_;  // messages of this type match those of that one; kept until the end

 public:
  static constexpr int kCommitted = 0x2, kPredefined = 0x40, kDerived = 0x800;

  Datatype(int size, MPI_Aint lb, MPI_Aint ub, int flags);
  ~Datatype() override;
  std::string name() const override { return name_.empty() ? std::string("MPI_Datatype") : name_; }
  /// A copy with the attributes.
  virtual int clone(MPI_Datatype* type);
  /// Packs `count` elements.
  virtual void serialize(const void* memory, void* packed, int count);
  /// Unpacks `count` elements with an operation, which is MPI_REPLACE for receives.
  virtual void unserialize(const void* packed, void* memory, int count, MPI_Op op);

  std::size_t size() const { return size_; }
  MPI_Aint lb() const { return lb_; }
  MPI_Aint ub() const { return ub_; }
  int flags() const { return flags_; }
  MPI_Datatype duplicated_datatype() const { return duplicated_datatype_; }
  void ref();
  static void unref(MPI_Datatype datatype);
  void commit();
  /// Copies the attributes of `from`. Clears kPredefined, and makes the contents those of MPI_Type_dup.
  int copy_attrs(Datatype* from);
  /// Returns MPI_SUCCESS, or MPI_ERR_TRUNCATE where the data are longer than the place for them.
  static int copy(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type);
  /// What SMPI's algorithms make: MPI_Type_indexed.
  static int create_indexed(int count, const int* lengths, const int* places, MPI_Datatype of, MPI_Datatype* made);
};

class Op : public F2C {
  MPI_User_function* function_;
  bool is_commutative_, is_fortran_op_;
  int refcount_;
  bool is_predefined_;
  int types_;

 public:
  bool is_commutative() const { return is_commutative_; }
  /// The flags of the types that it may be applied to; 0: any.
  int allowed_types() const { return types_; }
  bool is_predefined() const { return is_predefined_; }
  /// Calls the function, with Fortran's handle of the type if it is Fortran's.
  void apply(const void* in, void* inout, const int* count, MPI_Datatype type) const;
  void ref();
  static void unref(MPI_Op* op);
};

/// Mangled names, for dlsym.
inline constexpr const char* kDatatypeCopy = "_ZN7simgrid4smpi8Datatype4copyEPKviPS1_PviS4_";
inline constexpr const char* kOpApply = "_ZNK7simgrid4smpi2Op5applyEPKvPvPKiPNS0_8DatatypeE";

}  // namespace simgrid::smpi
