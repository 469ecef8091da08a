// SPDX-License-Identifier: LGPL-2.1-only
// The arguments of one call, as far as MPI forbids their values regardless of other ranks:
//
//   MPI_Send(buffer, -1, MPI_INT, 9, 7, MPI_COMM_WORLD)    its count is -1
//                                                          its destination is 9, and the communicator has 2 ranks
//
// Arguments that MPI does not look at are not checked, such as the receive buffer of MPI_Gather at other ranks than the
// root.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "mpi_ext/preload/checks/checks.h"
#include "mpi_ext/preload/checks/handles.h"
#include "mpi_ext/preload/checks/requests.h"
#include "mpi_ext/preload/checks/signature.h"
#include "mpi_ext/preload/checks/significant.h"
#include "mpi_ext/preload/checks/smpis.h"

namespace strata::mpix {
namespace {

constexpr const char* kPointToPoint = "MPI 4.1, Section 3.2";
constexpr const char* kCollective = "MPI 4.1, Section 6.1";
constexpr const char* kTypes = "MPI 4.1, Section 5.1.9";

class Arguments {
 public:
  explicit Arguments(const Call& call) : call_(call) {}

  int check() {
    check_handles();
    if (code_ != MPI_SUCCESS) return code_;
    check_requests();
    if (call_.comm() != MPI_COMM_NULL) check_ranks();
    if (code_ == MPI_SUCCESS) check_data();
    if (code_ == MPI_SUCCESS) check_others();
    return code_;
  }

 private:
  void say(const char* check, const std::string& text, const char* rule, const char* source,
           std::vector<OtherCall> others = {}) {
    report({.kind = "argument",
            .check = check,
            .call = past(call_),
            .text = text,
            .others = std::move(others),
            .rule = rule,
            .source = source});
  }
  void refuse(int code) {
    if (code_ == MPI_SUCCESS) code_ = code;
  }
  bool ignored(Role role) const { return !significant(call_, role); }

  // --- handles ---

  void check_handles() {
    const auto& parameters = call_.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) check_handle(static_cast<int>(i), parameters[i]);
  }

  void check_handle(int i, const Parameter& p) {
    const bool null = call_.value(i) == 0;
    switch (p.kind) {
      case Kind::kComm:
        if (null && !may_be_null(p)) say_null("communicator", "null-communicator", "MPI_COMM_NULL", MPI_ERR_COMM);
        check_freed(handles().comms, i, "communicator", MPI_ERR_COMM);
        break;
      case Kind::kType:
        if (p.role != Role::kNone && ignored(p.role)) break;
        if (call_.handle<MPI_Datatype>(i) == MPI_DATATYPE_NULL || null) {
          // Elsewhere, programs ask for types that SMPI lacks, and defines as MPI_DATATYPE_NULL.
          if (communicates()) say_null("datatype", "null-datatype", "MPI_DATATYPE_NULL", MPI_ERR_TYPE);
        } else {
          check_freed(handles().types, i, "datatype", MPI_ERR_TYPE);
          if (p.role != Role::kNone && code_ == MPI_SUCCESS) check_committed(call_.handle<MPI_Datatype>(i));
        }
        break;
      case Kind::kOp:
        if (null && !ignored(Role::kOp)) say_null("operation", "null-operation", "MPI_OP_NULL", MPI_ERR_OP);
        check_freed(handles().ops, i, "operation", MPI_ERR_OP);
        break;
      case Kind::kWin:
        if (null && !may_be_null(p)) say_null("window", "null-window", "MPI_WIN_NULL", MPI_ERR_WIN);
        check_freed(handles().windows, i, "window", MPI_ERR_WIN);
        break;
      case Kind::kGroup:
        if (null && !may_be_null(p)) say_null("group", "null-group", "MPI_GROUP_NULL", MPI_ERR_GROUP);
        check_freed(handles().groups, i, "group", MPI_ERR_GROUP);
        break;
      case Kind::kInfo:
        check_freed(handles().infos, i, "info object", MPI_ERR_INFO);
        break;
      case Kind::kFile:
        check_freed(handles().files, i, "file", MPI_ERR_FILE);
        break;
      case Kind::kNewComm:
        check_freeing(handles().comms, i, "communicator", "MPI_COMM_NULL", MPI_ERR_COMM);
        break;
      case Kind::kNewType:
        check_freeing(handles().types, i, "datatype", "MPI_DATATYPE_NULL", MPI_ERR_TYPE);
        break;
      case Kind::kNewOp:
        check_freeing(handles().ops, i, "operation", "MPI_OP_NULL", MPI_ERR_OP);
        break;
      case Kind::kNewWin:
        check_freeing(handles().windows, i, "window", "MPI_WIN_NULL", MPI_ERR_WIN);
        break;
      case Kind::kNewGroup:
        check_freeing(handles().groups, i, "group", "MPI_GROUP_NULL", MPI_ERR_GROUP);
        break;
      default:
        break;
    }
  }

