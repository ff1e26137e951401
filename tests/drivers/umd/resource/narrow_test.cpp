// SPDX-License-Identifier: MIT
/// L8, A8 and A8L8, which the wire has not (umd-d3d9.md 2.5.6): their own bytes for programs, wider
/// ones on the host.
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/copies.hpp"
#include "drivers/win7/umd/d3d9/resource/opening.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/mips.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

namespace aerogpu::umd::test {

namespace {

struct narrow_format {
  D3DFORMAT d3d9;
  std::size_t bytes;
  aerogpu_format wide;
};
constexpr std::array narrow_formats{
    narrow_format{D3DFMT_L8, 1, AEROGPU_FORMAT_B8G8R8X8_UNORM},
    narrow_format{D3DFMT_A8, 1, AEROGPU_FORMAT_B8G8R8A8_UNORM},
    narrow_format{D3DFMT_A8L8, 2, AEROGPU_FORMAT_B8G8R8A8_UNORM},
};
[[nodiscard]] auto any_narrow() -> narrow_format {
  return GENERATE(from_range(narrow_formats));
}

/// What the host is to have of a texel, B first. Of L8 the fourth byte is nobody's.
[[nodiscard]] auto widened(const narrow_format& format, const byte_vector& narrow) -> byte_vector {
  byte_vector made;
  for (std::size_t at = 0; at < narrow.size(); at += format.bytes) {
    const bool has_luminance = format.d3d9 != D3DFMT_A8;
    const std::byte luminance = has_luminance ? narrow[at] : std::byte{};
    const std::byte alpha = format.d3d9 == D3DFMT_L8 ? std::byte{} : narrow[at + format.bytes - 1];
    made.insert(made.end(), {luminance, luminance, luminance, alpha});
  }
  return made;
}
[[nodiscard]] auto host_texels(device_rig& rig, const narrow_format& format, const resource& of,
                               std::uint32_t subresource = 0) -> byte_vector {
  byte_vector texels = host_bytes(rig, of, subresource);
  for (std::size_t i = 3; i < texels.size() && format.d3d9 == D3DFMT_L8; i += 4) texels[i] = {};
  return texels;
}

/// What a program reads of a level: tight rows.
[[nodiscard]] auto locked_bytes(device_rig& rig, resource& of, std::uint32_t subresource = 0)
    -> byte_vector {
  lock_request request;
  request.subresource = subresource;
  request.is_read_only = true;
  const lock_answer at = lock(rig, of, request);
  const auto rows = of.layout()->locate(of.layout()->at_index(subresource));
  CHECK(at.row_pitch_bytes == rows.row_size_bytes);
  byte_vector bytes(at.bytes, at.bytes + rows.size_bytes());
  unlock(rig, of, subresource);
  return bytes;
}

[[nodiscard]] auto narrow_cube(const narrow_format& format, std::uint32_t edge, std::uint32_t mips)
    -> resource_request {
  resource_request made = cube_of(edge, mips);
  made.format = static_cast<std::uint32_t>(format.d3d9);
  return made;
}

/// Bytes of a rectangle in tight rows.
void put(byte_vector& to, std::size_t to_pitch, std::size_t x, std::size_t y,
         const byte_vector& from, std::size_t from_pitch, std::size_t from_x, std::size_t from_y,
         std::size_t row_bytes, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(from.data() + (from_y + row) * from_pitch + from_x, row_bytes,
                to.data() + (y + row) * to_pitch + x);
  }
}

}  // namespace

TEST_CASE("a narrow texture has its own bytes for the program and wider ones on the host",
          "[umd]") {
  const narrow_format format = any_narrow();
  device_rig rig;
  const std::size_t before = rig.runtime.live_allocations();
  resource& made = make(rig, texture_of(13, 6, format.d3d9, 3));
  CHECK(made.size_bytes == (13 * 6 + 6 * 3 + 3) * format.bytes);
  for (std::uint32_t level = 0; level < 3; ++level) {
    const auto size = made.layout()->locate({level, 0}).size_bytes();
    write_all(rig, made, counted_bytes(static_cast<std::size_t>(size), level * 50), level);
  }
  for (std::uint32_t level = 0; level < 3; ++level) {
    CAPTURE(level);
    const byte_vector bytes = locked_bytes(rig, made, level);
    CHECK(bytes == counted_bytes(bytes.size(), level * 50));
    CHECK(host_texels(rig, format, made, level) == widened(format, bytes));
  }
  const auto created = sent<aerogpu_cmd_create_texture2d>(rig);
  REQUIRE(created.size() == 1);
  CHECK(std::uint32_t{created[0].fields.format} == format.wide);
  CHECK(std::uint32_t{created[0].fields.row_pitch_bytes} == 13 * 4);
  CHECK(std::uint32_t{created[0].fields.backing_alloc_id} == 0);
  CHECK(rig.runtime.live_allocations() == before);
  CHECK(sent<aerogpu_cmd_copy_texture2d>(rig).empty());  // Nothing was read back.
}

