// SPDX-License-Identifier: LGPL-2.1-only
// A file view (MPI 4.0, Section 14.3): which bytes of a file a process sees, and where they are. From `displacement`
// on, the file is tiled with the filetype; its data bytes, in the order of its type map, are the bytes of the view.
// Offsets in the view are in bytes here, and in etypes in MPI.
//
// Example: etype int, filetype int at 0 in an extent of 8, displacement 4. Byte 5 of the view is byte 4 + 8 + 1 of the
// file.
//
// Cost: O(log stretches) to find a byte, O(stretches touched) to list an access.
#pragma once

#include <vector>

namespace strata::mpix {

/// Contiguous bytes of a filetype.
struct FileStretch {
  long long first = 0;   // bytes from the filetype's origin
  long long length = 0;  // bytes, positive
  bool operator==(const FileStretch&) const = default;
};

/// Contiguous bytes of an access.
struct FilePiece {
  long long at = 0;      // bytes from the start of the file
  long long length = 0;  // bytes, positive
  bool operator==(const FilePiece&) const = default;
};

class FileView {
 public:
  /// The default view: all bytes of the file.
  FileView() : FileView(0, {{0, 1}}, 1) {}
  /// `stretches` in the order of the type map; `extent` is the filetype's, in bytes.
  FileView(long long displacement, std::vector<FileStretch> stretches, long long extent);

  /// Data bytes in one filetype.
  long long bytes_per_tile() const { return before_.back(); }
  /// Position in the file of a byte of the view. Requires bytes_per_tile() > 0.
  long long position(long long byte) const;
  /// The pieces of `bytes` bytes of the view from `first` on, in order; adjacent ones are joined. Empty if the view has
  /// no bytes.
  std::vector<FilePiece> pieces(long long first, long long bytes) const;
  /// The first byte of the view such that it and all later ones are at or after `end` in the file. For a monotonic
  /// filetype, as MPI requires, this is the number of bytes before `end`.
  long long bytes_before(long long end) const;

 private:
  // The stretch that byte `in_tile` of a filetype is in.
  std::size_t stretch_of(long long in_tile) const;

  long long displacement_;
  std::vector<FileStretch> stretches_;
  std::vector<long long> before_;  // data bytes before each stretch, and at the end all of them
  long long extent_;
};

/// Joins neighbours that are adjacent in the file: {0, 4}, {4, 2} becomes {0, 6}.
std::vector<FileStretch> joined(const std::vector<FileStretch>& stretches);

}  // namespace strata::mpix
