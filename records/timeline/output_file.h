// SPDX-License-Identifier: LGPL-2.1-only
// A large file that is written in pieces and appears complete or not at all: it has a temporary name until keep().
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/whole_file.h"

namespace strata {

class OutputFile {
 public:
  /// `gzip`: compressed, without name and time, so that equal texts give equal bytes. Throws OutputError, as do put()
  /// and keep().
  OutputFile(std::filesystem::path file, bool gzip);
  /// Without keep(), nothing is written, and an existing file is unchanged.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void put(std::string_view text);
  void keep();

 private:
  class Compressor;

  void flush();

  std::filesystem::path file_, written_;  // the same for a device or a pipe
  Descriptor descriptor_;
  std::unique_ptr<Compressor> compressor_;
  std::string buffer_;
  bool kept_ = false;
};

}  // namespace strata
