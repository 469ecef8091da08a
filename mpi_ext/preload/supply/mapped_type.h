// SPDX-License-Identifier: LGPL-2.1-only
// Datatypes that take the place of SMPI's derived ones. SMPI's lose data: a structure is not padded to its alignment,
// the next element of most types begins where the data of the last one end and not an extent after its start, a
// negative stride or a lower bound makes the bounds wrong, and MPI_Type_get_contents forgets the constructor.
//
// A MappedType is one of SMPI's datatypes, with a TypeMap that packs and unpacks it. SMPI's messages, collectives and
// one-sided operations call it through virtual functions.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/preload/supply/type_map.h"
#include "sim/simgrid/datatype.h"

namespace strata::mpix {

/// The arguments of the constructor, as MPI_Type_get_contents returns them.
struct Construction {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

class MappedType final : public simgrid::smpi::Datatype {
 public:
  /// Keeps the types of the construction.
  MappedType(SharedMap map, Construction construction);
  ~MappedType() override;
  int clone(MPI_Datatype* type) override;
  void serialize(const void* memory, void* packed, int count) override;
  void unserialize(const void* packed, void* memory, int count, MPI_Op op) override;

  const TypeMap& map() const { return *map_; }
  const SharedMap& shared_map() const { return map_; }
  const Construction& construction() const { return construction_; }

 private:
  SharedMap map_;
  Construction construction_;
};

/// Null for MPI's own types and their duplicates.
inline MappedType* mapped(MPI_Datatype type) { return dynamic_cast<MappedType*>(type); }

/// The map of any type but MPI_DATATYPE_NULL.
SharedMap map_of(MPI_Datatype type);

/// A type that is the same as this one, for the program, which may have freed this one. MPI's own types are returned as
/// they are.
MPI_Datatype another(MPI_Datatype type);

/// A message may end within an element of the receiver's type. SMPI unpacks whole elements; this unpacks the rest,
/// before SMPI ends the request.
void unpack_incomplete_element(const simgrid::smpi::Request& request);

}  // namespace strata::mpix
