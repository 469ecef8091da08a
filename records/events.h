// SPDX-License-Identifier: LGPL-2.1-only
// The events of a run: when each rank entered and left MPI functions, what it waited for, and each message. For example
// a rank 0 that computes for 1 ms and sends 8 bytes to rank 1, which waits for them from the start:
//
//   0 s       enter    rank 1  MPI_Recv
//   0 s       block    rank 1
//   0.001 s   enter    rank 0  MPI_Send
//   0.001 s   send     message 1 from rank 0 to rank 1, tag 7, 8 bytes
//   0.001 s   leave    rank 0
//   0.003 s   arrive   message 1, for a receive that was posted at 0 s; it flowed from 0.001 s on
//   0.003 s   unblock  rank 1  message 1
//   0.003 s   leave    rank 1
//   0.004 s   end
//
// Events are in the order of time, so a reader keeps only a few numbers for each rank, however long the run.
// sim/profile writes them while the program runs; timelines in other formats, the critical path and reports are made of
// them.
//
// The file: a line that says `strata events 1`, a line of JSON (EventsHeader), then the events. Each is a byte (its
// kind) and the fields of that kind in the order below: whole numbers in base 128, the low digits first, the highest
// bit of a byte set where another follows, and 0, -1, 1, -2, 2, ... as 0, 1, 2, 3, 4, ... where they may be negative;
// times as the eight bytes of a double, the low ones first. A time stands only where it differs from that of the event
// before: the kind's highest bit says so, and it follows the kind. The last event is the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace strata {

struct EventsHeader {
  std::string program, machine;        // names
  std::vector<std::string> functions;  // of MPI, by their numbers in the events
  std::vector<int> cores;              // by rank: its first core, an index into Topology::cores() of the machine

  bool operator==(const EventsHeader&) const = default;
};

struct Event {
  enum class Kind : std::uint8_t {
    kEnd,         // the simulation is over
    kEnter,       // rank, function: an MPI function is entered. Those that it calls itself are part of it
    kLeave,       // rank: it is left
    kBlock,       // rank: it can't go on, inside of an MPI function
    kUnblock,     // rank, message, other, began: it can
    kSend,        // message, rank, other, tag, bytes: `rank` sends to `other`
    kArrive,      // message, posted, began: it has arrived
    kPhaseBegin,  // rank, name: the program says that a phase begins (MPI_Pcontrol, a monitoring session)
    kPhaseEnd,    // rank: the phase that began last ends
    kRankEnd,     // rank: it has ended
  };
  Kind kind = Kind::kEnd;
  double time = 0;           // s
  int rank = -1;             // that does it
  int function = -1;         // index into EventsHeader::functions
  std::int64_t message = 0;  // its number, from 1 in the order of kSend; kUnblock: 0: no message
  int other = -1;            // kSend: the receiver; kUnblock without a message: the rank that came last, -1: unknown
  int tag = 0;               // as the program gave it; negative inside MPI's own collectives
  std::int64_t bytes = 0;    // of data
  double posted = 0;         // s: when the receive was posted
  double began = 0;          // s: when the message began to flow; kUnblock without a message: when the waiting ended
  std::string name = {};     // of the phase

  bool operator==(const Event&) const = default;
};

/// Writes events as they happen. Not for several threads at once.
class EventWriter {
 public:
  /// Throws OutputError where the file cannot be written.
  EventWriter(std::filesystem::path file, const EventsHeader& header);

  /// event.time must not be before that of the last event: throws std::logic_error. Fields that the kind does not have
  /// are left out. Throws OutputError where the disk is full.
  void write(const Event& event);
  /// The end, at that time; the file is whole now.
  void finish(double time);

 private:
  void put(std::int64_t number);
  void put(double number);
  void flush();
  void require_written() const;

  std::filesystem::path file_;
  std::ofstream out_;
  std::string buffer_;
  double time_ = 0;
};

/// Reads events one after another. Throws InputError with the file and the byte where they are damaged or cut off.
class EventReader {
 public:
  explicit EventReader(std::filesystem::path file);

  const EventsHeader& header() const { return header_; }
  /// The next event; false: that was the end, and `event` has its time.
  bool next(Event& event);

 private:
  [[noreturn]] void fail(const std::string& what) const;
  std::uint8_t byte();
  std::int64_t number();
  double real();
  int rank();

  std::filesystem::path file_;
  std::ifstream in_;
  std::string buffer_;
  std::size_t at_ = 0;         // in the buffer
  std::uint64_t offset_ = 0;   // of the buffer, in the file
  std::int64_t messages_ = 0;  // so far
  double time_ = 0;
  EventsHeader header_;
};

}  // namespace strata
