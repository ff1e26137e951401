// SPDX-License-Identifier: MIT
/// Copies: from the runtime's memory, into it, on the host, and level by level.
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/copies.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <algorithm>

namespace aerogpu::umd::test {

namespace {

/// Bytes of a rectangle of tight rows over those of another.
void patch(byte_vector& to, std::size_t to_pitch, std::size_t to_x, std::size_t to_y,
           const byte_vector& from, std::size_t from_pitch, std::size_t from_x, std::size_t from_y,
           std::size_t row_bytes, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::memcpy(to.data() + (to_y + row) * to_pitch + to_x,
                from.data() + (from_y + row) * from_pitch + from_x, row_bytes);
  }
}

[[nodiscard]] auto not_lockable(resource_request request) -> resource_request {
  request.flags.is_lockable = false;
  return request;
}

/// Fills a target of 32 bits.
void fill(device_rig& rig, resource& of, std::uint32_t color) {
  const auto& shape = of.layout()->shape();
  const rectangle all{0, 0, static_cast<std::int32_t>(shape.width),
                      static_cast<std::int32_t>(shape.height)};
  REQUIRE(fill_color(rig.device, {&of, 0}, all, color) == S_OK);
}

void copy_whole(device_rig& rig, resource& to, resource& from) {
  const auto& shape = from.layout()->shape();
  REQUIRE(copy_texels(rig.device, {&to, 0}, {}, {&from, 0}, {0, 0, shape.width, shape.height}) ==
          S_OK);
}

/// Whether a lock finds one colour alone.
[[nodiscard]] auto is_locked_as(device_rig& rig, resource& of, std::uint32_t color) -> bool {
  const std::vector<std::uint32_t> expected(static_cast<std::size_t>(of.size_bytes / 4), color);
  lock_request reading;
  reading.is_read_only = true;
  const std::byte* const bytes = lock(rig, of, reading).bytes;
  const bool is_equal = std::memcmp(bytes, expected.data(), expected.size() * 4) == 0;
  unlock(rig, of);
  return is_equal;
}

/// The greatest number of bytes that one of the submissions writes back.
[[nodiscard]] auto most_written_back(const device_rig& rig) -> std::uint64_t {
  std::uint64_t most = 0;
  for (const seen_submission& each : rig.runtime.submissions()) {
    std::uint64_t bytes = 0;
    for (const auto& copy : packets_of<aerogpu_cmd_copy_texture2d>(each.stream)) {
      const bool returns = (copy.fields.flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
      bytes += returns ? std::uint64_t{copy.fields.width} * copy.fields.height * 4 : 0;
    }
    most = std::max(most, bytes);
  }
  return most;
}

}  // namespace

TEST_CASE("UpdateSurface brings a rectangle to where it belongs", "[umd][T120][T124]") {
  const auto kind = GENERATE(0, 1, 2);
  const auto format = GENERATE(D3DFMT_A8R8G8B8, D3DFMT_R5G6B5);
  const std::uint32_t extra_pitch = GENERATE(0u, 12u);
  const std::size_t bytes = format == D3DFMT_R5G6B5 ? 2 : 4;
  device_rig rig;
  runtime_surface source{rig, texture_of(20, 10, format), extra_pitch};
  source.set(0, counted_bytes(source.bytes().size()));
  resource& target = make(rig, kind == 0   ? target_of(16, 8, format)
                               : kind == 1 ? texture_of(16, 8, format)
                                           : not_lockable(texture_of(16, 8, format)));
  byte_vector expected = counted_bytes(16 * 8 * bytes, 99);
  paint(rig, target, expected);
  REQUIRE(blit(rig.device, {.to = {&target, 0},
                            .from = {&source.get(), 0},
                            .to_area = {3, 2, 8, 6},
                            .from_area = {1, 4, 6, 8}}) == S_OK);
  patch(expected, 16 * bytes, 3 * bytes, 2, source.bytes(), 20 * bytes + extra_pitch, bytes, 4,
        5 * bytes, 4);
  CHECK(host_bytes(rig, target) == expected);
  const bool has_dirty_range = !sent<aerogpu_cmd_resource_dirty_range>(rig).empty();
  CHECK(has_dirty_range == (kind == 0));
}

TEST_CASE("rectangles are cut to both surfaces", "[umd][T120][T124]") {
  device_rig rig;
  runtime_surface source{rig, texture_of(8, 8)};
  source.set(0, counted_bytes(8 * 8 * 4));
  resource& target = make(rig, texture_of(8, 8));
  REQUIRE(blit(rig.device, {.to = {&target, 0},
                            .from = {&source.get(), 0},
                            .to_area = {5, -2, 13, 6},
                            .from_area = {-1, 0, 7, 8}}) == S_OK);
  byte_vector expected(8 * 8 * 4);
  patch(expected, 32, 6 * 4, 0, source.bytes(), 32, 0, 2, 2 * 4, 6);
  CHECK(host_bytes(rig, target) == expected);
}

TEST_CASE("nothing is left of some rectangles", "[umd][T124]") {
  device_rig rig;
  runtime_surface source{rig, texture_of(8, 8)};
  resource& target = make(rig, texture_of(8, 8));
  REQUIRE(rig.device.commands.submit() == S_OK);
  for (const rectangle area : {rectangle{8, 0, 16, 8}, rectangle{0, 0, 0, 8}, rectangle{4, 4, 2, 8},
                               rectangle{-8, -8, 0, 0}}) {
    CHECK(blit(rig.device, {.to = {&target, 0},
                            .from = {&source.get(), 0},
                            .to_area = area,
                            .from_area = {0, 0, 8, 8}}) == S_OK);
  }
  CHECK(rig.device.commands.is_empty());
  CHECK(blit(rig.device, {.to = {&target, 1}, .from = {&source.get(), 0}}) == E_INVALIDARG);
  CHECK(blit(rig.device, {.to = {&target, 0}, .from = {nullptr, 0}}) == E_INVALIDARG);
}

TEST_CASE("blocks are not cut", "[umd][T124]") {
  device_rig rig;
  runtime_surface source{rig, texture_of(16, 10, D3DFMT_DXT1)};
  source.set(0, counted_bytes(source.bytes().size()));
  resource& target = make(rig, texture_of(16, 10, D3DFMT_DXT1));
  const auto update = [&](rectangle area) {
    return blit(
        rig.device,
        {.to = {&target, 0}, .from = {&source.get(), 0}, .to_area = area, .from_area = area});
  };
  CHECK(update({2, 0, 8, 4}) == D3DERR_INVALIDCALL);
  CHECK(update({0, 0, 6, 4}) == D3DERR_INVALIDCALL);
  CHECK(update({4, 8, 16, 10}) == S_OK);  // To the edge.
  byte_vector expected(static_cast<std::size_t>(target.size_bytes));
  patch(expected, 32, 8, 2, source.bytes(), 32, 8, 2, 24, 1);
  CHECK(host_bytes(rig, target) == expected);
}

TEST_CASE("GetRenderTargetData is a copy that is written back", "[umd][T121]") {
  device_rig rig;
  const auto format = GENERATE(D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_X1R5G5B5);
  const std::size_t bytes = format == D3DFMT_A8R8G8B8 ? 4 : 2;
  const bool is_backed = GENERATE(false, true);
  resource& target =
      make(rig, is_backed ? target_of(16, 8, format) : not_lockable(target_of(16, 8, format)));
  const byte_vector texels = counted_bytes(16 * 8 * bytes);
  paint(rig, target, texels);
  runtime_surface out{rig, texture_of(16, 8, format), 8};
  REQUIRE(blit(rig.device, {.to = {&out.get(), 0},
                            .from = {&target, 0},
                            .to_area = {0, 0, 16, 8},
                            .from_area = {0, 0, 16, 8}}) == S_OK);
  byte_vector expected(out.bytes().size());
  patch(expected, 16 * bytes + 8, 0, 0, texels, 16 * bytes, 0, 0, 16 * bytes, 8);
  CHECK(out.bytes() == expected);
  const auto copies = packets_of<aerogpu_cmd_copy_texture2d>(rig.runtime.last().stream);
  REQUIRE(copies.size() == 1);
  CHECK(std::uint32_t{copies[0].fields.flags} == AEROGPU_COPY_FLAG_WRITEBACK_DST);
  std::size_t written = 0;
  for (const listed_allocation& each : rig.runtime.last().allocations) written += each.is_written;
  CHECK(written >= 1);
  if (is_backed) {
    const auto* const listed = rig.runtime.last().lists(target.backing.allocation);
    CHECK(listed != nullptr);
  }
}

TEST_CASE("the texture for read-backs grows, and serves every size below", "[umd][T121]") {
  device_rig rig;
  const std::size_t before = rig.runtime.live_allocations();
  for (const auto& [width, height] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {4, 16}, {16, 4}, {8, 8}, {2, 2}, {32, 8}}) {
    resource& target = make(rig, not_lockable(target_of(width, height)));
    const byte_vector texels = counted_bytes(std::size_t{width} * height * 4);
    paint(rig, target, texels);
    runtime_surface out{rig, texture_of(width, height)};
    const auto w = static_cast<std::int32_t>(width), h = static_cast<std::int32_t>(height);
    REQUIRE(blit(rig.device, {.to = {&out.get(), 0},
                              .from = {&target, 0},
                              .to_area = {0, 0, w, h},
                              .from_area = {0, 0, w, h}}) == S_OK);
    CHECK(out.bytes() == texels);
    CHECK(rig.runtime.live_allocations() == before + 1);
  }
}

