// SPDX-License-Identifier: LGPL-2.1-only
// Converts the events of one rank in an OTF2 archive, in order, to its calls. For example
//
//   enter MPI_Irecv, request 7 of a receive, leave        irecv 1 2 7 0 4096: the sender is known when it is complete
//   enter MPI_Sendrecv, sent, received, leave             irecv, isend, wait for both, as SMPI does
//   leave MPI_Send, 1.5 ms later enter MPI_Waitall        compute 0.0015
//   request 7 got a message of 4096 B, leave              wait 1
//
// Time outside MPI is computation. Inside MPI, only communication counts.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "records/foreign/recorded_calls.h"

namespace strata {

/// The bytes that one rank has sent and received in a collective call, as Score-P counts them.
struct CollectiveBytes {
  long sent = 0, received = 0;
};

class RankCalls {
 public:
  struct Message {
    int peer = 0, communicator = 0, tag = 0;
    long bytes = 0;
  };

  /// Times in s. kMpi: an MPI function; kMeasurement: work of the measuring system itself.
  enum class Region { kProgram, kMpi, kMeasurement };
  void enter(double time, Region kind, const std::string& name);
  void leave(double time);

  void sent(const Message& m);
  void received(const Message& m);
  void send_started(const Message& m, std::uint64_t request);
  void receive_started(std::uint64_t request);
  void send_completed(std::uint64_t request);
  void receive_completed(const Message& m, std::uint64_t request);
  void cancelled(std::uint64_t request);
  void collective(Collective collective, int communicator, int root, CollectiveBytes bytes);
  void collective_started(std::uint64_t request);
  void collective_completed(Collective collective, int communicator, int root, CollectiveBytes bytes,
                            std::uint64_t request);

  /// Call this after the last event. Receives that were never completed are omitted.
  void end();

  std::vector<Call> calls = {};
  std::vector<CollectiveBytes> bytes = {};  // of the collective calls in `calls`, in order; valid after end()
  std::map<std::string, long> doubts = {};  // number of calls, by functions whose answer may differ on another machine
  double seconds = 0;                       // from the end of MPI_Init to the start of MPI_Finalize
  long abandoned = 0;                       // receives and collectives that were never completed
  std::string fault = {};                   // the first event that no program of MPI can cause; empty: none

 private:
  struct Open {
    Region kind;
    std::string name;
    bool counts;  // as an MPI function
  };
  struct Started {
    std::size_t call;
    long number;
  };

  Call& add(Call::Kind kind);
  void start(Call::Kind kind, std::uint64_t request);
  void complete(std::uint64_t request);
  // Whether the request is known, and of one of these kinds. Another kind is a fault.
  bool is(std::uint64_t request, std::initializer_list<Call::Kind> kinds);
  void flush();
  bool outside() const { return mpi_ == 0 && measuring_ == 0; }

  std::vector<Open> open_ = {};
  int mpi_ = 0, measuring_ = 0;  // open regions
  bool finished_ = false;
  double since_ = 0, began_ = 0, computed_ = 0;
  bool timed_ = false;  // since_ has been set
  std::vector<Message> sends_ = {}, receives_ = {};
  std::vector<long> completed_ = {};
  std::map<std::uint64_t, Started> started_ = {};
  std::map<std::size_t, CollectiveBytes> bytes_of_ = {};  // by index of the call
  std::vector<std::size_t> dropped_ = {};                 // indexes of calls
  long requests_ = 0;
};

}  // namespace strata