TEST_CASE("faces and levels of a narrow cube are uploaded each to its place", "[umd]") {
  const narrow_format format = any_narrow();
  device_rig rig;
  resource& made = make(rig, narrow_cube(format, 8, 2));
  const std::uint32_t index = GENERATE(0u, 5u, 11u);
  const auto size = made.layout()->locate(made.layout()->at_index(index)).size_bytes();
  const byte_vector bytes = counted_bytes(static_cast<std::size_t>(size), 3);
  write_all(rig, made, bytes, index);
  for (std::uint32_t i = 0; i < 12; ++i) {
    CAPTURE(i);
    const byte_vector found = host_texels(rig, format, made, i);
    CHECK(found == (i == index ? widened(format, bytes) : byte_vector(found.size())));
  }
}

TEST_CASE("a locked part of a narrow texture sends the rows that it lies in", "[umd]") {
  const narrow_format format = any_narrow();
  device_rig rig;
  resource& made = make(rig, texture_of(20, 10, format.d3d9));
  lock_request request;
  request.area = rectangle{3, 2, 9, 5};
  const lock_answer at = lock(rig, made, request);
  byte_vector expected(20 * 10 * format.bytes);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t i = 0; i < 6 * format.bytes; ++i) {
      const auto value = static_cast<std::byte>(7 + row * 31 + i);
      at.bytes[row * at.row_pitch_bytes + i] = value;
      expected[(2 + row) * 20 * format.bytes + 3 * format.bytes + i] = value;
    }
  }
  unlock(rig, made);
  CHECK(host_texels(rig, format, made) == widened(format, expected));
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 1);
  CHECK(std::uint64_t{uploads[0].fields.offset_bytes} == 2 * 20 * 4);
  CHECK(std::uint64_t{uploads[0].fields.size_bytes} == 3 * 20 * 4);
}

TEST_CASE("rows of a large narrow texture go together, in pieces", "[umd]") {
  const narrow_format format = any_narrow();
  device_rig rig;
  // 4000 bytes of a row on the host: 16 of them are widened at a time.
  resource& made = make(rig, texture_of(1000, 50, format.d3d9));
  const byte_vector bytes = counted_bytes(1000 * 50 * format.bytes);
  write_all(rig, made, bytes);
  CHECK((host_texels(rig, format, made) == widened(format, bytes)));
  resource& wide = make(rig, texture_of(16384, 2, format.d3d9));
  const byte_vector wide_bytes = counted_bytes(16384 * 2 * format.bytes);
  write_all(rig, wide, wide_bytes);
  CHECK((host_texels(rig, format, wide) == widened(format, wide_bytes)));
}

