// SPDX-License-Identifier: MIT
#include "vulkan/memory/memory_allocator.hpp"

#include "tests/catch.hpp"
#include "tests/unit/vulkan/test_gpu.hpp"

#include <cstring>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

constexpr VkDeviceSize mebibyte = VkDeviceSize{1} << 20;

/// What the fake driver below was asked for; set back by each `fake_gpu`.
struct driver_log {
  std::uint32_t live = 0;
  std::uint32_t made = 0;
  VkDeviceSize largest_bytes = ~VkDeviceSize{0};  ///< More than this fails.
  VkResult failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkResult map_result = VK_SUCCESS;
};
driver_log driver;

VKAPI_ATTR auto VKAPI_CALL fake_allocate(VkDevice, const VkMemoryAllocateInfo* info,
                                         const VkAllocationCallbacks*, VkDeviceMemory* memory)
    -> VkResult {
  if (info->allocationSize > driver.largest_bytes) return driver.failure;
  ++driver.live;
  const std::uint64_t number = ++driver.made;
  std::memcpy(memory, &number, sizeof *memory);
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL fake_free(VkDevice, VkDeviceMemory, const VkAllocationCallbacks*) {
  --driver.live;
}
VKAPI_ATTR auto VKAPI_CALL fake_map(VkDevice, VkDeviceMemory, VkDeviceSize, VkDeviceSize,
                                    VkMemoryMapFlags, void** mapped) -> VkResult {
  static std::byte anything;
  *mapped = &anything;
  return driver.map_result;
}

/// A GPU of two memory types, 0 its own and 1 the host's, that has no driver. What it maps is not
/// for use.
struct fake_gpu {
  fake_gpu() {
    driver = {};
    device.vk.vkAllocateMemory = fake_allocate;
    device.vk.vkFreeMemory = fake_free;
    device.vk.vkMapMemory = fake_map;
    device.properties.limits.maxMemoryAllocationCount = 4096;
    device.memory.memoryHeapCount = 2;
    device.memory.memoryHeaps[0] = {4096 * mebibyte, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    device.memory.memoryHeaps[1] = {64 * mebibyte, 0};
    device.memory.memoryTypeCount = 2;
    device.memory.memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
    device.memory.memoryTypes[1] = {host_memory_flags, 1};
  }
  gpu device;
};

auto bytes(VkDeviceSize size) -> VkMemoryRequirements {
  return {.size = size, .alignment = 256, .memoryTypeBits = 0b11};
}

/// Only in the GPU's own memory.
auto own_bytes(VkDeviceSize size) -> VkMemoryRequirements {
  return {.size = size, .alignment = 256, .memoryTypeBits = 0b01};
}

auto must_allocate(memory_allocator& memory, const VkMemoryRequirements& needs,
                   memory_use use = memory_use::device, bool is_image = false) -> allocation {
  const auto made = memory.allocate(needs, use, is_image);
  INFO(made.why().what);
  REQUIRE(static_cast<bool>(made));
  return *made;
}

}  // namespace

TEST_CASE("small allocations share a block, which is kept when the last one ends",
          "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  CHECK(memory.usage().blocks == 0);
  auto first = must_allocate(memory, bytes(1000));
  auto second = must_allocate(memory, bytes(10));
  CHECK(first.memory == second.memory);
  CHECK(first.offset_bytes == 0);
  CHECK(second.offset_bytes == 1024);
  CHECK(second.size_bytes == 10);
  CHECK(memory.usage().used_bytes == 1010);
  CHECK(memory.usage().allocations == 2);
  CHECK(memory.usage().reserved_bytes == memory_allocator::first_block_bytes);

  memory.free(first);
  CHECK(first.memory == VK_NULL_HANDLE);
  memory.free(second);
  CHECK(memory.usage().used_bytes == 0);
  CHECK(memory.usage().allocations == 0);
  CHECK(memory.usage().blocks == 1);
}

TEST_CASE("a freed range is handed out again", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  auto first = must_allocate(memory, bytes(mebibyte));
  const auto second = must_allocate(memory, bytes(mebibyte));
  const auto place = first.offset_bytes;
  memory.free(first);
  CHECK(must_allocate(memory, bytes(mebibyte)).offset_bytes == place);
  CHECK(second.offset_bytes != place);
  CHECK(driver.made == 1);
}

TEST_CASE("freeing an empty allocation does nothing", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  allocation nothing;
  memory.free(nothing);
  CHECK(memory.usage().allocations == 0);
}

TEST_CASE("buffers and images never share a block", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  const auto buffer = must_allocate(memory, bytes(256), memory_use::device, false);
  const auto image = must_allocate(memory, bytes(256), memory_use::device, true);
  CHECK(buffer.memory != image.memory);
}

TEST_CASE("more than half a block is a block of its own that ends with it", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  constexpr VkDeviceSize half = memory_allocator::first_block_bytes / 2;
  auto small = must_allocate(memory, bytes(half));
  CHECK(memory.usage().reserved_bytes == 2 * half);
  memory.free(small);
  // The next block of this kind is twice as large, and so is its half.
  auto large = must_allocate(memory, bytes(2 * half + 256));
  CHECK(memory.usage().reserved_bytes == 2 * half + 2 * half + 256);
  CHECK(large.offset_bytes == 0);
  memory.free(large);
  CHECK(memory.usage().reserved_bytes == 2 * half);
}

TEST_CASE("blocks of one kind double up to the largest", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  for (const VkDeviceSize reserved : {32u, 96u, 160u, 224u}) {
    // As many as fit in what is reserved, and not one more.
    while (memory.usage().used_bytes < reserved * mebibyte) {
      static_cast<void>(must_allocate(memory, bytes(16 * mebibyte)));
    }
    CHECK(memory.usage().reserved_bytes == reserved * mebibyte);
  }
}

TEST_CASE("a block takes no more than an eighth of its heap", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  static_cast<void>(must_allocate(memory, bytes(256), memory_use::upload));
  CHECK(memory.usage().reserved_bytes == 8 * mebibyte);
}

TEST_CASE("one unused block of a kind is kept, and the others are given back", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  std::vector<allocation> ranges;
  while (memory.usage().blocks < 3) ranges.push_back(must_allocate(memory, bytes(8 * mebibyte)));
  for (auto& range : ranges) memory.free(range);
  CHECK(memory.usage().blocks == 1);
  CHECK(memory.usage().used_bytes == 0);
  CHECK(driver.live == 1);
}

TEST_CASE("host memory is mapped and the device's own is not", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  CHECK(must_allocate(memory, bytes(256), memory_use::device).mapped == nullptr);
  CHECK(must_allocate(memory, bytes(256), memory_use::upload).mapped != nullptr);
  CHECK(must_allocate(memory, bytes(256), memory_use::read_back).mapped != nullptr);
}

TEST_CASE("the next memory type serves when the best is exhausted", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  fake.device.memory.memoryHeaps[0].size = mebibyte;
  CHECK(must_allocate(memory, bytes(2 * mebibyte)).mapped != nullptr);
}

TEST_CASE("a request for more than the heap never reaches the driver", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  for (const VkDeviceSize size : {4097 * mebibyte, ~VkDeviceSize{0}}) {
    const auto made = memory.allocate(own_bytes(size), memory_use::device, true);
    REQUIRE_FALSE(static_cast<bool>(made));
    CHECK(made.why().code == error_code::out_of_memory);
    CHECK(made.why().detail == size);
    CHECK(made.why().limit == 4096 * mebibyte);
  }
  CHECK(driver.made == 0);
}

TEST_CASE("no type for a use is an error", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  const auto made = memory.allocate(own_bytes(16), memory_use::upload, false);
  REQUIRE_FALSE(static_cast<bool>(made));
  CHECK(made.why().code == error_code::out_of_memory);
  CHECK(made.why().detail == 0b01);
}

TEST_CASE("the device's count of allocations is respected", "[vulkan][memory]") {
  fake_gpu fake;
  fake.device.properties.limits.maxMemoryAllocationCount = 2;
  memory_allocator memory{fake.device};
  auto first = must_allocate(memory, own_bytes(64 * mebibyte));
  static_cast<void>(must_allocate(memory, own_bytes(64 * mebibyte)));
  const auto third = memory.allocate(own_bytes(64 * mebibyte), memory_use::device, false);
  REQUIRE_FALSE(static_cast<bool>(third));
  CHECK(third.why().code == error_code::out_of_memory);
  CHECK(third.why().limit == 2);
  CHECK(driver.live == 2);
  memory.free(first);
  static_cast<void>(must_allocate(memory, own_bytes(64 * mebibyte)));
}

TEST_CASE("a large request takes room in a shared block where there is some", "[vulkan][memory]") {
  fake_gpu fake;
  memory_allocator memory{fake.device};
  auto small = must_allocate(memory, own_bytes(256));
  // Past half of the block that would be next, yet with room in the one that is there.
  fake.device.memory.memoryHeaps[0].size = 160 * mebibyte;
  CHECK(must_allocate(memory, own_bytes(16 * mebibyte)).memory == small.memory);
  CHECK(memory.usage().blocks == 1);
}

TEST_CASE("blocks that a few ranges keep come to no more than reserved_bytes", "[vulkan][memory]") {
  fake_gpu fake;
  backend_limits bounds;
  bounds.reserved_bytes = 224 * mebibyte;
  memory_allocator memory{fake.device, bounds};
  std::vector<allocation> kept;
  error why;
  // Each round is of sizes that fit into no hole of the one before it.
  for (VkDeviceSize size = mebibyte; size <= 16 * mebibyte; size *= 2) {
    std::vector<allocation> round;
    for (VkDeviceSize i = 0; i < 64 * mebibyte / size; ++i) {
      const auto made = memory.allocate(own_bytes(size), memory_use::device, false);
      if (made) round.push_back(*made);
      if (!made) why = made.why();
    }
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (i % 2 == 0) kept.push_back(round[i]);
      if (i % 2 != 0) memory.free(round[i]);
    }
    CHECK(memory.usage().reserved_bytes <= bounds.reserved_bytes);
  }
  CHECK(why.code == error_code::out_of_memory);
  CHECK(std::string{why.what} == "the device's blocks are at reserved_bytes");
  CHECK(why.limit == bounds.reserved_bytes - memory.usage().reserved_bytes);
  for (auto& range : kept) memory.free(range);
  static_cast<void>(must_allocate(memory, own_bytes(64 * mebibyte)));
}

