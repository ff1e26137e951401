// SPDX-License-Identifier: MIT
#include "tests/hostile/session.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace aerogpu::hostile {

namespace {

constexpr std::uint32_t side = 16;
constexpr std::uint32_t honest_context = 0x48;

auto baseline() -> std::optional<process_usage>& {
  static std::optional<process_usage> value;
  return value;
}

/// A white triangle over the lower left half of a blue target.
auto picture_stream(bool draws) -> stream_builder {
  using namespace test;
  constexpr std::uint32_t target = honest_handles + 1, vertices = honest_handles + 2;
  constexpr std::uint32_t vs = honest_handles + 1, ps = honest_handles + 2;
  constexpr std::uint32_t layout = honest_handles + 1;
  constexpr std::array<float, 12> corners{-1, 1, 0.5f, 1, 1, -1, 0.5f, 1, -1, -1, 0.5f, 1};
  const auto bytes = std::as_bytes(std::span{corners});
  stream_builder stream;
  stream
      .create_texture(target, {.format = AEROGPU_FORMAT_B8G8R8X8_UNORM,
                               .width = side,
                               .height = side,
                               .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .targets({target})
      .clear(AEROGPU_CLEAR_COLOR, {0, 0, 1, 1});
  if (draws) {
    stream.create_buffer(vertices, bytes.size())
        .upload(vertices, 0, {bytes.begin(), bytes.end()})
        .create_shader(vs, wire_vs, vs_2_0_position())
        .create_shader(ps, wire_ps, ps_2_0_white())
        .create_layout(layout, declaration_blob({{0, 0, 3, 0, 0, 0}, declaration_end}))
        .bind_shaders(vs, ps)
        .set_layout(layout)
        .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
        .vertex_buffer(0, vertices, 16)
        .draw(3);
  }
  return std::move(stream.present());
}

auto cleanup_stream() -> stream_builder {
  stream_builder stream;
  stream.targets({});
  for (std::uint32_t handle = honest_handles + 1; handle <= honest_handles + 2; ++handle) {
    stream.destroy(handle).destroy_shader(handle);
  }
  return std::move(stream.destroy_layout(honest_handles + 1));
}

void show(guest& g) {
  g.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, side);
  g.reg(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, side);
  g.reg(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM);
  g.reg(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, side * 4);
  g.reg64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, frame_at);
  g.reg(AEROGPU_MMIO_REG_CURSOR_ENABLE, 0);
  g.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
}

auto pixel(const std::vector<std::byte>& image, std::uint32_t x, std::uint32_t y) -> std::uint32_t {
  return load<std::uint32_t>(image.data() + (std::size_t{y} * side + x) * 4);
}

/// What a backend starts when it is first needed, such as threads that compile.
constexpr std::uint64_t worker_threads = 4;

/// Most threads beyond those of the honest guest, whenever a session ended.
std::uint64_t extra_threads = 0;

void note_threads() {
  if (!baseline()) return;
  const std::uint64_t now = usage_now().threads;
  extra_threads = std::max(extra_threads, now - std::min(now, baseline()->threads));
}

/// What is forgiven a sanitizer: memory that it keeps, and its shadow.
constexpr auto allowed_mib(std::uint32_t mib) -> std::uint64_t {
  return is_sanitized ? std::uint64_t{mib} * 3 + 256 : mib;
}

}  // namespace

session::session(const computer_options& options)
    : computer_(computer::create(options)), guest_(std::make_unique<guest>(*computer_)) {
  picture_ = honest_picture();
  constexpr std::uint32_t blue = 0xFFFF0000, white = 0xFFFFFFFF;  // R, G, B, A in memory.
  CHECK(pixel(picture_, 12, 2) == blue);
  CHECK(pixel(picture_, 2, 12) == (pc().draws() ? white : blue));
  if (!baseline()) begin_cost();
}

session::~session() {
  note_threads();
}

auto session::honest_picture() -> std::vector<std::byte> {
  show(g());
  g().must_run(picture_stream(pc().draws()), honest_context);
  rgba8_image image;
  REQUIRE(pc().read_display(image) == error_code::none);
  std::vector<std::byte> pixels;
  for (std::uint32_t y = 0; y < image.height(); ++y) {
    const auto row = image.row(y);
    pixels.insert(pixels.end(), row.begin(), row.begin() + side * 4);
  }
  REQUIRE(pixels.size() == std::size_t{side} * side * 4);
  g().must_run(cleanup_stream(), honest_context);
  return pixels;
}

void session::must_serve() {
  CHECK((honest_picture() == picture_));
  CHECK(pc().counters().validation_errors == 0);
}

void session::must_serve_after_reset() {
  g().memory().after_read = nullptr;
  g().power_on();
  g().reset_ring();
  must_serve();
}

auto validated() -> computer_options {
  computer_options options;
  options.vulkan.validate = true;
  return options;
}

auto on_null() -> computer_options {
  computer_options options;
  options.backend = backend_kind::null;
  return options;
}

void begin_cost() {
  forget_peaks();
  baseline() = usage_now();
}

void check_cost(const cost_limit& most) {
  REQUIRE(baseline().has_value());
  const process_usage now = usage_now();
  const auto grown_mib = [](std::uint64_t peak_kib, std::uint64_t before_kib) {
    return (peak_kib - std::min(peak_kib, before_kib)) / 1024;
  };
  const std::uint64_t resident = grown_mib(now.peak_resident_kib, baseline()->resident_kib);
  const std::uint64_t address = grown_mib(now.peak_address_kib, baseline()->address_kib);
  std::fprintf(stdout, "cost: %llu MiB resident, %llu MiB of address space, %llu threads\n",
               static_cast<unsigned long long>(resident), static_cast<unsigned long long>(address),
               static_cast<unsigned long long>(extra_threads));
  CHECK(resident <= allowed_mib(most.resident_mib));
  if (!is_sanitized) CHECK(address <= most.address_mib);
  CHECK(extra_threads <= worker_threads + most.more_devices * baseline()->threads);
}

}  // namespace aerogpu::hostile
