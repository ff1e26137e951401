// SPDX-License-Identifier: MIT
/// \file The goldens on the Vulkan backend, with validation; one device for the whole program.
#include "tests/golden/hosts/backend_host.hpp"
#include "tests/golden/hosts/vulkan_variants.hpp"

#include <array>
#include <cstdlib>
#include <memory>

namespace aerogpu::golden {

namespace {

class vulkan_host final : public backend_host<vulkan::vulkan_backend> {
 public:
  explicit vulkan_host(vulkan::vulkan_backend& on) : backend_host(on) {}
  [[nodiscard]] auto features() -> host_features override { return features_of(on()); }
  [[nodiscard]] auto validation_errors() -> std::uint64_t override {
    return on().validation_errors();
  }
};

}  // namespace

auto make_host(host_variant variant) -> std::unique_ptr<host> {
  static std::array<std::unique_ptr<vulkan::vulkan_backend>, host_variant_count> backends;
  auto& backend = backends[static_cast<std::size_t>(variant)];
  if (backend == nullptr) {
    backend = open_variant(variant);
    if (backend == nullptr) return nullptr;
    // Registered after the layers were loaded, so that they still live when this runs.
    std::atexit([] {
      for (auto& each : backends) each.reset();
    });
  }
  return std::make_unique<vulkan_host>(*backend);
}

}  // namespace aerogpu::golden