TEST_CASE("an unused block makes way for one that is needed under reserved_bytes",
          "[vulkan][memory]") {
  fake_gpu fake;
  backend_limits bounds;
  bounds.reserved_bytes = memory_allocator::first_block_bytes;
  memory_allocator memory{fake.device, bounds};
  auto buffer = must_allocate(memory, own_bytes(256), memory_use::device, false);
  CHECK_FALSE(memory.allocate(own_bytes(256), memory_use::device, true));
  memory.free(buffer);
  static_cast<void>(must_allocate(memory, own_bytes(256), memory_use::device, true));
  CHECK(memory.usage().reserved_bytes == bounds.reserved_bytes);
}

TEST_CASE("a block of just the size serves when a whole one does not fit", "[vulkan][memory]") {
  fake_gpu fake;
  driver.largest_bytes = 4 * mebibyte;
  memory_allocator memory{fake.device};
  auto made = must_allocate(memory, own_bytes(mebibyte));
  CHECK(memory.usage().reserved_bytes == mebibyte);
  memory.free(made);
  CHECK(memory.usage().blocks == 0);
}

TEST_CASE("a block that was kept makes way for another kind", "[vulkan][memory]") {
  fake_gpu fake;
  fake.device.properties.limits.maxMemoryAllocationCount = 1;
  memory_allocator memory{fake.device};
  auto buffer = must_allocate(memory, own_bytes(256), memory_use::device, false);
  memory.free(buffer);
  REQUIRE(memory.usage().blocks == 1);
  static_cast<void>(must_allocate(memory, own_bytes(256), memory_use::device, true));
  CHECK(memory.usage().blocks == 1);
}