TEST_CASE("narrow texels are copied by the CPU, wherever they are", "[umd]") {
  const narrow_format format = any_narrow();
  const std::size_t bytes = format.bytes;
  device_rig rig;
  runtime_surface memory{rig, texture_of(20, 10, format.d3d9), 12};
  memory.set(0, counted_bytes(memory.bytes().size()));
  const std::size_t memory_pitch = 20 * bytes + 12;
  resource& first = make(rig, texture_of(16, 8, format.d3d9));
  resource& second = make(rig, texture_of(16, 8, format.d3d9, 2));
  byte_vector expected(16 * 8 * bytes);
  SECTION("UpdateSurface") {
    REQUIRE(blit(rig.device, {.to = {&first, 0},
                              .from = {&memory.get(), 0},
                              .to_area = {3, 2, 8, 6},
                              .from_area = {1, 4, 6, 8}}) == S_OK);
    put(expected, 16 * bytes, 3 * bytes, 2, memory.bytes(), memory_pitch, bytes, 4, 5 * bytes, 4);
    CHECK(host_texels(rig, format, first) == widened(format, expected));
    CHECK(locked_bytes(rig, first) == expected);
  }
  SECTION("UpdateTexture") {
    runtime_surface levels{rig, texture_of(16, 8, format.d3d9, 2)};
    levels.set(0, counted_bytes(16 * 8 * bytes, 9));
    levels.set(1, counted_bytes(8 * 4 * bytes, 77));
    REQUIRE(copy_texture(rig.device, {&second, &levels.get(), 0, 0, 0, {0, 0, 16, 8}}) == S_OK);
    CHECK(host_texels(rig, format, second, 0) == widened(format, levels.bytes(0)));
    CHECK(host_texels(rig, format, second, 1) == widened(format, levels.bytes(1)));
    CHECK(locked_bytes(rig, second, 1) == levels.bytes(1));
  }
  SECTION("from texture to texture") {
    const byte_vector all = counted_bytes(16 * 8 * bytes, 5);
    write_all(rig, first, all);
    REQUIRE(copy_texels(rig.device, {&second, 0}, {1, 1}, {&first, 0}, {0, 0, 9, 5}) == S_OK);
    put(expected, 16 * bytes, bytes, 1, all, 16 * bytes, 0, 0, 9 * bytes, 5);
    CHECK(host_texels(rig, format, second) == widened(format, expected));
    CHECK(locked_bytes(rig, second) == expected);
  }
  SECTION("over itself") {
    expected = counted_bytes(16 * 8 * bytes, 5);
    write_all(rig, first, expected);
    REQUIRE(blit(rig.device, {.to = {&first, 0},
                              .from = {&first, 0},
                              .to_area = {2, 1, 10, 7},
                              .from_area = {0, 0, 8, 6}}) == S_OK);
    put(expected, 16 * bytes, 2 * bytes, 1, byte_vector{expected}, 16 * bytes, 0, 0, 8 * bytes, 6);
    CHECK(host_texels(rig, format, first) == widened(format, expected));
    CHECK(locked_bytes(rig, first) == expected);
  }
  SECTION("into memory") {
    const byte_vector all = counted_bytes(16 * 8 * bytes, 5);
    write_all(rig, first, all);
    byte_vector before = memory.bytes();
    REQUIRE(copy_texels(rig.device, {&memory.get(), 0}, {4, 1}, {&first, 0}, {2, 3, 7, 5}) == S_OK);
    put(before, memory_pitch, 4 * bytes, 1, all, 16 * bytes, 2 * bytes, 3, 7 * bytes, 5);
    CHECK(memory.bytes() == before);
  }
  CHECK(sent<aerogpu_cmd_copy_texture2d>(rig).empty());
}

TEST_CASE("ColorFill of narrow texels takes luminance and alpha of the colour", "[umd][T129]") {
  device_rig rig;
  struct row {
    narrow_format format;
    std::uint32_t color;
    std::uint32_t texel;
  };
  const auto [format, color, texel] = GENERATE(
      row{narrow_formats[0], 0x80C3C3C3, 0xC3}, row{narrow_formats[0], 0xFF00FF00, 0xB6},
      row{narrow_formats[0], 0xFFFFFFFF, 0xFF}, row{narrow_formats[1], 0x80C3C3C3, 0x80},
      row{narrow_formats[2], 0x80C3C3C3, 0x80C3}, row{narrow_formats[2], 0x12FF0000, 0x1236});
  resource_request request = texture_of(6, 3, format.d3d9);
  request.kind = resource_kind::surface;
  const bool is_system = GENERATE(false, true);
  if (is_system) request.pool = memory_pool::system;
  resource& surface = make(rig, request);
  REQUIRE(fill_color(rig.device, {&surface, 0}, {1, 1, 4, 2}, color) == S_OK);
  byte_vector expected(6 * 3 * format.bytes);
  for (std::size_t x = 1; x < 4; ++x) {
    std::memcpy(expected.data() + (6 + x) * format.bytes, &texel, format.bytes);
  }
  CHECK(locked_bytes(rig, surface) == expected);
  if (!is_system) CHECK(host_texels(rig, format, surface) == widened(format, expected));
}

