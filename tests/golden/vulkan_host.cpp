/// \file The goldens on the Vulkan backend, with validation; one device for the whole program.
#include "tests/golden/backend_host.hpp"
#include "tests/support/validation_layer.hpp"
#include "vulkan/engine.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <array>
#include <cstdlib>

namespace aerogpu::golden {

namespace {

class vulkan_host final : public backend_host<vulkan::vulkan_backend> {
 public:
  explicit vulkan_host(vulkan::vulkan_backend& on) : backend_host(on) {}
  [[nodiscard]] auto validation_errors() -> std::uint64_t override {
    return on().validation_errors();
  }
};

[[nodiscard]] auto options_of(host_variant variant) -> vulkan::backend_options {
  vulkan::backend_options options;
  options.validate = true;
  options.force_format_expansion = variant == host_variant::expanded_formats;
  return options;
}

/// The device keeps what it has; the backend believes that it has not.
void forget_features(vulkan::vulkan_backend& backend) {
  vulkan::gpu_features& features = backend.inside().device->gpu->features;
  features.geometry = features.tessellation = false;
  features.null_descriptor = false;
  features.draw_parameters = false;
}

}  // namespace

auto make_host(host_variant variant) -> std::unique_ptr<host> {
  static std::array<std::unique_ptr<vulkan::vulkan_backend>, host_variant_count> backends;
  auto& backend = backends[static_cast<std::size_t>(variant)];
  if (backend == nullptr) {
    auto made = vulkan::vulkan_backend::create(options_of(variant));
    if (!made) {
      UNSCOPED_INFO(made.why().what);
      return nullptr;
    }
    backend = *std::move(made);
    if (variant == host_variant::bare_device) forget_features(*backend);
    test::keep_validation_layer();
    // Registered after the layers were loaded, so that they still live when this runs.
    std::atexit([] {
      for (auto& each : backends) each.reset();
    });
  }
  return std::make_unique<vulkan_host>(*backend);
}

}  // namespace aerogpu::golden
