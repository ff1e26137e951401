// SPDX-License-Identifier: MIT
#include "vulkan/commands/batches.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"
#include "spirv_bounds/saturating.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// More than one operation makes: a draw with a view for each of its registers, and all that it
/// needs besides.
constexpr std::size_t most_objects_of_an_operation = 2048;

auto no_memory_for_batch() noexcept -> error {
  return make_error(error_code::out_of_memory, "the host has no memory for a batch of commands");
}

/// Batches kept for the next ones, with their pools.
constexpr std::size_t most_spare_batches = 16;
/// One part of contents that are read at once, with its stencil.
constexpr VkDeviceSize contents_bytes = 64u << 20;
/// First chunks of a batch; most batches need no other.
constexpr VkDeviceSize first_upload_chunk_bytes = 1u << 20;
constexpr VkDeviceSize first_read_back_chunk_bytes = 64u << 10;

auto upload_bounds(const backend_limits& bounds) noexcept -> transfer_bounds {
  return {.most_bytes = bounds.staging_bytes,
          .most_arena_bytes = std::min(bounds.staging_bytes_per_batch, bounds.staging_bytes / 2),
          .most_spare_bytes = bounds.spare_staging_bytes,
          .first_chunk_bytes = first_upload_chunk_bytes};
}
auto read_back_bounds(const backend_limits& bounds) noexcept -> transfer_bounds {
  // What the host reads for itself comes on top of the rows for the guest.
  const VkDeviceSize most = bounds.read_back_bytes + contents_bytes;
  return {.most_bytes = most,
          .most_arena_bytes = most,
          .most_spare_bytes = bounds.spare_staging_bytes,
          .first_chunk_bytes = first_read_back_chunk_bytes};
}

/// Processors take longer than GPUs, though each batch costs them more.
auto work_bound(const gpu& device, const backend_limits& bounds) noexcept -> std::uint64_t {
  constexpr std::uint64_t slower = 16;
  const bool is_cpu = device.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  return is_cpu ? std::max<std::uint64_t>(bounds.work_per_batch / slower, 1)
                : bounds.work_per_batch;
}

template <class Handle>
auto as(std::uint64_t handle) noexcept -> Handle {
  return (Handle)handle;
}

}  // namespace

batches::batches(gpu& device, memory_allocator& memory, const backend_limits& bounds) noexcept
    : gpu_(device),
      memory_(memory),
      bounds_(bounds),
      upload_pool_(device, memory, memory_use::upload, upload_bounds(bounds)),
      read_back_pool_(device, memory, memory_use::read_back, read_back_bounds(bounds)),
      descriptor_pools_(device),
      early_(device.vk, epoch_),
      main_(device.vk, epoch_),
      most_work_(work_bound(device, bounds)) {}

batches::~batches() {
  if (gpu_.handle == VK_NULL_HANDLE) return;
  static_cast<void>(gpu_.vk.vkDeviceWaitIdle(gpu_.handle));
  drop();
  take_back(submitted_);
  free_read_backs(submitted_ + 1);  // Also of the batch that was dropped.
  for (const auto& old : spare_) destroy(*old);
  destroy_retired(submitted_ + 1);  // Also of the batch that was dropped.
  gpu_.vk.vkDestroySemaphore(gpu_.handle, timeline_, nullptr);
}

auto batches::initialize() -> result<void> {
  if (!spare_.reserve(most_spare_batches) || !early_.reserve() || !main_.reserve()) {
    return no_memory_for_batch();
  }
  if (auto room = reserve_garbage(); !room) return room.why();
  if (auto pools = descriptor_pools_.initialize(); !pools) return pools.why();
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &type;
  const auto created = gpu_.vk.vkCreateSemaphore(gpu_.handle, &info, nullptr, &timeline_);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating the timeline fails");
  return {};
}

auto batches::create_batch() -> result<std::unique_ptr<batch>> {
  auto made = make_heap<batch>(upload_pool_, read_back_pool_);
  if (made == nullptr) return no_memory_for_batch();
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool.queueFamilyIndex = gpu_.queue_family;
  const auto created = gpu_.vk.vkCreateCommandPool(gpu_.handle, &pool, nullptr, &made->pool);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a command pool fails");
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = made->pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 2;
  std::array<VkCommandBuffer, 2> commands{};
  const auto allocated = gpu_.vk.vkAllocateCommandBuffers(gpu_.handle, &info, commands.data());
  if (allocated != VK_SUCCESS) {
    destroy(*made);
    return vulkan_error(allocated, "allocating command buffers fails");
  }
  made->early_commands = commands[0];
  made->main_commands = commands[1];
  return made;
}

