// SPDX-License-Identifier: MIT
/// \file Contexts by id, created on first use, up to a limit.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/processor/context.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace aerogpu {

/// Owns the state blocks; they live until `destroy` or `clear`.
template <backend B>
class context_table {
 public:
  explicit context_table(hash_key places = {}) noexcept : contexts_(places) {}
  context_table(context_table&& other) noexcept : contexts_(std::move(other.contexts_)) {}
  auto operator=(context_table&& other) noexcept -> context_table& {
    std::swap(contexts_, other.contexts_);
    return *this;
  }
  ~context_table() { clear(); }

  /// The context, or null when no submission named it yet.
  [[nodiscard]] auto find(context_id id) const noexcept -> context<B>* {
    context<B>* const* found = contexts_.find(key_of(id));
    return found != nullptr ? *found : nullptr;
  }

  /// The context, made with its defaults when it is new. Errors: out_of_memory.
  [[nodiscard]] auto find_or_create(context_id id, const limits& most) noexcept
      -> result<context<B>*> {
    if (context<B>* known = find(id); known != nullptr) return known;
    if (contexts_.size() >= most.contexts) {
      return make_error(error_code::out_of_memory, "contexts reach their limit", raw(id),
                        most.contexts);
    }
    auto* made = contexts_.reserve_one() ? new (std::nothrow) context<B>{id} : nullptr;
    if (made == nullptr) {
      return make_error(error_code::out_of_memory, "host memory for a context is exhausted");
    }
    AEROGPU_CHECK(contexts_.insert(key_of(id), made).second);
    return made;
  }

  /// Forgets a context's state. Precondition: it is there.
  void destroy(context_id id) noexcept {
    delete find(id);
    AEROGPU_CHECK(contexts_.erase(key_of(id)));
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return contexts_.size(); }

  /// Calls `visit(context)` for each, in no particular order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    contexts_.for_each([&](key, context<B>* c) { visit(*c); });
  }

  void clear() noexcept {
    for_each([](context<B>& c) { delete &c; });
    contexts_.clear();
  }

 private:
  enum class key : std::uint64_t {};

  /// Context 0 is ordinary, and 0 is no key.
  [[nodiscard]] static auto key_of(context_id id) noexcept -> key {
    return static_cast<key>(std::uint64_t{raw(id)} + 1);
  }

  heap_map<key, context<B>*> contexts_;
};

}  // namespace aerogpu
