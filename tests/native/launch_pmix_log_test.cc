// SPDX-License-Identifier: LGPL-2.1-only
// The text in what Open MPI 4.1 sends to be shown.
#include <gtest/gtest.h>

#include <string>

#include "native/launch/pmix_log.h"

namespace strata::native {
namespace {

std::string number(unsigned value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> static_cast<unsigned>(shift) & 255U);
  return bytes;
}

std::string string(const std::string& text) {
  return number(1) + number(static_cast<unsigned>(text.size()) + 1) + text + '\0';
}

const std::string kTopic = string("help-mpi-errors.txt") + string("mpi_errors_are_fatal");

TEST(PmixLog, TheTextIsTheFourthPart) {
  const std::string text = "*** An error occurred in MPI_Send\n" + std::string(300, 'x');
  EXPECT_EQ(packed_text(kTopic + number(1) + '\1' + string(text)), text);
}

TEST(PmixLog, OtherBytesHaveNoText) {
  const std::string whole = kTopic + number(1) + '\1' + string("text");
  for (std::size_t length = 0; length < whole.size(); ++length) EXPECT_EQ(packed_text(whole.substr(0, length)), "");
  EXPECT_EQ(packed_text(std::string(100, '\xff')), "");
  EXPECT_EQ(packed_text(number(1) + number(0)), "");
}

}  // namespace
}  // namespace strata::native
