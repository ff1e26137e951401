/// \file All tables of the processor as a snapshot holds them.
#pragma once

#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/processor/snapshot/name_snapshot.hpp"
#include "aerogpu/processor/snapshot/pipeline_snapshot.hpp"
#include "aerogpu/processor/snapshot/share_snapshot.hpp"
#include "aerogpu/processor/world.hpp"

#include <cstdint>

namespace aerogpu {

inline constexpr std::uint32_t world_snapshot_magic = 0x43505341u;  ///< "ASPC"
/// Version 2 knows of flips; version 1 is read as one without any.
inline constexpr std::uint32_t world_snapshot_version = 2;

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

/// The live texture of a number that counts from 1, or null after a failure.
template <backend B>
[[nodiscard]] auto load_live_texture(const loaded_textures<B>& textures, std::uint32_t number,
                                     snapshot_reader& in) noexcept -> texture_object<B>* {
  const bool is_live =
      number != 0 && number <= textures.size() && textures[number - 1]->handle_count != 0;
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

/// Appends everything that outlives a submission. Failures are in `out`: out_of_memory, and those
/// of the backend.
template <backend B>
void save_world(B& from, world_tables<B>& world, snapshot_writer& out) noexcept {
  out.put(world_snapshot_magic);
  out.put(world_snapshot_version);
  save_resources(from, world.resources, out);
  save_shares(world.shares, out);
  detail::save_scanout(world.scanout, out);
  save_pipeline(world.pipeline, world.resources, out);
}

/// Fills an empty world. After a failure, which is in `in`, the world holds objects to destroy.
/// Errors: bad_version, corrupt, out_of_memory, and those of the backend.
template <backend B>
void load_world(B& to, world_tables<B>& world, const limits& most, snapshot_reader& in) noexcept {
  in.require(in.take<std::uint32_t>() == world_snapshot_magic, "snapshot is not of a processor");
  const auto version = in.take<std::uint32_t>();
  if (in.is_good() && (version == 0 || version > world_snapshot_version)) {
    in.fail(make_error(error_code::bad_version, "snapshot has another version", version,
                       world_snapshot_version));
  }
  const loaded_textures<B> textures = load_resources(to, world.resources, most, in);
  if (!in.is_good()) return;
  load_shares(world.shares, textures, most, in);
  detail::load_scanout(world.scanout, textures, version, in);
  if (!in.is_good()) return;
  load_pipeline(to, world.pipeline, world.resources, most, in);
}

}  // namespace aerogpu
