// SPDX-License-Identifier: MIT
/// \file The goldens on the null backend: their streams are valid on machines without Vulkan.
#include "tests/golden/hosts/backend_host.hpp"
#include "tests/support/processors/null_processor.hpp"

namespace aerogpu::golden {

namespace {

class null_host final : public backend_host<null_backend> {
 public:
  explicit null_host(null_backend& on) : backend_host(on) {}
  [[nodiscard]] auto renders() const -> bool override { return false; }
};

}  // namespace

auto make_host(host_variant) -> std::unique_ptr<host> {
  static null_backend backend;
  return std::make_unique<null_host>(backend);
}

}  // namespace aerogpu::golden
