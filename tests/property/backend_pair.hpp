// SPDX-License-Identifier: MIT
/// \file The Vulkan backend under validation beside the null backend: both take the same streams.
#pragma once

#include "tests/property/backend_host.hpp"
#include "tests/support/processors/null_processor.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace aerogpu::property {

/// What happened to streams so far.
struct pair_counts {
  std::uint64_t streams = 0;
  std::uint64_t accepted = 0;           ///< Whole.
  std::uint64_t refused_by_both = 0;    ///< With the same error at the same packet.
  std::uint64_t refused_by_device = 0;  ///< Legal, beyond what Vulkan or the device can do.
  std::map<std::string, std::uint64_t> refusals;  ///< By their sentence.
};

class backend_pair {
 public:
  explicit backend_pair(vulkan::vulkan_backend& device) : device_(device), vulkan_(device) {}

  /// Runs a stream on both. Returns how far it came, for `stream_generator::settle`. What should
  /// not be is told by `complaint`.
  auto run(const test::byte_vector& stream, context_id context) -> std::uint32_t;
  /// Everything of the guest goes.
  void reset();
  /// Empty while all is well.
  [[nodiscard]] auto complaint() const -> const std::string& { return complaint_; }
  [[nodiscard]] auto counts() const -> const pair_counts& { return counts_; }

 private:
  void complain(const std::string& text) {
    if (complaint_.empty()) complaint_ = text;
  }
  void compare(const test::byte_vector& stream, context_id context, const error& real);

  vulkan::vulkan_backend& device_;
  null_backend null_;
  backend_host<vulkan::vulkan_backend> vulkan_;
  backend_host<null_backend> reference_{null_};
  pair_counts counts_;
  std::string complaint_;
};

/// Errors and warnings of the validation layers since the backend's device was opened.
[[nodiscard]] auto count_messages(vulkan::vulkan_backend& device) -> std::uint64_t;

}  // namespace aerogpu::property