  void say_null(const std::string& what, const char* check, const std::string& null, int code) {
    say(check, "its " + what + " is " + null, "a null handle is not a valid argument", "MPI 4.1, Section 2.5.1");
    refuse(code);
  }

  void check_freed(const HandleTable& table, int i, const std::string& what, int code) {
    const void* const handle = call_.handle<const void*>(i);
    const PastCall* const freed = table.freed(call_.rank(), handle);
    if (freed == nullptr) return;
    say("freed-handle", "its " + what + " is freed", "a handle is not used after it has been freed",
        "MPI 4.1, Section 2.5.1", {{*freed, "freed here"}});
    refuse(code);
  }

  // MPI_Comm_free and the like: the handle is read and written.
  void check_freeing(const HandleTable& table, int i, const std::string& what, const std::string& null, int code) {
    switch (call_.function()) {
      case kMPI_Comm_free:
      case kMPI_Comm_disconnect:
      case kMPI_Type_free:
      case kMPI_Type_commit:
      case kMPI_Op_free:
      case kMPI_Group_free:
      case kMPI_Win_free:
        break;
      default:
        return;
    }
    const void* const* const place = call_.handle<const void* const*>(i);
    if (place == nullptr) return;
    const void* const handle = *place;
    if (handle == nullptr || handle == static_cast<const void*>(MPI_DATATYPE_NULL)) {
      say("null-handle", "its " + what + " is " + null, "a null handle cannot be freed", "MPI 4.1, Section 2.5.1");
      return refuse(code);
    }
    const PastCall* const freed = table.freed(call_.rank(), handle);
    if (freed == nullptr) return;
    say("freed-handle", "its " + what + " is freed", "a handle is not used after it has been freed",
        "MPI 4.1, Section 2.5.1", {{*freed, "freed here"}});
    refuse(code);
  }

  // Functions that permit it, or of which another argument decides.
  bool may_be_null(const Parameter& p) const {
    switch (call_.function()) {
      case kMPI_Abort:
      case kMPI_Comm_get_name:
      case kMPI_Type_get_name:
      case kMPI_Win_get_name:
      case kMPI_Comm_c2f:
      case kMPI_Type_c2f:
      case kMPI_Win_c2f:
      case kMPI_Group_c2f:
      case kMPI_Op_c2f:
      case kMPI_Comm_set_errhandler:
      case kMPI_Comm_get_errhandler:
      case kMPI_Comm_call_errhandler:
      case kMPI_Errhandler_set:
      case kMPI_Errhandler_get:
      case kMPI_Win_set_errhandler:
      case kMPI_Win_get_errhandler:
      case kMPI_Win_call_errhandler:
        return true;
      case kMPI_Intercomm_create:
        return p.name == "peer_comm";
      case kMPI_Comm_spawn:
      case kMPI_Comm_spawn_multiple:
      case kMPI_Comm_accept:
      case kMPI_Comm_connect:
        return true;
      default:
        return false;
    }
  }

  void check_committed(MPI_Datatype type) {
    const HandleTable::Made* const made = handles().types.live(call_.rank(), type);
    if (made == nullptr || made->committed || !communicates()) return;
    say("uncommitted-type", "its datatype is not committed", "MPI_Type_commit comes before a datatype is used", kTypes,
        {{made->call, "made here"}});
    refuse(MPI_ERR_TYPE);
  }

  bool communicates() const { return call_.comm() != MPI_COMM_NULL || call_.win() != MPI_WIN_NULL; }

  // --- requests ---

  void check_requests() {
    const Function f = call_.function();
    if (f == kMPI_Start) check_start(*call_.pointer<MPI_Request*>(Role::kRequest));
    if (f == kMPI_Startall) {
      for (int i = 0; i < call_.number(Role::kCount); ++i) check_start(call_.pointer<MPI_Request*>(Role::kRequests)[i]);
    }
    if (f != kMPI_Request_free) return;
    MPI_Request const request = *call_.pointer<MPI_Request*>(Role::kRequest);
    if (request == MPI_REQUEST_NULL) {
      say("null-handle", "its request is MPI_REQUEST_NULL", "a null handle cannot be freed", "MPI 4.1, Section 3.7.3");
      return refuse(MPI_ERR_REQUEST);
    }
    const RequestState* const state = requests().find(call_.rank(), request);
    if (state != nullptr && state->collective && state->active) {
      say("freed-collective", "its request is that of a nonblocking collective, which is not complete",
          "MPI_Wait completes a nonblocking collective", "MPI 4.1, Section 6.12", {{state->made, "started here"}});
    }
  }

