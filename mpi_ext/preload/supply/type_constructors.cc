// SPDX-License-Identifier: LGPL-2.1-only
// MPI's constructors of datatypes (MPI 4.0, Section 5.1.2), which make a MappedType, and the functions that tell how a
// type was made. All are local.
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/datatypes.h"
#include "mpi_ext/preload/supply/mapped_type.h"
#include "mpi_ext/preload/supply/own_constants.h"
#include "mpi_ext/preload/supply/packed.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

void check_count(int count) {
  if (count < 0) check(MPI_ERR_COUNT);
}

// An array of `count` elements.
template <class T>
void check_array(int count, const T* array) {
  check_count(count);
  if (count > 0 && array == nullptr) check(MPI_ERR_ARG);
}

void check_lengths(int count, const int* lengths) {
  check_array(count, lengths);
  if (!std::all_of(lengths, lengths + count, [](int n) { return n >= 0; })) check(MPI_ERR_ARG);
}

// Runs `make`, which returns a MappedType, for a type made of `of`.
template <class Make>
int constructed(MPI_Datatype of, MPI_Datatype* made, const Make& make) {
  return coded([&] {
    if (made == nullptr) check(MPI_ERR_ARG);
    if (of == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    *made = make();
    return static_cast<int>(MPI_SUCCESS);
  });
}

// Elements, each `unit` bytes, to bytes.
std::vector<MPI_Aint> in_bytes(int count, const int* places, MPI_Aint unit) {
  std::vector<MPI_Aint> bytes(places, places + count);
  for (MPI_Aint& b : bytes) b *= unit;
  return bytes;
}

SharedMap at_places(int count, const int* lengths, const MPI_Aint* places, const SharedMap& of) {
  std::vector<Block> blocks;
  for (int i = 0; i < count; ++i) blocks.push_back({places[i], lengths[i], of});
  return repeated(std::move(blocks));
}

SharedMap at_places(int count, int length, const MPI_Aint* places, const SharedMap& of) {
  return at_places(count, std::vector<int>(count, length).data(), places, of);
}

std::vector<int> listed(std::initializer_list<int> first, int count, const int* then) {
  std::vector<int> all(first);
  all.insert(all.end(), then, then + count);
  return all;
}

MappedType* make_indexed(int count, const int* lengths, const int* places, MPI_Datatype of) {
  check_lengths(count, lengths);
  check_array(count, places);
  const SharedMap map = map_of(of);
  std::vector<int> integers = listed({count}, count, lengths);
  integers.insert(integers.end(), places, places + count);
  return new MappedType(at_places(count, lengths, in_bytes(count, places, map->extent()).data(), map),
                        {MPI_COMBINER_INDEXED, std::move(integers), {}, {of}});
}

MappedType* make_struct(int count, const int* lengths, const MPI_Aint* places, const MPI_Datatype* types) {
  check_lengths(count, lengths);
  check_array(count, places);
  check_array(count, types);
  std::vector<Block> blocks;
  std::optional<long> lower, upper;
  for (int i = 0; i < count; ++i) {
    if (types[i] == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    if (types[i] == MPI_LB) {
      lower = std::min<long>(lower.value_or(places[i]), places[i]);
    } else if (types[i] == MPI_UB) {
      upper = std::max<long>(upper.value_or(places[i]), places[i]);
    } else {
      blocks.push_back({places[i], lengths[i], map_of(types[i])});
    }
  }
  SharedMap map = structure(std::move(blocks));
  if (lower || upper) map = bounded(map, lower, upper);
  return new MappedType(
      std::move(map),
      {MPI_COMBINER_STRUCT, listed({count}, count, lengths), {places, places + count}, {types, types + count}});
}

void check_subarray(int ndims, const int* sizes, const int* part, const int* first, int order) {
  if (ndims < 1 || sizes == nullptr || part == nullptr || first == nullptr) check(MPI_ERR_ARG);
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) check(MPI_ERR_ARG);
  for (int d = 0; d < ndims; ++d) {
    if (sizes[d] < 1 || part[d] < 0 || part[d] > sizes[d] || first[d] < 0 || first[d] > sizes[d] - part[d])
      check(MPI_ERR_ARG);
  }
}

// The arguments of MPI_Type_create_darray for each dimension.
std::vector<DistributedDim> distributed_dims(int size, int rank, int ndims, const int* sizes, const int* distributions,
                                             const int* arguments, const int* process_grid) {
  if (ndims < 1 || sizes == nullptr || distributions == nullptr || arguments == nullptr || process_grid == nullptr ||
      size < 1 || rank < 0 || rank >= size)
    check(MPI_ERR_ARG);
  const std::vector<int> processes(process_grid, process_grid + ndims);
  if (!std::all_of(processes.begin(), processes.end(), [](int p) { return p > 0; }) ||
      std::accumulate(processes.begin(), processes.end(), 1L, [](long a, int b) { return a * b; }) != size)
    check(MPI_ERR_ARG);
  const std::vector<int> coords = process_coords(rank, processes);
  std::vector<DistributedDim> dims;
  for (int d = 0; d < ndims; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const Distribution distribution = distributions[d] == MPI_DISTRIBUTE_BLOCK    ? Distribution::kBlock
                                      : distributions[d] == MPI_DISTRIBUTE_CYCLIC ? Distribution::kCyclic
                                                                                  : Distribution::kNone;
    if (distribution == Distribution::kNone && distributions[d] != MPI_DISTRIBUTE_NONE) check(MPI_ERR_ARG);
    const int argument = is_default_argument(arguments[d]) ? 0 : arguments[d];
    if (sizes[d] < 1 || argument < 0) check(MPI_ERR_ARG);
    if (distribution == Distribution::kNone && processes[i] != 1) check(MPI_ERR_ARG);
    if (distribution == Distribution::kBlock && argument > 0 && static_cast<long>(argument) * processes[i] < sizes[d])
      check(MPI_ERR_ARG);
    dims.push_back({sizes[d], distribution, argument, processes[i], coords[i]});
  }
  return dims;
}

// Bytes, or MPI_UNDEFINED if they do not fit. SMPI sends types like MPI_DOUBLE_INT with the padding between their
// parts, which MPI does not count.
template <class Number>
int type_size(MPI_Datatype type, Number* size) {
  return coded([&] {
    if (size == nullptr) check(MPI_ERR_ARG);
    if (type == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    const SharedMap map = map_of(type);
    const std::size_t bytes = map->size - map->gaps_in_parts;
    const bool fits = bytes <= static_cast<std::size_t>(std::numeric_limits<Number>::max());
    *size = fits ? static_cast<Number>(bytes) : static_cast<Number>(MPI_UNDEFINED);
    return static_cast<int>(MPI_SUCCESS);
  });
}

template <class Number>
int interval(MPI_Datatype type, Number* lower, Number* extent, long TypeMap::*begin, long TypeMap::*end) {
  return coded([&] {
    if (lower == nullptr || extent == nullptr) check(MPI_ERR_ARG);
    if (type == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    const SharedMap map = map_of(type);
    *lower = static_cast<Number>((*map).*begin);
    *extent = static_cast<Number>((*map).*end - (*map).*begin);
    return static_cast<int>(MPI_SUCCESS);
  });
}

// For MPI_Pack and MPI_Unpack: the bytes of data, which must fit into what is left of the packed buffer.
std::size_t packed_bytes(int count, MPI_Datatype type, int packed_size, const int* position) {
  check_count(count);
  if (type == MPI_DATATYPE_NULL || (type->flags() & simgrid::smpi::Datatype::kCommitted) == 0) check(MPI_ERR_TYPE);
  if (position == nullptr || *position < 0 || packed_size < 0) check(MPI_ERR_ARG);
  const std::size_t bytes = static_cast<std::size_t>(count) * type->size();
  if (bytes > static_cast<std::size_t>(std::max(packed_size - *position, 0))) check(MPI_ERR_TRUNCATE);
  return bytes;
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

int strata_supply_own_constants = 0;

namespace simgrid::smpi {

// SMPI's algorithms make such types themselves.
int Datatype::create_indexed(int count, const int* lengths, const int* places, MPI_Datatype of, MPI_Datatype* made) {
  *made = make_indexed(count, lengths, places, of);
  return MPI_SUCCESS;
}

}  // namespace simgrid::smpi

extern "C" {

int PMPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* made) {
  return constructed(of, made, [&] {
    check_count(count);
    return new MappedType(repeated({{0, count, map_of(of)}}), {MPI_COMBINER_CONTIGUOUS, {count}, {}, {of}});
  });
}

int PMPI_Type_vector(int count, int length, int stride, MPI_Datatype of, MPI_Datatype* made) {
  return constructed(of, made, [&] {
    check_count(count);
    if (length < 0) check(MPI_ERR_ARG);
    const SharedMap map = map_of(of);
    return new MappedType(repeated({{0, length, map}}, count, stride * map->extent()),
                          {MPI_COMBINER_VECTOR, {count, length, stride}, {}, {of}});
  });
}

int PMPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype of, MPI_Datatype* made) {
  return constructed(of, made, [&] {
    check_count(count);
    if (length < 0) check(MPI_ERR_ARG);
    return new MappedType(repeated({{0, length, map_of(of)}}, count, stride),
                          {MPI_COMBINER_HVECTOR, {count, length}, {stride}, {of}});
  });
}

int PMPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype of, MPI_Datatype* made) {
  return PMPI_Type_create_hvector(count, length, stride, of, made);
}

int PMPI_Type_indexed(int count, const int* lengths, const int* places, MPI_Datatype of, MPI_Datatype* made) {
  return constructed(of, made, [&] { return make_indexed(count, lengths, places, of); });
}

int PMPI_Type_create_indexed(int count, const int* lengths, const int* places, MPI_Datatype of, MPI_Datatype* made) {
  return PMPI_Type_indexed(count, lengths, places, of, made);
}

int PMPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* places, MPI_Datatype of,
                              MPI_Datatype* made) {
  return constructed(of, made, [&] {
    check_lengths(count, lengths);
    check_array(count, places);
    return new MappedType(at_places(count, lengths, places, map_of(of)),
                          {MPI_COMBINER_HINDEXED, listed({count}, count, lengths), {places, places + count}, {of}});
  });
}

int PMPI_Type_hindexed(int count, const int* lengths, const MPI_Aint* places, MPI_Datatype of, MPI_Datatype* made) {
  return PMPI_Type_create_hindexed(count, lengths, places, of, made);
}

int PMPI_Type_create_indexed_block(int count, int length, const int* places, MPI_Datatype of, MPI_Datatype* made) {
  return constructed(of, made, [&] {
    check_array(count, places);
    if (length < 0) check(MPI_ERR_ARG);
    const SharedMap map = map_of(of);
    return new MappedType(at_places(count, length, in_bytes(count, places, map->extent()).data(), map),
                          {MPI_COMBINER_INDEXED_BLOCK, listed({count, length}, count, places), {}, {of}});
  });
}

int PMPI_Type_create_hindexed_block(int count, int length, const MPI_Aint* places, MPI_Datatype of,
                                    MPI_Datatype* made) {
  return constructed(of, made, [&] {
    check_array(count, places);
    if (length < 0) check(MPI_ERR_ARG);
    return new MappedType(at_places(count, length, places, map_of(of)),
                          {MPI_COMBINER_HINDEXED_BLOCK, {count, length}, {places, places + count}, {of}});
  });
}

int PMPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* places, const MPI_Datatype* types,
                            MPI_Datatype* made) {
  return constructed(MPI_BYTE, made, [&] { return make_struct(count, lengths, places, types); });
}

