// SPDX-License-Identifier: MIT
// COPY_TEXTURE2D with write-back reads the source back and puts the copy off: nobody may notice.
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/vulkan/vulkan_limits.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "tests/vulkan_faults/many_objects.hpp"
#include "vulkan/engine.hpp"

#include <memory>
#include <string>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t copy_back = AEROGPU_COPY_FLAG_WRITEBACK_DST;
constexpr std::uint32_t origin = 1, copy = 2, further = 3, seen = 4;
constexpr std::uint32_t side = 16, image_bytes = side * side * 4;
constexpr gpa copy_at{0x10'0000}, seen_at{0x11'0000};

/// A source with texels, a copy of it in guest memory, and a way to see what the copy holds.
struct copy_rig {
  explicit copy_rig(vulkan::backend_limits bounds = {})
      : backend(open(bounds)), path(*backend, memory, limits{}) {
    memory.map(copy_at, image_bytes);
    memory.map(seen_at, image_bytes);
    REQUIRE(run(stream_builder{}
                    .create_texture(origin, plain(AEROGPU_RESOURCE_USAGE_RENDER_TARGET))
                    .create_texture(copy, backed(1))
                    .create_texture(further, plain())
                    .create_texture(seen, backed(2))
                    .upload(origin, 0, texels)) == error_code::none);
  }
  ~copy_rig() {
    path.reset();
    backend->wait_idle();
    CHECK(backend->live_objects() == 0);
    CHECK(backend->validation_errors() == 0);
  }
  static auto open(const vulkan::backend_limits& bounds)
      -> std::unique_ptr<vulkan::vulkan_backend> {
    vulkan::backend_options options;
    options.validate = true;
    options.bounds = bounds;
    return open_faulty_backend(options);
  }
  static auto plain(std::uint32_t usage = AEROGPU_RESOURCE_USAGE_TEXTURE) -> texture_spec {
    return {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = side, .height = side, .usage = usage};
  }
  static auto backed(std::uint32_t alloc) -> texture_spec {
    texture_spec spec = plain();
    spec.pitch = side * 4;
    spec.memory = {alloc, 0};
    return spec;
  }
  auto submit(const stream_builder& stream) -> error {
    return path.submit(stream.bytes(), 0,
                       {{{1, AEROGPU_ALLOC_FLAG_NONE, raw(copy_at), image_bytes, 0},
                         {2, AEROGPU_ALLOC_FLAG_NONE, raw(seen_at), image_bytes, 0}}});
  }
  auto run(const stream_builder& stream) -> error_code {
    const error why = submit(stream);
    path.finish();
    return why.code;
  }
  static auto copied() -> stream_builder {
    return stream_builder{}.copy_texture({copy}, {origin}, side, side, copy_back);
  }
  /// What the device has of the copy, whatever guest memory says.
  auto content() -> byte_vector {
    memory.poke(copy_at, filled(image_bytes, 0xEE));
    REQUIRE(run(stream_builder{}
                    .copy_texture({further}, {copy}, side, side)
                    .copy_texture({seen}, {further}, side, side, copy_back)) == error_code::none);
    return memory.peek(seen_at, image_bytes);
  }

  byte_vector texels = counting(image_bytes, 7, 3);
  byte_vector others = counting(image_bytes, 200, 5);
  std::unique_ptr<vulkan::vulkan_backend> backend;
  fake_memory memory;
  conformance::direct_path<vulkan::vulkan_backend> path;
};

/// u0 = t0 + t1, a buffer and a texture.
auto cs_sum() -> byte_vector {
  using namespace sm4;
  program code{program_type::compute, 5};
  code.op(dcl_resource_raw, {plain(resource, {0})})
      .op(dcl_resource, {plain(resource, {1}), word(returns_float)}, texture_2d)
      .op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_temps, {word(2)})
      .op(dcl_thread_group, {word(1), word(1), word(1)})
      .op(mov, {to(temp, {0}), bits(0)})
      .op(ld, {to(temp, {1}), from(temp, {0}), from(resource, {1})})
      .op(ld_raw, {to(temp, {0}, "y"), from(temp, {0}, "x"), from(resource, {0}, "xxxx")})
      .op(sm4::add, {to(temp, {0}, "y"), from(temp, {1}, "x"), from(temp, {0}, "y")})
      .op(store_raw, {to(uav, {0}, "x"), from(temp, {0}, "x"), from(temp, {0}, "y")})
      .op(ret);
  return container({{}, {}}, code);
}

/// The same, with something else to read beside the copy: `corners`.
struct reading_rig : copy_rig {
  static constexpr std::uint32_t target = 20, corners = 21, spare = 22, source = 23;
  static constexpr std::uint32_t vs = 20, ps = 21, cs = 22, layout = 20;

