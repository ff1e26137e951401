// SPDX-License-Identifier: MIT
#include "vulkan/draw/vertex_copier.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::vulkan {

namespace {

constexpr std::uint32_t largest_element_bytes = 16;
/// Rows of the image that elements are spread with.
constexpr std::uint32_t most_rows = 16'384;

/// Vertices that the draw can name, from the first of the shift.
auto count_vertices(const draw_call<vulkan_backend>& call, const vertex_shift& shift) noexcept
    -> std::uint64_t {
  if (!call.is_indexed) return call.count;
  const bool is_wide = call.state.index_buffer.format == AEROGPU_INDEX_FORMAT_UINT32;
  const std::int64_t indices = is_wide ? std::int64_t{1} << 32 : std::int64_t{1} << 16;
  const std::int64_t base = call.base_vertex - shift.vertices;  // At most zero.
  return static_cast<std::uint64_t>(std::max<std::int64_t>(indices + base, 0));
}

auto count_elements(const draw_call<vulkan_backend>& call, std::uint32_t rate) noexcept
    -> std::uint64_t {
  return rate == 0 ? 1 : (call.instance_count - 1) / rate + 1;
}

}  // namespace

/// At most `most_count` elements from number `first` of the stream on, as far as the buffer has
/// them.
auto vertex_copier::find_run(const vertex_bindings& bindings, std::uint32_t i, std::int64_t first,
                             std::uint64_t most_count) noexcept -> element_run {
  element_run run;
  run.source = bindings.records[i];
  run.step_bytes = bindings.steps[i];
  run.size_bytes = bindings.ends[i];
  // Shifts reach back no further than the stream: the sum is not negative.
  run.start_bytes = bindings.offsets[i] + static_cast<std::uint64_t>(first) * bindings.steps[i];
  const std::uint64_t size = run.source->desc.size_bytes;
  if (run.size_bytes > size || run.start_bytes > size - run.size_bytes) return run;
  const std::uint64_t room = size - run.size_bytes - run.start_bytes;
  run.count = run.step_bytes == 0 ? 1 : std::min(most_count, room / run.step_bytes + 1);
  const bool is_dense = run.step_bytes % bindings.alignments[i] == 0 &&
                        (run.step_bytes == 0 || run.step_bytes >= run.size_bytes);
  run.copy_step_bytes = is_dense ? run.step_bytes : (run.size_bytes + 3) / 4 * 4;
  return run;
}

auto vertex_copier::copy(const vertex_bindings& bindings, const pipeline_key& key,
                         const vertex_shift& shift, const draw_call<vulkan_backend>& call,
                         placed_bindings& placed) -> result<void> {
  copied_bytes_ = 0;
  for (std::uint32_t i = 0; i < bindings.count; ++i) {
    if ((bindings.misplaced >> i & 1u) == 0) continue;
    const bool is_pinned = (bindings.pinned >> i & 1u) != 0;
    const bool per_instance = (bindings.per_instance >> i & 1u) != 0;
    const element_run run =
        per_instance ? find_run(bindings, i, shift.instances,
                                count_elements(call, is_pinned ? 0 : key.divisors[i]))
                     : find_run(bindings, i, shift.vertices, count_vertices(call, shift));
    placed.buffers[i] = from_.resources.zero_buffer();
    placed.offsets[i] = placed.strides[i] = 0;
    if (run.count == 0) continue;
    const auto made = copy(run);
    if (!made) return made.why();
    placed.buffers[i] = *made;
    placed.strides[i] = is_pinned || run.step_bytes == 0 ? 0 : run.copy_step_bytes;
  }
  return {};
}

