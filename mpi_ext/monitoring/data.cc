// SPDX-License-Identifier: LGPL-2.1-only
// MPI_M_get_data, the gathers and the flushes: copy a session's counts to the user's buffers and files.
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/monitoring/api_guard.h"
#include "mpi_ext/monitoring/collect_rows.h"
#include "mpi_ext/monitoring/profile_text.h"
#include "mpi_ext/monitoring/whole_files.h"
#include "records/matrix/matrix_file.h"

namespace strata::mpix::monitoring {
namespace {

static_assert(sizeof(unsigned long) == sizeof(std::uint64_t), "what is counted fits what is given");

constexpr unsigned kAllKinds = (1U << kMessageKinds) - 1;

unsigned bit(Kind kind) { return 1U << static_cast<int>(kind); }

unsigned kinds_of(int flags) {
  unsigned kinds = 0;
  if ((flags & MPI_M_P2P_ONLY) != 0) kinds |= bit(Kind::kExternal) | bit(Kind::kInternal);
  if ((flags & MPI_M_COLL_ONLY) != 0) kinds |= bit(Kind::kCollective);
  if ((flags & MPI_M_OSC_ONLY) != 0) kinds |= bit(Kind::kOneSided);
  return kinds;
}

int judge_flags(int flags, int sees) {
  if (flags == 0 || (flags & ~MPI_M_ALL_COMM) != 0) return MPI_M_INVALID_FLAGS;
  return (flags & sees) == 0 ? MPI_M_NOT_SEEN : MPI_SUCCESS;
}

// The arguments of a call.
struct DataRequest {
  MPI_M_msid msid;
  int flags;
  bool same_flags = true;                 // must be equal on all processes
  std::optional<int> root = {};           // must be equal on all processes
  const char* const* filename = nullptr;  // if it has to be checked: at `root`, or on all processes
};

int judge_arguments(const DataRequest& request, const Session& session) {
  if (request.root && (*request.root < 0 || *request.root >= session.size)) return MPI_M_INVALID_ARGUMENT;
  const bool writes = request.filename != nullptr && (!request.root || *request.root == session.rank);
  return writes && *request.filename == nullptr ? MPI_M_INVALID_ARGUMENT : MPI_SUCCESS;
}

// Sends what this process knows about messages of other processes to those processes.
void settle_results(Process& process, Session& session) {
  Row sent_here;
  {
    const std::lock_guard guard(process.mutex);
    sent_here = session.sent_here.row(kAllKinds);
    session.sent_here.clear();
  }
  const std::vector<Entry> mine = hand_over(session.comm.get(), sent_here);
  const std::lock_guard guard(process.mutex);
  for (const Entry& e : mine) session.sent.add(e.kind, e.peer, e.amount);
}

// If all processes agree that it is possible, calls `give` with the session and the caller's row.
template <class Give>
int give_data(const DataRequest& request, const Give& give) {
  return call_of_monitoring([&] {
    Process& process = own_state();
    const Found found = find_session(process, SessionCall::kGetData, request.msid);
    if (found.session == nullptr) return found.code;
    Session& session = *found.session;
    Opinion mine{.code = found.code, .root = request.root};
    if (mine.code == MPI_SUCCESS) mine.code = judge_arguments(request, session);
    if (mine.code == MPI_SUCCESS) mine.code = judge_flags(request.flags, found.provider->sees());
    if (request.same_flags) mine.flags = request.flags;
    {
      const std::lock_guard guard(process.mutex);
      mine.has_results = !session.sent_here.empty();
    }
    const Quiet quiet(found.provider);
    const Agreement agreed = agree(session.comm.get(), mine);
    if (agreed.code != MPI_SUCCESS) return agreed.code;
    if (agreed.has_results) settle_results(process, session);
    Row row;
    {
      const std::lock_guard guard(process.mutex);
      row = session.sent.row(kinds_of(request.flags));
    }
    return give(session, row);
  });
}

// Fills a row of the user's buffers, either of which may be missing. Returns whether a number in them is too small.
bool fill(const Row& row, int rank, int size, unsigned long* counts, unsigned long* bytes) {
  if (counts != MPI_M_DATA_IGNORE) std::memset(counts, 0, sizeof(unsigned long) * size);
  if (bytes != MPI_M_DATA_IGNORE) std::memset(bytes, 0, sizeof(unsigned long) * size);
  bool more = false;
  for_each_peer(row, rank, size, [&](int peer, const Amount& amount) {
    if (counts != MPI_M_DATA_IGNORE) {
      counts[peer] = amount.messages;
      more |= amount.more_messages;
    }
    if (bytes != MPI_M_DATA_IGNORE) {
      bytes[peer] = amount.bytes;
      more |= amount.more_bytes;
    }
  });
  return more;
}

// The rows of all processes, by rank: at `root`, or on all processes if `root` is -1. Elsewhere empty.
std::vector<Row> gather_rows(const Session& session, int root, const Row& mine) {
  std::vector<std::uint64_t> numbers;
  pack(mine, numbers);
  std::vector<Row> rows;
  for (const auto& packed : gather_numbers(session.comm.get(), root, numbers)) {
    std::span<const std::uint64_t> rest = packed;
    rows.push_back(unpack(rest));
  }
  return rows;
}

int fill_matrix(const std::vector<Row>& rows, unsigned long* counts, unsigned long* bytes) {
  const int size = static_cast<int>(rows.size());
  const auto row_of = [&](unsigned long* matrix, int rank) {
    return matrix == MPI_M_DATA_IGNORE ? MPI_M_DATA_IGNORE : matrix + static_cast<std::size_t>(rank) * size;
  };
  bool more = false;
  for (int r = 0; r < size; ++r) more |= fill(rows[r], r, size, row_of(counts, r), row_of(bytes, r));
  return more ? MPI_M_OVERFLOW : MPI_SUCCESS;
}

bool has_more(const Row& row) {
  bool more = row.to_all.more_messages || row.to_all.more_bytes;
  for (const Entry& e : row.entries) more |= e.amount.more_messages || e.amount.more_bytes;
  return more;
}

// The files that a process writes.
struct Output {
  std::vector<std::pair<std::string, std::string>> files;  // name and text
  bool more = false;                                       // a number in them is too small
};

// Writes the files of all processes, or none. `make` returns this process's files.
template <class Make>
int write_files(const Session& session, const char* function, const Make& make) {
  WholeFiles files;
  const auto attempt = [&](const auto& what) {
    int code = MPI_SUCCESS;
    try {
      what();
    } catch (const InputError& e) {
      std::fprintf(stderr, "strata: %s: %s\n", function, e.what());
      code = MPI_M_FILE;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "strata: %s: %s\n", function, e.what());
      code = MPI_M_INTERNAL;
    }
    if (code != MPI_SUCCESS) files.discard();  // before the others continue
    return agree(session.comm.get(), {.code = code}).code;
  };
  bool more = false;
  int code = attempt([&] {
    const Output output = make();
    more = output.more;
    for (const auto& [name, text] : output.files) files.write(name, text);
  });
  if (code == MPI_SUCCESS) code = attempt([&] { files.keep(); });
  return code == MPI_SUCCESS && more ? MPI_M_OVERFLOW : code;
}

Output profile_of(const std::string& filename, const Session& session, const Row& row) {
  std::string text;
  append_profile(text, row, session.rank, session.size);
  return {{{filename + "." + std::to_string(session.rank) + ".prof", std::move(text)}}, has_more(row)};
}

Output matrices_of(const std::string& filename, const std::vector<Row>& rows) {
  constexpr int kLargestDense = 4096;  // as MPI_Monitoring.h says
  const int size = static_cast<int>(rows.size());
  Output output;
  std::string profile;
  std::vector<Flow> messages, bytes;
  for (int r = 0; r < size; ++r) {
    append_profile(profile, rows[r], r, size);
    output.more |= has_more(rows[r]);
    for_each_peer(rows[r], r, size, [&](int peer, const Amount& amount) {
      messages.push_back({r, peer, static_cast<double>(amount.messages)});
      bytes.push_back({r, peer, static_cast<double>(amount.bytes)});
    });
  }
  output.files.emplace_back(filename + ".prof", std::move(profile));
  const auto add = [&](const char* what, std::vector<Flow>& flows) {
    const Pattern matrix(size, std::move(flows));
    output.files.emplace_back(filename + what + ".mtx", format_matrix(matrix, MatrixFormat::kMatrixMarket));
    if (size > kLargestDense) return;
    output.files.emplace_back(filename + what + "_all.mat", format_matrix(matrix, MatrixFormat::kDense));
  };
  add("_msg", messages);
  add("_size", bytes);
  return output;
}

}  // namespace
}  // namespace strata::mpix::monitoring

