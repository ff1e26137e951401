// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/format.hpp.
#include "aerogpu/memory/format.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <string_view>

using namespace aerogpu;

namespace {

enum trait : unsigned { none = 0, alpha = 1, x8 = 2, srgb = 4, depth = 8, block = 16 };

struct expected_format {
  aerogpu_format value;
  std::string_view name;
  unsigned bytes, since_minor, traits, vk, dxgi, d3d9;
};

constexpr expected_format expected[] = {
#include "tests/data/format_rows.inc"
};

/// Formats between which views are legal; every other format is alone.
constexpr std::initializer_list<std::initializer_list<aerogpu_format>> view_groups = {
    {AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_B8G8R8X8_UNORM,
     AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB},
    {AEROGPU_FORMAT_R8G8B8A8_UNORM, AEROGPU_FORMAT_R8G8B8X8_UNORM,
     AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB},
    {AEROGPU_FORMAT_BC1_RGBA_UNORM, AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB},
    {AEROGPU_FORMAT_BC2_RGBA_UNORM, AEROGPU_FORMAT_BC2_RGBA_UNORM_SRGB},
    {AEROGPU_FORMAT_BC3_RGBA_UNORM, AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB},
    {AEROGPU_FORMAT_BC7_RGBA_UNORM, AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB},
};

auto may_view(aerogpu_format a, aerogpu_format b) -> bool {
  if (a == b) return true;
  return std::any_of(view_groups.begin(), view_groups.end(), [&](const auto& group) {
    return std::count(group.begin(), group.end(), a) != 0 &&
           std::count(group.begin(), group.end(), b) != 0;
  });
}

}  // namespace

TEST_CASE("each format of wire.md 4 has its row", "[memory][format]") {
  for (const expected_format& row : expected) {
    CAPTURE(row.name);
    const format_info* format = find_format(row.value);
    REQUIRE(format != nullptr);
    CHECK(format->value == row.value);
    CHECK(format->name == row.name);
    CHECK(format->bytes_per_block == row.bytes);
    CHECK(format->block_dim == ((row.traits & block) != 0 ? 4 : 1));
    CHECK(format->is_block_compressed() == ((row.traits & block) != 0));
    CHECK(format->is_depth() == ((row.traits & depth) != 0));
    CHECK(format->has_alpha == ((row.traits & alpha) != 0));
    CHECK(format->is_x8 == ((row.traits & x8) != 0));
    CHECK(format->is_srgb == ((row.traits & srgb) != 0));
    CHECK(format->since_minor == row.since_minor);
    CHECK(format->vk == row.vk);
    CHECK(format->dxgi == row.dxgi);
    CHECK(format->d3d9 == row.d3d9);
  }
  CHECK(formats.size() == std::size(expected));
}

TEST_CASE("D24S8 alone has stencil", "[memory][format]") {
  for (const format_info& format : formats) {
    CHECK((format.kind == format_class::depth_stencil) ==
          (format.value == AEROGPU_FORMAT_D24_UNORM_S8_UINT));
    CHECK(has_stencil(format.value) == (format.value == AEROGPU_FORMAT_D24_UNORM_S8_UINT));
  }
  CHECK_FALSE(has_stencil(AEROGPU_FORMAT_INVALID));
  CHECK_FALSE(has_stencil(0x80000020u));
}

TEST_CASE("no other value is a format", "[memory][format]") {
  std::set<std::uint32_t> valid;
  for (const expected_format& row : expected) valid.insert(row.value);
  for (std::uint32_t value = 0; value < 300; ++value) {
    CAPTURE(value);
    CHECK((find_format(value) != nullptr) == (valid.count(value) != 0));
  }
  for (const std::uint32_t value : {0x10000u, 0x80000001u, 0xFFFFFFFFu}) {
    CHECK(find_format(value) == nullptr);
  }
}

