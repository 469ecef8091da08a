#include "mpi_ext/hierarchy/hsplit.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/error.h"
#include "mpi_ext/hierarchy/hlevel_info.h"
#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/provider/provider.h"

namespace strata::mpix {
namespace {

struct Members {
  Where me;
  std::vector<Place> places;  // by rank of the communicator
};

// Every member's place, on every member. Collective.
Members exchange_places(MPI_Comm comm) {
  int size = 0, world_rank = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  Members m{where_am_i(world_rank), std::vector<Place>(size)};
  MPI_Allgather(&m.me.place, sizeof(Place), MPI_BYTE, m.places.data(), sizeof(Place), MPI_BYTE, comm);
  return m;
}

bool one_tree(const std::vector<Place>& places) {
  return std::all_of(places.begin(), places.end(), [&](const Place& p) { return p.key == places.front().key; });
}

std::vector<int> vertices_of(const std::vector<Place>& places) {
  std::vector<int> vertices;
  vertices.reserve(places.size());
  for (const Place& p : places) vertices.push_back(static_cast<int>(p.vertex));
  return vertices;
}

// Nodes of which only the names are known hang under one switch: vertex 0 the switch, then a vertex a node in the order
// of their first members.
std::vector<int> as_star(const std::vector<Place>& places, std::vector<int>& parent) {
  std::vector<std::uint64_t> keys;
  std::vector<int> vertices;
  for (const Place& p : places) {
    const auto at = std::find(keys.begin(), keys.end(), p.key);
    vertices.push_back(1 + static_cast<int>(at - keys.begin()));
    if (at == keys.end()) keys.push_back(p.key);
  }
  parent.assign(keys.size() + 1, 0);
  parent[0] = -1;
  return vertices;
}

std::string common_name(const Where& me, const std::vector<Place>& places) {
  if (!one_tree(places)) return std::string(kClusterName);
  return me.topology->name(lowest_common_ancestor(me.topology->parents(), vertices_of(places)));
}

// A string that lives as long as the program: there are only as many as there are types of objects.
char* forever(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard lock(mutex);
  return const_cast<char*>(texts.insert(text).first->c_str());
}

}  // namespace

int hsplit(MPI_Comm comm, int key, bool with_roots, SplitComms& out) {
  const Members m = exchange_places(comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<int> star;
  const bool same_tree = one_tree(m.places);
  const std::vector<int> vertices = same_tree ? vertices_of(m.places) : as_star(m.places, star);
  const Split s = split(same_tree ? m.me.topology->parents() : std::span<const int>(star), vertices);
  out.num_comms = s.num_comms;
  if (s.num_comms == 0) return MPI_SUCCESS;  // nobody goes anywhere, and everybody knows
  out.stragglers = std::find(s.index.begin(), s.index.end(), -1) != s.index.end();

  const int mine = s.index[rank];
  int error = MPI_Comm_split(comm, mine < 0 ? MPI_UNDEFINED : mine, key, &out.newcomm);
  if (error != MPI_SUCCESS) return error;
  bool root = false;
  if (out.newcomm != MPI_COMM_NULL) {
    std::vector<Place> siblings;
    for (size_t i = 0; i < m.places.size(); ++i) {
      if (s.index[i] == mine) siblings.push_back(m.places[i]);
    }
    error = attach_hlevel_info(out.newcomm, {common_name(m.me, siblings), s.num_comms, mine});
    if (error != MPI_SUCCESS) return error;
    int newrank = 0;
    MPI_Comm_rank(out.newcomm, &newrank);
    root = newrank == 0;
  }
  // One roots communicator per parent (RR-9077, Algorithm 2); here the parent is `comm` itself, so one colour is
  // enough.
  if (with_roots) error = MPI_Comm_split(comm, root ? 0 : MPI_UNDEFINED, rank, &out.rootscomm);
  return error;
}

int split_by_node(MPI_Comm comm, int key, MPI_Comm* newcomm) {
  const Members m = exchange_places(comm);
  // A vertex that is no node's (a process bound to several nodes) does not exist: bindings are within a node.
  const auto node_of = [&](const Place& p) { return m.me.topology->node(static_cast<int>(p.vertex)); };
  int rank = 0, colour = 0;
  MPI_Comm_rank(comm, &rank);
  for (size_t i = 0; i < m.places.size(); ++i) {
    const bool same = m.places[i].key == m.me.place.key && node_of(m.places[i]) == node_of(m.me.place);
    if (same) {
      colour = static_cast<int>(i);  // the first member on this node names it
      break;
    }
  }
  return MPI_Comm_split(comm, colour, key, newcomm);
}

}  // namespace strata::mpix

using strata::mpix::SplitComms;

extern "C" {

int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm == nullptr) return static_cast<int>(MPI_ERR_ARG);
    *newcomm = MPI_COMM_NULL;
    if (split_type == MPI_COMM_TYPE_SHARED) return strata::mpix::split_by_node(comm, key, newcomm);
    if (split_type != MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY && split_type != MPI_UNDEFINED) {
      return MPI_Comm_split_type(comm, split_type, key, info, newcomm);
    }
    SplitComms comms;
    const int error = strata::mpix::hsplit(comm, key, false, comms);
    *newcomm = comms.newcomm;
    if (split_type == MPI_UNDEFINED && comms.newcomm != MPI_COMM_NULL) return MPI_Comm_free(newcomm);
    return error;
  });
}

int MPIX_Comm_hsplit_with_roots(MPI_Comm comm, MPI_Info, MPI_Comm* newcomm, MPI_Comm* rootscomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm == nullptr || rootscomm == nullptr) return static_cast<int>(MPI_ERR_ARG);
    *newcomm = *rootscomm = MPI_COMM_NULL;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    SplitComms comms;
    const int error = strata::mpix::hsplit(comm, rank, true, comms);
    *newcomm = comms.newcomm;
    *rootscomm = comms.rootscomm;
    return error;
  });
}

int MPIX_Comm_get_hlevel_info(MPI_Comm comm, int* num_comms, int* index, char** type) {
  return strata::mpix::guarded(comm, [&] {
    if (comm == MPI_COMM_NULL) return static_cast<int>(MPI_ERR_COMM);
    const auto info = strata::mpix::hlevel_info(comm);
    if (!info) return static_cast<int>(MPI_ERR_ARG);
    if (num_comms != nullptr) *num_comms = info->num_comms;
    if (index != nullptr) *index = info->index;
    if (type != nullptr) *type = strata::mpix::forever(info->type);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int MPIX_Comm_get_min_hlevel(MPI_Comm comm, int nranks, const int* ranks, char** type) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    // Everybody takes part in the exchange, also who is about to report an error: nobody is left waiting.
    const strata::mpix::Members m = strata::mpix::exchange_places(comm);
    if (type == nullptr || nranks < 0 || (nranks > 0 && ranks == nullptr)) return static_cast<int>(MPI_ERR_ARG);
    int me = 0;
    MPI_Comm_rank(comm, &me);
    bool listed = false;
    std::vector<strata::mpix::Place> places;
    for (int i = 0; i < nranks; ++i) {
      if (ranks[i] < 0 || ranks[i] >= static_cast<int>(m.places.size())) return static_cast<int>(MPI_ERR_RANK);
      places.push_back(m.places[ranks[i]]);
      listed = listed || ranks[i] == me;
    }
    *type = strata::mpix::forever(listed ? strata::mpix::common_name(m.me, places) : "Unknown");
    return static_cast<int>(MPI_SUCCESS);
  });
}

}  // extern "C"