extern "C" {

int MPI_M_get_data(MPI_M_msid msid, unsigned long* msg_counts, unsigned long* msg_sizes, int flags) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return give_data({.msid = msid, .flags = flags, .same_flags = false},
                   [&](const Session& session, const strata::mpix::Row& row) {
                     const bool more = fill(row, session.rank, session.size, msg_counts, msg_sizes);
                     return more ? MPI_M_OVERFLOW : MPI_SUCCESS;
                   });
}

int MPI_M_allgather_data(MPI_M_msid msid, unsigned long* mat_counts, unsigned long* mat_sizes, int flags) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return give_data({.msid = msid, .flags = flags}, [&](const Session& session, const strata::mpix::Row& row) {
    return fill_matrix(gather_rows(session, -1, row), mat_counts, mat_sizes);
  });
}

int MPI_M_rootgather_data(MPI_M_msid msid, int root, unsigned long* mat_counts, unsigned long* mat_sizes, int flags) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return give_data({.msid = msid, .flags = flags, .root = root},
                   [&](const Session& session, const strata::mpix::Row& row) {
                     return fill_matrix(gather_rows(session, root, row), mat_counts, mat_sizes);
                   });
}

int MPI_M_flush(MPI_M_msid msid, const char* filename, int flags) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return give_data({.msid = msid, .flags = flags, .same_flags = false, .filename = &filename},
                   [&](const Session& session, const strata::mpix::Row& row) {
                     return write_files(session, "MPI_M_flush", [&] { return profile_of(filename, session, row); });
                   });
}

int MPI_M_rootflush(MPI_M_msid msid, int root, const char* filename, int flags) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return give_data({.msid = msid, .flags = flags, .root = root, .filename = &filename},
                   [&](const Session& session, const strata::mpix::Row& row) {
                     const std::vector<strata::mpix::Row> rows = gather_rows(session, root, row);
                     return write_files(session, "MPI_M_rootflush",
                                        [&] { return rows.empty() ? Output{} : matrices_of(filename, rows); });
                   });
}

}  // extern "C"
