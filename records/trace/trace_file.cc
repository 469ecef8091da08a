// SPDX-License-Identifier: LGPL-2.1-only
#include "records/trace/trace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/base128.h"
#include "base/error.h"
#include "base/input_file.h"
#include "base/json_fields.h"
#include "base/whole_file.h"
#include "records/trace/trace_writer.h"

namespace strata {

template <class Fields, Either<CollectiveCalls> T>
void list(Fields& fields, T& c) {
  fields("function", c.function);
  fields("communicator", c.communicator);
  fields("bytes", c.bytes);
  fields("calls", c.calls);
}

template <class Fields, Either<Trace> T>
void list(Fields& fields, T& t) {
  fields("program", t.program);
  fields("program_hash", t.program_hash);
  fields("machine", t.machine);
  fields("cores", t.cores);
  fields("ended", t.ended);
  fields("functions", t.functions);
  fields("doubts", t.doubts);
  fields("groups", t.groups);
  fields("not_recorded", t.not_recorded);
  fields.unless_usual("native", t.native);
  fields.unless_empty("library", t.library);
  fields.unless_empty("communicators", t.communicators);
  fields.unless_empty("collectives", t.collectives);
}

namespace {

using Kind = TraceStep::Kind;

constexpr const char* kSchema = "strata trace 2";
constexpr const char* kWithoutMachine = "strata trace 1";
constexpr const char* kFamily = "strata trace ";
constexpr std::size_t kCheck = 8;            // B
constexpr double kWhole = 9007199254740992;  // 2^53: a double represents all smaller whole numbers exactly
constexpr int kDeepest = 64;                 // levels of nested loops
// Bits of a step's second byte.
enum Field : unsigned {
  kModes = 1,
  kPeer = 2,
  kTag = 4,
  kNumber = 8,
  kPassed = 16,
  kAmount = 32,
  kReal = 64,
  kMoved = 128
};

std::uint64_t check_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

bool is_whole(double d) { return std::abs(d) < kWhole && d == std::trunc(d) && !(d == 0 && std::signbit(d)); }

void put_step(std::string& into, const TraceStep& s) {
  // kReal applies to both amounts. Whole amounts can be written as reals too.
  const bool real = !is_whole(s.amount) || !is_whole(s.moved);
  unsigned fields = 0;
  if (real) fields |= kReal;
  if (s.modes != 0) fields |= kModes;
  if (s.peer != 0) fields |= kPeer;
  if (s.tag != 0) fields |= kTag;
  if (s.number != 0) fields |= kNumber;
  if (s.passed != 0) fields |= kPassed;
  if (s.amount != 0) fields |= kAmount;
  if (s.moved != 0) fields |= kMoved;
  into += static_cast<char>(s.kind);
  into += static_cast<char>(fields);
  if (s.modes != 0) into += static_cast<char>(s.modes);
  for (const std::int32_t n : {s.peer, s.tag, s.number, s.passed}) {
    if (n != 0) put_base128(into, n);
  }
  for (const double d : {s.amount, s.moved}) {
    if (d == 0) continue;
    if (real) {
      put_real(into, d);
    } else {
      put_base128(into, static_cast<std::int64_t>(d));
    }
  }
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file.string()) {
    // The first line is checked before gigabytes of something else are read.
    std::ifstream in = open_input(file, "give a trace", kAnySize_bytes);
    std::string first(std::string_view(kFamily).size(), '\0');
    in.read(first.data(), static_cast<std::streamsize>(first.size()));
    if (first != kFamily) refuse();
    bytes_ = read_input(file, "give a trace", kAnySize_bytes);
  }

