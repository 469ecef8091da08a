// SPDX-License-Identifier: LGPL-2.1-only
// Layout of simgrid::smpi::Request in SimGrid 3.32 and 4.0, needed to observe which rank sends how much to which, as
// src/smpi/include/smpi_request.hpp and smpi_f2c.hpp declare it (LGPL-2.1); the flags are those of
// src/smpi/include/private.hpp. Debian does not install these headers.
//
// The class is only used for objects that SMPI has made, so its declaration ends with the last required member.
#pragma once

#include <mpi.h>
#include <simgrid/forward.h>

#include <cstddef>
#include <string>
#include <vector>

#include "sim/simgrid/comm.h"
#include "sim/simgrid/version.h"

namespace simgrid::smpi {

class F2C {
  int fortran_handle_;
  bool deleted_;
  std::string call_location_;

 public:
  virtual ~F2C() = default;
  virtual std::string name() const = 0;
  /// The program has freed it.
  bool deleted() const { return deleted_; }
  /// Gives the object a handle for Fortran, by which SMPI also finds what a program has not freed.
  int add_f();
  /// The handle for Fortran.
  int c2f();
};

class Request : public F2C {
  void* buffer_;
  void* users_buffer_;
  MPI_Datatype type_;
  std::size_t size_;
  aid_t src_, dst_;
  int tag_;
  aid_t real_src_;
  int real_tag_;
  bool truncated_, unmatched_types_;
  std::size_t real_size_;
  MPI_Comm comm_;
  void* action_;
  unsigned flags_;
  bool detached_;
  Request* detached_sender_;
  int references_;
#ifdef STRATA_SIMGRID_4_0
  std::vector<unsigned> message_numbers_;  // of the starts that have not been received
#else
  unsigned message_number_;
#endif

 public:
  static constexpr unsigned kPersistent = 0x1, kSend = 0x4, kReceive = 0x8, kImmediate = 0x20, kSynchronous = 0x40,
                            kPrepared = 0x80, kFinished = 0x100, kOneSided = 0x200, kAccumulate = 0x400,
                            kGeneralized = 0x800, kBuffered = 0x2000, kMatched = 0x4000, kCancelled = 0x8000;
  static constexpr unsigned kCollective = 0x10000;  // made of others: a nonblocking collective
  static constexpr unsigned kLast = 0x10000;        // the highest flag

  /// Begins the communication. Everything that SMPI sends goes through it, including collectives and one-sided
  /// operations.
  void start();
  static int wait(Request** request, MPI_Status* status);
  /// Waits for one that is not finished; its index, or MPI_UNDEFINED. It waits for all parts of a nonblocking
  /// collective.
  static int waitany(int count, Request* requests[], MPI_Status* status);
  static int waitall(int count, Request* requests[], MPI_Status* status);
  static int test(Request** request, MPI_Status* status, int* done);
  static int testany(int count, Request* requests[], int* index, int* done, MPI_Status* status);
  /// Ends a communication that is complete.
  static void finish_wait(Request** request, MPI_Status* status);
  /// A send that waits for its receive if the message is long, and one that never waits; both not started.
  static Request* send_init(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm);
  static Request* bsend_init(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm);
  /// Requests that are not started, with any tag: negative tags never match the program's.
  static Request* isend_init(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm);
  /// Started, except for MPI_PROC_NULL.
  static Request* isend(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm);
  static Request* issend(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm);
  static Request* ibsend(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm);
  static Request* irecv(void* buffer, int count, MPI_Datatype type, int sender, int tag, MPI_Comm comm);
  /// Counts the references to it; the last unref deletes it.
  void ref();
  static void unref(Request** request);
  static Request* irecv_init(void* buffer, int count, MPI_Datatype type, int sender, int tag, MPI_Comm comm);
  /// Makes these the parts of a nonblocking collective that has none, and starts them.
  void start_nbc_requests(std::vector<Request*> parts);
  std::vector<Request*> get_nbc_requests() const;
  /// Waits for the parts, or tests whether they are complete, and ends the collective. Returns 1 if it has ended.
  static int finish_nbc_requests(Request** request, int test);
  static void probe(int source, int tag, Comm* comm, MPI_Status* status);
  static void iprobe(int source, int tag, Comm* comm, int* found, MPI_Status* status);

