// SPDX-License-Identifier: MIT
/// \file Share tokens as a snapshot holds them.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/processor/resources/texture_shares.hpp"
#include "aerogpu/processor/snapshot/name_snapshot.hpp"

#include <algorithm>
#include <cstdint>

namespace aerogpu {

namespace detail {

struct saved_token {
  share_token token{};
  std::uint32_t texture = 0;

  static constexpr std::uint64_t size_bytes = 12;
};

template <backend B>
void save_bound(const texture_shares<B>& shares, snapshot_writer& out) noexcept {
  heap_array<saved_token> tokens;
  shares.for_each_bound([&](share_token token, const texture_object<B>& texture) {
    if (!tokens.push_back({token, texture.snapshot_index})) fail_exhausted(out);
  });
  std::sort(tokens.begin(), tokens.end(),
            [](const saved_token& a, const saved_token& b) { return a.token < b.token; });
  out.put(static_cast<std::uint32_t>(tokens.size()));
  for (const saved_token& saved : tokens) {
    out.put(saved.token);
    out.put(saved.texture);
  }
}

template <backend B>
void save_retired(const texture_shares<B>& shares, snapshot_writer& out) noexcept {
  heap_array<share_token> tokens;
  shares.for_each_retired([&](share_token token) {
    if (!tokens.push_back(token)) fail_exhausted(out);
  });
  std::sort(tokens.begin(), tokens.end());
  out.put(static_cast<std::uint32_t>(tokens.size()));
  for (const share_token token : tokens) out.put(token);
}

}  // namespace detail

/// Appends the bound and the retired tokens, by rising token. Precondition: `save_resources` gave
/// each texture its place.
template <backend B>
void save_shares(const texture_shares<B>& shares, snapshot_writer& out) noexcept {
  detail::save_retired(shares, out);
  detail::save_bound(shares, out);
}

/// Fills an empty table; failures are in `in`.
template <backend B>
void load_shares(texture_shares<B>& shares, const loaded_textures<B>& textures, const limits& most,
                 snapshot_reader& in) noexcept {
  share_token last{};
  for (auto left = in.take_count(most.retired_share_tokens, 8); left != 0; --left) {
    const auto token = in.take<share_token>();
    if (!in.require(token > last, "a retired token is out of order", raw(token))) return;
    last = token;
    if (const auto kept = shares.restore_retired(token); !kept) return in.fail(kept.why());
  }
  last = {};
  for (auto left = in.take_count(most.share_tokens, detail::saved_token::size_bytes); left != 0;
       --left) {
    const auto token = in.take<share_token>();
    const auto index = in.take<std::uint32_t>();
    in.require(token > last && !shares.is_retired(token), "a token is out of order or retired",
               raw(token));
    const bool is_shareable = index < textures.size() && textures[index]->handle_count != 0;
    if (!in.require(is_shareable, "a token names no live texture", raw(token), index)) return;
    last = token;
    if (const auto bound = shares.bind(token, *textures[index]); !bound) {
      return in.fail(bound.why());
    }
  }
}

}  // namespace aerogpu