int PMPI_Type_struct(int count, const int* lengths, const MPI_Aint* places, const MPI_Datatype* types,
                     MPI_Datatype* made) {
  return PMPI_Type_create_struct(count, lengths, places, types, made);
}

int PMPI_Type_create_resized(MPI_Datatype of, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made) {
  return constructed(of, made, [&] {
    return new MappedType(bounded(map_of(of), lower, lower + extent),
                          {MPI_COMBINER_RESIZED, {}, {lower, extent}, {of}});
  });
}

int PMPI_Type_create_subarray(int ndims, const int* sizes, const int* part, const int* first, int order,
                              MPI_Datatype of, MPI_Datatype* made) {
  return constructed(of, made, [&] {
    check_subarray(ndims, sizes, part, first, order);
    std::vector<long> all(sizes, sizes + ndims), own(part, part + ndims), begin(first, first + ndims);
    if (order == MPI_ORDER_FORTRAN) {
      for (auto* dims : {&all, &own, &begin}) std::reverse(dims->begin(), dims->end());
    }
    std::vector<int> integers = listed({ndims}, ndims, sizes);
    for (const int* more : {part, first}) integers.insert(integers.end(), more, more + ndims);
    integers.push_back(order);
    return new MappedType(part_of_array(all, own, begin, map_of(of)),
                          {MPI_COMBINER_SUBARRAY, std::move(integers), {}, {of}});
  });
}

