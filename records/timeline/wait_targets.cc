// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/wait_targets.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/output_error.h"

namespace strata {
namespace {

constexpr std::int64_t kBlock = 1 << 14;  // numbers read at a time
constexpr auto kSize = static_cast<std::int64_t>(sizeof(int));

std::filesystem::path temporary_folder() {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) throw OutputError("TMPDIR", "is not a folder", "let it name one, or unset it");
  return folder;
}

}  // namespace

std::int64_t WaitTargets::add() {
  if (kept_.size() >= most_kept_) spill();
  kept_.push_back(-1);
  return spilled_ + static_cast<std::int64_t>(kept_.size()) - 1;
}

void WaitTargets::set(std::int64_t wait, int rank) {
  if (wait >= spilled_) {
    kept_[wait - spilled_] = rank;
  } else if (::pwrite(file_->get(), &rank, sizeof rank, wait * kSize) != kSize) {
    fail_write(temporary_folder(), "cannot be written");
  }
}

// Moves the older half of the numbers to the file.
void WaitTargets::spill() {
  if (!file_) {
    std::string name = temporary_folder() / "strata-waits-XXXXXX";
    file_.emplace(::mkstemp(name.data()));
    if (!file_->is_open()) fail_write(name, "cannot be made");
    ::unlink(name.c_str());
  }
  const auto half = static_cast<std::ptrdiff_t>((kept_.size() + 1) / 2);
  const std::string bytes(reinterpret_cast<const char*>(kept_.data()), half * sizeof(int));
  if (::lseek(file_->get(), spilled_ * kSize, SEEK_SET) < 0) fail_write(temporary_folder(), "cannot be written");
  write_all(*file_, bytes, temporary_folder());
  kept_.erase(kept_.begin(), kept_.begin() + half);
  spilled_ += half;
}

int WaitTargets::next() {
  const std::int64_t wait = next_++;
  if (wait >= spilled_) return kept_[wait - spilled_];
  if (wait < block_start_ || wait >= block_start_ + static_cast<std::int64_t>(block_.size())) {
    block_start_ = wait;
    block_.resize(static_cast<size_t>(std::min(kBlock, spilled_ - wait)));
    const auto size = static_cast<ssize_t>(block_.size() * sizeof(int));
    if (::pread(file_->get(), block_.data(), static_cast<size_t>(size), wait * kSize) != size)
      fail_write(temporary_folder(), "cannot be read back");
  }
  return block_[wait - block_start_];
}

}  // namespace strata
