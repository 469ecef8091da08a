// SPDX-License-Identifier: LGPL-2.1-only
// The events of a run: when each rank entered and left MPI functions, what it waited for, and each message. For
// example, rank 0 computes for 1 ms and sends 8 bytes to rank 1, which waits for them from the start:
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
// Events are sorted by time, so a reader needs only a few numbers for each rank, even for a long run. sim/profile
// writes them while the program runs. Timelines in other formats, the critical path and reports are computed from them.
//
// The file has a line `strata events 1`, a line of JSON (EventsHeader), and the events. An event is a byte for its
// kind, followed by the fields of that kind in the order below. Whole numbers are in base 128, low digits first; the
// highest bit of a byte is set if another byte follows. If they may be negative, 0, -1, 1, -2, 2, ... are written as 0,
// 1, 2, 3, 4, ... Times are the eight bytes of a double, low byte first. A time is only written if it differs from that
// of the previous event: the highest bit of the kind is then set, and the time follows the kind. The last event is the
// end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata {

struct EventsHeader {
  std::string program, machine;        // names
  std::vector<std::string> functions;  // MPI functions, by their numbers in the events
  std::vector<int> cores;              // by rank: its first core, an index into Topology::cores() of the machine

  bool operator==(const EventsHeader&) const = default;
};

struct Event {
  enum class Kind : std::uint8_t {
    kEnd,         // the simulation has ended
    kEnter,       // rank, function: enters an MPI function. Functions that it calls itself are part of it
    kLeave,       // rank: leaves it
    kBlock,       // rank: is blocked inside an MPI function
    kUnblock,     // rank, message, other, began: is no longer blocked
    kSend,        // message, rank, other, tag, bytes: `rank` sends to `other`
    kArrive,      // message, posted, began: arrives
    kPhaseBegin,  // rank, name: a phase begins, as the program says (MPI_Pcontrol, a monitoring session)
    kPhaseEnd,    // rank: the phase that began last ends
    kRankEnd,     // rank: ends
  };
  Kind kind = Kind::kEnd;
  double time = 0;           // s
  int rank = -1;             // the acting rank
  int function = -1;         // index into EventsHeader::functions
  std::int64_t message = 0;  // its number, from 1 in the order of kSend; kUnblock: 0 if not for a message
  int other = -1;            // kSend: the receiver; kUnblock without a message: the rank that came last, -1: unknown
  int tag = 0;               // as the program gave it; negative inside MPI's own collectives
  std::int64_t bytes = 0;    // of data
  double posted = 0;         // s: when the receive was posted
  double began = 0;          // s: when the message began to flow; kUnblock without a message: when the waiting ended
  std::string name = {};     // of the phase

  bool operator==(const Event&) const = default;
};

/// The place of events: a file, or memory that all copies share. In memory they are in the form of the file, which
/// needs a fifth of the memory of Event.
class EventStore {
 public:
  EventStore() = default;
  /// Implicit, so that functions that read events take files.
  EventStore(std::filesystem::path file) : file_(std::move(file)) {}
  EventStore(const std::string& file) : file_(file) {}
  static EventStore in_memory();

  /// The file's, for error messages.
  std::string name() const { return bytes_ ? "events" : file_.string(); }
  /// Whether there is such a file, or memory.
  bool exists() const;

 private:
  friend class EventWriter;
  friend class EventReader;

  std::filesystem::path file_;
  std::shared_ptr<std::string> bytes_;  // null: in the file
};

/// Writes events as they happen. Not thread-safe.
class EventWriter {
 public:
  /// Throws OutputError if the file cannot be written.
  EventWriter(EventStore into, const EventsHeader& header);

  /// Throws std::logic_error if event.time is before that of the previous event. Fields that the kind does not have are
  /// omitted. Throws OutputError if the disk is full.
  void write(const Event& event);
  /// Writes the end, at that time; the file is now complete.
  void finish(double time);

 private:
  void put(std::int64_t number);
  void put(double number);
  void flush();
  void require_written() const;

  EventStore into_;
  std::ofstream out_;
  std::string buffer_;
  double time_ = 0;
};

/// Replaces EventsHeader::cores of a complete file: ranks were added while it was written. Throws InputError,
/// OutputError.
void set_cores(const std::filesystem::path& file, const std::vector<int>& cores);

/// Reads events one after another. Throws InputError with the file and the byte if it is damaged or truncated.
class EventReader {
 public:
  /// Events in memory must be complete, and not change while they are read.
  explicit EventReader(EventStore from);

  const EventsHeader& header() const { return header_; }
  /// The next event. False: the end, with its time in `event`.
  bool next(Event& event);

 private:
  [[noreturn]] void fail(const std::string& what) const;
  bool refill();
  std::string line(std::size_t most);
  std::uint8_t byte();
  std::int64_t number();
  double real();
  int rank();

  EventStore from_;
  std::ifstream in_;
  std::string buffer_;         // of the file
  std::string_view piece_;     // that is being read: the buffer, or all of the memory
  std::size_t at_ = 0;         // in the piece
  std::uint64_t offset_ = 0;   // of the piece, in the file
  std::int64_t messages_ = 0;  // so far
  double time_ = 0;
  EventsHeader header_;
};

}  // namespace strata