auto batches::begin(VkCommandBuffer commands) noexcept -> VkResult {
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  return gpu_.vk.vkBeginCommandBuffer(commands, &info);
}

/// What is submitted and taken back later needs no memory then.
auto batches::reserve_lists() noexcept -> result<void> {
  const std::size_t next = in_flight_.size() + 1;
  if (in_flight_.reserve(next) && read_backs_.reserve(read_backs_.size() + next + deferred_)) {
    return {};
  }
  return no_memory_for_batch();
}

auto batches::reserve_garbage() noexcept -> result<void> {
  const std::uint64_t most = garbage_.size() + live_ + most_objects_of_an_operation;
  if (garbage_.reserve(static_cast<std::size_t>(most))) return {};
  return make_error(error_code::out_of_memory, "the host has no memory to note what goes", most);
}

auto batches::open() -> result<void> {
  if (open_ != nullptr) return {};
  if (auto room = reserve_lists(); !room) return room.why();
  std::unique_ptr<batch> next;
  if (spare_.empty()) {
    auto made = create_batch();
    if (!made) return made.why();
    next = *std::move(made);
  } else {
    next = std::move(spare_.back());
    spare_.pop_back();
  }
  VkResult begun = gpu_.vk.vkResetCommandPool(gpu_.handle, next->pool, 0);
  if (begun == VK_SUCCESS) begun = begin(next->early_commands);
  if (begun == VK_SUCCESS) begun = begin(next->main_commands);
  if (begun != VK_SUCCESS) {
    recycle(std::move(next));
    return vulkan_error(begun, "beginning a command buffer fails");
  }
  next->number = submitted_ + 1;
  next->work = 0;
  open_ = std::move(next);
  early_.begin(open_->early_commands);
  main_.begin(open_->main_commands);
  return {};
}

auto batches::submit() -> result<void> {
  early_.finish();
  main_.finish();
  if (early_.is_exhausted() || main_.is_exhausted()) {
    drop();
    return make_error(error_code::out_of_memory, "the host has no memory for a batch's barriers");
  }
  VkResult ended = gpu_.vk.vkEndCommandBuffer(open_->early_commands);
  if (ended == VK_SUCCESS) ended = gpu_.vk.vkEndCommandBuffer(open_->main_commands);
  if (ended != VK_SUCCESS) {
    drop();
    return vulkan_error(ended, "ending a command buffer fails");
  }
  std::array<VkCommandBufferSubmitInfo, 2> commands{};
  std::uint32_t count = 0;
  for (const command_stream* stream : {&early_, &main_}) {
    if (stream->is_empty()) continue;
    commands[count].sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
    commands[count++].commandBuffer = stream->commands();
  }
  VkSemaphoreSubmitInfo signal{};
  signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
  signal.semaphore = timeline_;
  signal.value = open_->number;
  signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkSubmitInfo2 info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
  info.commandBufferInfoCount = count;
  info.pCommandBufferInfos = commands.data();
  info.signalSemaphoreInfoCount = 1;
  info.pSignalSemaphoreInfos = &signal;
  const auto sent = gpu_.vk.vkQueueSubmit2(gpu_.queue, 1, &info, VK_NULL_HANDLE);
  if (sent != VK_SUCCESS) {
    drop();
    return vulkan_error(sent, "handing commands to the device fails");
  }
  submitted_ = open_->number;
  open_->commands = early_.recorded() + main_.recorded();
  commands_in_flight_ += open_->commands;
  work_in_flight_ += open_->work;
  AEROGPU_CHECK(in_flight_.push_back(std::move(open_)));  // Reserved when it was opened.
  return {};
}

void batches::drop() noexcept {
  if (open_ != nullptr) recycle(std::move(open_));
}

auto batches::batch_in_the_way() const noexcept -> std::uint64_t {
  if (in_flight_.size() < 2) return 0;
  const transfer_bounds& staging = upload_pool_.bounds();
  const bool is_too_much =
      in_flight_.size() >= bounds_.batches_in_flight ||
      commands_in_flight_ >= bounds_.commands_in_flight || work_in_flight_ / 2 >= most_work_ ||
      descriptor_pools_.used() >= bounds_.descriptor_pools_in_flight ||
      upload_pool_.used_bytes() > staging.most_bytes - staging.most_arena_bytes;
  return is_too_much ? in_flight_.front()->number : 0;
}