int PMPI_Type_create_darray(int size, int rank, int ndims, int* sizes, int* distributions, int* arguments,
                            int* process_grid, int order, MPI_Datatype of, MPI_Datatype* made) {
  // SMPI has no wrapper that reports errors of this function.
  return raise(MPI_COMM_WORLD, constructed(of, made, [&] {
                 if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) check(MPI_ERR_ARG);
                 std::vector<DistributedDim> dims =
                     distributed_dims(size, rank, ndims, sizes, distributions, arguments, process_grid);
                 if (order == MPI_ORDER_FORTRAN) std::reverse(dims.begin(), dims.end());
                 const SharedMap map = map_of(of);
                 std::vector<Block> blocks;
                 for (const Stretch& s : owned_stretches(dims))
                   blocks.push_back({s.first * map->extent(), s.length, map});
                 const long whole =
                     std::accumulate(sizes, sizes + ndims, map->extent(), [](long a, int b) { return a * b; });
                 std::vector<int> integers = listed({size, rank, ndims}, ndims, sizes);
                 for (const int* more : {distributions, arguments, process_grid})
                   integers.insert(integers.end(), more, more + ndims);
                 integers.push_back(order);
                 return new MappedType(bounded(repeated(std::move(blocks)), 0, whole),
                                       {MPI_COMBINER_DARRAY, std::move(integers), {}, {of}});
               }));
}

int PMPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner) {
  const MappedType* own = type == MPI_DATATYPE_NULL ? nullptr : mapped(type);
  if (own == nullptr || integers == nullptr || addresses == nullptr || types == nullptr || combiner == nullptr)
    return STRATA_BEHIND(Type_get_envelope)(type, integers, addresses, types, combiner);
  const Construction& c = own->construction();
  *integers = static_cast<int>(c.integers.size());
  *addresses = static_cast<int>(c.addresses.size());
  *types = static_cast<int>(c.types.size());
  *combiner = c.combiner;
  return MPI_SUCCESS;
}

int PMPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types, int* integers,
                           MPI_Aint* addresses, MPI_Datatype* types) {
  const MappedType* own = type == MPI_DATATYPE_NULL ? nullptr : mapped(type);
  if (own == nullptr)
    return STRATA_BEHIND(Type_get_contents)(type, most_integers, most_addresses, most_types, integers, addresses,
                                            types);
  return coded([&] {
    const Construction& c = own->construction();
    const auto check_room = [](int most, std::size_t number, const void* array) {
      if (most < static_cast<int>(number)) check(MPI_ERR_COUNT);
      if (number > 0 && array == nullptr) check(MPI_ERR_ARG);
    };
    check_room(most_integers, c.integers.size(), integers);
    check_room(most_addresses, c.addresses.size(), addresses);
    check_room(most_types, c.types.size(), types);
    std::copy(c.integers.begin(), c.integers.end(), integers);
    std::copy(c.addresses.begin(), c.addresses.end(), addresses);
    std::transform(c.types.begin(), c.types.end(), types, another);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Type_size(MPI_Datatype type, int* size) { return type_size(type, size); }
int PMPI_Type_size_x(MPI_Datatype type, MPI_Count* size) { return type_size(type, size); }

int PMPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  return interval(type, lower, extent, &TypeMap::data_begin, &TypeMap::data_end);
}

int PMPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent) {
  return interval(type, lower, extent, &TypeMap::data_begin, &TypeMap::data_end);
}

int PMPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* size) {
  return coded([&] {
    check_count(count);
    if (comm == MPI_COMM_NULL) check(MPI_ERR_COMM);
    if (type == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    if (size == nullptr) check(MPI_ERR_ARG);
    const std::size_t bytes = static_cast<std::size_t>(count) * type->size();
    *size = bytes <= std::numeric_limits<int>::max() ? static_cast<int>(bytes) : MPI_UNDEFINED;
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Pack(const void* memory, int count, MPI_Datatype type, void* packed, int packed_size, int* position,
              MPI_Comm comm) {
  return coded([&] {
    if (comm == MPI_COMM_NULL) check(MPI_ERR_COMM);
    const std::size_t bytes = packed_bytes(count, type, packed_size, position);
    if (bytes > 0 && packed == nullptr) check(MPI_ERR_BUFFER);
    pack(*map_of(type), static_cast<const char*>(address(memory)), bytes, static_cast<char*>(packed) + *position);
    *position += static_cast<int>(bytes);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Unpack(const void* packed, int packed_size, int* position, void* memory, int count, MPI_Datatype type,
                MPI_Comm comm) {
  return coded([&] {
    if (comm == MPI_COMM_NULL) check(MPI_ERR_COMM);
    const std::size_t bytes = packed_bytes(count, type, packed_size, position);
    if (bytes > 0 && packed == nullptr) check(MPI_ERR_BUFFER);
    unpack(*map_of(type), static_cast<const char*>(packed) + *position, bytes, static_cast<char*>(address(memory)));
    *position += static_cast<int>(bytes);
    return static_cast<int>(MPI_SUCCESS);
  });
}
}