  MPI_Datatype type() const { return type_; }
  void* buffer() const { return buffer_; }  // packed, if the type is derived
  void* users_buffer() const { return users_buffer_; }
  std::size_t size() const { return size_; }  // bytes of data
  aid_t sender() const { return src_; }
  aid_t receiver() const { return dst_; }
  int tag() const { return tag_; }
  aid_t real_sender() const { return real_src_; }  // once it has met its message
  int real_tag() const { return real_tag_; }
  std::size_t real_size() const { return real_size_; }
  bool truncated() const { return truncated_; }
  unsigned flags() const { return flags_; }
  /// A send that has been started last and is not received: its number among those with the same receiver, tag and
  /// communicator. They are received in this order.
#ifdef STRATA_SIMGRID_4_0
  unsigned message_number() const { return message_numbers_.back(); }
#else
  unsigned message_number() const { return message_number_; }
#endif
  MPI_Comm communicator() const { return comm_; }
  /// It has been started and has not ended, and is not a nonblocking collective, whose parts are waited for.
  bool can_be_waited_for() const { return (flags_ & (kPrepared | kFinished | kCollective)) == 0; }
  /// The message; nullptr if it was sent eagerly or has ended.
  const kernel::activity::ActivityImpl* message() const {
    return static_cast<const kernel::activity::ActivityImpl*>(action_);
  }
};

/// Names in libsimgrid, for dlsym.
inline constexpr const char* kRequestStart = "_ZN7simgrid4smpi7Request5startEv";
inline constexpr const char* kRequestWait = "_ZN7simgrid4smpi7Request4waitEPPS1_P10MPI_Status";
inline constexpr const char* kRequestWaitany = "_ZN7simgrid4smpi7Request7waitanyEiPPS1_P10MPI_Status";
inline constexpr const char* kRequestWaitall = "_ZN7simgrid4smpi7Request7waitallEiPPS1_P10MPI_Status";
inline constexpr const char* kRequestTest = "_ZN7simgrid4smpi7Request4testEPPS1_P10MPI_StatusPi";
inline constexpr const char* kRequestTestany = "_ZN7simgrid4smpi7Request7testanyEiPPS1_PiS4_P10MPI_Status";
inline constexpr const char* kRequestFinishWait = "_ZN7simgrid4smpi7Request11finish_waitEPPS1_P10MPI_Status";
inline constexpr const char* kRequestFinishParts = "_ZN7simgrid4smpi7Request19finish_nbc_requestsEPPS1_i";
inline constexpr const char* kRequestIprobe = "_ZN7simgrid4smpi7Request6iprobeEiiPNS0_4CommEPiP10MPI_Status";

/// With this request, SMPI's nonblocking collectives are blocking; its blocking ones call them so
/// (MPI_REQUEST_IGNORED).
inline MPI_Request* blocking() {
  return reinterpret_cast<MPI_Request*>(-100);  // NOLINT(performance-no-int-to-ptr): as smpi.h has it
}

/// That of Request::send_init.
inline constexpr const char* kSendInit = "_ZN7simgrid4smpi7Request9send_initEPKviPNS0_8DatatypeEiiPNS0_4CommE";
/// The tags of the messages that MPI_Win_post and MPI_Win_complete send (src/smpi/mpi/smpi_win.cpp).
inline constexpr int kPostTag = -6662, kCompleteTag = -6661;

/// That of Comm's constructor (Comm*, Group*, std::shared_ptr<Topo>, bool smp, int id). It keeps the reference to the
/// group. With the id MPI_UNDEFINED rank 0 draws one and broadcasts it.
#define STRATA_COMM_CONSTRUCTOR "_ZN7simgrid4smpi4CommC1EPNS0_5GroupESt10shared_ptrINS0_4TopoEEbi"
/// The mangled name of F2C::c2f.
inline constexpr const char* kFortranHandle = "_ZN7simgrid4smpi3F2C3c2fEv";

/// A broadcast along a binomial tree: 4,095 messages to 4,096 ranks.
int bcast__binomial_tree(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);

}  // namespace simgrid::smpi