auto batches::completed() noexcept -> result<std::uint64_t> {
  std::uint64_t value = 0;
  const auto read = gpu_.vk.vkGetSemaphoreCounterValue(gpu_.handle, timeline_, &value);
  if (read != VK_SUCCESS) return vulkan_error(read, "reading the timeline fails");
  if (value > submitted_) {
    return make_error(error_code::device_lost, "the timeline is ahead of what was submitted", value,
                      submitted_);
  }
  if (value <= completed_) return completed_;
  const auto waited = wait_for(value, 0);
  if (waited == VK_TIMEOUT) return completed_;
  if (waited != VK_SUCCESS) return vulkan_error(waited, "the device fails before it is done");
  return completed_ = value;
}

auto batches::wait_for(std::uint64_t number, std::uint64_t timeout_ns) noexcept -> VkResult {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline_;
  info.pValues = &number;
  return gpu_.vk.vkWaitSemaphores(gpu_.handle, &info, timeout_ns);
}

auto batches::wait(std::uint64_t number, std::uint64_t timeout_ns) noexcept -> result<void> {
  const auto waited = wait_for(number, timeout_ns);
  if (waited == VK_TIMEOUT) {
    return make_error(error_code::device_lost, "the device takes longer than the watchdog allows",
                      timeout_ns, timeout_ns);
  }
  if (waited != VK_SUCCESS) return vulkan_error(waited, "waiting for the device fails");
  return {};
}

auto batches::wants_submit() const noexcept -> bool {
  return open_ != nullptr &&
         (open_->descriptor_pools.size() >= bounds_.descriptor_pools_per_batch ||
          early_.recorded() + main_.recorded() >= bounds_.commands_per_batch ||
          open_->work >= most_work_);
}

/// So little that all batches in flight together do not overflow.
void batches::note_work(std::uint64_t work) noexcept {
  constexpr std::uint64_t most = UINT64_MAX / most_limit_count / 2;
  open_->work += std::min(work, most - std::min(most, open_->work));
}

/// More instructions than a device runs meanwhile: a batch of copies takes no longer than one of
/// draws.
void batches::note_bytes(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t instructions_of_byte = 128;
  note_work(spirv::saturating_multiply(bytes, instructions_of_byte));
}

auto batches::wants_wait() const noexcept -> bool {
  return garbage_.size() >= bounds_.retired_objects || garbage_bytes_ >= bounds_.retired_bytes;
}

/// There is room, by `reserve_garbage`. An operation beyond all bounds loses its object to the
/// device, and not the process.
void batches::retire(garbage old) noexcept {
  old.batch = open_ != nullptr ? open_->number : submitted_;
  if (live_ != 0) --live_;
  const std::uint64_t size_bytes = old.size_bytes;
  if (garbage_.push_back(std::move(old))) garbage_bytes_ += size_bytes;
}

void batches::collect(std::uint64_t done, std::uint64_t reported) noexcept {
  take_back(done);
  free_read_backs(std::min(done, reported));
}

void batches::destroy_retired(std::uint64_t number) noexcept {
  while (!garbage_.empty() && garbage_.front().batch <= number) {
    garbage_bytes_ -= garbage_.front().size_bytes;
    destroy(garbage_.front());
    garbage_.pop_front();
  }
}

void batches::take_back(std::uint64_t done) noexcept {
  while (!in_flight_.empty() && in_flight_.front()->number <= done) {
    auto old = in_flight_.pop_front();
    commands_in_flight_ -= old->commands;
    work_in_flight_ -= old->work;
    if (!old->read_backs.is_empty()) {
      AEROGPU_CHECK(read_backs_.push_back({old->number, old->read_backs.take_chunks()}));
    }
    recycle(std::move(old));
  }
}

void batches::free_read_backs(std::uint64_t reported) noexcept {
  while (!read_backs_.empty() && read_backs_.front().batch <= reported) {
    for (transfer_chunk& chunk : read_backs_.front().chunks) {
      read_back_pool_.give_back(std::move(chunk));
    }
    read_backs_.pop_front();
  }
}

auto batches::take_deferred(VkDeviceSize size_bytes) -> result<heap_array<transfer_chunk>> {
  const VkDeviceSize left = bounds_.deferred_copy_bytes - deferred_bytes_;
  if (size_bytes > left) {
    return make_error(error_code::out_of_memory, "copies that were not made yet are too large",
                      size_bytes, left);
  }
  heap_array<transfer_chunk> chunks;
  const bool has_room = chunks.reserve(1) &&
                        read_backs_.reserve(read_backs_.size() + in_flight_.size() + deferred_ + 2);
  if (!has_room) return no_memory_for_batch();
  const auto chunk = read_back_pool_.take(size_bytes, 0, left);
  if (!chunk) return chunk.why();
  AEROGPU_CHECK(chunks.push_back(*chunk));
  deferred_bytes_ += chunk->size_bytes;
  ++deferred_;
  return chunks;
}