  Trace read() {
    const std::string schema = line();
    if (schema != kSchema && schema != kWithoutMachine) {
      if (schema.starts_with(kFamily))
        throw InputError(file_, "is of another version: '" + schema + "', not '" + kSchema + "'", "record it again");
      refuse();
    }
    if (bytes_.size() < at_ + kCheck) fail("is cut off");
    std::size_t at = bytes_.size() - kCheck;
    const std::uint64_t check = read_bits([&] { return static_cast<std::uint8_t>(bytes_[at++]); });
    if (check != check_of(std::string_view(bytes_).substr(0, bytes_.size() - kCheck)))
      throw InputError(file_, "is damaged or cut off: its check sum is not that of what is there", "record it again");
    bytes_.resize(bytes_.size() - kCheck);
    Trace t;
    try {
      t = Json::parse(line()).get<Trace>();
    } catch (const std::exception&) {
      fail("the header is damaged");
    }
    const std::size_t ranks = t.cores.size();
    if (ranks == 0 || t.ended.size() != ranks || t.doubts.size() != t.functions.size()) fail("the header is damaged");
    for (const std::vector<int>& g : t.groups) {
      for (const int rank : g) require(rank >= 0 && static_cast<std::size_t>(rank) < ranks, "a group has no such rank");
    }
    for (const std::vector<int>& c : t.communicators) {
      for (const int rank : c)
        require(rank >= 0 && static_cast<std::size_t>(rank) < ranks, "a communicator has no such rank");
    }
    for (const CollectiveCalls& c : t.collectives) {
      require(c.communicator >= 0 && static_cast<std::size_t>(c.communicator) < t.communicators.size(),
              "there is no such communicator");
      require(c.bytes >= 0 && c.calls > 0, "a collective has no such size or number of calls");
    }
    if (schema == kSchema) t.recorded_machine = text();
    std::vector<std::int64_t> program_of(ranks);
    for (std::int64_t& p : program_of) p = number();
    std::vector<std::shared_ptr<const std::vector<TraceStep>>> programs(size());
    for (auto& p : programs) p = std::make_shared<const std::vector<TraceStep>>(program(t));
    require(at_ == bytes_.size(), "there is more than the programs");
    for (const std::int64_t p : program_of) {
      require(p >= 0 && static_cast<std::size_t>(p) < programs.size(), "there is no such program");
      t.ranks.push_back(programs[p]);
    }
    return t;
  }