TEST_CASE("the driver's failures are errors, and leave nothing behind", "[vulkan][memory]") {
  const auto [failure, code] = GENERATE(table<VkResult, error_code>({
      {VK_ERROR_OUT_OF_HOST_MEMORY, error_code::out_of_memory},
      {VK_ERROR_OUT_OF_DEVICE_MEMORY, error_code::out_of_memory},
      {VK_ERROR_DEVICE_LOST, error_code::device_lost},
  }));
  const VkDeviceSize size = GENERATE(VkDeviceSize{256}, 256 * mebibyte);
  fake_gpu fake;
  driver.largest_bytes = 0;
  driver.failure = failure;
  memory_allocator memory{fake.device};
  const auto made = memory.allocate(own_bytes(size), memory_use::device, false);
  REQUIRE_FALSE(static_cast<bool>(made));
  CHECK(made.why().code == code);
  CHECK(memory.usage().blocks == 0);
  CHECK(memory.usage().reserved_bytes == 0);
}

TEST_CASE("memory that cannot be mapped is given back", "[vulkan][memory]") {
  fake_gpu fake;
  driver.map_result = VK_ERROR_MEMORY_MAP_FAILED;
  memory_allocator memory{fake.device};
  const auto made = memory.allocate(bytes(256), memory_use::upload, false);
  REQUIRE_FALSE(static_cast<bool>(made));
  CHECK(made.why().code == error_code::out_of_memory);
  CHECK(driver.live == 0);
  CHECK(memory.usage().blocks == 0);
}

