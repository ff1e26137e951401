// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/tokens.hpp"

#include "drivers/win7/kmd/system/lock_scope.hpp"

namespace aerogpu::kmd {

namespace {

/// A map holds three quarters of its slots, which are a power of two.
constexpr std::size_t live_slots = std::size_t{max_tokens} * 2;
static_assert(live_slots / 4 * 3 >= max_tokens);

struct os_random {
  auto operator()() noexcept -> std::uint64_t { return os::random_bits(); }
};

}  // namespace

auto tokens::create() noexcept -> NTSTATUS {
  using slot = token_lifetime::slot;
  live_storage_ = os::allocate(live_slots * sizeof(slot), os::pool_owner::tokens);
  release_storage_ = os::allocate(max_tokens * sizeof(share_token), os::pool_owner::tokens);
  maker_storage_ = os::allocate(max_tokens * sizeof(process_counts::line), os::pool_owner::tokens);
  if (live_storage_ == nullptr || release_storage_ == nullptr || maker_storage_ == nullptr) {
    destroy();
    return STATUS_NO_MEMORY;
  }
  lifetime_ = token_lifetime{{static_cast<slot*>(live_storage_), live_slots},
                             {static_cast<share_token*>(release_storage_), max_tokens}};
  released_makers_ = span_queue<process_counts::line>{
      {static_cast<process_counts::line*>(maker_storage_), max_tokens}};
  os_random random;
  source_.emplace(random);
  return STATUS_SUCCESS;
}

void tokens::destroy() noexcept {
  lifetime_ = {};
  released_makers_ = {};
  counts_.clear();
  source_.reset();
  os::release(live_storage_, os::pool_owner::tokens);
  os::release(release_storage_, os::pool_owner::tokens);
  os::release(maker_storage_, os::pool_owner::tokens);
  live_storage_ = release_storage_ = maker_storage_ = nullptr;
}

auto tokens::make(const os::process_identity& process) noexcept -> owned_token {
  const lock_scope held{lock_};
  if (!source_.has_value()) return {};
  if (lifetime_.live_count() + lifetime_.release_count() >= max_tokens) return {};
  const process_counts::line maker = counts_.add(process, max_process_tokens);
  if (maker == process_counts::no_line) return {};
  const share_token token = source_->next();
  if (lifetime_.add_reference(token)) return {token, maker};
  counts_.drop(maker);
  return {};
}

auto tokens::add_reference(share_token token) noexcept -> bool {
  const lock_scope held{lock_};
  if (lifetime_.references(token) == 0) return false;
  return static_cast<bool>(lifetime_.add_reference(token));
}

auto tokens::drop_reference(const owned_token& held) noexcept -> bool {
  const lock_scope locked{lock_};
  if (lifetime_.drop_reference(held.token) != token_drop::last) return false;
  return released_makers_.push_back(held.maker);  // There is room where there was for the release.
}

auto tokens::next_release() noexcept -> share_token {
  const lock_scope held{lock_};
  return lifetime_.next_release();
}

void tokens::emitted(share_token token) noexcept {
  const lock_scope held{lock_};
  if (token == share_token{} || lifetime_.next_release() != token) return;
  lifetime_.release_emitted();
  forget_maker();
}

void tokens::forget_releases() noexcept {
  const lock_scope held{lock_};
  lifetime_.forget_releases();
  while (!released_makers_.empty()) forget_maker();
}

void tokens::forget_maker() noexcept {
  counts_.drop(released_makers_.front());
  released_makers_.pop_front();
}

auto tokens::live_count() noexcept -> std::size_t {
  const lock_scope held{lock_};
  return lifetime_.live_count();
}

auto tokens::references(share_token token) noexcept -> std::uint32_t {
  const lock_scope held{lock_};
  return lifetime_.references(token);
}

}  // namespace aerogpu::kmd
