// SPDX-License-Identifier: LGPL-2.1-only
#include "records/trace/recorded_machine.h"

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <stdexcept>

#include "base/base128.h"
#include "base/error.h"

namespace strata {
namespace {

constexpr std::size_t kHashDigits = 32;
// zlib's format cannot compress more than this (zlib's technical notes), so a larger length is damage, not a reason to
// ask for memory.
constexpr std::uint64_t kMostCompressed = 1032;

void put_text(std::string& into, const std::string& text) {
  put_base128(into, static_cast<std::int64_t>(text.size()));
  into += text;
}

class Bytes {
 public:
  explicit Bytes(const std::string& bytes) : bytes_(bytes) {}

  bool more() const { return at_ < bytes_.size(); }
  std::size_t length() {
    std::int64_t n = 0;
    const bool whole = read_base128(
        [this] {
          if (!more()) throw std::runtime_error("it is cut off");
          return static_cast<std::uint8_t>(bytes_[at_++]);
        },
        n);
    if (!whole || n < 0) throw std::runtime_error("a length is out of range");
    return static_cast<std::size_t>(n);
  }
  std::string text() {
    const std::size_t n = length();
    if (n > bytes_.size() - at_) throw std::runtime_error("a file is cut off");
    at_ += n;
    return bytes_.substr(at_ - n, n);
  }
  std::string rest() const { return bytes_.substr(at_); }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

// Names come from a file that a stranger may have made, and become those of files.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
}

RecordedMachine unpacked(const std::string& packed) {
  if (packed.size() < kHashDigits) throw std::runtime_error("it is cut off");
  RecordedMachine machine{.hash = packed.substr(0, kHashDigits), .files = {}};
  const std::string after = packed.substr(kHashDigits);
  Bytes outer(after);
  const std::size_t length = outer.length();
  const std::string compressed = outer.rest();
  if (length / kMostCompressed > compressed.size()) throw std::runtime_error("a length is out of range");
  std::string bytes(length, '\0');
  uLongf size = bytes.size();
  if (::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(compressed.data()),
                   compressed.size()) != Z_OK ||
      size != length)
    throw std::runtime_error("it cannot be decompressed");
  for (Bytes files(bytes); files.more();) {
    const std::string name = files.text();
    if (!is_plain_name(name)) throw std::runtime_error("a file has no plain name");
    machine.files[name] = files.text();
  }
  return machine;
}

}  // namespace

std::string pack(const RecordedMachine& machine) {
  std::string bytes;
  for (const auto& [name, contents] : machine.files) {
    put_text(bytes, name);
    put_text(bytes, contents);
  }
  std::string packed = machine.hash;
  put_base128(packed, static_cast<std::int64_t>(bytes.size()));
  const std::size_t start = packed.size();
  uLongf size = ::compressBound(bytes.size());
  packed.resize(start + size);
  if (::compress2(reinterpret_cast<Bytef*>(packed.data() + start), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  bytes.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();  // the only failure that the size of the buffer leaves
  packed.resize(start + size);
  return packed;
}

RecordedMachine unpack(const std::string& packed, const std::string& file) {
  try {
    return unpacked(packed);
  } catch (const std::runtime_error& e) {
    throw InputError(file, std::string("the machine that it carries is damaged: ") + e.what(),
                     "record it again, or give a machine with --machine");
  }
}

}  // namespace strata
