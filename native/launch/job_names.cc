// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/job_names.h"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace strata::native {
namespace {

constexpr std::uint32_t kTenDigits = 1'000'000'000;
constexpr unsigned kFamilies = 100'000;  // of five digits

// OPAL_HASH_STR: Jenkins' one-at-a-time hash.
std::uint32_t hash_of(const std::string& text) {
  std::uint32_t hash = 0;
  for (const char c : text) {
    hash += static_cast<unsigned char>(c);
    hash += hash << 10U;
    hash ^= hash >> 6U;
  }
  hash += hash << 3U;
  hash ^= hash >> 11U;
  return hash + (hash << 15U);
}

}  // namespace

std::uint32_t open_mpi_4_number(const std::string& job) { return hash_of(job) & ~0x8000U; }

std::uint32_t open_mpi_5_number(const std::string& job) {
  const std::size_t sign = job.find('@');
  const std::uint32_t hash = hash_of(job.substr(0, sign)), family = (hash >> 16U ^ hash) & 0xffffU;
  const unsigned long local = sign == std::string::npos ? 0 : std::strtoul(job.c_str() + sign + 1, nullptr, 10);
  return family << 16U | (static_cast<std::uint32_t>(local) & 0xffffU);
}

JobNames::JobNames(unsigned seed) : family_(seed % kFamilies) {
  while (open_mpi_5_number(fmt::format("{:05}@0000", family_)) < kTenDigits) family_ = (family_ + 1) % kFamilies;
}

std::string JobNames::next() {
  if (jobs_ == kMost) throw std::length_error("more jobs than a run can have");
  // Open MPI 4.1's numbers are as good as random: the job's is in the job's part of those with ten digits.
  constexpr std::uint32_t kPart = (std::numeric_limits<std::uint32_t>::max() - kTenDigits) / kMost;
  const std::uint32_t first = kTenDigits + kPart * static_cast<std::uint32_t>(jobs_);
  for (unsigned suffix = 0;; ++suffix) {
    std::string name = fmt::format("{:05}@{:04}x{:05x}", family_, jobs_, suffix);
    const std::uint32_t number = open_mpi_4_number(name);
    if (number < first || number - first >= kPart) continue;
    ++jobs_;
    return name;
  }
}

}  // namespace strata::native
