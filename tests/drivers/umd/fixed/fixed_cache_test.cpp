// SPDX-License-Identifier: MIT
// Shaders are kept, constants go when they differ: umd-d3d9.md 3.1, 3.3.
#include "tests/drivers/umd/fixed/fixed_harness.hpp"
#include "tests/support/failing_heap.hpp"

#include <set>

namespace aerogpu::test {

namespace {

using umd::fixed::texture_shape;

/// A pixel shader of its own for every number below 400.
void choose(fixed_harness& h, unsigned number) {
  for (unsigned i = 0, rest = number; i < 2; ++i, rest /= 20) {
    constexpr std::array<std::uint32_t, 20> ops{3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                                14, 16, 18, 19, 20, 21, 24, 25, 26, 2};
    h.set_stage(i, ops[rest % 20], D3DTA_TFACTOR, D3DTA_SPECULAR, D3DTA_DIFFUSE);
    h.set(i, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE);
  }
}

/// Makes shaders without memory of its own.
class numbering_factory final : public umd::fixed::shader_factory {
 public:
  auto create(umd::fixed::shader_stage, std::span<const std::uint32_t>, shader_handle& out) noexcept
      -> HRESULT override {
    out = shader_handle{++created};
    return S_OK;
  }
  void destroy(umd::fixed::shader_stage, shader_handle) noexcept override { ++destroyed; }

  std::uint32_t created = 0;
  std::uint32_t destroyed = 0;
};

struct cache_harness : fixed_harness {
  cache_harness() { set(D3DRS_LIGHTING, 0); }
};

}  // namespace

TEST_CASE("the same state has the same shaders, made once", "[umd][fixed]") {
  cache_harness h;
  REQUIRE(h.prepare() == S_OK);
  const auto first = h.plan;
  for (unsigned i = 0; i < 5; ++i) {
    h.set(0, D3DTSS_COLOROP, i % 2 == 0 ? D3DTOP_DISABLE : D3DTOP_MODULATE);
    REQUIRE(h.prepare() == S_OK);
  }
  CHECK(h.plan.pixel_shader == first.pixel_shader);
  CHECK(h.factory.created == 2);
}

TEST_CASE("binding a texture changes the pixel shader, exchanging it does not",
          "[umd][fixed][T180]") {
  cache_harness h;
  REQUIRE(h.prepare() == S_OK);
  const auto unbound = h.plan.pixel_shader;
  h.bind(0);
  REQUIRE(h.prepare() == S_OK);
  const auto bound = h.plan.pixel_shader;
  CHECK(bound != unbound);
  h.state.textures[0] = reinterpret_cast<umd::resource*>(0x1000);
  h.pipeline.invalidate();
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.pixel_shader == bound);
  h.bind(0, texture_shape::none);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.pixel_shader == unbound);
}

TEST_CASE("the texture factor goes when a stage reads it and its value is new",
          "[umd][fixed][T181]") {
  cache_harness h;
  h.set(D3DRS_TEXTUREFACTOR, 0x11223344);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.pixel_uploads.count == 0);
  const std::uint32_t op =
      GENERATE(std::uint32_t{D3DTOP_SELECTARG1}, std::uint32_t{D3DTOP_BLENDFACTORALPHA});
  h.set_stage(0, op, op == D3DTOP_SELECTARG1 ? D3DTA_TFACTOR : D3DTA_DIFFUSE, D3DTA_SPECULAR);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.uploaded_registers == 1);
  CHECK(h.pixel_constants.floats[223] ==
        std::array<float, 4>{0x22 / 255.0f, 0x33 / 255.0f, 0x44 / 255.0f, 0x11 / 255.0f});
  CHECK(h.pixel_constants.floats[0] == std::array<float, 4>{});
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.uploaded_registers == 0);
  h.set(D3DRS_TEXTUREFACTOR, 0x55667788);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.uploaded_registers == 1);
  const std::array<umd::fixed::float4, 1> clobber{{{9, 9, 9, 9}}};
  h.pixel_file.note_sent(223, clobber);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.uploaded_registers == 1);
}