TEST_CASE("a narrow texture is drawn from and never drawn to", "[umd][T126]") {
  const narrow_format format = any_narrow();
  device_rig rig;
  resource& narrow = make(rig, texture_of(8, 8, format.d3d9, 2));
  resource& target = make(rig, target_of(16, 16));
  const std::uint32_t level = GENERATE(0u, 1u);
  const rectangle from{0, 0, level == 0 ? 8 : 4, level == 0 ? 8 : 4};
  REQUIRE(blit(rig.device, {.to = {&target, 0},
                            .from = {&narrow, level},
                            .to_area = {2, 3, 12, 13},
                            .from_area = from}) == S_OK);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 1);
  for (const auto& view : sent<aerogpu_cmd_create_texture_view>(rig)) {
    if (std::uint32_t{view.fields.texture_handle} != raw(narrow.handle)) continue;
    CHECK(std::uint32_t{view.fields.format} == format.wide);
  }
  resource& color = make(rig, texture_of(8, 8));
  runtime_surface memory{rig, texture_of(8, 8)};
  for (resource* const other : {&target, &color, &memory.get()}) {
    CHECK(blit(rig.device, {.to = {&narrow, 0},
                            .from = {other, 0},
                            .to_area = {0, 0, 8, 8},
                            .from_area = {0, 0, 8, 8}}) == D3DERR_INVALIDCALL);
  }
  CHECK(blit(rig.device, {.to = {&narrow, 0},
                          .from = {&narrow, 1},
                          .to_area = {0, 0, 8, 8},
                          .from_area = {0, 0, 4, 4}}) == D3DERR_INVALIDCALL);
  CHECK(generate_mips(rig.device, narrow, mip_filter::box) == D3DERR_INVALIDCALL);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 1);
}

TEST_CASE("narrow texels are not shared, shown or drawn to", "[umd][T070]") {
  const narrow_format format = any_narrow();
  device_rig rig;
  const std::size_t before = rig.runtime.live_allocations();
  const auto refused = [&](auto change) {
    resource_request request = texture_of(16, 8, format.d3d9);
    change(request.flags);
    return refusal_of(rig, request);
  };
  CHECK(refused([](resource_flags& f) { f.is_shared = true; }) == D3DERR_INVALIDCALL);
  CHECK(refused([](resource_flags& f) { f.is_primary = true; }) == D3DERR_INVALIDCALL);
  CHECK(refused([](resource_flags& f) { f.is_render_target = true; }) == D3DERR_INVALIDCALL);
  CHECK(refused([](resource_flags& f) { f.is_depth_stencil = true; }) == D3DERR_INVALIDCALL);
  resource& plain = make(rig, texture_of(16, 8, format.d3d9));
  CHECK(require_allocation(rig.device, plain) == D3DERR_INVALIDCALL);
  CHECK(rig.runtime.live_allocations() == before);
}

TEST_CASE("a surface of others is not opened as narrow texels", "[umd]") {
  const narrow_format format = any_narrow();
  device_rig rig;
  alloc_private_data blob{};
  blob.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  blob.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION;
  blob.alloc_id = 77;
  blob.flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED;
  blob.share_token = 0x1234;
  blob.size_bytes = 16 * 8 * 4;
  blob.reserved0 = *pack_description({static_cast<std::uint32_t>(format.d3d9), 16, 8});
  opening_request request;
  request.allocation = kernel_allocation{0x40};
  request.private_data = bytes_of(blob);
  resource* opened = nullptr;
  CHECK(open_resource(rig.device, request, opened) == D3DERR_INVALIDCALL);
  CHECK(opened == nullptr);
}

TEST_CASE("the host's size of narrow texels counts", "[umd][T071][T072]") {
  device_rig rig;
  // 512 MiB of L8 and twice that of A8L8 are 2 GiB on the host.
  CHECK(refusal_of(rig, texture_of(0x8000, 0x4000, D3DFMT_L8)) == E_OUTOFMEMORY);
  CHECK(refusal_of(rig, texture_of(0x8000, 0x4000, D3DFMT_A8L8)) == E_OUTOFMEMORY);
  CHECK(refusal_of(rig, texture_of(0xFFFF'FFFF, 1, D3DFMT_A8)) == E_OUTOFMEMORY);
}

}  // namespace aerogpu::umd::test
