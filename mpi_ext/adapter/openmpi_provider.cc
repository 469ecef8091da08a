// SPDX-License-Identifier: LGPL-2.1-only
// Reads Open MPI's monitoring component (4.1: ompi/mca/common/monitoring).
//
// It counts from MPI_Init on, in performance variables of MPI_T that are bound to MPI_COMM_WORLD. In 4.1.4:
//
//   - After Open MPI has chosen a PML, it unregisters the component's PML variables. MPI_T then does not find them, but
//     the component is active. libmca_common_monitoring.so is loaded in this case and exports the function that
//     registers them, so we call it again.
//   - A variable can only be read through a started handle. Stopping any handle stops all counting. We never stop one,
//     which is possible because we use differences.
//   - With pml_monitoring_enable 2, messages of MPI itself (which have negative tags) are counted separately, and no
//     variable contains them. The text that the component writes when its variable pml_monitoring_flush is stopped
//     does. But if the program has freed a communicator, the component's mca_common_monitoring_coll_flush_all accesses
//     freed memory, so we do not use this text.
//   - A get is also counted as a sent message of 0 bytes to its target.
//   - A reduction or a gather is counted as if its root sent to all (collective_meaning.h).
//   - Messages of mpix.h's collectives count as the program's.
#include "mpi_ext/adapter/openmpi_provider.h"

#include <dlfcn.h>
#include <mpi.h>

#include <memory>
#include <optional>

#include "mpi_ext/MPI_Monitoring.h"

namespace strata::mpix::openmpi {
namespace {

// A session of MPI_T. MPI's tool interface is initialised during its lifetime.
class Tool {
 public:
  Tool() {
    int provided = 0;
    initialised_ = MPI_T_init_thread(MPI_THREAD_SERIALIZED, &provided) == MPI_SUCCESS;
    if (initialised_ && MPI_T_pvar_session_create(&session_) != MPI_SUCCESS) session_ = MPI_T_PVAR_SESSION_NULL;
  }
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;
  ~Tool() {
    if (session_ != MPI_T_PVAR_SESSION_NULL) MPI_T_pvar_session_free(&session_);
    if (initialised_) MPI_T_finalize();
  }
  MPI_T_pvar_session session() const { return session_; }

  // The value of an integer control variable; empty if there is none of that name.
  std::optional<int> setting(const char* name) const {
    int index = 0, count = 0, value = 0;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    if (!initialised_ || MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return std::nullopt;
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return std::nullopt;
    const int code = MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
    if (code != MPI_SUCCESS) return std::nullopt;
    return value;
  }

  // A started handle; null if that is not possible.
  MPI_T_pvar_handle start(const char* name, int variable_class, void* object, int* count) const {
    int index = 0;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    if (session_ == MPI_T_PVAR_SESSION_NULL) return handle;
    if (MPI_T_pvar_get_index(name, variable_class, &index) != MPI_SUCCESS) return handle;
    if (MPI_T_pvar_handle_alloc(session_, index, object, &handle, count) != MPI_SUCCESS) return MPI_T_PVAR_HANDLE_NULL;
    if (MPI_T_pvar_start(session_, handle) != MPI_SUCCESS) {
      MPI_T_pvar_handle_free(session_, &handle);
      return MPI_T_PVAR_HANDLE_NULL;
    }
    return handle;
  }

 private:
  bool initialised_ = false;
  MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;
};

// One variable for each column of Counts.
class Variables {
 public:
  explicit Variables(const Tool& tool) : tool_(tool) {
    MPI_Comm world = MPI_COMM_WORLD;
    for (Column& column : columns_) {
      int count = 0;
      column.handle = tool.start(column.name, MPI_T_PVAR_CLASS_SIZE, &world, &count);
      complete_ = complete_ && column.handle != MPI_T_PVAR_HANDLE_NULL;
      values_.resize(count);
    }
  }
  bool complete() const { return complete_; }

  bool read(Counts& counts) {
    for (const Column& column : columns_) {
      if (MPI_T_pvar_read(tool_.session(), column.handle, values_.data()) != MPI_SUCCESS) return false;
      std::vector<Sent>& row = column.kind < kMessageKinds ? counts.sent[column.kind] : counts.results;
      for (std::size_t r = 0; r < row.size(); ++r) row[r].*column.member = values_[r];
    }
    return true;
  }

 private:
  static constexpr int kResults = kMessageKinds;
  struct Column {
    const char* name;
    int kind;
    std::uint64_t Sent::*member;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  };
  const Tool& tool_;
  std::array<Column, 8> columns_{{
      {"pml_monitoring_messages_count", static_cast<int>(MessageKind::kExternal), &Sent::messages},
      {"pml_monitoring_messages_size", static_cast<int>(MessageKind::kExternal), &Sent::bytes},
      {"coll_monitoring_messages_count", static_cast<int>(MessageKind::kCollective), &Sent::messages},
      {"coll_monitoring_messages_size", static_cast<int>(MessageKind::kCollective), &Sent::bytes},
      {"osc_monitoring_messages_sent_count", static_cast<int>(MessageKind::kOneSided), &Sent::messages},
      {"osc_monitoring_messages_sent_size", static_cast<int>(MessageKind::kOneSided), &Sent::bytes},
      {"osc_monitoring_messages_recv_count", kResults, &Sent::messages},
      {"osc_monitoring_messages_recv_size", kResults, &Sent::bytes},
  }};
  bool complete_ = true;
  std::vector<unsigned long> values_;  // the component counts in size_t
};

// The value of pml_monitoring_enable; 0 if the component is not active.
int enabled(const Tool& tool) {
  constexpr const char* kSetting = "pml_monitoring_enable";
  if (const std::optional<int> known = tool.setting(kSetting)) return *known;
  const auto register_again =
      reinterpret_cast<void (*)(void*)>(::dlsym(RTLD_DEFAULT, "mca_common_monitoring_register"));
  if (register_again == nullptr) return 0;
  register_again(nullptr);
  return tool.setting(kSetting).value_or(0);
}

class Component {
 public:
  Component() : enabled_(enabled(tool_)) {
    if (enabled_ != 0) variables_ = std::make_unique<Variables>(tool_);
  }
  bool at_work() const { return variables_ != nullptr && variables_->complete(); }
  bool aggregates() const { return enabled_ == 1; }
  bool read(Counts& counts) { return variables_->read(counts); }

 private:
  Tool tool_;
  int enabled_;
  std::unique_ptr<Variables> variables_;  // gcc 14 reports an optional's contents as uninitialised
};

std::unique_ptr<Component>& component() {
  static std::unique_ptr<Component> the;
  return the;
}

}  // namespace

bool available() {
  if (component() == nullptr) component() = std::make_unique<Component>();
  if (component()->at_work()) return true;
  close();
  return false;
}

int sees() {
  return MPI_M_ALL_COMM | MPI_M_SEES_MPIX | MPI_M_SEES_RESULTS |
         (component()->aggregates() ? MPI_M_SEES_DECOMPOSED : MPI_M_SEES_EXTERNAL);
}

bool snapshot(Counts& counts) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (std::vector<Sent>& row : counts.sent) row.assign(size, {});
  counts.results.assign(size, {});
  return component()->read(counts);
}

void close() { component().reset(); }

}  // namespace strata::mpix::openmpi