void batches::retire_deferred(heap_array<transfer_chunk>&& chunks) noexcept {
  --deferred_;
  deferred_bytes_ -= chunks[0].size_bytes;
  const std::uint64_t last = open_ != nullptr ? open_->number : submitted_;
  AEROGPU_CHECK(read_backs_.push_back({last, std::move(chunks)}));
}

void batches::free_read_backs_of(std::uint64_t batch) noexcept {
  for (std::size_t i = 0; i < in_flight_.size(); ++i) {
    if (in_flight_[i]->number == batch) in_flight_[i]->read_backs.release();
  }
  for (std::size_t i = 0; i < read_backs_.size(); ++i) {
    kept_read_backs& each = read_backs_[i];
    if (each.batch != batch) continue;
    for (transfer_chunk& chunk : each.chunks) read_back_pool_.give_back(std::move(chunk));
    each.chunks.clear();
  }
}

/// A batch is reset when it is opened again; memory of many commands goes at once.
void batches::recycle(std::unique_ptr<batch> done) noexcept {
  constexpr std::uint32_t few_commands = 256;
  done->uploads.release();
  done->read_backs.release();
  descriptor_pools_.give_back(done->descriptor_pools);
  bool is_kept = spare_.size() < most_spare_batches;
  if (is_kept && done->commands > few_commands) {
    is_kept = gpu_.vk.vkResetCommandPool(gpu_.handle, done->pool,
                                         VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT) == VK_SUCCESS;
  }
  if (!is_kept) return destroy(*done);
  done->commands = 0;
  AEROGPU_CHECK(spare_.push_back(std::move(done)));  // Reserved at the start.
}

void batches::destroy(batch& done) noexcept {
  gpu_.vk.vkDestroyCommandPool(gpu_.handle, done.pool, nullptr);
}

void batches::destroy(garbage& old) noexcept {
  const VolkDeviceTable& vk = gpu_.vk;
  const VkDevice device = gpu_.handle;
  switch (old.type) {
    case VK_OBJECT_TYPE_BUFFER:
      vk.vkDestroyBuffer(device, as<VkBuffer>(old.handle), nullptr);
      break;
    case VK_OBJECT_TYPE_BUFFER_VIEW:
      vk.vkDestroyBufferView(device, as<VkBufferView>(old.handle), nullptr);
      break;
    case VK_OBJECT_TYPE_IMAGE: vk.vkDestroyImage(device, as<VkImage>(old.handle), nullptr); break;
    case VK_OBJECT_TYPE_IMAGE_VIEW:
      vk.vkDestroyImageView(device, as<VkImageView>(old.handle), nullptr);
      break;
    case VK_OBJECT_TYPE_SAMPLER:
      vk.vkDestroySampler(device, as<VkSampler>(old.handle), nullptr);
      break;
    case VK_OBJECT_TYPE_PIPELINE:
      vk.vkDestroyPipeline(device, as<VkPipeline>(old.handle), nullptr);
      break;
    case VK_OBJECT_TYPE_PIPELINE_LAYOUT:
      vk.vkDestroyPipelineLayout(device, as<VkPipelineLayout>(old.handle), nullptr);
      break;
    case VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT:
      vk.vkDestroyDescriptorSetLayout(device, as<VkDescriptorSetLayout>(old.handle), nullptr);
      break;
    case VK_OBJECT_TYPE_SHADER_MODULE:
      vk.vkDestroyShaderModule(device, as<VkShaderModule>(old.handle), nullptr);
      break;
    default: AEROGPU_CHECK(false);
  }
  if (old.memory.memory != VK_NULL_HANDLE) memory_.free(old.memory);
}

auto batches::allocate_set(VkDescriptorSetLayout layout) -> result<VkDescriptorSet> {
  bool is_fresh = false;
  for (;;) {
    batch& now = *open_;
    if (now.descriptor_pools.empty() || is_fresh) {
      if (auto taken = descriptor_pools_.take(now.descriptor_pools); !taken) return taken.why();
    }
    VkDescriptorSetAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    info.descriptorPool = now.descriptor_pools.back();
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    const auto allocated = gpu_.vk.vkAllocateDescriptorSets(gpu_.handle, &info, &set);
    if (allocated == VK_SUCCESS) return set;
    const bool is_full =
        allocated == VK_ERROR_OUT_OF_POOL_MEMORY || allocated == VK_ERROR_FRAGMENTED_POOL;
    if (!is_full || is_fresh) return vulkan_error(allocated, "allocating descriptors fails");
    is_fresh = true;
  }
}

}  // namespace aerogpu::vulkan
