// SPDX-License-Identifier: MIT
/// \file What tests of resources share: requests, locks, and what the host has, asked without the
/// driver.
#pragma once

#include "drivers/win7/umd/d3d9/adapter/formats.hpp"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"
#include "drivers/win7/umd/d3d9/resource/lock.hpp"
#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <initializer_list>
#include <vector>

namespace aerogpu::umd::test {

[[nodiscard]] inline auto texture_of(std::uint32_t width, std::uint32_t height,
                                     D3DFORMAT format = D3DFMT_A8R8G8B8, std::uint32_t mips = 1)
    -> resource_request {
  resource_request made;
  made.kind = resource_kind::texture;
  made.format = static_cast<std::uint32_t>(format);
  made.width = width;
  made.height = height;
  made.mip_levels = mips;
  return made;
}
[[nodiscard]] inline auto cube_of(std::uint32_t edge, std::uint32_t mips = 1) -> resource_request {
  resource_request made = texture_of(edge, edge, D3DFMT_A8R8G8B8, mips);
  made.kind = resource_kind::cube_texture;
  return made;
}
/// A render target that is no texture; lockable, it has guest memory.
[[nodiscard]] inline auto target_of(std::uint32_t width, std::uint32_t height,
                                    D3DFORMAT format = D3DFMT_A8R8G8B8) -> resource_request {
  resource_request made = texture_of(width, height, format);
  made.kind = resource_kind::surface;
  made.flags.is_render_target = true;
  return made;
}
[[nodiscard]] inline auto depth_of(std::uint32_t width, std::uint32_t height,
                                   D3DFORMAT format = D3DFMT_D24S8) -> resource_request {
  resource_request made = texture_of(width, height, format);
  made.kind = resource_kind::surface;
  made.flags.is_depth_stencil = true;
  made.flags.is_lockable = false;
  return made;
}
[[nodiscard]] inline auto buffer_of(std::uint64_t size_bytes) -> resource_request {
  resource_request made;
  made.kind = resource_kind::buffer;
  made.size_bytes = size_bytes;
  made.flags.is_vertex_buffer = true;
  return made;
}
[[nodiscard]] inline auto shared_of(std::uint32_t width, std::uint32_t height,
                                    D3DFORMAT format = D3DFMT_A8R8G8B8) -> resource_request {
  resource_request made = texture_of(width, height, format);
  made.flags.is_shared = true;
  made.flags.is_render_target = true;
  return made;
}

/// Ends with the device.
[[nodiscard]] inline auto make(device_rig& rig, const resource_request& request) -> resource& {
  resource* made = nullptr;
  REQUIRE(create_resource(rig.device, request, made) == S_OK);
  REQUIRE(made != nullptr);
  return *made;
}
[[nodiscard]] inline auto refusal_of(device_rig& rig, const resource_request& request) -> HRESULT {
  resource* made = nullptr;
  const std::size_t before = rig.runtime.live_allocations();
  const HRESULT result = create_resource(rig.device, request, made);
  CHECK(made == nullptr);
  CHECK(rig.runtime.live_allocations() == before);
  return result;
}

/// A system-memory resource in memory of the test, tight.
class runtime_surface {
 public:
  runtime_surface(device_rig& rig, resource_request request, std::uint32_t extra_pitch = 0) {
    request.pool = memory_pool::system;
    if (request.kind == resource_kind::buffer) {
      storage_.resize(1);
      storage_[0].resize(static_cast<std::size_t>(request.size_bytes));
      memory_.push_back({storage_[0].data(), 0});
    } else {
      const auto* const offered = find_surface_format(rig.adapter.facts(), request.format);
      REQUIRE(offered != nullptr);
      const std::uint32_t layers = request.kind == resource_kind::cube_texture ? 6 : 1;
      const auto layout = texture_layout::create(
          {offered->memory->value, request.width, request.height, request.mip_levels, layers, 0},
          *offered->memory);
      REQUIRE(layout);
      for (std::uint64_t i = 0; i < layout->subresource_count(); ++i) {
        const auto at = layout->locate(layout->at_index(i));
        const std::uint32_t pitch = at.pitch_bytes + extra_pitch;
        storage_.emplace_back(std::size_t{pitch} * at.row_count);
        memory_.push_back({storage_.back().data(), pitch});
      }
    }
    request.system_memory = memory_;
    made_ = &make(rig, request);
  }
  [[nodiscard]] auto get() -> resource& { return *made_; }
  [[nodiscard]] auto bytes(std::size_t subresource = 0) -> byte_vector& {
    return storage_[subresource];
  }
  /// The memory stays where the driver knows it.
  void set(std::size_t subresource, const byte_vector& bytes) {
    REQUIRE(bytes.size() == storage_[subresource].size());
    std::copy(bytes.begin(), bytes.end(), storage_[subresource].begin());
  }

