// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/output_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "base/output_error.h"

namespace strata {
namespace {

constexpr size_t kBuffer = 1 << 18;  // B: one system call for a few thousand lines

std::filesystem::path written_name(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw OutputError(file.string(), "is a directory", "give the name of a file");
  // A device or a pipe is written to, never replaced or removed.
  const bool other = std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored);
  return other ? file : std::filesystem::path(file.string() + ".new");
}

}  // namespace

class OutputFile::Compressor {
 public:
  Compressor() {
    constexpr int kGzip = 16 + MAX_WBITS;
    constexpr int kMemory = 8;  // zlib's default
    if (::deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::runtime_error("zlib cannot begin");
  }
  ~Compressor() { ::deflateEnd(&stream_); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  std::string compressed(std::string& text, bool last) {
    std::string out;
    stream_.next_in = reinterpret_cast<unsigned char*>(text.data());
    stream_.avail_in = static_cast<unsigned>(text.size());
    do {
      const size_t before = out.size();
      out.resize(before + kBuffer);
      stream_.next_out = reinterpret_cast<unsigned char*>(out.data() + before);
      stream_.avail_out = kBuffer;
      ::deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      out.resize(out.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return out;
  }

 private:
  z_stream stream_ = {};
};

OutputFile::OutputFile(std::filesystem::path file, bool gzip)
    : file_(std::move(file)),
      written_(written_name(file_)),
      descriptor_(::open(written_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (!descriptor_.is_open()) fail_write(file_, "cannot be made");
  if (gzip) compressor_ = std::make_unique<Compressor>();
}

OutputFile::~OutputFile() {
  if (!kept_ && written_ != file_) ::unlink(written_.c_str());
}

void OutputFile::put(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() < kBuffer) return;
  if (compressor_) buffer_ = compressor_->compressed(buffer_, false);
  flush();
}

void OutputFile::flush() {
  write_all(descriptor_, buffer_, file_);
  buffer_.clear();
}

void OutputFile::keep() {
  if (compressor_) buffer_ = compressor_->compressed(buffer_, true);
  flush();
  if (::fsync(descriptor_.get()) != 0 && errno != EINVAL) fail_write(file_, "cannot be synced");
  if (written_ != file_ && ::rename(written_.c_str(), file_.c_str()) != 0) fail_write(file_, "cannot be replaced");
  kept_ = true;
}

}  // namespace strata
