#include "mpi_ext/hierarchy/hsplit.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/adapter/host.h"
#include "mpi_ext/error.h"
#include "mpi_ext/hierarchy/hlevel_info.h"
#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/provider/provider.h"

namespace strata::mpix {
namespace {

// What a member tells the others.
struct Entry {
  Place place;
  std::int64_t split_type;
};
constexpr std::int64_t kNowhere = -1;  // the vertex of a member that does not know its place

struct Members {
  Where me;
  int rank = 0;
  std::vector<Place> places;      // by rank of the communicator
  std::vector<int> split_types;   // the same
  bool every_place_known = true;  // the same on every member
};

// Every member's place, on every member. Collective. A member whose provider fails takes part all the same, so that
// nobody waits for it; it says on stderr why.
Members exchange(MPI_Comm comm, int split_type) {
  int size = 0, world_rank = 0;
  Members m;
  call(MPI_Comm_size(comm, &size));
  call(MPI_Comm_rank(comm, &m.rank));
  call(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
  try {
    m.me = where_am_i(world_rank, simulated_host());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "strata: %s\n", e.what());
    m.me.place.vertex = kNowhere;
  }
  const Entry mine{m.me.place, split_type};
  std::vector<Entry> all(size);
  call(MPI_Allgather(&mine, sizeof(Entry), MPI_BYTE, all.data(), sizeof(Entry), MPI_BYTE, comm));
  m.places.reserve(size);
  m.split_types.reserve(size);
  for (const Entry& e : all) {
    m.places.push_back(e.place);
    m.split_types.push_back(static_cast<int>(e.split_type));
    m.every_place_known = m.every_place_known && e.place.vertex != kNowhere;
  }
  return m;
}

bool same_tree(const Place& a, const Place& b) { return a.node_key == b.node_key && a.tree == b.tree; }

bool one_tree(const std::vector<Place>& places) {
  return std::all_of(places.begin(), places.end(), [&](const Place& p) { return same_tree(p, places.front()); });
}

std::vector<int> vertices_of(const std::vector<Place>& places) {
  std::vector<int> vertices;
  vertices.reserve(places.size());
  for (const Place& p : places) vertices.push_back(static_cast<int>(p.vertex));
  return vertices;
}

// Which new communicator each member is in, by rank; -1 for none.
struct Partition {
  int num_comms = 0;
  std::vector<int> index;
};

// Nodes of which only the names are known hang under one switch: vertex 0 the switch, then a vertex a node in the order
// of their first members. (Nor is more known of a node whose processes see different parts of it.)
std::vector<int> as_star(const std::vector<Place>& places, std::vector<int>& parent) {
  std::vector<std::uint64_t> keys;
  std::vector<int> vertices;
  for (const Place& p : places) {
    const auto at = std::find(keys.begin(), keys.end(), p.node_key);
    vertices.push_back(1 + static_cast<int>(at - keys.begin()));
    if (at == keys.end()) keys.push_back(p.node_key);
  }
  parent.assign(keys.size() + 1, 0);
  parent[0] = -1;
  return vertices;
}

Partition by_topology(const Members& m) {
  std::vector<int> star;
  const bool known = one_tree(m.places);
  const std::vector<int> vertices = known ? vertices_of(m.places) : as_star(m.places, star);
  Split s = split(known ? m.me.topology->parents() : std::span<const int>(star), vertices);
  return {s.num_comms, std::move(s.index)};
}

// A communicator a node: in the order of the tree where that is known, else of the first members. Bindings are within a
// node, so each vertex is one of a node's.
Partition by_node(const Members& m) {
  using Node = std::pair<std::uint64_t, int>;
  const auto node_of = [&](const Place& p) {
    return Node(p.node_key, same_tree(p, m.me.place) ? m.me.topology->node(static_cast<int>(p.vertex)) : 0);
  };
  std::vector<Node> nodes;
  for (const Place& p : m.places) {
    if (std::find(nodes.begin(), nodes.end(), node_of(p)) == nodes.end()) nodes.push_back(node_of(p));
  }
  if (one_tree(m.places)) std::sort(nodes.begin(), nodes.end());
  Partition result{static_cast<int>(nodes.size()), {}};
  for (const Place& p : m.places) {
    result.index.push_back(static_cast<int>(std::find(nodes.begin(), nodes.end(), node_of(p)) - nodes.begin()));
  }
  return result;
}

// Members that passed MPI_UNDEFINED get nothing, and a communicator of nobody else does not exist.
Partition without_undefined(Partition p, const std::vector<int>& split_types) {
  std::set<int> left;
  for (size_t i = 0; i < p.index.size(); ++i) {
    if (split_types[i] == MPI_UNDEFINED) p.index[i] = -1;
    if (p.index[i] >= 0) left.insert(p.index[i]);
  }
  for (int& i : p.index) {
    if (i >= 0) i = static_cast<int>(std::distance(left.begin(), left.find(i)));
  }
  p.num_comms = static_cast<int>(left.size());
  return p;
}

std::string common_name(const Where& me, const std::vector<Place>& places) {
  const Topology& t = *me.topology;
  if (one_tree(places)) return t.name(lowest_common_ancestor(t.parents(), vertices_of(places)));
  const bool one_node =
      std::all_of(places.begin(), places.end(), [&](const Place& p) { return p.node_key == places.front().node_key; });
  return one_node ? t.name(t.node_vertex(0)) : std::string(kClusterName);
}

void free_comm(MPI_Comm& comm) {
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

// Makes the communicators of a partition. Collective. Throws ReportedByMpi; `out` holds no communicator then.
void make_comms(MPI_Comm comm, const Members& m, const Partition& p, int key, bool with_roots, SplitComms& out) {
  out.num_comms = p.num_comms;
  if (p.num_comms == 0) return;  // nobody goes anywhere, and everybody knows
  out.stragglers = std::find(p.index.begin(), p.index.end(), -1) != p.index.end();
  try {
    const int mine = p.index[m.rank];
    call(MPI_Comm_split(comm, mine < 0 ? MPI_UNDEFINED : mine, key, &out.newcomm));
    bool root = false;
    int attached = MPI_SUCCESS;
    if (out.newcomm != MPI_COMM_NULL) {
      std::vector<Place> siblings;
      for (size_t i = 0; i < m.places.size(); ++i) {
        if (p.index[i] == mine) siblings.push_back(m.places[i]);
      }
      attached = attach_hlevel_info(out.newcomm, {common_name(m.me, siblings), p.num_comms, mine});
      int newrank = 0;
      MPI_Comm_rank(out.newcomm, &newrank);
      root = newrank == 0;
    }
    // One roots communicator per parent (RR-9077, Algorithm 2); here the parent is `comm` itself, so one colour is
    // enough. Also who has failed meanwhile takes part: nobody is left waiting.
    if (with_roots) call(MPI_Comm_split(comm, root ? 0 : MPI_UNDEFINED, m.rank, &out.rootscomm));
    call(attached);
  } catch (...) {
    free_comm(out.newcomm);
    free_comm(out.rootscomm);
    throw;
  }
}

int split_by_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const Members m = exchange(comm, split_type);
  int type = MPI_UNDEFINED;  // what all ask for who ask for something
  for (int t : m.split_types) {
    if (t == MPI_UNDEFINED) continue;
    if (type != MPI_UNDEFINED && t != type) return MPI_ERR_ARG;
    type = t;
  }
  if (type == MPI_UNDEFINED) return MPI_SUCCESS;
  if (type != MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY && type != MPI_COMM_TYPE_SHARED) {
    call(MPI_Comm_split_type(comm, split_type, key, info, newcomm));
    return MPI_SUCCESS;
  }
  if (!m.every_place_known) return MPI_ERR_OTHER;
  SplitComms comms;
  Partition all = type == MPI_COMM_TYPE_SHARED ? by_node(m) : by_topology(m);
  make_comms(comm, m, without_undefined(std::move(all), m.split_types), key, false, comms);
  *newcomm = comms.newcomm;
  return MPI_SUCCESS;
}

// A string that lives as long as the program, also while static objects are destroyed: there are only as many as there
// are types of objects.
char* forever(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string>& texts = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return const_cast<char*>(texts.insert(text).first->c_str());
}

}  // namespace

int hsplit_with_roots(MPI_Comm comm, SplitComms& out) {
  const Members m = exchange(comm, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY);
  if (!m.every_place_known) return MPI_ERR_OTHER;
  make_comms(comm, m, by_topology(m), m.rank, true, out);
  return MPI_SUCCESS;
}

}  // namespace strata::mpix