TEST_CASE("an sRGB twin has the other transfer curve and is the twin's twin", "[memory][format]") {
  for (const format_info& format : formats) {
    CAPTURE(format.name);
    const format_info* twin = find_srgb_twin(format);
    const bool has_twin = format.name.ends_with("_SRGB") || format.since_minor == 2 ||
                          (format.bytes_per_block == 4 && !format.is_depth());
    REQUIRE((twin != nullptr) == has_twin);
    if (twin == nullptr) continue;
    CHECK(twin->is_srgb != format.is_srgb);
    CHECK(twin->is_x8 == format.is_x8);
    CHECK(find_srgb_twin(*twin) == &format);
    const format_info& linear = format.is_srgb ? *twin : format;
    const format_info& curved = format.is_srgb ? format : *twin;
    CHECK(curved.name.substr(0, curved.name.size() - 5) == linear.name);
  }
}

TEST_CASE("formats view each other when they differ in sRGB-ness or X8 alone", "[memory][format]") {
  for (const format_info& a : formats) {
    for (const format_info& b : formats) {
      CAPTURE(a.name, b.name);
      CHECK(is_view_compatible(a, b) == may_view(a.value, b.value));
    }
  }
}

TEST_CASE("a format is found by the number that another API gives it", "[memory][format]") {
  for (const format_info& format : formats) {
    CAPTURE(format.name);
    if (format.dxgi != 0) CHECK(find_format_by_dxgi(format.dxgi) == &format);
    if (format.d3d9 != 0) CHECK(find_format_by_d3d9(format.d3d9) == &format);
  }
  CHECK(find_format_by_dxgi(0) == nullptr);
  CHECK(find_format_by_d3d9(0) == nullptr);
  CHECK(find_format_by_dxgi(2) == nullptr);
  CHECK(find_format_by_d3d9(24) == nullptr);
}

TEST_CASE("rows count texels, or whole blocks for a compressed format", "[memory][format]") {
  const format_info& rgba = *find_format(AEROGPU_FORMAT_R8G8B8A8_UNORM);
  const format_info& rgb565 = *find_format(AEROGPU_FORMAT_B5G6R5_UNORM);
  const format_info& bc1 = *find_format(AEROGPU_FORMAT_BC1_RGBA_UNORM);
  const format_info& bc7 = *find_format(AEROGPU_FORMAT_BC7_RGBA_UNORM);
  CHECK(tight_row_bytes(rgba, 3) == 12);
  CHECK(tight_row_bytes(rgb565, 3) == 6);
  CHECK(tight_row_bytes(rgba, UINT32_MAX) == 4 * std::uint64_t{UINT32_MAX});
  CHECK(row_count(rgba, 7) == 7);
  const auto [texels, blocks] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{0, 0},
                                                    {1, 1},
                                                    {3, 1},
                                                    {4, 1},
                                                    {5, 2},
                                                    {30, 8},
                                                    {UINT32_MAX - 4, 0x3FFFFFFF},
                                                    {UINT32_MAX, 0x40000000}}));
  CHECK(tight_row_bytes(bc1, texels) == 8 * std::uint64_t{blocks});
  CHECK(tight_row_bytes(bc7, texels) == 16 * std::uint64_t{blocks});
  CHECK(row_count(bc7, texels) == blocks);
}

static_assert(find_format(AEROGPU_FORMAT_B8G8R8X8_UNORM)->is_x8,
              "the table is usable at compile time");

TEST_CASE("a format's twin has its family and the other curve", "[memory][format]") {
  for (std::size_t i = 0; i < formats.size(); ++i) {
    INFO(formats[i].name);
    CHECK(aerogpu::detail::twin_of(aerogpu::detail::format_table[i]) == formats[i].srgb_twin);
  }
  CHECK(find_format(AEROGPU_FORMAT_B8G8R8A8_UNORM)->srgb_twin ==
        AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB);
  CHECK(find_format(AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB)->srgb_twin ==
        AEROGPU_FORMAT_B8G8R8X8_UNORM);
  CHECK(find_format(AEROGPU_FORMAT_B5G6R5_UNORM)->srgb_twin == AEROGPU_FORMAT_INVALID);
}