TEST_CASE("the 101st pixel shader evicts the one that was used longest ago", "[umd][fixed][T182]") {
  cache_harness h;
  std::vector<shader_handle> made;
  for (unsigned i = 0; i < 100; ++i) {
    choose(h, i);
    REQUIRE(h.prepare() == S_OK);
    made.push_back(h.plan.pixel_shader);
  }
  REQUIRE(std::set<shader_handle>(made.begin(), made.end()).size() == 100);
  CHECK(h.factory.destroyed.empty());
  choose(h, 0);  // No longer the oldest.
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.pixel_shader == made[0]);
  choose(h, 100);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.factory.destroyed == std::vector{made[1]});
  choose(h, 1);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.pixel_shader != made[1]);
  CHECK(h.factory.destroyed == std::vector{made[1], made[2]});
  CHECK(h.factory.shaders.size() == 101);  // And one vertex shader.
}

TEST_CASE("a shader that comes back after eviction is right again", "[umd][fixed][T182]") {
  cache_harness h;
  reference_varyings in;
  in.color0 = {0.2, 0.7, 0.4, 0.6};
  in.color1 = {0.3, 0.1, 0.5, 0.3};
  for (unsigned i = 0; i < 350; ++i) {
    choose(h, i * 7 % 173);
    h.check_pixel(in);
  }
  CHECK(h.factory.created - h.factory.destroyed.size() == h.factory.shaders.size());
}

TEST_CASE("all shaders are destroyed with the device, once each", "[umd][fixed][T182]") {
  cache_harness h;
  for (unsigned i = 0; i < 120; ++i) {
    choose(h, i);
    REQUIRE(h.prepare() == S_OK);
  }
  h.pipeline.clear();
  CHECK(h.factory.shaders.empty());
  CHECK(h.factory.destroyed.size() == h.factory.created);
  CHECK(std::set<shader_handle>(h.factory.destroyed.begin(), h.factory.destroyed.end()).size() ==
        h.factory.created);
  h.pipeline.clear();
  CHECK(h.factory.destroyed.size() == h.factory.created);
}

TEST_CASE("what the host has lost is made again and not destroyed", "[umd][fixed]") {
  cache_harness h;
  REQUIRE(h.prepare() == S_OK);
  h.pipeline.forget();
  h.vertex_file.forget();
  CHECK(h.factory.destroyed.empty());
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.factory.created == 4);
  CHECK(h.uploaded_registers == 4);
}

TEST_CASE("a shader that cannot be made fails the draw, and the next one tries again",
          "[umd][fixed]") {
  cache_harness h;
  h.factory.next_result = E_OUTOFMEMORY;
  CHECK(h.prepare() == E_OUTOFMEMORY);
  h.factory.next_result = S_OK;
  CHECK(h.prepare() == S_OK);
  CHECK(h.factory.created == 2);
}

TEST_CASE("each allocation may fail: the draw says so, and the next one succeeds", "[umd][fixed]") {
  cache_harness h;
  const auto in = h.inputs();
  std::uint64_t number = 1;
  for (;; ++number) {
    INFO("allocation " << number);
    numbering_factory factory;
    umd::fixed::pipeline pipeline{factory};
    const auto prepare = [&] {
      const heap_scope armed;
      umd::fixed::draw_plan plan;
      return pipeline.prepare(in, h.vertex_file, h.pixel_file, plan);
    };
    failing_heap::plan(number);
    const HRESULT result = prepare();
    const bool has_failed = failing_heap::has_failed();
    failing_heap::plan(0);
    CHECK(result == (has_failed ? E_OUTOFMEMORY : S_OK));
    CHECK(prepare() == S_OK);
    CHECK(factory.created == 2);
    pipeline.clear();
    CHECK(factory.destroyed == 2);
    if (!has_failed) break;
  }
  CHECK(number == 8);  // Tokens, values of both stages, keys and hashes of both caches.
}

TEST_CASE("after the first draw no other takes memory, not even with new shaders", "[umd][fixed]") {
  cache_harness h;
  numbering_factory factory;
  umd::fixed::pipeline pipeline{factory};
  umd::fixed::draw_plan plan;
  REQUIRE(pipeline.prepare(h.inputs(), h.vertex_file, h.pixel_file, plan) == S_OK);
  failing_heap::plan(0);
  for (unsigned i = 0; i < 250; ++i) {
    choose(h, i);
    h.set(D3DRS_LIGHTING, i & 1);
    const auto in = h.inputs();
    const heap_scope armed;
    pipeline.invalidate();
    REQUIRE(pipeline.prepare(in, h.vertex_file, h.pixel_file, plan) == S_OK);
  }
  CHECK(failing_heap::calls() == 0);
  CHECK(factory.destroyed == factory.created - 100 - 2);
  pipeline.clear();
  CHECK(factory.destroyed == factory.created);
}

