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
  if (live_storage_ == nullptr || release_storage_ == nullptr) {
    destroy();
    return STATUS_NO_MEMORY;
  }
  lifetime_ = token_lifetime{{static_cast<slot*>(live_storage_), live_slots},
                             {static_cast<share_token*>(release_storage_), max_tokens}};
  os_random random;
  source_.emplace(random);
  return STATUS_SUCCESS;
}

void tokens::destroy() noexcept {
  lifetime_ = {};
  source_.reset();
  os::release(live_storage_, os::pool_owner::tokens);
  os::release(release_storage_, os::pool_owner::tokens);
  live_storage_ = release_storage_ = nullptr;
}

auto tokens::make() noexcept -> share_token {
  const lock_scope held{lock_};
  if (!source_.has_value()) return {};
  if (lifetime_.live_count() + lifetime_.release_count() >= max_tokens) return {};
  const share_token token = source_->next();
  return lifetime_.add_reference(token) ? token : share_token{};
}

auto tokens::add_reference(share_token token) noexcept -> bool {
  const lock_scope held{lock_};
  if (lifetime_.references(token) == 0) return false;
  return static_cast<bool>(lifetime_.add_reference(token));
}

auto tokens::drop_reference(share_token token) noexcept -> bool {
  const lock_scope held{lock_};
  return lifetime_.drop_reference(token) == token_drop::last;
}

auto tokens::next_release() noexcept -> share_token {
  const lock_scope held{lock_};
  return lifetime_.next_release();
}

void tokens::emitted(share_token token) noexcept {
  const lock_scope held{lock_};
  if (token != share_token{} && lifetime_.next_release() == token) lifetime_.release_emitted();
}

void tokens::forget_releases() noexcept {
  const lock_scope held{lock_};
  lifetime_.forget_releases();
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
