// SPDX-License-Identifier: MIT
#include "vulkan/resources/buffer_transfer.hpp"

#include <cstring>

namespace aerogpu::vulkan {

/// Gives the buffer its zeros unless all of it is about to be replaced.
auto buffer_transfer::prepare(buffer_record& to, std::uint64_t size_bytes) -> result<void> {
  if (size_bytes == to.desc.size_bytes) to.is_zero = false;
  return resources_.materialize(to);
}

auto buffer_transfer::upload(buffer_record& to, std::uint64_t offset_bytes, const_bytes bytes)
    -> result<void> {
  if (bytes.empty()) return {};
  transfer_arena& uploads = device_.work.current().uploads;
  transfer_range staged = uploads.find(bytes);
  if (staged.buffer == VK_NULL_HANDLE) {
    const auto made = uploads.allocate(bytes.size(), staging_alignment);
    if (!made) return made.why();
    staged = *made;
    std::memcpy(staged.bytes.data(), bytes.data(), bytes.size());
  }
  if (auto ready = prepare(to, bytes.size()); !ready) return ready.why();
  command_stream& stream = device_.transfer_stream(to);
  stream.use(to, access_kind::write);
  const VkBufferCopy region{staged.offset_bytes, offset_bytes, bytes.size()};
  device_.vk().vkCmdCopyBuffer(stream.record(), staged.buffer, to.handle, 1, &region);
  return {};
}

auto buffer_transfer::copy(buffer_record& to, std::uint64_t to_offset_bytes, buffer_record& from,
                           std::uint64_t from_offset_bytes, std::uint64_t size_bytes)
    -> result<void> {
  if (size_bytes == 0) return {};
  if (auto ready = resources_.materialize(from); !ready) return ready.why();
  if (auto ready = prepare(to, size_bytes); !ready) return ready.why();
  command_stream& stream = device_.transfer_stream(to, from);
  if (&to != &from) stream.use(from, access_kind::read);
  stream.use(to, access_kind::write);
  const VkBufferCopy region{from_offset_bytes, to_offset_bytes, size_bytes};
  device_.vk().vkCmdCopyBuffer(stream.record(), from.handle, to.handle, 1, &region);
  device_.work.note_bytes(size_bytes);
  return {};
}

auto buffer_transfer::read_back(buffer_record& from, std::uint64_t offset_bytes,
                                std::uint64_t size_bytes) -> result<mutable_bytes> {
  if (size_bytes == 0) return mutable_bytes{};
  const auto memory = device_.work.current().read_backs.allocate(size_bytes, staging_alignment);
  if (!memory) return memory.why();
  if (auto ready = resources_.materialize(from); !ready) return ready.why();
  command_stream& stream = device_.transfer_stream(from);
  stream.use(from, access_kind::read);
  const VkBufferCopy region{offset_bytes, memory->offset_bytes, size_bytes};
  device_.vk().vkCmdCopyBuffer(stream.record(), from.handle, memory->buffer, 1, &region);
  return memory->bytes;
}

}  // namespace aerogpu::vulkan