auto vertex_copier::copy(const element_run& run) -> result<VkBuffer> {
  const std::uint64_t most = from_.options.bounds.unaligned_vertex_bytes_per_draw;
  copied_bytes_ += run.copy_bytes();
  if (copied_bytes_ > most) {
    return make_error(error_code::unsupported,
                      "a draw reads more bytes of unaligned vertices than the backend copies",
                      copied_bytes_, most);
  }
  if (run.is_spread()) {
    if (auto found = resolve_rows(); !found) return found.why();
  }
  device_parts& device = from_.device;
  const auto made =
      create_bound_buffer(*device.gpu, device.memory, run.copy_bytes(), memory_use::device,
                          {.creating = "creating a buffer for vertices that are not aligned fails",
                           .binding = "binding the memory of vertices that are not aligned fails"});
  if (!made) return made.why();
  device.work.note_created();
  device.work.discard(VK_OBJECT_TYPE_BUFFER, made->handle, made->memory);
  command_stream& main = device.main_outside_pass();
  auto used = from_.resources.use_in_main(*run.source, access_kind::read);
  if (!used) return used.why();
  main.use(copies_, access_kind::write);
  if (run.is_spread()) {
    spread(run, made->handle);
    return made->handle;
  }
  const VkBufferCopy whole{run.start_bytes, 0, run.copy_bytes()};
  device.vk().vkCmdCopyBuffer(main.record(), run.source->handle, made->handle, 1, &whole);
  return made->handle;
}

/// An image of bytes, a row for each of many elements.
auto vertex_copier::resolve_rows() -> result<void> {
  if (rows_.handle != VK_NULL_HANDLE) return {};
  device_parts& device = from_.device;
  const std::uint32_t count = device.gpu->properties.limits.maxImageDimension2D;
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8_UNORM;
  info.extent = {largest_element_bytes, std::min(count, most_rows), 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const auto made =
      create_bound_image(*device.gpu, device.memory, info,
                         {.creating = "creating an image for vertices that are not aligned fails",
                          .binding = "binding the memory of an image for vertices fails"});
  if (!made) return made.why();
  from_.device.work.note_created();
  rows_ = *made;
  row_count_ = info.extent.height;
  return {};
}

vertex_copier::~vertex_copier() {
  if (rows_.handle == VK_NULL_HANDLE) return;
  from_.device.work.discard(VK_OBJECT_TYPE_IMAGE, rows_.handle, rows_.memory);
}

/// What was written to the rows is there, and what was read of them may be replaced.
void vertex_copier::move_rows(VkImageLayout from, VkImageLayout to) noexcept {
  VkImageMemoryBarrier2 barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2;
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = rows_.handle;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkDependencyInfo dependency{};
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  dependency.imageMemoryBarrierCount = 1;
  dependency.pImageMemoryBarriers = &barrier;
  from_.device.vk().vkCmdPipelineBarrier2(from_.device.work.main().record(), &dependency);
}

/// Copies elements to rows and back. Where they overlap, a row is copied in parts: rows of a buffer
/// may not overlap.
void vertex_copier::spread(const element_run& run, VkBuffer to) noexcept {
  const VolkDeviceTable& vk = from_.device.vk();
  command_stream& main = from_.device.work.main();
  constexpr VkImageSubresourceLayers whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  constexpr VkImageLayout written = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  constexpr VkImageLayout read = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  for (std::uint64_t done = 0; done < run.count; done += row_count_) {
    const auto rows =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(run.count - done, row_count_));
    std::array<VkBufferImageCopy, largest_element_bytes> parts;
    std::uint32_t part_count = 0;
    for (std::uint32_t at = 0; at < run.size_bytes; at += run.step_bytes) {
      const std::uint32_t width = std::min(run.step_bytes, run.size_bytes - at);
      parts[part_count++] = {
          run.start_bytes + done * run.step_bytes + at, run.step_bytes,  0, whole,
          {static_cast<std::int32_t>(at), 0, 0},        {width, rows, 1}};
    }
    const VkBufferImageCopy back{
        done * run.copy_step_bytes, run.copy_step_bytes, 0, whole, {0, 0, 0},
        {run.size_bytes, rows, 1}};
    move_rows(VK_IMAGE_LAYOUT_UNDEFINED, written);
    vk.vkCmdCopyBufferToImage(main.record(), run.source->handle, rows_.handle, written, part_count,
                              parts.data());
    move_rows(written, read);
    vk.vkCmdCopyImageToBuffer(main.record(), rows_.handle, read, to, 1, &back);
  }
}

void vertex_copier::use() noexcept {
  from_.device.work.main().use(copies_, access_kind::read);
}

}  // namespace aerogpu::vulkan
