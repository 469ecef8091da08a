// SPDX-License-Identifier: LGPL-2.1-only
#include "records/events.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/base128.h"
#include "base/error.h"
#include "base/input_file.h"
#include "base/json_fields.h"
#include "base/output_error.h"

namespace strata {

template <class Fields, Either<EventsHeader> T>
void list(Fields& fields, T& h) {
  fields("program", h.program);
  fields("machine", h.machine);
  fields("functions", h.functions);
  fields("cores", h.cores);
}

namespace {

using Kind = Event::Kind;

constexpr const char* kSchema = "strata events 1";
constexpr std::uint8_t kTimeFollows = 0x80;
constexpr size_t kBuffer = 1 << 16;       // B: one system call for about ten thousand events
constexpr size_t kLongestName = 1 << 16;  // B: a longer name means a damaged file

}  // namespace

EventStore EventStore::in_memory() {
  EventStore store;
  store.bytes_ = std::make_shared<std::string>();
  return store;
}

bool EventStore::exists() const {
  std::error_code ignored;
  return bytes_ || (!file_.empty() && std::filesystem::exists(file_, ignored));
}

// --- writing ---

EventWriter::EventWriter(EventStore into, const EventsHeader& header) : into_(std::move(into)) {
  if (!into_.bytes_) {
    errno = 0;
    out_.open(into_.file_, std::ios::binary);
    require_written();
  }
  buffer_ = std::string(kSchema) + "\n" + Json(header).dump() + "\n";
  flush();
}

void EventWriter::put(std::int64_t number) { put_base128(buffer_, number); }

void EventWriter::put(double number) { put_real(buffer_, number); }

void EventWriter::flush() {
  if (into_.bytes_) {
    *into_.bytes_ += buffer_;
  } else {
    errno = 0;
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    out_.flush();
    require_written();
  }
  buffer_.clear();
}

void EventWriter::require_written() const {
  if (!out_) {
    throw OutputError(into_.name(), std::string("cannot be written: ") + std::strerror(errno),
                      "is the disk full, or the folder not there?");
  }
}

void EventWriter::write(const Event& e) {
  if (!(e.time >= time_)) throw std::logic_error("an event before the last one");
  const bool later = e.time != time_;
  buffer_ += static_cast<char>(static_cast<std::uint8_t>(e.kind) | (later ? kTimeFollows : 0));
  if (later) put(e.time);
  time_ = e.time;
  const auto put_all = [this](auto... numbers) { (put(static_cast<std::int64_t>(numbers)), ...); };
  switch (e.kind) {
    case Kind::kEnd:
      break;
    case Kind::kEnter:
      put_all(e.rank, e.function);
      break;
    case Kind::kUnblock:
      put_all(e.rank, e.message, e.other);
      put(e.began);
      break;
    case Kind::kSend:
      put_all(e.message, e.rank, e.other, e.tag, e.bytes);
      break;
    case Kind::kArrive:
      put_all(e.message);
      put(e.posted);
      put(e.began);
      break;
    case Kind::kPhaseBegin:
      put_all(e.rank, e.name.size());
      buffer_ += e.name;
      break;
    case Kind::kLeave:
    case Kind::kBlock:
    case Kind::kPhaseEnd:
    case Kind::kRankEnd:
      put_all(e.rank);
      break;
  }
  if (buffer_.size() >= kBuffer) flush();
}

void EventWriter::finish(double time) {
  write({.kind = Kind::kEnd, .time = time});
  flush();
}

void set_cores(const std::filesystem::path& file, const std::vector<int>& cores) {
  EventsHeader header = EventReader(file).header();
  header.cores = cores;
  std::ifstream in = open_input(file, "give a file of events", kAnySize_bytes);
  std::string line;
  for (int i = 0; i < 2; ++i) std::getline(in, line);
  const std::filesystem::path whole = file.string() + ".new";
  errno = 0;
  std::ofstream out(whole, std::ios::binary);
  out << kSchema << '\n' << Json(header).dump() << '\n' << in.rdbuf();
  out.close();
  if (!out)
    throw OutputError(whole.string(), std::string("cannot be written: ") + std::strerror(errno), "is the disk full?");
  std::filesystem::rename(whole, file);
}

// --- reading ---

EventReader::EventReader(EventStore from) : from_(std::move(from)) {
  if (from_.bytes_) {
    piece_ = *from_.bytes_;
  } else {
    in_ = open_input(from_.file_, "give a file of events", kAnySize_bytes);
  }
  constexpr size_t kLongestSchema = 64;  // B: a longer first line is not ours
  if (line(kLongestSchema) != kSchema)
    throw InputError(from_.name(), "is not a file of events (" + std::string(kSchema) + ")", "give one");
  try {
    header_ = Json::parse(line(std::string::npos)).get<EventsHeader>();
  } catch (const std::exception&) {
    throw InputError(from_.name() + ":2", "the header is damaged", "run the program again");
  }
}

void EventReader::fail(const std::string& what) const {
  throw InputError(from_.name(), fmt::format("byte {}: {}", offset_ + at_, what),
                   "the simulation was killed or the disk was full; run the program again");
}

// The next piece of the file. False: it has ended.
bool EventReader::refill() {
  offset_ += piece_.size();
  at_ = 0;
  piece_ = {};
  if (from_.bytes_) return false;
  buffer_.resize(kBuffer);
  in_.read(buffer_.data(), static_cast<std::streamsize>(kBuffer));
  piece_ = std::string_view(buffer_).substr(0, static_cast<size_t>(in_.gcount()));
  return !piece_.empty();
}

// Up to the next line feed, which is read too; at most that many bytes.
std::string EventReader::line(size_t most) {
  std::string text;
  while (text.size() < most && (at_ < piece_.size() || refill())) {
    const char c = piece_[at_++];
    if (c == '\n') break;
    text += c;
  }
  return text;
}

std::uint8_t EventReader::byte() {
  if (at_ == piece_.size() && !refill()) fail("the events are cut off");
  return static_cast<std::uint8_t>(piece_[at_++]);
}

std::int64_t EventReader::number() {
  std::int64_t n = 0;
  if (!read_base128([this] { return byte(); }, n)) fail("a number of more than 64 bits");
  return n;
}

double EventReader::real() {
  const double n = read_real([this] { return byte(); });
  if (!(n >= 0 && n <= std::numeric_limits<double>::max())) fail("that is no time");
  return n;
}

int EventReader::rank() {
  const std::int64_t n = number();
  if (n < 0 || n >= static_cast<std::int64_t>(header_.cores.size())) fail(fmt::format("there is no rank {}", n));
  return static_cast<int>(n);
}

bool EventReader::next(Event& e) {
  const std::uint8_t first = byte();
  const int kind = first & ~kTimeFollows;
  if (kind > static_cast<int>(Kind::kRankEnd)) fail(fmt::format("there is no event of kind {}", kind));
  e = {.kind = static_cast<Kind>(kind)};
  if ((first & kTimeFollows) != 0) {
    const double time = real();
    if (time < time_) fail("an event before the last one");
    time_ = time;
  }
  e.time = time_;
  const auto small = [this](int least) {
    const std::int64_t n = number();
    if (n < least || n > std::numeric_limits<int>::max()) fail(fmt::format("{} is out of range", n));
    return static_cast<int>(n);
  };
  const auto known_message = [this](std::int64_t least) {
    const std::int64_t n = number();
    if (n < least || n > messages_) fail(fmt::format("message {} was not sent", n));
    return n;
  };
  switch (e.kind) {
    case Kind::kEnd:
      return false;
    case Kind::kEnter:
      e.rank = rank();
      e.function = small(0);
      if (static_cast<size_t>(e.function) >= header_.functions.size()) fail("there is no such function");
      break;
    case Kind::kUnblock:
      e.rank = rank();
      e.message = known_message(0);
      e.other = small(-1);
      e.began = real();
      break;
    case Kind::kSend:
      e.message = number();
      if (e.message != messages_ + 1) fail(fmt::format("message {} where {} is next", e.message, messages_ + 1));
      ++messages_;
      e.rank = rank();
      e.other = rank();
      e.tag = small(std::numeric_limits<int>::min());
      e.bytes = number();
      if (e.bytes < 0) fail("a message of less than no bytes");
      break;
    case Kind::kArrive:
      e.message = known_message(1);
      e.posted = real();
      e.began = real();
      break;
    case Kind::kPhaseBegin: {
      e.rank = rank();
      const std::int64_t size = number();
      if (size < 0 || size > static_cast<std::int64_t>(kLongestName)) fail("that is no name");
      for (std::int64_t i = 0; i < size; ++i) e.name += static_cast<char>(byte());
      break;
    }
    case Kind::kLeave:
    case Kind::kBlock:
    case Kind::kPhaseEnd:
    case Kind::kRankEnd:
      e.rank = rank();
      break;
  }
  return true;
}

}  // namespace strata
