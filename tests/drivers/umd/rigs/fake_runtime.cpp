// SPDX-License-Identifier: MIT
#include "tests/drivers/umd/rigs/fake_runtime.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace aerogpu::umd::test {

fake_runtime::fake_runtime(const fake_runtime_options& options) : options_(options) {}
fake_runtime::~fake_runtime() {
  check_poison();
  CHECK(allocations_.empty());
  CHECK_FALSE(has_context_);
}

auto fake_runtime::open(kernel_allocation name, void* runtime_resource) -> kernel_allocation {
  const allocation* const made = find(name);
  REQUIRE(made != nullptr);
  auto opened = std::make_unique<allocation>(*made);
  opened->runtime_resource = runtime_resource;
  opened->is_opened = true;
  return add(std::move(opened));
}

auto fake_runtime::open_standard(const alloc_private_data& data, void* runtime_resource)
    -> kernel_allocation {
  auto made = std::make_unique<allocation>();
  made->data = data;
  made->bytes.resize(static_cast<std::size_t>(allocation_bytes(data) + 0xFFF) / 0x1000 * 0x1000);
  made->at = host_.map(made->bytes);
  made->runtime_resource = runtime_resource;
  return add(std::move(made));
}

auto fake_runtime::create_context(recording_space& out) noexcept -> HRESULT {
  if (const HRESULT failed = count_call(); FAILED(failed)) return failed;
  CHECK_FALSE(has_context_);
  has_context_ = true;
  out = options_.buffers == buffer_model::persistent ? new_space() : recording_space{};
  return S_OK;
}

void fake_runtime::destroy_context() noexcept {
  CHECK(has_context_);
  has_context_ = false;
  retire_buffer();
}

auto fake_runtime::acquire(std::uint32_t needed_bytes, recording_space& space) noexcept -> HRESULT {
  if (const HRESULT failed = count_call(); FAILED(failed)) return failed;
  ++acquired_;
  if (options_.buffers == buffer_model::persistent) return S_OK;
  retire_buffer();
  options_.command_bytes = std::max(needed_bytes, 4096u);
  space = new_space();
  return S_OK;
}

auto fake_runtime::submit(const submission& work, recording_space& space) noexcept -> HRESULT {
  HRESULT result = count_call();
  if (SUCCEEDED(result)) result = take(work);
  retire_buffer();
  space = options_.buffers == buffer_model::persistent ? new_space() : recording_space{};
  return result;
}

auto fake_runtime::submit_callback(submission_kind kind) const noexcept -> const char* {
  return kind == submission_kind::render ? "RenderCb" : "PresentCb";
}

auto fake_runtime::present(kernel_allocation source, kernel_allocation destination) noexcept
    -> HRESULT {
  if (const HRESULT failed = count_call(); FAILED(failed)) return failed;
  presents_.push_back({source, destination, seen_.size()});
  return S_OK;
}

auto fake_runtime::set_display_mode(kernel_allocation) noexcept -> HRESULT {
  return count_call();
}

auto fake_runtime::allocate(const allocation_request& request, kernel_allocation& out) noexcept
    -> HRESULT {
  if (const HRESULT failed = count_call(); FAILED(failed)) return failed;
  const auto data = parse_alloc_private_data(request.private_data);
  CHECK(data);
  if (!data) return E_INVALIDARG;
  auto made = std::make_unique<allocation>();
  made->data = *data;
  if (is_shared(*data) && makes_tokens_) made->data.share_token = ++last_token_;
  CHECK(write_alloc_private_data(request.private_data, made->data));
  const auto size = static_cast<std::size_t>(allocation_bytes(*data));
  CHECK(size != 0);
  made->bytes.resize((size + 0xFFF) / 0x1000 * 0x1000, std::byte{0xCD});
  made->at = host_.map(made->bytes);
  made->runtime_resource = request.runtime_resource;
  made->is_primary = request.is_primary;
  out = add(std::move(made));
  return S_OK;
}