  void check_start(MPI_Request request) {
    const RequestState* const state = requests().find(call_.rank(), request);
    if (request == MPI_REQUEST_NULL) {
      say("null-handle", "its request is MPI_REQUEST_NULL", "MPI_Start needs a persistent request",
          "MPI 4.1, Section 3.9");
      return refuse(MPI_ERR_REQUEST);
    }
    if (state == nullptr) return;
    if (!state->persistent) {
      say("not-persistent", "its request is not persistent", "MPI_Start needs a persistent request",
          "MPI 4.1, Section 3.9", {{state->made, "made here"}});
      refuse(MPI_ERR_REQUEST);
    } else if (state->active) {
      say("active-request", "its request is active", "MPI_Wait comes before a request is started again",
          "MPI 4.1, Section 3.9", {{state->started, "started here"}});
      refuse(MPI_ERR_REQUEST);
    }
  }

  // --- ranks and tags ---

  void check_ranks() {
    const bool of_collective = call_.has(Role::kRoot);
    const bool of_message = call_.has(Role::kDest) || call_.has(Role::kSource);
    if (!of_collective && !of_message) return;
    const CommInfo& comm = comm_info(call_.comm());
    const int ranks = comm.inter ? comm.remote_size : comm.size;
    const std::string has = ", and the communicator has " + std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks");
    if (of_collective) {
      const int root = call_.number(Role::kRoot);
      if (!comm.inter && (root < 0 || root >= ranks)) {
        say("root", "its root is " + std::to_string(root) + has, "a root is the rank of a process of the communicator",
            kCollective);
        refuse(MPI_ERR_ROOT);
      }
      return;
    }
    if (call_.has(Role::kDest)) {
      const int to = call_.number(Role::kDest);
      if (to != MPI_PROC_NULL && (to < 0 || to >= ranks)) {
        say("destination", "its destination is " + name_of_rank(to) + has,
            "a destination is the rank of a process of the communicator, or MPI_PROC_NULL", kPointToPoint);
        refuse(MPI_ERR_RANK);
      }
    }
    if (call_.has(Role::kSource)) {
      const int from = call_.number(Role::kSource);
      if (from != MPI_PROC_NULL && from != MPI_ANY_SOURCE && (from < 0 || from >= ranks)) {
        say("source", "its source is " + std::to_string(from) + has,
            "a source is the rank of a process of the communicator, MPI_ANY_SOURCE or MPI_PROC_NULL", kPointToPoint);
        refuse(MPI_ERR_RANK);
      }
    }
    check_tags();
  }

  static std::string name_of_rank(int rank) { return rank == MPI_ANY_SOURCE ? "MPI_ANY_SOURCE" : std::to_string(rank); }

  void check_tags() {
    const bool exchange = call_.has(Role::kSendTag);
    if (exchange || call_.has(Role::kDest)) {
      const Role role = exchange ? Role::kSendTag : Role::kTag;
      const int tag = call_.number(role);
      if (tag < 0 && call_.number(Role::kDest) != MPI_PROC_NULL) {
        say("tag", "its tag is " + (tag == MPI_ANY_TAG ? "MPI_ANY_TAG" : std::to_string(tag)),
            "the tag of a send is 0 or larger", kPointToPoint);
        refuse(MPI_ERR_TAG);
      }
    }
    if (call_.has(Role::kSource)) {
      const int tag = call_.number(exchange ? Role::kRecvTag : Role::kTag);
      if (tag < 0 && tag != MPI_ANY_TAG && call_.number(Role::kSource) != MPI_PROC_NULL) {
        say("tag", "its tag is " + std::to_string(tag), "the tag of a receive is 0 or larger, or MPI_ANY_TAG",
            kPointToPoint);
        refuse(MPI_ERR_TAG);
      }
    }
  }

  // --- data ---

  void check_data() {
    for (const DataArguments& d : data_of_call(call_)) {
      if (ignored(d.buffer)) continue;
      const void* const buffer = call_.pointer<const void*>(d.buffer);
      if (d.count == Role::kNone) continue;  // counts for each rank
      const int count = call_.number(d.count);
      if (count < 0) {
        say("count", "its count is " + std::to_string(count), "a count is 0 or larger", kPointToPoint);
        refuse(MPI_ERR_COUNT);
        continue;
      }
      MPI_Datatype const type = call_.type(d.type);
      if (buffer != nullptr || count == 0 || type == MPI_DATATYPE_NULL || type == nullptr) continue;
      const TypeSignature& signature = signature_of(type);
      // A type of absolute addresses may be used with a buffer at 0.
      if (signature.size == 0 || !signature.basic) continue;
      say("null-buffer", "its buffer is NULL, and its count is " + std::to_string(count),
          "a buffer has room for the data", kPointToPoint);
      refuse(MPI_ERR_BUFFER);
    }
    check_operation();
  }

