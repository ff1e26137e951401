// SPDX-License-Identifier: MIT
/// \file A guest that presents textures which lie in its memory, and flips to their addresses.
#pragma once

#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/display/presented_texture.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace aerogpu::conformance {

/// A mode of 2 x 2 pixels. Texture `n` has handle and allocation id `n`, and `n` in each byte.
template <backend B>
struct flip_rig : device_rig<B> {
  using base = device_rig<B>;
  static constexpr std::uint64_t image_bytes = 16;
  static constexpr guest_image screen{.width = 2,
                                      .height = 2,
                                      .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                      .pitch = 8,
                                      .address = surface_gpa};
  static constexpr test::texture_spec shape{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                            .width = 2,
                                            .height = 2,
                                            .pitch = 8,
                                            .usage = presentable_usage};

  /// The guest frame buffer is on the display.
  explicit flip_rig(const device_config& config = base::small_config()) : base(config) {
    this->start(64);
    this->machine.ram.map(gpa{surface_gpa}, image_bytes);
    this->set_scanout(screen);
  }

  [[nodiscard]] static constexpr auto address_of(std::uint32_t n) -> std::uint64_t {
    return 0x500000 + n * 0x1000;
  }
  [[nodiscard]] static auto entry(std::uint32_t n, std::uint64_t address) -> aerogpu_alloc_entry {
    return {n, 0, address, 0x800, 0};
  }

  void submit_next(const stream_builder& stream,
                   std::optional<std::vector<aerogpu_alloc_entry>> table = std::nullopt) {
    this->submit({.fence = ++fence, .stream = stream.bytes(), .table = std::move(table)});
  }

  /// Makes texture `n` with its texels. They are not in its memory, so that either can be told.
  void create(std::uint32_t n, std::uint64_t address, std::uint32_t offset_bytes = 0) {
    auto backed = shape;
    backed.memory = {n, offset_bytes};
    this->machine.ram.map(gpa{address}, 0x800);
    submit_next(
        stream_builder{}.create_texture(n, backed).upload(n, 0, test::filled(image_bytes, n)),
        {{entry(n, address)}});
  }
  void create(std::uint32_t n) { create(n, address_of(n)); }
  void create_unbacked(std::uint32_t n) {
    auto free = shape;
    free.pitch = 0;
    submit_next(
        stream_builder{}.create_texture(n, free).upload(n, 0, test::filled(image_bytes, n)));
  }

  /// Presents a texture whose allocation lies at `address`.
  void present_at(std::uint32_t n, std::uint64_t address) {
    submit_next(stream_builder{}.targets({n}).present(), {{entry(n, address)}});
  }
  void present(std::uint32_t n) { present_at(n, address_of(n)); }
  void present_without_table(std::uint32_t n) {
    submit_next(stream_builder{}.targets({n}).present());
  }
  void create_and_present(std::uint32_t n) {
    create(n);
    present(n);
  }

  void commit(std::uint64_t address) {
    this->write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, address);
  }
  /// Commits the texture's address and lets the next edge come.
  void flip_to(std::uint32_t n) {
    commit(address_of(n));
    next_edge();
  }
  void next_edge() {
    const auto before = this->read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO);
    this->tick_at(this->dev->next_deadline_ns());
    CHECK(this->read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == before + 1);
  }

  void check_shows(std::uint32_t n) {
    INFO("texture " << n);
    rgba8_image image;
    REQUIRE(this->dev->read_scanout(image));
    CHECK(std::ranges::equal(image.pixels(), test::filled(image_bytes, n)));
  }
  /// The display shows the bytes at `address`, whatever they are.
  void check_shows_memory(std::uint64_t address = surface_gpa) {
    INFO("memory at " << address);
    this->machine.ram.poke(gpa{address}, test::filled(image_bytes, 0xEE));
    rgba8_image image;
    REQUIRE(this->dev->read_scanout(image));
    CHECK(std::ranges::equal(image.pixels(), test::filled(image_bytes, 0xEE)));
  }

  std::uint64_t fence = 0;
};

}  // namespace aerogpu::conformance