TEST_CASE("a read-back that never ends is given up", "[umd][T121]") {
  device_rig rig;
  resource& target = make(rig, not_lockable(target_of(8, 8)));
  runtime_surface out{rig, texture_of(8, 8)};
  rig.runtime.complete_at_once(false);
  CHECK(blit(rig.device, {.to = {&out.get(), 0},
                          .from = {&target, 0},
                          .to_area = {0, 0, 8, 8},
                          .from_area = {0, 0, 8, 8}}) == D3DERR_WASSTILLDRAWING);
  CHECK(rig.system.slept_ms() <= 2100);
  rig.runtime.complete_all();
}

TEST_CASE("read-backs of what does not fit are refused", "[umd][T122]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 8));
  runtime_surface narrow{rig, texture_of(4, 8)};
  runtime_surface other{rig, texture_of(8, 8, D3DFMT_R5G6B5)};
  const auto read = [&](runtime_surface& out, rectangle area) {
    return blit(
        rig.device,
        {.to = {&out.get(), 0}, .from = {&target, 0}, .to_area = area, .from_area = {0, 0, 8, 8}});
  };
  CHECK(read(narrow, {0, 0, 4, 8}) == D3DERR_INVALIDCALL);
  CHECK(read(other, {0, 0, 8, 8}) == D3DERR_INVALIDCALL);
  static_cast<void>(lock(rig, target));
  runtime_surface same{rig, texture_of(8, 8)};
  CHECK(read(same, {0, 0, 8, 8}) == D3DERR_INVALIDCALL);
  unlock(rig, target);
}