  void check_operation() {
    MPI_Op const op = call_.op();
    if (op == MPI_OP_NULL || ignored(Role::kOp) || call_.win() != MPI_WIN_NULL) return;
    if (op == MPI_REPLACE || op == MPI_NO_OP) {
      say("operation", "its operation is " + name_of(op), "MPI_REPLACE and MPI_NO_OP are operations of windows",
          "MPI 4.1, Section 12.3.4");
      refuse(MPI_ERR_OP);
      return;
    }
    MPI_Datatype const type = call_.type(Role::kType);
    const std::string name = name_of(op);
    if (name.empty() || type == nullptr || type == MPI_DATATYPE_NULL) return;
    const TypeSignature& signature = signature_of(type);
    if (!signature.basic || signature.runs.size() != 1) return;
    const BasicKind kind = signature.runs[0].type.kind;
    const bool bits =
        op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR || op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR;
    if (!bits || kind != BasicKind::kFloat) return;
    say("operation", "its operation is " + name + ", and its datatype is " + strata::mpix::name_of(type),
        "logical and bitwise operations are for integers", "MPI 4.1, Section 6.9.2");
    refuse(MPI_ERR_OP);
  }

  static std::string name_of(MPI_Op op) {
    if (op == MPI_REPLACE) return "MPI_REPLACE";
    if (op == MPI_NO_OP) return "MPI_NO_OP";
    if (op == MPI_BAND) return "MPI_BAND";
    if (op == MPI_BOR) return "MPI_BOR";
    if (op == MPI_BXOR) return "MPI_BXOR";
    if (op == MPI_LAND) return "MPI_LAND";
    if (op == MPI_LOR) return "MPI_LOR";
    if (op == MPI_LXOR) return "MPI_LXOR";
    return "";
  }

  // --- other functions ---

  void check_others() {
    switch (call_.function()) {
      case kMPI_Cart_create:
        return check_mesh();
      case kMPI_Cart_get:
      case kMPI_Cart_coords:
      case kMPI_Cart_rank:
      case kMPI_Cart_shift:
      case kMPI_Cart_sub:
      case kMPI_Cartdim_get:
        return check_has_mesh();
      case kMPI_Win_create:
        return check_window_memory();
      default:
        return;
    }
  }

  void check_mesh() {
    const int dims = static_cast<int>(call_.value(1));
    const int* const sizes = call_.handle<const int*>(2);
    const CommInfo& comm = comm_info(call_.comm());
    if (dims < 0) {
      say("dimensions", "it has " + std::to_string(dims) + " dimensions", "the number of dimensions is 0 or larger",
          "MPI 4.1, Section 8.5.1");
      return refuse(MPI_ERR_DIMS);
    }
    long places = 1;
    for (int i = 0; i < dims && sizes != nullptr; ++i) {
      if (sizes[i] <= 0) {
        say("dimensions", "its dimension " + std::to_string(i) + " has the size " + std::to_string(sizes[i]),
            "each dimension has a size of at least 1", "MPI 4.1, Section 8.5.1");
        return refuse(MPI_ERR_DIMS);
      }
      places *= sizes[i];
    }
    if (places <= comm.size) return;
    say("dimensions",
        "its mesh has " + std::to_string(places) + " places, and the communicator has " + std::to_string(comm.size) +
            " ranks",
        "the mesh has at most as many places as the communicator has ranks", "MPI 4.1, Section 8.5.1");
    refuse(MPI_ERR_DIMS);
  }

  void check_has_mesh() {
    int topology = MPI_UNDEFINED;
    if (STRATA_SMPIS(Topo_test)(call_.comm(), &topology) != MPI_SUCCESS || topology == MPI_CART) return;
    say("no-mesh", "its communicator has no Cartesian topology", "MPI_Cart_create makes such a communicator",
        "MPI 4.1, Section 8.5.5");
    refuse(MPI_ERR_TOPOLOGY);
  }

  void check_window_memory() {
    const auto size = static_cast<long>(call_.value(1));
    const int unit = static_cast<int>(call_.value(2));
    const char* const source = "MPI 4.1, Section 12.2.1";
    if (size < 0) {
      say("window-size", "its size is " + std::to_string(size), "a size is 0 or larger", source);
      refuse(MPI_ERR_SIZE);
    } else if (unit <= 0) {
      say("window-unit", "its displacement unit is " + std::to_string(unit), "a displacement unit is 1 or larger",
          source);
      refuse(MPI_ERR_DISP);
    } else if (call_.value(0) == 0 && size > 0) {
      say("null-buffer", "its memory is NULL, and its size is " + std::to_string(size), "a window has memory", source);
      refuse(MPI_ERR_BUFFER);
    }
  }

  const Call& call_;
  int code_ = MPI_SUCCESS;
};

}  // namespace

int check_arguments(const Call& call) { return Arguments(call).check(); }

}  // namespace strata::mpix
