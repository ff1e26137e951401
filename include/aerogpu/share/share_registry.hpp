// SPDX-License-Identifier: MIT
/// \file Share tokens on the host: which texture each names, and which are retired for ever.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/core/span_map.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// What can be shared: it keeps the head of the list of its tokens, 0 at first, for the registry.
template <class T>
concept shareable = requires(T& texture) {
  { texture.first_token } -> std::same_as<share_token&>;
};

/// What a resource handle is, as far as sharing asks.
enum class handle_state : std::uint8_t {
  none,      ///< Nothing lives under it.
  texture,   ///< An original or an alias.
  reserved,  ///< A destroyed original whose aliases live.
  buffer,
  view,
};

/// A handle of a packet with what the caller's table of handles says of it. `texture` is what it
/// names, when its state is `texture`.
template <class Texture>
struct shared_handle {
  resource_handle handle{};
  handle_state state = handle_state::none;
  Texture* texture = nullptr;
};

/// What an import found.
template <class Texture>
struct share_import {
  Texture* texture = nullptr;
  bool is_new_alias = false;  ///< The handle is to name the texture; else it does already.
};

/// Bounds of a registry; exhaustion is `out_of_memory`.
struct share_limits {
  std::uint32_t bound_tokens = 65'536;
  /// Bound and retired ones. At the limit exports fail, because a retired token is never forgotten.
  std::uint32_t known_tokens = 1'048'576;
};

/// Tables in storage of a fixed size. A host with a heap brings maps that grow; they have `find`,
/// `insert` (null when they cannot), `clear`, `size` and `for_each` as `span_map` has them.
struct span_maps {
  template <class Key, class Value>
  using map = span_map<Key, Value>;
};

/// The token half of host.md 2.8, and the order of all its checks. The caller's table of handles
/// is the other half: it counts the handles of a texture and calls `retire_all` when the last one
/// goes, before the texture's address is used again. Tokens live apart from handles: one names
/// what its handle's texture is, whichever handles come and go. Failing operations change nothing;
/// each is O(1) for each token that it touches.
template <shareable Texture, class Maps = span_maps>
class share_registry {
 public:
  /// A row of the table. The tokens of one texture form a list; a retired one has no texture.
  struct binding {
    Texture* texture = nullptr;
    share_token previous{};
    share_token next{};
  };
  using map = typename Maps::template map<share_token, binding>;

  share_registry() noexcept = default;
  explicit share_registry(const share_limits& limits, map tokens = {}) noexcept
      : tokens_(std::move(tokens)), limits_(limits) {}

  /// EXPORT. Errors, in this order: invalid_handle, invalid_share_token, share_token_retired,
  /// wrong_kind for a view, unknown_handle, share_token_in_use, out_of_memory.
  [[nodiscard]] auto export_token(const shared_handle<Texture>& of, share_token token) noexcept
      -> result<void>;

  /// IMPORT onto a handle. Errors, in this order: handle_in_use for a live buffer or view,
  /// invalid_handle, invalid_share_token, unknown_share_token, handle_in_use for a reserved
  /// number, alias_already_bound.
  [[nodiscard]] auto import_token(const shared_handle<Texture>& out,
                                  share_token token) const noexcept
      -> result<share_import<Texture>>;

  /// RELEASE: unbinds a token and retires it. 0, unknown and retired tokens: nothing happens.
  void release(share_token token) noexcept {
    if (binding* bound = find_bound(token); bound != nullptr) retire(token, *bound);
  }

  /// Retires every token of a texture whose last handle went.
  void retire_all(Texture& texture) noexcept {
    while (texture.first_token != share_token{}) release(texture.first_token);
  }

  /// The texture that an importer gets, or null for unknown and retired tokens.
  [[nodiscard]] auto find(share_token token) const noexcept -> Texture* {
    const binding* known = tokens_.find(token);
    return known != nullptr ? known->texture : nullptr;
  }
  [[nodiscard]] auto is_retired(share_token token) const noexcept -> bool {
    const binding* known = tokens_.find(token);
    return known != nullptr && known->texture == nullptr;
  }

  /// Binds a token to a texture; a token of the same texture is left alone. Errors:
  /// share_token_in_use, out_of_memory. Precondition: token is not 0 and not retired.
  [[nodiscard]] auto bind(share_token token, Texture& texture) noexcept -> result<void>;

  /// Takes a retired token out of a snapshot. Error: out_of_memory.
  /// Precondition: token is not 0 and not known.
  [[nodiscard]] auto restore_retired(share_token token) noexcept -> result<void>;

  [[nodiscard]] auto bound_count() const noexcept -> std::size_t { return bound_count_; }
  [[nodiscard]] auto retired_count() const noexcept -> std::size_t {
    return tokens_.size() - bound_count_;
  }

  /// Calls `visit(token, texture)` for each bound token, in no particular order.
  template <class Visit>
  void for_each_bound(Visit&& visit) const {
    tokens_.for_each([&](share_token token, const binding& known) {
      if (known.texture != nullptr) visit(token, *known.texture);
    });
  }
  template <class Visit>
  void for_each_retired(Visit&& visit) const {
    tokens_.for_each([&](share_token token, const binding& known) {
      if (known.texture == nullptr) visit(token);
    });
  }