 private:
  std::vector<byte_vector> storage_;
  std::vector<caller_memory> memory_;
  resource* made_ = nullptr;
};

/// Bytes 0, 1, 2 ... with a start of choice.
[[nodiscard]] inline auto counted_bytes(std::size_t size, unsigned start = 1) -> byte_vector {
  byte_vector made(size);
  for (std::size_t i = 0; i < size; ++i) made[i] = static_cast<std::byte>(start + i * 7);
  return made;
}

/// What the host has of a subresource, tight: a stream of the test's own copies it out.
[[nodiscard]] inline auto host_bytes(device_rig& rig, const resource& of,
                                     std::uint32_t subresource = 0) -> byte_vector {
  REQUIRE(rig.device.commands.submit() == S_OK);
  constexpr resource_handle staging{0xFFFF'0001};
  constexpr alloc_id id{0x7FFF'0001};
  const bool is_buffer = of.layout() == nullptr;
  aerogpu::subresource where{};
  subresource_layout at{};
  std::size_t size = static_cast<std::size_t>(of.size_bytes);
  if (!is_buffer) {
    where = of.host_layout()->at_index(subresource);
    at = of.host_layout()->locate(where);
    size = std::size_t{at.row_size_bytes} * at.row_count;
  }
  byte_vector storage((size + 0xFFF) / 0x1000 * 0x1000);
  const gpa address = rig.runtime.host().map(storage);
  byte_vector stream(4096);
  span_sink sink{stream};
  stream_writer<span_sink> writer{sink};
  REQUIRE(writer.begin());
  if (is_buffer) {
    REQUIRE(writer.create_buffer({staging, 0, size, {id}}));
    REQUIRE(writer.copy_buffer({staging, of.handle, 0, 0, size, AEROGPU_COPY_FLAG_WRITEBACK_DST}));
  } else {
    REQUIRE(writer.create_texture2d({.texture = staging,
                                     .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
                                     .format = of.host_layout()->format().value,
                                     .width = at.width,
                                     .height = at.height,
                                     .row_pitch_bytes = at.row_size_bytes,
                                     .backing = {id}}));
    REQUIRE(writer.copy_texture2d({.destination = {staging},
                                   .source = {of.handle, where.mip_level, where.array_layer},
                                   .width = at.width,
                                   .height = at.height,
                                   .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST}));
  }
  REQUIRE(writer.destroy_resource(staging));
  stream.resize(writer.finish());
  std::vector<aerogpu_alloc_entry> entries{{raw(id), 0, raw(address), storage.size(), 0}};
  // Contents that the host has not fetched yet come from the resource's own memory.
  if (of.backing && of.contents == residence::guest) {
    auto* const own = rig.runtime.find(of.backing.allocation);
    REQUIRE(own != nullptr);
    entries.push_back(
        {raw(of.backing.id), AEROGPU_ALLOC_FLAG_READONLY, raw(own->at), own->bytes.size(), 0});
  }
  const error why = rig.runtime.host().run(stream, entries, 77);
  CHECK(describe(why) == describe(error{}));
  rig.runtime.host().unmap(address);
  storage.resize(size);
  return storage;
}

/// A stream of the test's own changes a texture on the host, as a draw does.
inline void paint(device_rig& rig, resource& to, const byte_vector& texels,
                  std::uint32_t subresource = 0) {
  const auto at = to.layout()->locate(to.layout()->at_index(subresource));
  REQUIRE(texels.size() == at.size_bytes());
  auto& commands = rig.device.commands;
  const allocation_use use{to.backing, true};
  REQUIRE(commands.reserve(packet_bytes<aerogpu_cmd_upload_resource>(texels.size()),
                           std::span{&use, 1}) == S_OK);
  REQUIRE(commands.packets().upload_resource(to.handle, at.offset_bytes, texels));
  to.last_use = commands.pending_fence();
  to.is_host_newer = true;
}

/// Locks as asked, and gives the memory; null when it failed with `expected`.
inline auto lock(device_rig& rig, resource& of, const lock_request& request = {}) -> lock_answer {
  lock_answer answer;
  REQUIRE(lock_resource(rig.device, of, request, answer) == S_OK);
  return answer;
}
[[nodiscard]] inline auto lock_result(device_rig& rig, resource& of, const lock_request& request)
    -> HRESULT {
  lock_answer answer;
  return lock_resource(rig.device, of, request, answer);
}
inline void unlock(device_rig& rig, resource& of, std::uint32_t subresource = 0) {
  REQUIRE(unlock_resource(rig.device, of, subresource) == S_OK);
}
/// Locks all of a subresource, writes tight rows, unlocks.
inline void write_all(device_rig& rig, resource& of, const byte_vector& bytes,
                      std::uint32_t subresource = 0) {
  lock_request request;
  request.subresource = subresource;
  const lock_answer at = lock(rig, of, request);
  if (of.layout() == nullptr) {
    std::memcpy(at.bytes, bytes.data(), bytes.size());
  } else {
    const auto rows = of.layout()->locate(of.layout()->at_index(subresource));
    for (std::uint32_t row = 0; row < rows.row_count; ++row) {
      std::memcpy(at.bytes + std::size_t{row} * at.row_pitch_bytes,
                  bytes.data() + std::size_t{row} * rows.row_size_bytes, rows.row_size_bytes);
    }
  }
  unlock(rig, of, subresource);
}

}  // namespace aerogpu::umd::test