 private:
  [[noreturn]] void refuse() const {
    throw InputError(file_, "is not a trace (" + std::string(kSchema) + ")", "record one with strata exec --record");
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(file_, fmt::format("byte {}: {}", at_, what), "record it again");
  }
  void require(bool right, const char* what) const {
    if (!right) fail(what);
  }
  std::string line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string::npos) return "";
    std::string text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }
  std::uint8_t byte() {
    require(at_ < bytes_.size(), "the steps are cut off");
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  std::int64_t number() {
    std::int64_t n = 0;
    require(read_base128([this] { return byte(); }, n), "a number of more than 64 bits");
    return n;
  }
  // A number of items that take at least one byte each.
  std::size_t size() {
    const std::int64_t n = number();
    require(n >= 0 && static_cast<std::size_t>(n) <= bytes_.size(), "that many there cannot be");
    return static_cast<std::size_t>(n);
  }
  std::string text() {
    const std::size_t length = size();
    require(length <= bytes_.size() - at_, "the machine is cut off");
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }
  std::int32_t small() {
    const std::int64_t n = number();
    require(n >= std::numeric_limits<std::int32_t>::min() && n <= std::numeric_limits<std::int32_t>::max(),
            "a number is out of range");
    return static_cast<std::int32_t>(n);
  }
  double real() {
    return read_real([this] { return byte(); });
  }

  TraceStep step() {
    const std::uint8_t kind = byte(), fields = byte();
    require(kind <= static_cast<std::uint8_t>(Kind::kUnlock), "there is no such step");
    TraceStep s{.kind = static_cast<Kind>(kind)};
    if ((fields & kModes) != 0) s.modes = byte();
    if ((fields & kPeer) != 0) s.peer = small();
    if ((fields & kTag) != 0) s.tag = small();
    if ((fields & kNumber) != 0) s.number = small();
    if ((fields & kPassed) != 0) s.passed = small();
    const auto amount = [&] { return (fields & kReal) != 0 ? real() : static_cast<double>(number()); };
    if ((fields & kAmount) != 0) s.amount = amount();
    if ((fields & kMoved) != 0) s.moved = amount();
    return s;
  }

  void check(const TraceStep& s, const Trace& t, std::size_t left, std::int64_t started) const {
    const auto in = [](std::int64_t n, std::size_t count) { return n >= 0 && static_cast<std::size_t>(n) < count; };
    require(s.amount >= 0 && s.amount <= std::numeric_limits<double>::max() && s.moved >= 0 &&
                s.moved <= std::numeric_limits<double>::max(),
            "an amount is out of range");
    require(in(s.peer, t.cores.size()), "there is no such rank");
    require(s.passed >= 0, "a message is out of range");
    switch (s.kind) {
      case Kind::kRepeat:
        require(s.number > 0 && static_cast<std::size_t>(s.number) <= left, "a loop ends after the program");
        require(is_whole(s.amount) && s.amount >= 1, "a loop's count is out of range");
        break;
      case Kind::kCall:
        require(s.number == -1 || in(s.number, t.functions.size()), "there is no such function");
        break;
      case Kind::kSend:
      case Kind::kReceive:
        require(is_whole(s.amount), "the size of a message is not a whole number");
        break;
      case Kind::kPut:
      case Kind::kGet:
      case Kind::kAccumulate:
        require(is_whole(s.amount), "the size of a message is not a whole number");
        require(s.number >= 0, "a window is out of range");
        break;
      case Kind::kPoll:
      case Kind::kPolled:
      case Kind::kLook:
        require(is_whole(s.amount), "a number of messages is not a whole number");
        break;
      case Kind::kFlush:
      case Kind::kLock:
      case Kind::kUnlock:
        require(s.number >= 0, "a window is out of range");
        break;
      case Kind::kFlushOne:
        require(s.number >= 0, "a window is out of range");
        require(in(s.tag, t.cores.size()), "there is no such rank");
        break;
      case Kind::kWait:
        require(s.number >= 1 && s.number <= started, "a wait for a request that was not started");
        break;
      case Kind::kMeet:
      case Kind::kReadClock:
      case Kind::kStartTogether:
        require(in(s.number, t.groups.size()), "there is no such group");
        break;
      default:
        break;
    }
  }

  std::vector<TraceStep> program(const Trace& t) {
    std::vector<TraceStep> steps(size());
    struct Loop {
      std::size_t end;
      double count;
      std::int64_t started;  // number of requests before it
    };
    std::vector<Loop> open;
    std::int64_t started = 0;  // number of requests so far; in the first iteration of open loops
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (; !open.empty() && open.back().end == i; open.pop_back()) {
        const double more = (open.back().count - 1) * static_cast<double>(started - open.back().started);
        require(more + static_cast<double>(started) < kWhole, "more requests than can be counted");
        started += static_cast<std::int64_t>(more);
      }
      steps[i] = step();
      check(steps[i], t, steps.size() - i - 1, started);
      if (steps[i].starts_request()) ++started;
      if (steps[i].kind != Kind::kRepeat) continue;
      const std::size_t end = i + 1 + static_cast<std::size_t>(steps[i].number);
      require(open.empty() || end <= open.back().end, "a loop ends after the one that it is in");
      require(open.size() < kDeepest, "loops are too deep");
      open.push_back({end, steps[i].amount, started});
    }
    return steps;
  }

  const std::string file_;
  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace

TraceWriter::TraceWriter(std::filesystem::path file, std::size_t ranks, std::size_t most_kept)
    : file_(std::move(file)),
      most_kept_(most_kept / std::max<std::size_t>(ranks, 1)),
      programs_(ranks),
      program_of_(ranks) {
  std::iota(program_of_.begin(), program_of_.end(), std::size_t{0});
}

TraceWriter::~TraceWriter() {
  if (aside_ >= 0) ::close(aside_);
}

void TraceWriter::append(std::size_t rank, const std::vector<TraceStep>& steps) {
  Program& p = programs_[rank];
  p.steps += static_cast<std::int64_t>(steps.size());
  for (const TraceStep& s : steps) put_step(p.last, s);
  if (p.last.size() > most_kept_) put_aside(p);
}