  /// Ring or device reset: all is forgotten, retired tokens too. The textures are gone.
  void clear() noexcept {
    tokens_.clear();
    bound_count_ = 0;
  }

 private:
  [[nodiscard]] auto find_bound(share_token token) noexcept -> binding* {
    binding* known = tokens_.find(token);
    return known != nullptr && known->texture != nullptr ? known : nullptr;
  }
  void retire(share_token token, binding& bound) noexcept;
  [[nodiscard]] auto add(share_token token, const binding& row) noexcept -> result<void>;

  map tokens_{};  ///< Rows are never erased, so that a release needs no room.
  share_limits limits_{};
  std::size_t bound_count_ = 0;
};

template <shareable Texture, class Maps>
auto share_registry<Texture, Maps>::export_token(const shared_handle<Texture>& of,
                                                 share_token token) noexcept -> result<void> {
  if (of.handle == resource_handle{}) {
    return make_error(error_code::invalid_handle, "resource_handle is zero");
  }
  if (token == share_token{}) {
    return make_error(error_code::invalid_share_token, "share_token is zero");
  }
  if (is_retired(token)) {
    return make_error(error_code::share_token_retired, "share_token is retired", raw(token));
  }
  if (of.state == handle_state::view) {
    return make_error(error_code::wrong_kind, "a texture view cannot be exported", raw(of.handle));
  }
  if (of.state != handle_state::texture) {
    return make_error(error_code::unknown_handle, "handle names no shareable texture",
                      raw(of.handle));
  }
  return bind(token, *of.texture);
}

template <shareable Texture, class Maps>
auto share_registry<Texture, Maps>::import_token(const shared_handle<Texture>& out,
                                                 share_token token) const noexcept
    -> result<share_import<Texture>> {
  if (out.state == handle_state::buffer || out.state == handle_state::view) {
    return make_error(error_code::handle_in_use, "handle names a buffer or a view",
                      raw(out.handle));
  }
  if (out.handle == resource_handle{}) {
    return make_error(error_code::invalid_handle, "out_resource_handle is zero");
  }
  if (token == share_token{}) {
    return make_error(error_code::invalid_share_token, "share_token is zero");
  }
  Texture* texture = find(token);
  if (texture == nullptr) {
    return make_error(error_code::unknown_share_token, "share_token names nothing", raw(token));
  }
  if (out.state == handle_state::reserved) {
    return make_error(error_code::handle_in_use, "handle is reserved while aliases live",
                      raw(out.handle));
  }
  if (out.state == handle_state::texture && out.texture != texture) {
    return make_error(error_code::alias_already_bound, "handle names another texture",
                      raw(out.handle));
  }
  return share_import<Texture>{texture, out.state == handle_state::none};
}

template <shareable Texture, class Maps>
auto share_registry<Texture, Maps>::bind(share_token token, Texture& texture) noexcept
    -> result<void> {
  if (const binding* known = tokens_.find(token); known != nullptr) {
    AEROGPU_CHECK(known->texture != nullptr);
    if (known->texture == &texture) return {};
    return make_error(error_code::share_token_in_use, "share_token names another texture",
                      raw(token));
  }
  if (bound_count_ >= limits_.bound_tokens) {
    return make_error(error_code::out_of_memory, "share tokens are too many", bound_count_,
                      limits_.bound_tokens);
  }
  const share_token next = texture.first_token;
  if (const auto added = add(token, {&texture, share_token{}, next}); !added) return added.why();
  if (binding* after = find_bound(next); after != nullptr) after->previous = token;
  texture.first_token = token;
  ++bound_count_;
  return {};
}

template <shareable Texture, class Maps>
auto share_registry<Texture, Maps>::restore_retired(share_token token) noexcept -> result<void> {
  return add(token, {});
}

template <shareable Texture, class Maps>
auto share_registry<Texture, Maps>::add(share_token token, const binding& row) noexcept
    -> result<void> {
  AEROGPU_CHECK(token != share_token{});
  if (tokens_.size() >= limits_.known_tokens) {
    return make_error(error_code::out_of_memory, "bound and retired share tokens are too many",
                      tokens_.size(), limits_.known_tokens);
  }
  const auto [added, is_new] = tokens_.insert(token, row);
  if (added == nullptr) {
    return make_error(error_code::out_of_memory, "no memory for another share token",
                      tokens_.size());
  }
  AEROGPU_CHECK(is_new);
  return {};
}

/// Takes a token out of its texture's list; its row stays.
template <shareable Texture, class Maps>
void share_registry<Texture, Maps>::retire(share_token token, binding& bound) noexcept {
  if (binding* after = find_bound(bound.next); after != nullptr) after->previous = bound.previous;
  if (binding* before = find_bound(bound.previous); before != nullptr) {
    before->next = bound.next;
  } else {
    AEROGPU_CHECK(bound.texture->first_token == token);
    bound.texture->first_token = bound.next;
  }
  bound = {};
  --bound_count_;
}

}  // namespace aerogpu
