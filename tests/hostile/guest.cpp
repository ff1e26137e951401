// SPDX-License-Identifier: MIT
#include "tests/hostile/guest.hpp"

#include "aerogpu/abi/pci.h"
#include "aerogpu/device/device.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"

#include <cstddef>
#include <cstring>

namespace aerogpu::hostile {

namespace {

constexpr std::uint32_t stride = 64;
constexpr std::uint64_t page = 0x1000;

/// Rounds of an embedder's loop without a fence; each waits for the backend.
constexpr int most_rounds = 200'000;

}  // namespace

guest::guest(computer& on) : on_(on) {
  power_on();
  start_ring();
}

void guest::power_on() {
  on_.config_write(0x10, 0xE000'0000, 4);
  on_.config_write(0x14, 0xD000'0000, 4);
  on_.config_write(0x04, pci_command_io | pci_command_memory | pci_command_bus_master, 2);
}

void guest::start_ring(std::uint64_t at, std::uint32_t entries) {
  ring_gpa_ = at;
  entries_ = entries;
  tail_ = 0;
  last_fence_ = completed();
  aerogpu_ring_header header{};
  header.magic = AEROGPU_RING_MAGIC;
  header.abi_version = AEROGPU_ABI_VERSION_U32;
  header.size_bytes = 64 + entries * stride;
  header.entry_count = entries;
  header.entry_stride_bytes = stride;
  memory().poke(at, header);
  reg64(AEROGPU_MMIO_REG_RING_GPA_LO, at);
  reg(AEROGPU_MMIO_REG_RING_SIZE_BYTES, header.size_bytes);
  reg64(AEROGPU_MMIO_REG_FENCE_GPA_LO, fence_page_at);
  reg(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR);
  reg(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
}

void guest::reset_ring() {
  reg(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
  on_.wait_idle();
  start_ring();
}

auto guest::take(std::uint64_t size_bytes) -> std::uint64_t {
  const std::uint64_t at = next_free_;
  next_free_ += (size_bytes + page - 1) / page * page;
  demand(next_free_ <= memory().size(), "guest memory is full");
  return at;
}

auto guest::allocate(std::uint64_t size_bytes) -> guest_memory_block {
  const guest_memory_block block{next_alloc_++, take(size_bytes), size_bytes};
  allocations_.push_back({block.id, AEROGPU_ALLOC_FLAG_NONE, block.at, size_bytes, 0});
  return block;
}

void guest::forget_memory() {
  allocations_.clear();
  next_free_ = heap_at;
  next_alloc_ = 1;
  stream_room_ = 0;
}

auto guest::describe(const stream_builder& stream, std::uint32_t context) -> aerogpu_submit_desc {
  const byte_vector table = test::make_table(allocations_);
  const std::uint64_t needed = stream.bytes().size() + table.size();
  aerogpu_submit_desc desc{};
  desc.desc_size_bytes = sizeof desc;
  desc.context_id = context;
  desc.signal_fence = next_fence();
  desc.cmd_gpa = take(needed);
  desc.cmd_size_bytes = static_cast<std::uint32_t>(stream.bytes().size());
  copy_bytes(memory().ram(desc.cmd_gpa, stream.bytes().size()), stream.bytes());
  if (!allocations_.empty()) {
    desc.alloc_table_gpa = desc.cmd_gpa + stream.bytes().size();
    desc.alloc_table_size_bytes = static_cast<std::uint32_t>(table.size());
    copy_bytes(memory().ram(desc.alloc_table_gpa, table.size()), table);
  }
  return desc;
}

void guest::push(const aerogpu_submit_desc& desc) {
  const std::uint64_t slot = tail_++ & (entries_ - 1);
  memory().poke(ring_gpa_ + 64 + slot * stride, desc);
  memory().poke(ring_gpa_ + offsetof(aerogpu_ring_header, tail), tail_);
}

auto guest::wait_for(std::uint64_t fence) -> bool {
  for (int round = 0; round < most_rounds; ++round) {
    if (completed() >= fence) return true;
    const std::uint64_t due = on_.next_deadline_ns();
    if (due == no_deadline) return false;
    memory().time_ns = std::max(memory().time_ns, due);
    on_.wait_idle();
  }
  return false;
}

void guest::finish() {
  REQUIRE(wait_for(last_fence_));
}

auto guest::error_of(std::uint64_t fence) -> error_code {
  for (const error_record& record : memory().errors) {
    if (raw(record.fence) != fence) continue;
    last_error_ = record.why.what;
    return record.why.code;
  }
  last_error_ = {};
  return error_code::none;
}

auto guest::run(const stream_builder& stream, std::uint32_t context) -> error_code {
  const std::uint64_t before = next_free_;
  memory().errors.clear();
  push(describe(stream, context));
  ring_doorbell();
  finish();
  next_free_ = before;  // Copied by the host when it was consumed.
  return error_of(last_fence_);
}

void guest::must_run(const stream_builder& stream, std::uint32_t context) {
  const error_code code = run(stream, context);
  INFO(last_error_);
  REQUIRE(std::string_view{kind_name(code)} == kind_name(error_code::none));
}

auto guest::read_buffer(std::uint32_t buffer, std::uint64_t offset, std::uint64_t size)
    -> byte_vector {
  constexpr std::uint32_t copy = honest_handles + 0x80;
  const std::uint64_t before = next_free_;
  const guest_memory_block block = allocate(size);
  must_run(stream_builder{}
               .create_buffer(copy, size, {block.id, 0})
               .copy_buffer(copy, 0, buffer, offset, size, AEROGPU_COPY_FLAG_WRITEBACK_DST)
               .destroy(copy));
  const mutable_bytes bytes = memory().ram(block.at, static_cast<std::size_t>(size));
  allocations_.pop_back();
  next_free_ = before;
  return {bytes.begin(), bytes.end()};
}

auto guest::read_words(std::uint32_t buffer, std::uint64_t offset, std::size_t count)
    -> std::vector<std::uint32_t> {
  const byte_vector bytes = read_buffer(buffer, offset, count * sizeof(std::uint32_t));
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace aerogpu::hostile
