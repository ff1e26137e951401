// SPDX-License-Identifier: MIT
/// \file All tables of the processor as a snapshot holds them.
#pragma once

#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/snapshot/name_snapshot.hpp"
#include "aerogpu/processor/snapshot/pipeline_snapshot.hpp"
#include "aerogpu/processor/snapshot/share_snapshot.hpp"

#include <cstdint>

namespace aerogpu {

inline constexpr std::uint32_t processor_snapshot_magic = 0x43505341u;  ///< "ASPC"
/// Version 2 knows of flips, version 3 of who made what; others are read as without.
inline constexpr std::uint32_t processor_snapshot_version = 3;

namespace detail {

template <backend B>
void save_scanout(const scanout_source<B>& scanout, snapshot_writer& out) noexcept {
  const auto* const shown = scanout.shown();
  out.put(shown != nullptr ? shown->snapshot_index + 1 : 0u);
  out.put(static_cast<std::uint32_t>(scanout.targets().size()));
  for (const flip_target<B>& target : scanout.targets()) {
    out.put(target.texture->snapshot_index + 1);
    out.put(target.address);
    out.put(target.awaits_flip);
  }
  out.put(scanout.flip_address());
  out.put(scanout.is_flip_waiting());
}

/// The texture of a number that counts from 1, or null after a failure. A view alone may keep it.
template <backend B>
[[nodiscard]] auto load_live_texture(const loaded_textures<B>& textures, std::uint32_t number,
                                     snapshot_reader& in) noexcept -> texture_object<B>* {
  const bool is_live = number != 0 && number <= textures.size();
  if (!in.require(is_live, "the presented texture is not live", number)) return nullptr;
  return textures[number - 1];
}

template <backend B>
void load_scanout(scanout_source<B>& scanout, const loaded_textures<B>& textures,
                  std::uint32_t version, snapshot_reader& in) noexcept {
  texture_object<B>* shown = nullptr;
  if (const auto number = in.take<std::uint32_t>(); number != 0) {
    shown = load_live_texture(textures, number, in);
  }
  if (version == 1) return scanout.restore_shown(shown, gpa{}, false);
  constexpr std::uint64_t target_bytes = 4 + 8 + 1;
  for (auto left = in.take_count(flip_target_limit, target_bytes); left != 0; --left) {
    flip_target<B> target{load_live_texture(textures, in.take<std::uint32_t>(), in), in.take<gpa>(),
                          in.take<bool>()};
    if (!in.is_good()) return;
    const bool is_good =
        target.address != gpa{} && target.texture->backing && scanout.restore_target(target);
    if (!in.require(is_good, "a flip's texture is not backed, or occurs twice",
                    raw(target.address))) {
      return;
    }
  }
  const auto flip_address = in.take<gpa>();
  const auto is_waiting = in.take<bool>();
  in.require(!is_waiting || flip_address != gpa{}, "a flip waits and has no address");
  scanout.restore_shown(shown, flip_address, is_waiting);
}

}  // namespace detail

/// Bytes that `save_tables` appends, or some more.
template <backend B>
[[nodiscard]] auto expected_bytes(processor_tables<B>& tables) noexcept -> std::uint64_t {
  constexpr std::uint64_t most_scanout_bytes = 4096;
  constexpr std::uint64_t most_token_bytes = detail::saved_token::size_bytes;
  const std::uint64_t tokens = tables.shares.bound_count() + tables.shares.retired_count();
  return expected_bytes(tables.resources) + expected_bytes(tables.pipeline) + most_scanout_bytes +
         tokens * most_token_bytes;
}

/// Appends everything that outlives a submission; without a backend all content is zero. Failures
/// are in `out`: out_of_memory, and those of the backend.
template <backend B>
void save_tables(B* from, processor_tables<B>& tables, snapshot_writer& out) noexcept {
  out.put(processor_snapshot_magic);
  out.put(processor_snapshot_version);
  save_resources(from, tables.resources, out);
  save_shares(tables.shares, out);
  detail::save_scanout(tables.scanout, out);
  save_pipeline(tables.pipeline, tables.resources, out);
}

/// Fills empty tables. After a failure, which is in `in`, they hold objects to destroy.
/// Errors: bad_version, corrupt, out_of_memory, and those of the backend.
template <backend B>
void load_tables(B& to, processor_tables<B>& tables, const limits& most,
                 snapshot_reader& in) noexcept {
  in.require(in.take<std::uint32_t>() == processor_snapshot_magic,
             "snapshot is not of a processor");
  const auto version = in.take<std::uint32_t>();
  if (in.is_good() && (version == 0 || version > processor_snapshot_version)) {
    in.fail(make_error(error_code::bad_version, "snapshot has another version", version,
                       processor_snapshot_version));
  }
  const loaded_textures<B> textures = load_resources(to, tables.resources, most, version, in);
  if (!in.is_good()) return;
  load_shares(tables.shares, textures, most, in);
  detail::load_scanout(tables.scanout, textures, version, in);
  if (!in.is_good()) return;
  load_pipeline(to, tables.pipeline, tables.resources, most, version, in);
}

}  // namespace aerogpu