void fake_runtime::deallocate(kernel_allocation name, void* runtime_resource) noexcept {
  allocation* const ended = find(name);
  CHECK(ended != nullptr);
  if (ended == nullptr) return;
  CHECK(ended->locks == 0);
  CHECK(ended->runtime_resource == runtime_resource);
  if (!ended->is_opened) host_.unmap(ended->at);
  allocations_.erase(raw(name));
}

auto fake_runtime::set_priority(kernel_allocation name, void*, std::uint32_t priority) noexcept
    -> HRESULT {
  if (const HRESULT failed = count_call(); FAILED(failed)) return failed;
  allocation* const on = find(name);
  if (on == nullptr) return E_INVALIDARG;
  on->priority = priority;
  return S_OK;
}

auto fake_runtime::lock(kernel_allocation name, lock_access, bool may_wait,
                        std::byte*& out) noexcept -> HRESULT {
  if (const HRESULT failed = count_call(); FAILED(failed)) return failed;
  ++locks_;
  allocation* const locked = find(name);
  CHECK(locked != nullptr);
  if (locked == nullptr) return E_INVALIDARG;
  if (locked->last_use > completed_) {
    if (!may_wait) return D3DERR_WASSTILLDRAWING;
    complete(locked->last_use);
  }
  ++locked->locks;
  out = locked->bytes.data();
  return S_OK;
}

void fake_runtime::unlock(kernel_allocation name) noexcept {
  allocation* const locked = find(name);
  CHECK(locked != nullptr);
  if (locked == nullptr) return;
  CHECK(locked->locks > 0);
  --locked->locks;
}

auto fake_runtime::poll_completed(fence_value& out) noexcept -> bool {
  ++polls_;
  if (polls_fail_) return false;
  out = completed_;
  return true;
}

auto fake_runtime::add(std::unique_ptr<allocation> made) -> kernel_allocation {
  last_allocation_ += 0x40;
  allocations_[last_allocation_] = std::move(made);
  return kernel_allocation{last_allocation_};
}

auto fake_runtime::new_space() -> recording_space {
  if (options_.command_bytes == 0) return {};
  buffer_ = byte_vector(options_.command_bytes, std::byte{0xAA});
  return {buffer_.data(), options_.command_bytes, options_.list_entries};
}

void fake_runtime::retire_buffer() {
  std::fill(buffer_.begin(), buffer_.end(), poison);
  retired_.push_back(std::move(buffer_));
  buffer_ = {};
  check_poison();
  if (retired_.size() > watched_buffers) retired_.pop_front();
}

void fake_runtime::check_poison() const {
  for (const byte_vector& old : retired_) {
    if (old.empty()) continue;
    // Each byte is the one before it, and the first is poison.
    CHECK(old.front() == poison);
    CHECK(std::memcmp(old.data(), old.data() + 1, old.size() - 1) == 0);
  }
}

auto fake_runtime::take(const submission& work) -> HRESULT {
  CHECK(has_context_);
  CHECK(work.command_bytes <= buffer_.size());
  CHECK(work.allocations.size() <= options_.list_entries);
  CHECK(work.fence == fence_value{raw(submitted_) + 1});
  seen_submission seen{{buffer_.begin(), buffer_.begin() + work.command_bytes},
                       {work.allocations.begin(), work.allocations.end()},
                       work.kind,
                       work.fence};
  std::vector<aerogpu_alloc_entry> entries;
  for (const listed_allocation& listed : seen.allocations) {
    allocation* const used = find(listed.allocation);
    CHECK(used != nullptr);
    if (used == nullptr || used->locks != 0) return E_INVALIDARG;
    used->last_use = work.fence;
    entries.push_back({used->data.alloc_id,
                       listed.is_written ? 0u : std::uint32_t{AEROGPU_ALLOC_FLAG_READONLY},
                       raw(used->at), used->bytes.size(), 0});
  }
  if (options_.runs_streams) {
    CHECK(findings_of(seen.stream) == std::vector<std::string>{});
    const error why = host_.run(seen.stream, entries);
    CHECK(describe(why) == describe(error{}));
  }
  submitted_ = work.fence;
  if (options_.completes_at_once) completed_ = submitted_;
  seen_.push_back(std::move(seen));
  return S_OK;
}

}  // namespace aerogpu::umd::test
