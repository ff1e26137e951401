/// \file All tables of the processor as a snapshot holds them.
#pragma once

#include "aerogpu/processor/name_snapshot.hpp"
#include "aerogpu/processor/pipeline_snapshot.hpp"
#include "aerogpu/processor/share_snapshot.hpp"
#include "aerogpu/processor/snapshot_io.hpp"
#include "aerogpu/processor/world.hpp"

#include <cstdint>

namespace aerogpu {

inline constexpr std::uint32_t world_snapshot_magic = 0x43505341u;  ///< "ASPC"
inline constexpr std::uint32_t world_snapshot_version = 1;

/// Appends everything that outlives a submission. Failures are in `out`: out_of_memory, and those
/// of the backend.
template <backend B>
void save_world(B& from, world_tables<B>& world, snapshot_writer& out) noexcept {
  out.put(world_snapshot_magic);
  out.put(world_snapshot_version);
  save_resources(from, world.resources, out);
  save_shares(world.shares, out);
  out.put(world.presented != nullptr ? world.presented->snapshot_index + 1 : 0u);
  save_pipeline(world.pipeline, world.resources, out);
}

/// Fills an empty world. After a failure, which is in `in`, the world holds objects to destroy.
/// Errors: bad_version, corrupt, out_of_memory, and those of the backend.
template <backend B>
void load_world(B& to, world_tables<B>& world, const limits& most, snapshot_reader& in) noexcept {
  in.require(in.take<std::uint32_t>() == world_snapshot_magic, "snapshot is not of a processor");
  const auto version = in.take<std::uint32_t>();
  if (in.is_good() && version != world_snapshot_version) {
    in.fail(make_error(error_code::bad_version, "snapshot has another version", version,
                       world_snapshot_version));
  }
  const loaded_textures<B> textures = load_resources(to, world.resources, most, in);
  if (!in.is_good()) return;
  load_shares(world.shares, textures, most, in);
  const auto presented = in.take<std::uint32_t>();
  const bool is_shown = presented != 0;
  const bool is_valid =
      !is_shown || (presented <= textures.size() && textures[presented - 1]->handle_count != 0);
  if (!in.require(is_valid, "the presented texture is not live", presented)) return;
  if (is_shown) world.presented = textures[presented - 1];
  load_pipeline(to, world.pipeline, world.resources, most, in);
}

}  // namespace aerogpu
