// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/pmix_log.h"

#include <cstdint>
#include <optional>

namespace strata::native {
namespace {

// Takes parts from the front of packed bytes.
class Packed {
 public:
  explicit Packed(std::string_view bytes) : left_(bytes) {}

  std::optional<std::uint32_t> number() {
    if (left_.size() < 4) return {};
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(left_[i]);
    left_.remove_prefix(4);
    return value;
  }
  std::optional<std::string_view> string() {
    if (number() != 1U) return {};
    const std::optional<std::uint32_t> length = number();
    if (!length || *length == 0 || *length > left_.size()) return {};
    const std::string_view text = left_.substr(0, *length - 1);
    left_.remove_prefix(*length);
    return text;
  }
  bool flag() {
    if (number() != 1U || left_.empty()) return false;
    left_.remove_prefix(1);
    return true;
  }

 private:
  std::string_view left_;
};

}  // namespace

std::string packed_text(std::string_view bytes) {
  Packed packed(bytes);
  if (!packed.string() || !packed.string() || !packed.flag()) return "";
  return std::string(packed.string().value_or(""));
}

std::string logged_text(const pmix_info_t* data, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const pmix_value_t& value = data[i].value;
    if (value.type == PMIX_STRING && value.data.string != nullptr) text += value.data.string;
    if (value.type == PMIX_BYTE_OBJECT) text += packed_text({value.data.bo.bytes, value.data.bo.size});
  }
  return text;
}

}  // namespace strata::native
