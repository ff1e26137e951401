#include "vulkan/transfer_memory.hpp"

#include "vulkan/bound_memory.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace aerogpu::vulkan {

namespace {

constexpr VkDeviceSize chunk_bytes = 4u << 20;
constexpr VkDeviceSize most_spare_bytes = 64u << 20;

}  // namespace

transfer_pool::~transfer_pool() {
  for (transfer_chunk& chunk : spare_) destroy(chunk);
}

auto transfer_pool::take(VkDeviceSize size_bytes) -> result<transfer_chunk> {
  const auto found = std::ranges::find_if(
      spare_, [&](const transfer_chunk& chunk) { return chunk.size_bytes >= size_bytes; });
  if (found == spare_.end()) return create(std::max(size_bytes, chunk_bytes));
  transfer_chunk chunk = *found;
  spare_.erase(found);
  spare_bytes_ -= chunk.size_bytes;
  chunk.used_bytes = 0;
  return chunk;
}

void transfer_pool::give_back(transfer_chunk&& chunk) noexcept {
  if (spare_bytes_ + chunk.size_bytes > most_spare_bytes) {
    destroy(chunk);
    return;
  }
  spare_bytes_ += chunk.size_bytes;
  spare_.push_back(chunk);
}

auto transfer_pool::create(VkDeviceSize size_bytes) -> result<transfer_chunk> {
  const auto made =
      create_bound_buffer(gpu_, memory_, size_bytes, use_,
                          {.creating = "creating a transfer buffer fails",
                           .binding = "binding the memory of a transfer buffer fails"});
  if (!made) return made.why();
  return transfer_chunk{made->handle, made->memory, size_bytes, 0};
}

void transfer_pool::destroy(transfer_chunk& chunk) noexcept {
  gpu_.vk.vkDestroyBuffer(gpu_.handle, chunk.buffer, nullptr);
  memory_.free(chunk.memory);
}

auto transfer_arena::allocate(VkDeviceSize size_bytes, VkDeviceSize alignment,
                              VkDeviceSize reach_bytes) -> result<transfer_range> {
  const VkDeviceSize reach = std::max(size_bytes, reach_bytes);
  const auto place_in = [&](const transfer_chunk& chunk) {
    return (chunk.used_bytes + alignment - 1) & ~(alignment - 1);
  };
  if (chunks_.empty() || place_in(chunks_.back()) + reach > chunks_.back().size_bytes) {
    auto chunk = pool_->take(reach);
    if (!chunk) return chunk.why();
    chunks_.push_back(*chunk);
  }
  transfer_chunk& chunk = chunks_.back();
  const VkDeviceSize offset = place_in(chunk);
  chunk.used_bytes = offset + size_bytes;
  return transfer_range{
      chunk.buffer, offset,
      mutable_bytes{chunk.memory.mapped + offset, static_cast<std::size_t>(size_bytes)}};
}

auto transfer_arena::find(const_bytes bytes) const noexcept -> transfer_range {
  if (chunks_.empty() || bytes.empty()) return {};
  const transfer_chunk& chunk = chunks_.back();
  const std::byte* const begin = chunk.memory.mapped;
  const std::less_equal<const std::byte*> is_not_after;
  const bool is_inside = is_not_after(begin, bytes.data()) &&
                         is_not_after(bytes.data() + bytes.size(), begin + chunk.used_bytes);
  if (!is_inside) return {};
  const auto offset = static_cast<std::size_t>(bytes.data() - begin);
  return {chunk.buffer, offset, mutable_bytes{chunk.memory.mapped + offset, bytes.size()}};
}

void transfer_arena::release() noexcept {
  for (transfer_chunk& chunk : chunks_) pool_->give_back(std::move(chunk));
  chunks_.clear();
}

}  // namespace aerogpu::vulkan
