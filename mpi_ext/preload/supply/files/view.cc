// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/files/view.h"

#include <algorithm>
#include <utility>

namespace strata::mpix {

FileView::FileView(long long displacement, std::vector<FileStretch> stretches, long long extent)
    : displacement_(displacement), stretches_(joined(stretches)), extent_(extent) {
  // A dense tile is one stretch of any length. A long one gives few pieces.
  if (stretches_.size() == 1 && stretches_[0].length == extent_) {
    displacement_ += std::exchange(stretches_[0].first, 0);
    stretches_[0].length = extent_ = 1LL << 40;
  }
  before_.push_back(0);
  for (const FileStretch& s : stretches_) before_.push_back(before_.back() + s.length);
}

std::size_t FileView::stretch_of(long long in_tile) const {
  return static_cast<std::size_t>(std::upper_bound(before_.begin(), before_.end(), in_tile) - before_.begin()) - 1;
}

long long FileView::position(long long byte) const {
  const long long tile = byte / bytes_per_tile(), in_tile = byte % bytes_per_tile();
  const std::size_t s = stretch_of(in_tile);
  return displacement_ + tile * extent_ + stretches_[s].first + in_tile - before_[s];
}

std::vector<FilePiece> FileView::pieces(long long first, long long bytes) const {
  std::vector<FilePiece> all;
  if (bytes_per_tile() == 0 || bytes <= 0) return all;
  long long tile = first / bytes_per_tile(), in_tile = first % bytes_per_tile();
  std::size_t s = stretch_of(in_tile);
  while (bytes > 0) {
    const long long within = in_tile - before_[s], length = std::min(bytes, stretches_[s].length - within);
    const long long at = displacement_ + tile * extent_ + stretches_[s].first + within;
    if (!all.empty() && all.back().at + all.back().length == at) {
      all.back().length += length;
    } else {
      all.push_back({at, length});
    }
    bytes -= length;
    in_tile += length;
    if (in_tile < before_[s + 1]) continue;
    if (++s < stretches_.size()) continue;
    s = 0;
    in_tile = 0;
    ++tile;
  }
  return all;
}

long long FileView::bytes_before(long long end) const {
  if (bytes_per_tile() == 0 || end <= displacement_) return 0;
  // Stretches may lie outside the extent, so go back a tile and then forward.
  long long tile = std::max(0LL, (end - displacement_) / std::max(1LL, extent_) - 1);
  long long last = tile * bytes_per_tile();
  for (; displacement_ + tile * extent_ + stretches_.front().first < end; ++tile) {
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      const long long from = displacement_ + tile * extent_ + stretches_[s].first;
      if (from < end) last = tile * bytes_per_tile() + before_[s] + std::min(end - from, stretches_[s].length);
    }
    if (extent_ <= 0) break;
  }
  return last;
}

std::vector<FileStretch> joined(const std::vector<FileStretch>& stretches) {
  std::vector<FileStretch> all;
  for (const FileStretch& s : stretches) {
    if (s.length == 0) continue;
    if (!all.empty() && all.back().first + all.back().length == s.first) {
      all.back().length += s.length;
    } else {
      all.push_back(s);
    }
  }
  return all;
}

}  // namespace strata::mpix
