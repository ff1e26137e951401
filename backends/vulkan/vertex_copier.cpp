#include "vulkan/vertex_copier.hpp"

#include "vulkan/bound_memory.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace aerogpu::vulkan {

namespace {

constexpr vertex_copy_limits most;

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
  scattered_ = bytes_ = 0;
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

/// Adds a run to what the draw has copied. Errors: unsupported at the limits.
auto vertex_copier::count(const element_run& run) -> result<void> {
  if (run.is_scattered() && run.count > most.scattered_elements) {
    return make_error(error_code::unsupported,
                      "a draw reads more unaligned vertices of a stream than the backend copies",
                      run.count, most.scattered_elements);
  }
  scattered_ += run.is_scattered() ? run.count : 0;
  bytes_ += run.copy_bytes();
  if (scattered_ > most.scattered_elements_per_draw) {
    return make_error(error_code::unsupported,
                      "a draw reads more unaligned vertices than the backend copies", scattered_,
                      most.scattered_elements_per_draw);
  }
  if (bytes_ <= most.bytes_per_draw) return {};
  return make_error(error_code::unsupported,
                    "a draw reads more bytes of unaligned vertices than the backend copies", bytes_,
                    most.bytes_per_draw);
}

auto vertex_copier::copy(const element_run& run) -> result<VkBuffer> {
  if (auto ok = count(run); !ok) return ok.why();
  device_parts& device = *from_.device;
  const auto made =
      create_bound_buffer(*device.gpu, device.memory, run.copy_bytes(), memory_use::device,
                          {.creating = "creating a buffer for vertices that are not aligned fails",
                           .binding = "binding the memory of vertices that are not aligned fails"});
  if (!made) return made.why();
  device.work.discard(VK_OBJECT_TYPE_BUFFER, made->handle, made->memory);
  device.pass.end(device.work.main());
  auto used = from_.resources.use_in_main(*run.source, access_kind::read);
  if (!used) return used.why();
  record(run, made->handle);
  return made->handle;
}

void vertex_copier::record(const element_run& run, VkBuffer to) noexcept {
  device_parts& device = *from_.device;
  command_stream& main = device.work.main();
  main.use(copies_, access_kind::write);
  const VkBuffer source = run.source->handle;
  if (!run.is_scattered()) {
    const VkBufferCopy whole{run.start_bytes, 0, run.copy_bytes()};
    device.vk().vkCmdCopyBuffer(main.record(), source, to, 1, &whole);
    return;
  }
  std::array<VkBufferCopy, 256> regions;
  for (std::uint64_t done = 0; done < run.count;) {
    const auto now = std::min<std::uint64_t>(run.count - done, regions.size());
    for (VkBufferCopy& region : std::span{regions}.first(static_cast<std::size_t>(now))) {
      region = {run.start_bytes + done * run.step_bytes, done * run.copy_step_bytes,
                run.size_bytes};
      ++done;
    }
    device.vk().vkCmdCopyBuffer(main.record(), source, to, static_cast<std::uint32_t>(now),
                                regions.data());
  }
}

void vertex_copier::use() noexcept {
  from_.device->work.main().use(copies_, access_kind::read);
}

}  // namespace aerogpu::vulkan