TEST_CASE("an allocator ends its blocks with itself", "[vulkan][memory]") {
  fake_gpu fake;
  {
    memory_allocator memory{fake.device};
    auto range = must_allocate(memory, bytes(256));
    static_cast<void>(must_allocate(memory, bytes(256), memory_use::upload, true));
    memory.free(range);
    CHECK(driver.live == 2);
  }
  CHECK(driver.live == 0);
}

TEST_CASE("a real device takes buffers and images in shared blocks", "[vulkan][memory][gpu]") {
  test_gpu device;
  auto& vk = device->vk;
  {
    memory_allocator memory{*device};
    VkBufferCreateInfo buffer_info{};
    buffer_info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    buffer_info.size = 1000;
    buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    REQUIRE(vk.vkCreateBuffer(device->handle, &buffer_info, nullptr, &buffer) == VK_SUCCESS);
    VkImageCreateInfo image_info{};
    image_info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    image_info.imageType = VK_IMAGE_TYPE_2D;
    image_info.format = VK_FORMAT_R8G8B8A8_UNORM;
    image_info.extent = {64, 64, 1};
    image_info.mipLevels = 1;
    image_info.arrayLayers = 1;
    image_info.samples = VK_SAMPLE_COUNT_1_BIT;
    image_info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    VkImage image = VK_NULL_HANDLE;
    REQUIRE(vk.vkCreateImage(device->handle, &image_info, nullptr, &image) == VK_SUCCESS);

    VkMemoryRequirements buffer_needs{};
    VkMemoryRequirements image_needs{};
    vk.vkGetBufferMemoryRequirements(device->handle, buffer, &buffer_needs);
    vk.vkGetImageMemoryRequirements(device->handle, image, &image_needs);
    auto in_front = must_allocate(memory, buffer_needs, memory_use::upload);
    auto buffer_range = must_allocate(memory, buffer_needs, memory_use::upload, false);
    auto image_range = must_allocate(memory, image_needs, memory_use::device, true);
    CHECK(vk.vkBindBufferMemory(device->handle, buffer, buffer_range.memory,
                                buffer_range.offset_bytes) == VK_SUCCESS);
    CHECK(vk.vkBindImageMemory(device->handle, image, image_range.memory,
                               image_range.offset_bytes) == VK_SUCCESS);
    REQUIRE(buffer_range.mapped != nullptr);
    CHECK(buffer_range.mapped >= in_front.mapped + 1000);
    std::memset(buffer_range.mapped, 0x5A, 1000);

    vk.vkDestroyBuffer(device->handle, buffer, nullptr);
    vk.vkDestroyImage(device->handle, image, nullptr);
    for (auto* range : {&in_front, &buffer_range, &image_range}) memory.free(*range);
    CHECK(memory.usage().allocations == 0);
    CHECK(memory.usage().used_bytes == 0);
  }
  device.close();
}
