// SPDX-License-Identifier: MIT
// What buffers and textures are said to take is what the device then takes.
#include "tests/catch.hpp"
#include "vulkan/engine.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <memory>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

auto open_backend(bool expands_formats) -> std::unique_ptr<vulkan_backend> {
  backend_options options;
  options.validate = true;
  options.force_format_expansion = expands_formats;
  auto made = vulkan_backend::create(options);
  INFO("These tests need a Vulkan device: " << made.why().what);
  REQUIRE(made);
  return *std::move(made);
}

auto used_bytes(vulkan_backend& of) -> std::uint64_t {
  return of.inside().device()->memory.usage().used_bytes;
}

constexpr auto texture(aerogpu_format format, std::uint32_t width, std::uint32_t height,
                       std::uint32_t mips, std::uint32_t layers) -> texture_desc {
  const bool is_depth = format == AEROGPU_FORMAT_D24_UNORM_S8_UINT;
  return {.name = resource_handle{1},
          .usage_flags =
              is_depth ? AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL : AEROGPU_RESOURCE_USAGE_TEXTURE,
          .format = format,
          .width = width,
          .height = height,
          .mip_levels = mips,
          .array_layers = layers};
}

/// What some drivers answer for images that they do not make.
void no_requirements(VkDevice, const VkDeviceImageMemoryRequirements*,
                     VkMemoryRequirements2* needs) {
  needs->memoryRequirements = {};
}

}  // namespace

TEST_CASE("what a buffer is said to take covers what it takes", "[vulkan][quota]") {
  const auto backend = open_backend(false);
  for (const std::uint64_t size : {4u, 100u, 4096u, 65'540u, 8u << 20}) {
    const buffer_desc desc{resource_handle{1}, 0, size};
    const std::uint64_t before = used_bytes(*backend);
    auto made = backend->create_buffer(desc);
    REQUIRE(made);
    CHECK(backend->memory_bytes(desc) >= used_bytes(*backend) - before);
    CHECK(backend->memory_bytes(desc) >= size);
    backend->destroy(*std::move(made));
  }
  CHECK(backend->validation_errors() == 0);
}

TEST_CASE("what a texture is said to take covers what it takes", "[vulkan][quota]") {
  const bool expands = GENERATE(false, true);
  const auto backend = open_backend(expands);
  for (const texture_desc& desc : {texture(AEROGPU_FORMAT_B8G8R8A8_UNORM, 1, 1, 1, 1),
                                   texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1, 1, 2048),
                                   texture(AEROGPU_FORMAT_B5G6R5_UNORM, 300, 70, 9, 3),
                                   texture(AEROGPU_FORMAT_BC1_RGBA_UNORM, 256, 256, 9, 6),
                                   texture(AEROGPU_FORMAT_D24_UNORM_S8_UINT, 640, 480, 1, 1)}) {
    CAPTURE(desc.format, desc.width, desc.array_layers, expands);
    const std::uint64_t before = used_bytes(*backend);
    auto made = backend->create_texture(desc);
    REQUIRE(made);
    const image_record& image = *(*made).record;
    CHECK(backend->memory_bytes(desc) >= used_bytes(*backend) - before + image.blocks.size());
    CHECK(backend->memory_bytes(desc) >= image.layout.total_bytes());
    backend->destroy(*std::move(made));
  }
  CHECK(backend->validation_errors() == 0);
}

TEST_CASE("many tiny layers are charged what the device gives each of them", "[vulkan][quota]") {
  const auto backend = open_backend(false);
  const texture_desc desc = texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1, 1, 2048);
  const std::uint64_t before = used_bytes(*backend);
  auto made = backend->create_texture(desc);
  REQUIRE(made);
  CHECK(backend->memory_bytes(desc) == used_bytes(*backend) - before);
  backend->destroy(*std::move(made));
}

TEST_CASE("a texture that no device could hold is charged its content and then refused",
          "[vulkan][quota]") {
  const auto backend = open_backend(false);
  const std::uint32_t most = backend->inside().device()->gpu->properties.limits.maxImageDimension2D;
  const texture_desc desc = texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, most + 1, 1, 1, 1);
  CHECK(backend->memory_bytes(desc) == (std::uint64_t{most} + 1) * 4);
  CHECK(backend->create_texture(desc).why().code == error_code::out_of_memory);
  CHECK(backend->validation_errors() == 0);
}

TEST_CASE("a texture with more bytes than an image may have is not asked about",
          "[vulkan][quota]") {
  const auto backend = open_backend(false);
  gpu& device = *backend->inside().device()->gpu;
  const std::uint32_t most = device.properties.limits.maxImageDimension2D;
  const texture_desc desc = texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, most, most, 1, 2048);
  static bool is_asked = false;
  device.vk.vkGetDeviceImageMemoryRequirements = [](auto, auto, auto) { is_asked = true; };
  CHECK(backend->memory_bytes(desc) == std::uint64_t{most} * most * 4 * 2048);
  CHECK(backend->create_texture(desc).why().what ==
        std::string_view{"the texture has more bytes than a device's image"});
  CHECK_FALSE(is_asked);
}

TEST_CASE("a texture for which the device names no size takes more than there is",
          "[vulkan][quota]") {
  const auto backend = open_backend(false);
  backend->inside().device()->gpu->vk.vkGetDeviceImageMemoryRequirements = no_requirements;
  CHECK(backend->memory_bytes(texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 1)) == UINT64_MAX);
}

TEST_CASE("a buffer that is larger than the device makes one is not asked for", "[vulkan][quota]") {
  constexpr std::uint64_t most = 4096;
  const auto backend = open_backend(false);
  backend->inside().device()->gpu->most_buffer_bytes = most;
  const buffer_desc fitting{resource_handle{1}, 0, most}, larger{resource_handle{1}, 0, most + 1};
  CHECK(backend->memory_bytes(larger) == UINT64_MAX);
  const auto refused = backend->create_buffer(larger);
  CHECK(refused.why().code == error_code::out_of_memory);
  CHECK(refused.why().limit == most);
  auto made = backend->create_buffer(fitting);
  REQUIRE(made);
  backend->destroy(*std::move(made));
}