void TraceWriter::put_aside(Program& p) {
  if (aside_ < 0) {
    // Do not create files in a device's folder.
    std::error_code ignored;
    const bool device = std::filesystem::exists(file_, ignored) && !std::filesystem::is_regular_file(file_, ignored);
    const std::filesystem::path name =
        (device ? std::filesystem::temp_directory_path(ignored) / file_.filename() : file_).string() +
        fmt::format(".steps-{}", ::getpid());
    aside_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (aside_ < 0) fail_write(file_, "cannot be made");
    ::unlink(name.c_str());
  }
  for (std::size_t done = 0; done < p.last.size();) {
    const ssize_t n = ::write(aside_, p.last.data() + done, p.last.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_write(file_, "cannot be written");
    done += static_cast<std::size_t>(n);
  }
  p.waiting.push_back({aside_bytes_, p.last.size()});
  aside_bytes_ += static_cast<std::int64_t>(p.last.size());
  p.last = {};
}

void TraceWriter::for_each_piece(const Program& p, const PutPiece& put) const {
  constexpr std::size_t kMost = 1 << 20;  // B
  std::string bytes;
  for (const Piece& piece : p.waiting) {
    for (std::size_t done = 0; done < piece.length;) {
      bytes.resize(std::min(kMost, piece.length - done));
      const ssize_t n = ::pread(aside_, bytes.data(), bytes.size(), piece.offset + static_cast<std::int64_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail_write(file_, "what was put aside cannot be read");
      put(std::string_view(bytes).substr(0, static_cast<std::size_t>(n)));
      done += static_cast<std::size_t>(n);
    }
  }
  put(p.last);
}

void TraceWriter::write(const Trace& trace) const {
  // Equal programs are written once. Programs with equal 128-bit hashes and lengths are considered equal.
  std::map<std::tuple<std::int64_t, std::uint64_t, std::uint64_t>, std::size_t> known;
  std::vector<const Program*> different;
  std::string start = std::string(kSchema) + "\n" + Json(trace).dump() + "\n";
  put_base128(start, static_cast<std::int64_t>(trace.recorded_machine.size()));
  start += trace.recorded_machine;
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(), XXH3_freeState);
  std::vector<std::optional<std::size_t>> number(programs_.size());
  for (const std::size_t owner : program_of_) {
    if (number[owner]) {
      put_base128(start, static_cast<std::int64_t>(*number[owner]));
      continue;
    }
    const Program& p = programs_[owner];
    XXH3_128bits_reset(hash.get());
    for_each_piece(p, [&](std::string_view piece) { XXH3_128bits_update(hash.get(), piece.data(), piece.size()); });
    const XXH128_hash_t h = XXH3_128bits_digest(hash.get());
    const auto [at, first] = known.try_emplace({p.steps, h.high64, h.low64}, different.size());
    if (first) different.push_back(&p);
    number[owner] = at->second;
    put_base128(start, static_cast<std::int64_t>(at->second));
  }
  put_base128(start, static_cast<std::int64_t>(different.size()));
  write_whole_in_pieces(file_, [&](const PutPiece& put) {
    XXH3_64bits_reset(hash.get());
    const auto put_and_check = [&](std::string_view piece) {
      XXH3_64bits_update(hash.get(), piece.data(), piece.size());
      put(piece);
    };
    put_and_check(start);
    for (const Program* p : different) {
      std::string steps;
      put_base128(steps, p->steps);
      put_and_check(steps);
      for_each_piece(*p, put_and_check);
    }
    const std::uint64_t check = XXH3_64bits_digest(hash.get());
    std::string end;
    put_bits(end, check);
    put(end);
  });
}

void write_trace(const std::filesystem::path& file, const Trace& trace) {
  TraceWriter writer(file, trace.ranks.size(), std::numeric_limits<std::size_t>::max());
  std::unordered_map<const std::vector<TraceStep>*, std::size_t> known;
  for (std::size_t r = 0; r < trace.ranks.size(); ++r) {
    const auto [at, first] = known.try_emplace(trace.ranks[r].get(), r);
    if (first) {
      writer.append(r, *trace.ranks[r]);
    } else {
      writer.share(r, at->second);
    }
  }
  writer.write(trace);
}

bool is_trace(const std::string& bytes) { return bytes.starts_with(kFamily); }

Trace read_trace(const std::filesystem::path& file) { return Reader(file).read(); }

}  // namespace strata
