/// \file Share tokens: which texture each names, and which are retired for ever (host.md 2.8).
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/processor/heap_map.hpp"
#include "aerogpu/processor/limits.hpp"
#include "aerogpu/processor/resource.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Tokens live apart from handles: a token names what its handle's texture is, whichever handles
/// come and go. Each operation is O(1) for each token it touches.
template <backend B>
class share_table {
 public:
  explicit share_table(const limits& most) noexcept : limits_(&most) {}

  /// The texture that an importer gets, or null for unknown and retired tokens.
  [[nodiscard]] auto find(share_token token) const noexcept -> texture_object<B>* {
    const binding* bound = bound_.find(token);
    return bound != nullptr ? bound->texture : nullptr;
  }
  [[nodiscard]] auto is_retired(share_token token) const noexcept -> bool {
    return retired_.find(token) != nullptr;
  }

  /// Binds a token to a texture; a token of the same texture is left alone. Errors:
  /// share_token_in_use; out_of_memory, also when the retired set could not take the token later,
  /// because it must never forget one. Precondition: token is not 0 and not retired.
  [[nodiscard]] auto bind(share_token token, texture_object<B>& texture) noexcept -> result<void>;

  /// Unbinds a token and retires it. 0, unknown and retired tokens: nothing happens.
  void release(share_token token) noexcept;

  /// Retires every token of a texture that dies.
  void retire_all(texture_object<B>& texture) noexcept {
    while (texture.first_token != share_token{}) release(texture.first_token);
  }

  /// Takes a retired token out of a snapshot. Error: out_of_memory.
  [[nodiscard]] auto restore_retired(share_token token) noexcept -> result<void>;

  [[nodiscard]] auto bound_count() const noexcept -> std::size_t { return bound_.size(); }
  [[nodiscard]] auto retired_count() const noexcept -> std::size_t { return retired_.size(); }

  /// Calls `visit(token, texture)` for each bound token, in no particular order.
  template <class Visit>
  void for_each_bound(Visit&& visit) const {
    bound_.for_each([&](share_token token, const binding& b) { visit(token, *b.texture); });
  }
  template <class Visit>
  void for_each_retired(Visit&& visit) const {
    retired_.for_each([&](share_token token, nothing) { visit(token); });
  }

 private:
  struct nothing {};
  /// The tokens of one texture form a list.
  struct binding {
    texture_object<B>* texture = nullptr;
    share_token previous{};
    share_token next{};
  };

  [[nodiscard]] auto reserve(std::size_t bound, std::size_t retired) noexcept -> result<void>;

  const limits* limits_;
  heap_map<share_token, binding> bound_;
  heap_map<share_token, nothing> retired_;
};

template <backend B>
auto share_table<B>::reserve(std::size_t bound, std::size_t retired) noexcept -> result<void> {
  if (bound > limits_->share_tokens) {
    return make_error(error_code::out_of_memory, "share tokens are too many", bound,
                      limits_->share_tokens);
  }
  if (bound + retired > limits_->retired_share_tokens) {
    return make_error(error_code::out_of_memory, "retired share tokens are too many",
                      bound + retired, limits_->retired_share_tokens);
  }
  if (!bound_.reserve(bound) || !retired_.reserve(bound + retired)) {
    return make_error(error_code::out_of_memory, "host memory is exhausted");
  }
  return {};
}

template <backend B>
auto share_table<B>::bind(share_token token, texture_object<B>& texture) noexcept -> result<void> {
  AEROGPU_CHECK(token != share_token{} && !is_retired(token));
  if (const texture_object<B>* now = find(token); now != nullptr) {
    if (now == &texture) return {};
    return make_error(error_code::share_token_in_use, "token names another resource", raw(token));
  }
  if (auto room = reserve(bound_.size() + 1, retired_.size()); !room) return room.why();
  const share_token next = texture.first_token;
  AEROGPU_CHECK(bound_.insert(token, {&texture, share_token{}, next}).second);
  if (binding* after = bound_.find(next); after != nullptr) after->previous = token;
  texture.first_token = token;
  return {};
}

template <backend B>
void share_table<B>::release(share_token token) noexcept {
  const binding* found = bound_.find(token);
  if (found == nullptr) return;
  const binding b = *found;
  bound_.erase(token);
  if (binding* before = bound_.find(b.previous); before != nullptr) {
    before->next = b.next;
  } else {
    b.texture->first_token = b.next;
  }
  if (binding* after = bound_.find(b.next); after != nullptr) after->previous = b.previous;
  AEROGPU_CHECK(retired_.insert(token, {}).second);
}

template <backend B>
auto share_table<B>::restore_retired(share_token token) noexcept -> result<void> {
  if (auto room = reserve(bound_.size(), retired_.size() + 1); !room) return room.why();
  AEROGPU_CHECK(retired_.insert(token, {}).second);
  return {};
}

}  // namespace aerogpu
