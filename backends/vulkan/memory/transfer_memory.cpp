// SPDX-License-Identifier: MIT
#include "vulkan/memory/transfer_memory.hpp"

#include "vulkan/memory/bound_memory.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// Chunks double up to this, so that small batches take little and large ones few buffers.
constexpr VkDeviceSize largest_shared_chunk_bytes = 4u << 20;
/// Spare chunks, all of which a search looks at: some are as small as one texel.
constexpr std::size_t most_spare_chunks = 256;

}  // namespace

transfer_pool::~transfer_pool() {
  for (transfer_chunk& chunk : spare_) destroy(chunk);
}

/// The largest from `size_bytes` to `most_bytes`, so that chunks stay few; of size 0 without one.
auto transfer_pool::take_spare(VkDeviceSize size_bytes, VkDeviceSize most_bytes) noexcept
    -> transfer_chunk {
  std::size_t best = spare_.size();
  for (std::size_t i = 0; i < spare_.size(); ++i) {
    const VkDeviceSize size = spare_[i].size_bytes;
    if (size < size_bytes || size > most_bytes) continue;
    if (best == spare_.size() || size > spare_[best].size_bytes) best = i;
  }
  if (best == spare_.size()) return {};
  transfer_chunk chunk = spare_[best];
  spare_[best] = spare_[spare_.size() - 1];
  spare_.truncate(spare_.size() - 1);
  spare_bytes_ -= chunk.size_bytes;
  chunk.used_bytes = 0;
  return chunk;
}

/// Ends spare chunks until a new one may be made.
auto transfer_pool::make_room(VkDeviceSize size_bytes) noexcept -> bool {
  if (size_bytes > bounds_.most_bytes) return false;
  while (held_bytes_ > bounds_.most_bytes - size_bytes && !spare_.empty()) {
    transfer_chunk& last = spare_[spare_.size() - 1];
    spare_bytes_ -= last.size_bytes;
    destroy(last);
    spare_.truncate(spare_.size() - 1);
  }
  return held_bytes_ <= bounds_.most_bytes - size_bytes;
}

auto transfer_pool::take(VkDeviceSize size_bytes, VkDeviceSize wanted_bytes,
                         VkDeviceSize most_bytes) -> result<transfer_chunk> {
  const VkDeviceSize wanted = std::max(size_bytes, wanted_bytes);
  // A chunk of a large request serves others of about its size.
  const VkDeviceSize acceptable = std::max(wanted, size_bytes + size_bytes / 2);
  const transfer_chunk spare = take_spare(size_bytes, std::min(acceptable, most_bytes));
  if (spare.size_bytes != 0) return spare;
  for (const VkDeviceSize size : {wanted, size_bytes}) {
    if (make_room(size)) return create(size);
  }
  return make_error(error_code::out_of_memory, "staging memory of the device is used up",
                    size_bytes, bounds_.most_bytes - used_bytes());
}

void transfer_pool::give_back(transfer_chunk&& chunk) noexcept {
  const bool is_kept = spare_.size() < most_spare_chunks &&
                       spare_bytes_ + chunk.size_bytes <= bounds_.most_spare_bytes &&
                       spare_.push_back(chunk);
  if (!is_kept) return destroy(chunk);
  spare_bytes_ += chunk.size_bytes;
}

auto transfer_pool::create(VkDeviceSize size_bytes) -> result<transfer_chunk> {
  const auto made =
      create_bound_buffer(gpu_, memory_, size_bytes, use_,
                          {.creating = "creating a transfer buffer fails",
                           .binding = "binding the memory of a transfer buffer fails"});
  if (!made) return made.why();
  held_bytes_ += size_bytes;
  return transfer_chunk{made->handle, made->memory, size_bytes, 0};
}

void transfer_pool::destroy(transfer_chunk& chunk) noexcept {
  gpu_.vk.vkDestroyBuffer(gpu_.handle, chunk.buffer, nullptr);
  memory_.free(chunk.memory);
  held_bytes_ -= chunk.size_bytes;
}

auto transfer_arena::add_chunk(VkDeviceSize size_bytes) -> result<void> {
  const transfer_bounds& bounds = pool_->bounds();
  const VkDeviceSize left = bounds.most_arena_bytes - taken_bytes_;
  if (size_bytes > left) {
    is_full_ = taken_bytes_ != 0 && size_bytes <= bounds.most_arena_bytes;
    return make_error(error_code::out_of_memory,
                      "the operation needs more staging memory than a batch has left", size_bytes,
                      left);
  }
  const VkDeviceSize wanted = std::min(
      {std::max(taken_bytes_, bounds.first_chunk_bytes), largest_shared_chunk_bytes, left});
  if (!chunks_.reserve(chunks_.size() + 1)) {
    return make_error(error_code::out_of_memory, "host memory is exhausted");
  }
  const auto chunk = pool_->take(size_bytes, wanted, left);
  if (!chunk) return chunk.why();
  taken_bytes_ += chunk->size_bytes;
  AEROGPU_CHECK(chunks_.push_back(*chunk));
  return {};
}

auto transfer_arena::allocate(VkDeviceSize size_bytes, VkDeviceSize alignment,
                              VkDeviceSize reach_bytes) -> result<transfer_range> {
  const VkDeviceSize reach = std::max(size_bytes, reach_bytes);
  const auto last = [&]() -> transfer_chunk& { return chunks_[chunks_.size() - 1]; };
  const auto place_in = [&](const transfer_chunk& chunk) {
    return (chunk.used_bytes + alignment - 1) & ~(alignment - 1);
  };
  if (chunks_.empty() || place_in(last()) + reach > last().size_bytes) {
    if (auto added = add_chunk(reach); !added) return added.why();
  }
  transfer_chunk& chunk = last();
  const VkDeviceSize offset = place_in(chunk);
  chunk.used_bytes = offset + size_bytes;
  return transfer_range{
      chunk.buffer, offset,
      mutable_bytes{chunk.memory.mapped + offset, static_cast<std::size_t>(size_bytes)}};
}

auto transfer_arena::find(const_bytes bytes) const noexcept -> transfer_range {
  if (chunks_.empty() || bytes.empty()) return {};
  const transfer_chunk& chunk = chunks_[chunks_.size() - 1];
  const std::byte* const begin = chunk.memory.mapped;
  const std::less_equal<const std::byte*> is_not_after;
  const bool is_inside = is_not_after(begin, bytes.data()) &&
                         is_not_after(bytes.data() + bytes.size(), begin + chunk.used_bytes);
  if (!is_inside) return {};
  const auto offset = static_cast<std::size_t>(bytes.data() - begin);
  return {chunk.buffer, offset, mutable_bytes{chunk.memory.mapped + offset, bytes.size()}};
}

void transfer_arena::release() noexcept {
  heap_array<transfer_chunk> chunks = take_chunks();
  for (transfer_chunk& chunk : chunks) pool_->give_back(std::move(chunk));
}

auto transfer_arena::take_chunks() noexcept -> heap_array<transfer_chunk> {
  taken_bytes_ = 0;
  is_full_ = false;
  return std::exchange(chunks_, heap_array<transfer_chunk>{});
}

}  // namespace aerogpu::vulkan