TEST_CASE("a depth surface is copied whole, and on the host alone", "[umd][T122]") {
  device_rig rig;
  resource& depth = make(rig, depth_of(8, 8));
  resource& other = make(rig, depth_of(8, 8));
  const auto copy = [&](rectangle area) {
    return blit(rig.device,
                {.to = {&other, 0}, .from = {&depth, 0}, .to_area = area, .from_area = area});
  };
  CHECK(copy({0, 0, 8, 8}) == S_OK);
  CHECK(copy({0, 0, 8, 7}) == D3DERR_INVALIDCALL);
  CHECK(sent<aerogpu_cmd_copy_texture2d>(rig).size() == 1);
  // The host writes no depth back.
  resource_request in_memory = depth_of(8, 8);
  runtime_surface out{rig, in_memory};
  CHECK(blit(rig.device, {.to = {&out.get(), 0},
                          .from = {&depth, 0},
                          .to_area = {0, 0, 8, 8},
                          .from_area = {0, 0, 8, 8}}) == D3DERR_INVALIDCALL);
}

TEST_CASE("copies on the host list the destination as written", "[umd][T120][T040][G36]") {
  device_rig rig;
  resource& from = make(rig, target_of(8, 8));
  resource& to = make(rig, target_of(8, 8));
  const byte_vector texels = counted_bytes(8 * 8 * 4);
  paint(rig, from, texels);
  REQUIRE(rig.device.commands.submit() == S_OK);
  REQUIRE(copy_texels(rig.device, {&to, 0}, {2, 3}, {&from, 0}, {1, 1, 4, 5}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto* const written = rig.runtime.last().lists(to.backing.allocation);
  const auto* const read = rig.runtime.last().lists(from.backing.allocation);
  REQUIRE(written != nullptr);
  REQUIRE(read != nullptr);
  CHECK(written->is_written);
  CHECK_FALSE(read->is_written);
  CHECK(to.is_host_newer);
  byte_vector expected(8 * 8 * 4);
  patch(expected, 32, 8, 3, texels, 32, 4, 1, 16, 5);
  CHECK(host_bytes(rig, to) == expected);
  CHECK(copy_texels(rig.device, {&to, 0}, {5, 0}, {&from, 0}, {0, 0, 4, 4}) == D3DERR_INVALIDCALL);
  CHECK(copy_texels(rig.device, {&to, 0}, {0, 0}, {&from, 0}, {0, 0, 0, 4}) == D3DERR_INVALIDCALL);
}

TEST_CASE("a whole copy into a lockable target is in its memory when it is done", "[umd][T120]") {
  const auto [is_whole, is_lockable] =
      GENERATE(table<bool, bool>({{true, true}, {false, true}, {true, false}}));
  device_rig rig;
  resource& from = make(rig, target_of(8, 8));
  resource& to = make(rig, is_lockable ? target_of(8, 8) : not_lockable(target_of(8, 8)));
  const byte_vector texels = counted_bytes(8 * 8 * 4);
  paint(rig, from, texels);
  const std::uint32_t height = is_whole ? 8 : 7;
  REQUIRE(copy_texels(rig.device, {&to, 0}, {0, 0}, {&from, 0}, {0, 0, 8, height}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const bool returns = is_whole && is_lockable;
  const auto copies = packets_of<aerogpu_cmd_copy_texture2d>(rig.runtime.last().stream);
  REQUIRE(copies.size() == 1);
  CHECK(std::uint32_t{copies[0].fields.flags} ==
        (returns ? AEROGPU_COPY_FLAG_WRITEBACK_DST : AEROGPU_COPY_FLAG_NONE));
  CHECK(to.is_host_newer == !returns);
  if (!is_whole) return;
  CHECK(host_bytes(rig, to) == texels);
}

TEST_CASE("copies into memory go in as many submissions as the host takes them", "[umd][T120]") {
  device_rig rig;
  resource& from = make(rig, target_of(2048, 2048));
  resource& to = make(rig, target_of(2048, 2048));
  resource& other = make(rig, target_of(8, 8));
  fill(rig, from, 0xFF0000FF);
  for (int i = 0; i < 17; ++i) copy_whole(rig, to, from);
  fill(rig, other, 0xFF00FF00);
  CHECK(is_locked_as(rig, to, 0xFF0000FF));
  CHECK(is_locked_as(rig, other, 0xFF00FF00));
  CHECK(most_written_back(rig) == recorder::most_written_back_bytes);
}

TEST_CASE("short rows that are written back count as 256 bytes", "[umd][T120]") {
  device_rig rig;
  resource& from = make(rig, target_of(1, 16384));
  resource& to = make(rig, target_of(1, 16384));
  for (int i = 0; i < 17; ++i) copy_whole(rig, to, from);
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(packets_of<aerogpu_cmd_copy_texture2d>(rig.runtime.last().stream).size() == 1);
}

TEST_CASE("a copy that is too large for one submission is read in strips by a lock",
          "[umd][T120][T121]") {
  device_rig rig;
  resource& from = make(rig, not_lockable(target_of(4096, 4100)));
  resource& to = make(rig, target_of(4096, 4100));
  fill(rig, from, 0xFF0000FF);
  REQUIRE(fill_color(rig.device, {&from, 0}, {0, 4096, 4096, 4100}, 0xFF00FF00) == S_OK);
  copy_whole(rig, to, from);
  CHECK(to.is_host_newer);
  lock_request reading;
  reading.is_read_only = true;
  const std::byte* const bytes = lock(rig, to, reading).bytes;
  const auto texel = [&](std::size_t y) { return load<std::uint32_t>(bytes + y * 4096 * 4); };
  CHECK(texel(0) == 0xFF0000FF);
  CHECK(texel(4095) == 0xFF0000FF);
  CHECK(texel(4096) == 0xFF00FF00);
  CHECK(texel(4099) == 0xFF00FF00);
  unlock(rig, to);
  CHECK(most_written_back(rig) == recorder::most_written_back_bytes);
}

TEST_CASE("UpdateTexture copies all levels", "[umd][T125]") {
  device_rig rig;
  const auto format = GENERATE(D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_DXT1);
  const bool is_lockable = GENERATE(false, true);
  runtime_surface source{rig, texture_of(16, 8, format, 5)};
  for (std::uint32_t mip = 0; mip < 5; ++mip) {
    source.set(mip, counted_bytes(source.bytes(mip).size(), mip * 31));
  }
  resource_request request = texture_of(16, 8, format, 5);
  request.flags.is_lockable = is_lockable;
  resource& target = make(rig, request);
  REQUIRE(copy_texture(rig.device, {&target, &source.get(), 0, 0, 0, {0, 0, 16, 8}}) == S_OK);
  for (std::uint32_t mip = 0; mip < 5; ++mip) {
    CHECK(host_bytes(rig, target, mip) == source.bytes(mip));
  }
}

TEST_CASE("a source with more levels begins above", "[umd][T125]") {
  device_rig rig;
  runtime_surface source{rig, texture_of(32, 16, D3DFMT_A8R8G8B8, 6)};
  for (std::uint32_t mip = 0; mip < 6; ++mip) {
    source.set(mip, counted_bytes(source.bytes(mip).size(), mip * 31));
  }
  resource& target = make(rig, texture_of(8, 4, D3DFMT_A8R8G8B8, 3));
  REQUIRE(copy_texture(rig.device, {&target, &source.get(), 0, 0, 0, {0, 0, 32, 16}}) == S_OK);
  for (std::uint32_t mip = 0; mip < 3; ++mip) {
    CHECK(host_bytes(rig, target, mip) == source.bytes(mip + 2));
  }
  resource& odd = make(rig, texture_of(9, 4));
  CHECK(copy_texture(rig.device, {&odd, &source.get(), 0, 0, 0, {0, 0, 32, 16}}) ==
        D3DERR_INVALIDCALL);
}

TEST_CASE("a rectangle takes its share of each level, rounded outwards", "[umd][T125]") {
  device_rig rig;
  runtime_surface source{rig, texture_of(16, 16, D3DFMT_A8R8G8B8, 3)};
  for (std::uint32_t mip = 0; mip < 3; ++mip) {
    source.set(mip, counted_bytes(source.bytes(mip).size(), mip * 31));
  }
  resource& target = make(rig, texture_of(16, 16, D3DFMT_A8R8G8B8, 3));
  REQUIRE(copy_texture(rig.device, {&target, &source.get(), 0, 3, 5, {3, 5, 7, 6}}) == S_OK);
  byte_vector top(16 * 16 * 4), middle(8 * 8 * 4), last(4 * 4 * 4);
  patch(top, 64, 12, 5, source.bytes(0), 64, 12, 5, 16, 1);
  patch(middle, 32, 4, 2, source.bytes(1), 32, 4, 2, 12, 1);
  patch(last, 16, 0, 1, source.bytes(2), 16, 0, 1, 8, 1);
  CHECK(host_bytes(rig, target, 0) == top);
  CHECK(host_bytes(rig, target, 1) == middle);
  CHECK(host_bytes(rig, target, 2) == last);
}

TEST_CASE("the far edge has its share of levels that are cut short", "[umd][T125]") {
  device_rig rig;
  const auto [width, levels, format] = GENERATE(table<std::int32_t, std::uint32_t, D3DFORMAT>(
      {{5, 2, D3DFMT_A8R8G8B8}, {15, 4, D3DFMT_A8R8G8B8}, {9, 2, D3DFMT_DXT1}}));
  const std::uint32_t last = levels - 1;
  const auto full = texture_of(static_cast<std::uint32_t>(width), 1, format, levels);
  runtime_surface source{rig, full};
  for (std::uint32_t mip = 0; mip < levels; ++mip) {
    source.set(mip, counted_bytes(source.bytes(mip).size(), mip * 31));
  }
  resource& target = make(rig, full);
  const rectangle area{width - 1, 0, width, 1};
  REQUIRE(copy_texture(rig.device, {&target, &source.get(), 0, area.left, 0, area}) == S_OK);
  const std::size_t size = source.bytes(last).size();
  const std::size_t changed = format == D3DFMT_DXT1 ? 8 : 4;
  byte_vector expected(size);
  patch(expected, size, size - changed, 0, source.bytes(last), size, size - changed, 0, changed, 1);
  CHECK(host_bytes(rig, target, last) == expected);
}

TEST_CASE("a rectangle beyond the texture has no share of any level", "[umd][T125]") {
  device_rig rig;
  runtime_surface source{rig, texture_of(5, 1, D3DFMT_A8R8G8B8, 2)};
  resource& target = make(rig, texture_of(5, 1, D3DFMT_A8R8G8B8, 2));
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(copy_texture(rig.device, {&target, &source.get(), 0, 0, 0, {5, 0, 9, 1}}) == S_OK);
  CHECK(copy_texture(rig.device, {&target, &source.get(), 0, 0, 0, {4, 0, 4, 1}}) == S_OK);
  CHECK(copy_texture(rig.device, {&target, &source.get(), 0, 5, 0, {0, 0, 5, 1}}) == S_OK);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("one face of a cube is copied", "[umd][T125]") {
  device_rig rig;
  runtime_surface source{rig, cube_of(4, 2)};
  for (std::size_t i = 0; i < 12; ++i) {
    source.set(i, counted_bytes(source.bytes(i).size(), static_cast<unsigned>(i) * 13));
  }
  resource& target = make(rig, cube_of(4, 2));
  REQUIRE(copy_texture(rig.device, {&target, &source.get(), 4, 0, 0, {0, 0, 4, 4}}) == S_OK);
  for (std::uint32_t face = 0; face < 6; ++face) {
    const byte_vector expected = face == 4 ? source.bytes(8) : byte_vector(4 * 4 * 4);
    CHECK(host_bytes(rig, target, face * 2) == expected);
  }
  CHECK(host_bytes(rig, target, 9) == source.bytes(9));
  CHECK(copy_texture(rig.device, {&target, &source.get(), 6, 0, 0, {0, 0, 4, 4}}) ==
        D3DERR_INVALIDCALL);
}

TEST_CASE("what a copy brought is what a lock finds", "[umd][T082][T125]") {
  device_rig rig;
  runtime_surface source{rig, texture_of(8, 8)};
  source.set(0, counted_bytes(8 * 8 * 4));
  resource& target = make(rig, texture_of(8, 8));
  const bool has_shadow = GENERATE(false, true);
  if (has_shadow) {
    static_cast<void>(lock(rig, target));
    unlock(rig, target);
  }
  REQUIRE(copy_texture(rig.device, {&target, &source.get(), 0, 0, 0, {0, 0, 8, 8}}) == S_OK);
  lock_request reading;
  reading.is_read_only = true;
  CHECK(std::memcmp(lock(rig, target, reading).bytes, source.bytes().data(), 256) == 0);
  unlock(rig, target);
}

TEST_CASE("UpdateSurface makes X1R5G5B5 opaque", "[umd][T079][T124]") {
  device_rig rig;
  const bool is_backed = GENERATE(false, true);
  resource_request request = texture_of(4, 2, D3DFMT_X1R5G5B5);
  request.pool = memory_pool::system;
  byte_vector texels(16, std::byte{0x21});
  const caller_memory memory[]{{texels.data(), 8}};
  request.system_memory = memory;
  resource& from = make(rig, request);
  resource& to =
      make(rig, is_backed ? target_of(4, 2, D3DFMT_X1R5G5B5) : texture_of(4, 2, D3DFMT_X1R5G5B5));
  REQUIRE(copy_texture(rig.device, {&to, &from, 0, 0, 0, {0, 0, 4, 2}}) == S_OK);
  byte_vector expected(16, std::byte{0x21});
  for (std::size_t i = 1; i < 16; i += 2) expected[i] = std::byte{0xA1};
  CHECK(host_bytes(rig, to) == expected);
  CHECK(texels == byte_vector(16, std::byte{0x21}));
  CHECK(destroy_resource(rig.device, &from) == S_OK);
}

TEST_CASE("BufBlt copies bytes, rounded to four on the wire", "[umd][T125]") {
  device_rig rig;
  runtime_surface source{rig, buffer_of(64)};
  source.set(0, counted_bytes(64));
  resource& target = make(rig, buffer_of(64));
  REQUIRE(copy_buffer_range(rig.device, {&target, &source.get(), 6, {3, 9}}) == S_OK);
  byte_vector expected(64);
  std::copy_n(source.bytes().begin() + 3, 9, expected.begin() + 6);
  CHECK(host_bytes(rig, target) == expected);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 1);
  CHECK(std::uint64_t{uploads[0].fields.offset_bytes} == 4);
  CHECK(std::uint64_t{uploads[0].fields.size_bytes} == 12);
  const auto refused = [&](std::uint64_t to, byte_range range) {
    return copy_buffer_range(rig.device, {&target, &source.get(), to, range});
  };
  CHECK(refused(60, {0, 5}) == E_INVALIDARG);
  CHECK(refused(0, {60, 5}) == E_INVALIDARG);
  CHECK(refused(0, {UINT64_MAX, 2}) == E_INVALIDARG);
  CHECK(copy_buffer_range(rig.device, {&target, nullptr, 0, {0, 4}}) == E_INVALIDARG);
}

}  // namespace aerogpu::umd::test
