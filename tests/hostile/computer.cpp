// SPDX-License-Identifier: MIT
#include "tests/hostile/computer.hpp"

#include "aerogpu/device/device.hpp"
#include "tests/catch.hpp"
#include "tests/support/processors/null_processor.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"

#include <type_traits>
#include <utility>

namespace aerogpu::hostile {

namespace {

template <backend B>
class computer_on final : public computer {
 public:
  computer_on(std::unique_ptr<B> on, const computer_options& options)
      : memory_(options.ram_bytes), backend_(std::move(on)) {
    auto made = device<machine, B>::create(memory_, *backend_, options.device);
    REQUIRE(made);
    device_ = *std::move(made);
  }

  auto memory() -> machine& override { return memory_; }
  auto read(std::uint64_t offset, std::uint32_t size) -> std::uint64_t override {
    return device_->bar0_read(offset, size);
  }
  void write(std::uint64_t offset, std::uint64_t value, std::uint32_t size) override {
    device_->bar0_write(offset, value, size);
  }
  auto bar1_read(std::uint64_t offset, std::uint32_t size) -> std::uint64_t override {
    return device_->bar1_read(offset, size);
  }
  void bar1_write(std::uint64_t offset, std::uint64_t value, std::uint32_t size) override {
    device_->bar1_write(offset, value, size);
  }
  void config_write(std::uint32_t offset, std::uint32_t value, std::uint32_t size) override {
    device_->config_write(offset, value, size);
  }
  void tick() override { device_->tick(); }
  auto next_deadline_ns() -> std::uint64_t override { return device_->next_deadline_ns(); }
  void wait_idle() override { device_->wait_idle(); }
  void set_tap(const submission_tap& tap) override { device_->set_tap(tap); }
  auto is_idle() -> bool override { return device_->is_idle(); }
  auto read_display(rgba8_image& image) -> error_code override {
    const auto read = device_->read_display(image);
    return read ? error_code::none : read.why().code;
  }
  auto save(std::vector<std::byte>& out) -> error_code override {
    snapshot_writer saved;
    const auto done = device_->save(saved);
    if (!done) return done.why().code;
    out.assign(saved.bytes().begin(), saved.bytes().end());
    return error_code::none;
  }
  auto load(const_bytes snapshot) -> error_code override {
    const auto done = device_->load(snapshot);
    return done ? error_code::none : done.why().code;
  }
  auto statistics() -> device_statistics override { return device_->statistics(); }
  auto counts() -> object_counts override { return device_->processor().counts(); }
  auto counters() -> backend_counters override {
    if constexpr (std::is_same_v<B, vulkan::vulkan_backend>) {
      return {backend_->counters().pipelines, backend_->counters().batches,
              backend_->counters().device_losses, backend_->validation_errors()};
    } else {
      return {};
    }
  }
  auto draws() const -> bool override { return std::is_same_v<B, vulkan::vulkan_backend>; }

 private:
  machine memory_;
  std::unique_ptr<B> backend_;
  std::unique_ptr<device<machine, B>> device_;
};

}  // namespace

auto default_config() -> device_config {
  device_config config;
  config.bar1_bytes = 1u << 20;
  return config;
}

auto default_options() -> vulkan::backend_options {
  vulkan::backend_options options;
  options.watchdog_ms = 10'000;
  return options;
}

auto computer::create(const computer_options& options) -> std::unique_ptr<computer> {
  if (options.backend == backend_kind::null) {
    return std::make_unique<computer_on<null_backend>>(std::make_unique<null_backend>(), options);
  }
  auto made = vulkan::vulkan_backend::create(options.vulkan);
  INFO("these attacks need a Vulkan device: " << made.why().what);
  REQUIRE(made);
  return std::make_unique<computer_on<vulkan::vulkan_backend>>(*std::move(made), options);
}

}  // namespace aerogpu::hostile