  reading_rig() {
    REQUIRE(run(stream_builder{}
                    .create_texture(target, plain(AEROGPU_RESOURCE_USAGE_RENDER_TARGET))
                    .create_buffer(corners, 64)
                    .create_buffer(spare, 64)
                    .create_buffer(source, 64)
                    .upload(corners, 0, counting(64, 1))
                    .upload(spare, 0, counting(64, 9))
                    .upload(source, 0, counting(64, 5))) == error_code::none);
  }
  static auto with_shaders(const byte_vector& vertex, const byte_vector& pixel,
                           const byte_vector& inputs) -> stream_builder {
    return stream_builder{}
        .create_shader(vs, wire_vs, vertex)
        .create_shader(ps, wire_ps, pixel)
        .create_layout(layout, inputs)
        .targets({target})
        .bind_shaders(vs, ps)
        .set_layout(layout)
        .topology(AEROGPU_TOPOLOGY_TRIANGLELIST);
  }
  static auto with_d3d9_shaders() -> stream_builder {
    return with_shaders(
        many::program("vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oT0, v0"),
        many::program("ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0"),
        declaration_blob({{}, declaration_end}));
  }
  static auto with_dxbc_shaders() -> stream_builder {
    return with_shaders(sm4::vs_passing(), sm4::ps_last_registers(),
                        ilay_blob({{}, {.name = "TEXCOORD"}, {.name = "COLOR"}}));
  }
  static auto with_compute_shader() -> stream_builder {
    return stream_builder{}.create_shader(cs, wire_cs, cs_sum()).bind_shaders(0, 0, cs);
  }
};

/// A letter for each command that the backend records: draws and dispatches, barriers, and copies
/// between buffers.
std::string recorded;
VolkDeviceTable original;

void watch(vulkan::vulkan_backend& backend) {
  VolkDeviceTable& vk = backend.inside().device()->gpu->vk;
  original = vk;
  recorded.clear();
  vk.vkCmdDraw = [](VkCommandBuffer to, auto count, auto instances, auto first, auto instance) {
    recorded += 'D';
    original.vkCmdDraw(to, count, instances, first, instance);
  };
  vk.vkCmdDrawIndexed = [](VkCommandBuffer to, auto count, auto instances, auto first,
                           std::int32_t base, auto instance) {
    recorded += 'D';
    original.vkCmdDrawIndexed(to, count, instances, first, base, instance);
  };
  vk.vkCmdDispatchBase = [](VkCommandBuffer to, auto x, auto y, auto z, auto a, auto b, auto c) {
    recorded += 'D';
    original.vkCmdDispatchBase(to, x, y, z, a, b, c);
  };
  vk.vkCmdPipelineBarrier2 = [](VkCommandBuffer to, const VkDependencyInfo* what) {
    recorded += 'B';
    original.vkCmdPipelineBarrier2(to, what);
  };
  vk.vkCmdCopyBuffer = [](VkCommandBuffer to, VkBuffer a, VkBuffer b, auto count,
                          const VkBufferCopy* regions) {
    recorded += 'C';
    original.vkCmdCopyBuffer(to, a, b, count, regions);
  };
}

}  // namespace

TEST_CASE("a copy that was put off has its content, in guest memory and on the device",
          "[faults][copy]") {
  copy_rig rig{GENERATE(vulkan::backend_limits{}, tight_limits())};
  REQUIRE(rig.run(copy_rig::copied()) == error_code::none);
  CHECK(rig.memory.peek(copy_at, image_bytes) == rig.texels);
  CHECK(rig.content() == rig.texels);
  CHECK(rig.content() == rig.texels);  // Once it was made, it stays.
}

TEST_CASE("what happens to the source behind the copy does not change the copy", "[faults][copy]") {
  const bool is_same_submission = GENERATE(false, true);
  copy_rig rig;
  stream_builder stream = copy_rig::copied();
  if (!is_same_submission) {
    REQUIRE(rig.run(stream) == error_code::none);
    stream = stream_builder{};
  }
  SECTION("upload") {
    stream.upload(origin, 0, rig.others);
  }
  SECTION("clear") {
    stream.targets({origin}).clear(AEROGPU_CLEAR_COLOR, {1, 1, 1, 1});
  }
  SECTION("destroy") {
    stream.targets({}).destroy(origin);
  }
  REQUIRE(rig.run(stream) == error_code::none);
  CHECK(rig.content() == rig.texels);
}

TEST_CASE("a copy without a read-back behind it is made before anything else", "[faults][copy]") {
  copy_rig rig;
  stream_builder stream;
  stream.copy_texture({copy}, {origin}, side, side);
  SECTION("and then the source is overwritten") {
    stream.upload(origin, 0, rig.others);
  }
  SECTION("and then the source goes") {
    stream.destroy(origin);
  }
  SECTION("and then the submission ends") {}
  SECTION("and then the submission fails") {
    stream.destroy(77);
  }
  static_cast<void>(rig.run(stream));
  CHECK(rig.content() == rig.texels);
}

TEST_CASE("a part of a copy that was put off can be overwritten", "[faults][copy]") {
  copy_rig rig;
  REQUIRE(rig.run(copy_rig::copied()) == error_code::none);
  const byte_vector row = part_of(rig.others, 0, side * 4);
  REQUIRE(rig.run(stream_builder{}.upload(copy, 5 * side * 4, row)) == error_code::none);
  byte_vector expected = rig.texels;
  std::copy(row.begin(), row.end(), expected.begin() + 5 * side * 4);
  CHECK(rig.content() == expected);
}

