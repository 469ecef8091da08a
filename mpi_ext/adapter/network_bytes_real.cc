// SPDX-License-Identifier: LGPL-2.1-only
#include <fstream>
#include <system_error>

#include "mpi_ext/adapter/network_bytes.h"

namespace strata::mpix {
namespace {

namespace fs = std::filesystem;

constexpr double kBytesPerWord = 4;

std::optional<double> read_words(const fs::path& file) {
  unsigned long long words = 0;
  std::ifstream in(file);
  if (!(in >> words)) return std::nullopt;  // missing, or "N/A (no PMA)"
  return static_cast<double>(words);
}

}  // namespace

std::optional<CardBytes> read_card_counters(const fs::path& cards) {
  std::optional<CardBytes> sum;
  std::error_code none;  // without the folder there are no cards
  for (const fs::directory_entry& card : fs::directory_iterator(cards, none)) {
    for (const fs::directory_entry& port : fs::directory_iterator(card.path() / "ports", none)) {
      const std::optional<double> sent = read_words(port.path() / "counters" / "port_xmit_data");
      const std::optional<double> received = read_words(port.path() / "counters" / "port_rcv_data");
      if (!sent || !received) continue;
      if (!sum) sum.emplace();
      sum->sent += *sent * kBytesPerWord;
      sum->received += *received * kBytesPerWord;
    }
  }
  return sum;
}

std::optional<CardBytes> network_bytes() { return read_card_counters("/sys/class/infiniband"); }

}  // namespace strata::mpix