TEST_CASE("the transform goes early with SetTransform, and not again with the draw",
          "[umd][fixed][T170]") {
  cache_harness h;
  CHECK(h.pipeline.prepare_transform(h.inputs(), h.vertex_file).values.empty());
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.pipeline.prepare_transform(h.inputs(), h.vertex_file).values.empty());
  h.set_transform(D3DTS_VIEW, translation(1, 2, 3));
  const auto early = h.pipeline.prepare_transform(h.inputs(), h.vertex_file);
  REQUIRE(early.first == 240);
  REQUIRE(early.values.size() == 3);
  CHECK(early.values[0] == umd::fixed::float4{1, 0, 0, 1});
  h.vertex_file.note_sent(early.first, early.values);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.uploaded_registers == 0);
}

TEST_CASE("nothing goes early for transformed vertices or a shader of the application",
          "[umd][fixed][T170]") {
  cache_harness h;
  REQUIRE(h.prepare() == S_OK);
  h.set_transform(256, translation(1, 2, 3));
  SECTION("transformed") {
    h.format.is_pretransformed = true;
  }
  SECTION("a vertex shader") {
    h.has_vertex_shader = true;
  }
  SECTION("a pixel shader") {
    h.has_pixel_shader = true;
  }
  CHECK(h.pipeline.prepare_transform(h.inputs(), h.vertex_file).values.empty());
}

TEST_CASE("registers that the application overwrote go again", "[umd][fixed][T170]") {
  cache_harness h;
  REQUIRE(h.prepare() == S_OK);
  const std::array<umd::fixed::float4, 2> theirs{{{7, 7, 7, 7}, {8, 8, 8, 8}}};
  h.vertex_file.note_sent(241, theirs);
  REQUIRE(h.prepare() == S_OK);
  REQUIRE(h.plan.vertex_uploads.count == 1);
  CHECK(h.plan.vertex_uploads.items[0].first == 241);
  CHECK(h.uploaded_registers == 2);
}

TEST_CASE("a constant file knows what was sent, bit by bit", "[umd][fixed]") {
  umd::fixed::constant_file file;
  const std::array<umd::fixed::float4, 3> values{{{1, 2, 3, 4}, {0, 0, 0, 0}, {5, 6, 7, 8}}};
  const umd::fixed::register_block block{10, 3};
  CHECK(file.missing(block, values).count == 3);
  file.note_sent(10, values);
  CHECK(file.missing(block, values).count == 0);
  auto other = values;
  other[1][2] = -0.0f;
  CHECK(file.missing(block, other).first == 11);
  CHECK(file.missing(block, other).count == 1);
  file.note_sent(254, values);  // Would end past the file.
  CHECK(file.missing({254, 2}, std::span{values}.first(2)).count == 2);
  file.forget();
  CHECK(file.missing(block, values).count == 3);
}

TEST_CASE("a constant file knows runs of any length, wherever they begin", "[umd][fixed]") {
  constexpr std::size_t all = umd::fixed::constant_register_count;
  std::array<umd::fixed::float4, all> values{};
  for (std::size_t i = 0; i < all; ++i) values[i] = {static_cast<float>(i), 1, 2, 3};
  for (std::size_t first = 0; first < all; first += 9) {
    for (std::size_t size = 1; size <= all - first; size += 13) {
      umd::fixed::constant_file file;
      file.note_sent(first, std::span{values}.subspan(first, size));
      const auto is_known = [&](std::size_t at) {
        const umd::fixed::register_block one{static_cast<std::uint16_t>(at), 1};
        return file.missing(one, std::span{values}.subspan(at, 1)).count == 0;
      };
      for (std::size_t at = 0; at < all; ++at) {
        if (is_known(at) != (at >= first && at - first < size)) FAIL(first << ' ' << size);
      }
    }
  }
}

TEST_CASE("a prepared draw needs no work while nothing changes", "[umd][fixed]") {
  cache_harness h;
  REQUIRE(h.prepare() == S_OK);
  REQUIRE(h.prepare() == S_OK);
  const auto settled = h.plan;
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader == settled.vertex_shader);
  CHECK(h.uploaded_registers == 0);
  h.viewport.width = 800;
  CHECK(h.prepare() == S_OK);
  h.format.has_color0 = false;
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader != settled.vertex_shader);
}

}  // namespace aerogpu::test