TEST_CASE("a copy that is put off again and again holds the last one, in bounded memory",
          "[faults][copy]") {
  copy_rig rig;
  for (unsigned i = 0; i < 40; ++i) {
    stream_builder stream;
    stream.upload(origin, 0, counting(image_bytes, i, 3));
    stream.copy_texture({copy}, {origin}, side, side, copy_back);
    REQUIRE(rig.run(stream) == error_code::none);
  }
  CHECK(rig.memory.peek(copy_at, image_bytes) == counting(image_bytes, 39, 3));
  CHECK(rig.content() == counting(image_bytes, 39, 3));
  CHECK(rig.backend->inside().device()->work.read_backs().used_bytes() <= 256 * 1024);
}

TEST_CASE("a texture whose copy was put off can go, and so can all of them", "[faults][copy]") {
  copy_rig rig;
  REQUIRE(rig.run(copy_rig::copied().destroy(copy)) == error_code::none);
  CHECK(rig.memory.peek(copy_at, image_bytes) == rig.texels);
  REQUIRE(rig.run(stream_builder{}.create_texture(copy, copy_rig::backed(1))) == error_code::none);
  REQUIRE(rig.run(copy_rig::copied()) == error_code::none);
  CHECK(rig.backend->inside().device()->work.read_backs().used_bytes() != 0);
}

TEST_CASE("a snapshot holds the content of a copy that was put off", "[faults][copy]") {
  copy_rig rig;
  REQUIRE(rig.run(copy_rig::copied()) == error_code::none);
  snapshot_writer out;
  REQUIRE(rig.path.processor().save(out));
  REQUIRE(rig.run(stream_builder{}.upload(copy, 0, rig.others)) == error_code::none);
  snapshot_reader in{out.bytes()};
  REQUIRE(rig.path.processor().load(in));
  CHECK(rig.content() == rig.texels);
}

TEST_CASE("copies are made at once where too many were put off", "[faults][copy]") {
  vulkan::backend_limits bounds;
  bounds.deferred_copy_bytes = GENERATE(1u, image_bytes - 1, image_bytes, 2 * image_bytes);
  copy_rig rig{bounds};
  REQUIRE(rig.run(copy_rig::copied().copy_texture({seen}, {origin}, side, side, copy_back)) ==
          error_code::none);
  CHECK(rig.memory.peek(copy_at, image_bytes) == rig.texels);
  CHECK(rig.memory.peek(seen_at, image_bytes) == rig.texels);
  CHECK(rig.content() == rig.texels);
}

TEST_CASE("what is read beside a copy that was put off is not overwritten before it was read",
          "[faults][copy]") {
  const bool uploads = GENERATE(true, false);
  using rig_of = reading_rig;
  rig_of rig;
  const byte_vector put_off = faulty_guest::packets_of(copy_rig::copied());
  stream_builder stream;
  SECTION("by a draw of SM2, as vertices") {
    stream = rig_of::with_d3d9_shaders().vertex_buffer(0, rig_of::corners);
    stream.append(put_off).set_texture(wire_ps, 0, copy).draw(3);
  }
  SECTION("by a draw of SM2, as indices") {
    stream = rig_of::with_d3d9_shaders().vertex_buffer(0, rig_of::spare);
    stream.index_buffer(rig_of::corners).append(put_off);
    stream.set_texture(wire_ps, 0, copy).draw_indexed(3);
  }
  SECTION("by a draw of SM4, as vertices") {
    stream = rig_of::with_dxbc_shaders().vertex_buffer(0, rig_of::corners, 48);
    stream.append(put_off).set_texture(wire_ps, 127, copy).draw(3);
  }
  SECTION("by a draw of SM4, as constants") {
    stream = rig_of::with_dxbc_shaders().vertex_buffer(0, rig_of::spare, 48);
    stream.constant_buffers(wire_ps, 13, {{rig_of::corners, 0, 64}});
    stream.append(put_off).set_texture(wire_ps, 127, copy).draw(3);
  }
  SECTION("by a dispatch") {
    stream = rig_of::with_compute_shader();
    stream.resource_buffers(wire_cs, 0, {{rig_of::corners, 0, 64}});
    stream.unordered_access(wire_cs, 0, {{rig_of::spare, 0, 64}});
    stream.append(put_off).set_texture(wire_cs, 1, copy).dispatch(1, 1, 1);
  }
  if (uploads) {
    stream.upload(rig_of::corners, 0, counting(64, 5));
  } else {
    stream.copy_buffer(rig_of::corners, 0, rig_of::source, 0, 64);
  }
  watch(*rig.backend);
  const error why = rig.submit(stream);
  rig.path.finish();
  INFO((why.what != nullptr ? why.what : ""));
  REQUIRE(why.code == error_code::none);
  CAPTURE(recorded);
  const std::size_t use = recorded.find('D');
  REQUIRE(use != std::string::npos);
  const std::size_t overwrite = recorded.find('C', use);
  REQUIRE(overwrite != std::string::npos);
  CHECK(recorded.substr(use, overwrite - use).find('B') != std::string::npos);
}