extern "C" {

int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm == nullptr) return static_cast<int>(MPI_ERR_ARG);
    *newcomm = MPI_COMM_NULL;
    return strata::mpix::split_by_type(comm, split_type, key, info, newcomm);
  });
}

int MPIX_Comm_hsplit_with_roots(MPI_Comm comm, MPI_Info, MPI_Comm* newcomm, MPI_Comm* rootscomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm == nullptr || rootscomm == nullptr) return static_cast<int>(MPI_ERR_ARG);
    *newcomm = *rootscomm = MPI_COMM_NULL;
    strata::mpix::SplitComms comms;
    const int error = strata::mpix::hsplit_with_roots(comm, comms);
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
    const strata::mpix::Members m = strata::mpix::exchange(comm, MPI_UNDEFINED);
    if (type == nullptr || nranks < 0 || (nranks > 0 && ranks == nullptr)) return static_cast<int>(MPI_ERR_ARG);
    bool listed = false;
    std::vector<strata::mpix::Place> places;
    for (int i = 0; i < nranks; ++i) {
      if (ranks[i] < 0 || ranks[i] >= static_cast<int>(m.places.size())) return static_cast<int>(MPI_ERR_RANK);
      places.push_back(m.places[ranks[i]]);
      listed = listed || ranks[i] == m.rank;
    }
    if (!m.every_place_known) return static_cast<int>(MPI_ERR_OTHER);
    *type = strata::mpix::forever(listed ? strata::mpix::common_name(m.me, places) : "Unknown");
    return static_cast<int>(MPI_SUCCESS);
  });
}

}  // extern "C"
