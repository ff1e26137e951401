// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/instancing.hpp"

#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"
#include "tests/drivers/umd/rigs/input_assembler.hpp"

#include <random>

namespace aerogpu::umd::test {

namespace {

constexpr std::uint32_t indexed_data = D3DSTREAMSOURCE_INDEXEDDATA;
constexpr std::uint32_t instance_data = D3DSTREAMSOURCE_INSTANCEDATA;
constexpr std::uint32_t instanced_streams = 3;
/// How far the elements of each stream reach.
constexpr std::array<std::uint32_t, instanced_streams> extents{12, 20, 16};

/// A device that reads three streams with the application's vertex shader.
struct instancing_rig : device_rig {
  explicit instancing_rig(const fake_runtime_options& options = {}) : device_rig(options) {
    make_texture(*this, target);
    REQUIRE(set_render_target(device, 0, {&target, 0}) == S_OK);
    REQUIRE(set_shader(device, stage::vertex, vertex.get()) == S_OK);
    REQUIRE(set_shader(device, stage::pixel, pixel.get()) == S_OK);
    REQUIRE(set_declaration(device, layout.get()) == S_OK);
  }
  ~instancing_rig() { unbind_resource(device, target); }

  /// A buffer of the driver's with bytes in it.
  auto buffer(const byte_vector& bytes) -> resource& {
    resource& made = test::make(*this, buffer_of(bytes.size()));
    write_all(*this, made, bytes);
    return made;
  }
  void frequencies(std::uint32_t first, std::uint32_t second, std::uint32_t third = 1) {
    REQUIRE(set_stream_frequency(device, 0, first) == S_OK);
    REQUIRE(set_stream_frequency(device, 1, second) == S_OK);
    REQUIRE(set_stream_frequency(device, 2, third) == S_OK);
  }
  /// 16-bit indices that name vertex after vertex.
  void fill_indices(std::size_t count) {
    byte_vector bytes(count * 2);
    for (std::size_t i = 0; i < count; ++i)
      store(bytes.data() + 2 * i, static_cast<std::uint16_t>(i));
    REQUIRE(set_indices(device, {&buffer(bytes), 2, 0}) == S_OK);
  }
  /// Room for `count` vertices in each stream, 32 bytes apart.
  void fill_streams(std::size_t count) {
    for (std::uint32_t i = 0; i < instanced_streams; ++i) {
      bound[i] = &buffer(counted_bytes(count * 32, i * 50));
      REQUIRE(set_stream(device, i, {bound[i], 0, 32}) == S_OK);
    }
  }
  [[nodiscard]] auto drawn() -> std::vector<fetched_draw> { return assembler().draws(); }
  [[nodiscard]] auto assembler() -> input_assembler {
    return {*this, {{0, extents[0]}, {1, extents[1]}, {2, extents[2]}}};
  }

  resource target;
  std::array<resource*, instanced_streams> bound{};
  test_shader vertex{*this, stage::vertex, plain_vertex_shader};
  test_shader pixel{*this, stage::pixel, plain_pixel_shader};
  test_declaration layout{*this,
                          {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                           {1, 4, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0},
                           {2, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
                           {2, 8, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 1}}};
};

/// A draw of a random shape, and what it must fetch: every vertex on its own.
class random_instances {
 public:
  random_instances(instancing_rig& rig, unsigned seed) : rig_(rig), random_(seed) {
    count_ = pick(1, 5);
    constexpr D3DPRIMITIVETYPE types[] = {D3DPT_POINTLIST,     D3DPT_LINELIST,
                                          D3DPT_LINESTRIP,     D3DPT_TRIANGLELIST,
                                          D3DPT_TRIANGLESTRIP, D3DPT_TRIANGLEFAN};
    call_.type = types[pick(0, 5)];
    call_.primitive_count = pick(1, 6);
    call_.is_indexed = pick(0, 1) == 1;
    call_.first = pick(0, 4);
    call_.min_index = pick(0, 99);  // What it says of its indices counts for nothing.
    call_.vertex_count = pick(0, 99);
    make_indices();
    for (std::uint32_t i = 0; i < instanced_streams; ++i) make_stream(i);
  }

  [[nodiscard]] auto call() const -> const draw_call& { return call_; }

  [[nodiscard]] auto expected() const -> std::vector<fetched_draw> {
    std::vector<fetched_draw> draws;
    const std::uint32_t instances = call_.is_indexed ? count_ : 1;
    const bool is_list = call_.type == D3DPT_POINTLIST || call_.type == D3DPT_LINELIST ||
                         call_.type == D3DPT_TRIANGLELIST;
    for (std::uint32_t instance = 0; instance < instances; ++instance) {
      if (draws.empty() || !is_list) {
        draws.push_back({static_cast<std::uint32_t>(call_.type), call_.is_indexed, {}});
      }
      for (const std::uint32_t vertex : vertices_) {
        draws.back().vertices.push_back(vertex_of(instance, vertex));
      }
    }
    return draws;
  }

 private:
  struct source {
    byte_vector bytes;
    std::uint32_t offset = 0, stride = 0, divisor = 0;
    bool is_missing = false;
  };

  [[nodiscard]] auto pick(std::uint32_t least, std::uint32_t most) -> std::uint32_t {
    return std::uniform_int_distribution<std::uint32_t>{least, most}(random_);
  }
  [[nodiscard]] auto random_bytes(std::size_t size) -> byte_vector {
    byte_vector bytes(size);
    for (std::byte& each : bytes) each = static_cast<std::byte>(pick(0, 255));
    return bytes;
  }

  void make_indices() {
    const auto elements = elements_of(call_.type, call_.primitive_count);
    if (!call_.is_indexed) {
      for (std::uint64_t i = 0; i < elements; ++i) {
        vertices_.push_back(call_.first + static_cast<std::uint32_t>(i));
      }
      return;
    }
    const bool is_wide = pick(0, 1) == 1;
    const std::uint32_t least = pick(3, 70);
    call_.base_vertex = static_cast<std::int32_t>(pick(0, 6)) - 3;
    const std::size_t size = is_wide ? 4 : 2;
    byte_vector bytes((call_.first + static_cast<std::size_t>(elements)) * size + 8);
    for (std::uint64_t i = 0; i < elements; ++i) {
      const std::uint32_t index = least + pick(0, 9);
      std::byte* const at = bytes.data() + 8 + (call_.first + i) * size;
      if (is_wide) store(at, index);
      if (!is_wide) store(at, static_cast<std::uint16_t>(index));
      vertices_.push_back(static_cast<std::uint32_t>(static_cast<int>(index) + call_.base_vertex));
    }
    REQUIRE(set_indices(rig_.device, {&rig_.buffer(bytes), static_cast<std::uint32_t>(size), 8}) ==
            S_OK);
  }

  void make_stream(std::uint32_t number) {
    source& made = sources_[number];
    const std::uint32_t shape = number == 0 ? 9 : pick(0, 9);
    made.is_missing = shape == 0;
    made.stride = shape == 1 ? 0 : extents[number] + 4 * pick(0, 3);
    made.offset = 4 * pick(0, 3);
    const std::uint32_t divisor = number != 0 && pick(0, 2) != 0 ? pick(1, 4) : 0;
    made.divisor = call_.is_indexed ? divisor : 0;
    const std::uint32_t repeats = pick(0, 1) == 0 ? 1 : indexed_data | count_;
    const std::uint32_t frequency = divisor != 0 ? instance_data | divisor : repeats;
    REQUIRE(set_stream_frequency(rig_.device, number,
                                 number == 0 ? indexed_data | count_ : frequency) == S_OK);
    // Not a byte more than the last vertex takes.
    const std::uint32_t most = *std::max_element(vertices_.begin(), vertices_.end());
    const std::uint32_t last = made.divisor != 0 ? (count_ - 1) / made.divisor : most;
    made.bytes = random_bytes(made.offset + std::size_t{last} * made.stride + extents[number]);
    stream_source bound;
    if (!made.is_missing) bound = {&rig_.buffer(made.bytes), made.offset, made.stride};
    REQUIRE(set_stream(rig_.device, number, bound) == S_OK);
  }

  [[nodiscard]] auto vertex_of(std::uint32_t instance, std::uint32_t number) const -> byte_vector {
    byte_vector vertex;
    for (std::uint32_t i = 0; i < instanced_streams; ++i) {
      const source& from = sources_[i];
      byte_vector part(extents[i]);
      const std::uint32_t at = from.divisor != 0 ? instance / from.divisor : number;
      if (!from.is_missing) {
        const auto first =
            from.bytes.begin() + from.offset + static_cast<std::ptrdiff_t>(at) * from.stride;
        std::copy(first, first + extents[i], part.begin());
      }
      vertex.insert(vertex.end(), part.begin(), part.end());
    }
    return vertex;
  }

  instancing_rig& rig_;
  std::mt19937 random_;
  std::uint32_t count_ = 1;
  draw_call call_;
  std::vector<std::uint32_t> vertices_;  ///< Of one instance.
  std::array<source, instanced_streams> sources_;
};

/// A rig whose frequencies are refused: nothing is sent, and what was bound is bound.
void check_refused(instancing_rig& rig, const draw_call& call, HRESULT expected) {
  const std::size_t draws = rig.drawn().size();
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig).size();
  const auto binds = sent<aerogpu_cmd_set_vertex_buffers>(rig).size();
  const auto shaders = sent<aerogpu_cmd_bind_shaders>(rig).size();
  CHECK(draw(rig.device, call) == expected);
  CHECK(rig.drawn().size() == draws);
  CHECK(sent<aerogpu_cmd_upload_resource>(rig).size() == uploads);
  CHECK(sent<aerogpu_cmd_set_vertex_buffers>(rig).size() == binds);
  CHECK(sent<aerogpu_cmd_bind_shaders>(rig).size() == shaders);
}

void check_bindings(instancing_rig& rig) {
  const input_assembler at_end = rig.assembler();
  for (std::uint32_t i = 0; i < stream_count; ++i) {
    CAPTURE(i);
    const stream_source& set = rig.device.state.streams[i];
    const auto bound = at_end.stream(i);
    CHECK(std::uint32_t{bound.buffer} == (set.buffer != nullptr ? raw(set.buffer->handle) : 0));
    if (set.buffer == nullptr) continue;
    CHECK(std::uint32_t{bound.offset_bytes} == set.offset_bytes);
    CHECK(std::uint32_t{bound.stride_bytes} == set.stride_bytes);
  }
  const resource* const indices = rig.device.state.indices.buffer;
  CHECK(std::uint32_t{at_end.indices().buffer} == (indices != nullptr ? raw(indices->handle) : 0));
}

}  // namespace

TEST_CASE("instances fetch what each vertex of each instance fetches on its own",
          "[umd][T195][T196][T197]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    instancing_rig rig;
    const random_instances random{rig, seed};
    const auto expected = random.expected();
    const bool is_plain =
        !expected.empty() && rig.device.state.streams.frequency(0) == (indexed_data | 1);
    REQUIRE(draw(rig.device, random.call()) == S_OK);
    const auto drawn = rig.drawn();
    REQUIRE(drawn.size() == expected.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      CHECK(drawn[i].topology == expected[i].topology);
      CHECK(drawn[i].is_indexed == expected[i].is_indexed);
      CHECK((drawn[i].vertices == expected[i].vertices || is_plain));
    }
    check_bindings(rig);
  }
}

TEST_CASE("one instance without instance data is a plain draw", "[umd][T195]") {
  instancing_rig rig;
  rig.fill_streams(8);
  rig.fill_indices(8);
  rig.frequencies(indexed_data | 1, indexed_data | 1);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig).size();
  CHECK(draw(rig.device, {.primitive_count = 2, .is_indexed = true, .first = 1}) == S_OK);
  CHECK(sent<aerogpu_cmd_upload_resource>(rig).size() == uploads);
  const auto packets = sent<aerogpu_cmd_draw_indexed>(rig);
  REQUIRE(packets.size() == 1);
  CHECK(std::uint32_t{packets[0].fields.first_index} == 1);
  CHECK(std::uint32_t{packets[0].fields.index_count} == 6);
}

TEST_CASE("frequencies mean nothing to a draw without indices", "[umd][T195]") {
  struct row {
    std::uint32_t first, second;
  };
  const row left_over =
      GENERATE(row{indexed_data | 100, instance_data | 1}, row{indexed_data | 100, 1},
               row{1, instance_data | 1}, row{indexed_data | 2, indexed_data | 3});
  const bool has_shader = GENERATE(true, false);
  instancing_rig rig;
  rig.fill_streams(8);
  rig.frequencies(left_over.first, left_over.second);
  REQUIRE(set_shader(rig.device, stage::vertex, has_shader ? rig.vertex.get() : nullptr) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_LIGHTING, 0) == S_OK);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig).size();
  CHECK(draw(rig.device, {.primitive_count = 2, .first = 1}) == S_OK);
  if (has_shader) CHECK(sent<aerogpu_cmd_upload_resource>(rig).size() == uploads);
  const auto packets = sent<aerogpu_cmd_draw>(rig);
  REQUIRE(packets.size() == 1);
  CHECK(std::uint32_t{packets[0].fields.first_vertex} == 1);
  CHECK(std::uint32_t{packets[0].fields.vertex_count} == 6);
  CHECK(std::uint32_t{packets[0].fields.instance_count} == 1);
  check_bindings(rig);
}

TEST_CASE("frequencies that do not go together are refused before anything is sent",
          "[umd][T195][T196]") {
  struct row {
    std::uint32_t first, second;
  };
  const row refused = GENERATE(
      row{instance_data | 1, 1},  // Stream 0 has the vertices.
      row{1, instance_data | 1},  // Nobody counts instances.
      row{indexed_data | 2, indexed_data | 3}, row{indexed_data | 2, instance_data},  // Divisor 0.
      row{indexed_data, instance_data | 1},  // No instances.
      row{indexed_data | 2, 0}, row{0, 1}, row{2, 1}, row{indexed_data | 2, 2},
      row{indexed_data | 2, indexed_data | instance_data | 2});
  instancing_rig rig;
  rig.fill_streams(8);
  rig.fill_indices(8);
  rig.frequencies(refused.first, refused.second);
  CAPTURE(refused.first, refused.second);
  check_refused(rig, {.primitive_count = 1, .is_indexed = true}, D3DERR_INVALIDCALL);
  check_bindings(rig);
}

TEST_CASE("instances need a vertex shader, and streams that count are those that are read",
          "[umd][T195]") {
  instancing_rig rig;
  rig.fill_streams(8);
  rig.fill_indices(8);
  rig.frequencies(indexed_data | 2, instance_data | 1);
  const draw_call call{.primitive_count = 1, .is_indexed = true};
  REQUIRE(set_stream_frequency(rig.device, 5, instance_data | 7) == S_OK);  // Nobody reads it.
  REQUIRE(set_shader(rig.device, stage::vertex, nullptr) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_LIGHTING, 0) == S_OK);
  check_refused(rig, call, D3DERR_INVALIDCALL);
  REQUIRE(set_shader(rig.device, stage::vertex, rig.vertex.get()) == S_OK);
  CHECK(draw(rig.device, call) == S_OK);
  CHECK(rig.drawn().back().vertices.size() == 6);
  // A declaration that does not read stream 0 has nothing to repeat.
  test_declaration beside{rig, {{1, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITION, 0}}};
  REQUIRE(set_declaration(rig.device, beside.get()) == S_OK);
  check_refused(rig, call, D3DERR_INVALIDCALL);
}

TEST_CASE("instances whose vertices or indices end too early are refused whole",
          "[umd][T195][T196]") {
  instancing_rig rig;
  rig.fill_streams(6);  // Of 32 bytes; the last instance element is number 5.
  rig.fill_indices(6);
  rig.frequencies(indexed_data | 6, instance_data | 1);
  draw_call call{.primitive_count = 2, .is_indexed = true};
  CHECK(draw(rig.device, call) == S_OK);
  call.base_vertex = 1;
  check_refused(rig, call, D3DERR_INVALIDCALL);
  rig.frequencies(indexed_data | 7, instance_data | 1);
  call = {.primitive_count = 1, .is_indexed = true};
  check_refused(rig, call, D3DERR_INVALIDCALL);
  rig.frequencies(indexed_data | 12, instance_data | 2);
  CHECK(draw(rig.device, call) == S_OK);
  byte_vector indices(8);
  for (std::size_t i = 0; i < 4; ++i) store(indices.data() + 2 * i, std::uint16_t(i * 2));
  REQUIRE(set_indices(rig.device, {&rig.buffer(indices), 2, 0}) == S_OK);
  CHECK(draw(rig.device, call) == S_OK);  // 0, 2, 4.
  call.base_vertex = 1;
  CHECK(draw(rig.device, call) == S_OK);
  call.base_vertex = 2;
  check_refused(rig, call, D3DERR_INVALIDCALL);
  call.base_vertex = -1;
  check_refused(rig, call, D3DERR_INVALIDCALL);
  call = {.primitive_count = 1, .is_indexed = true, .first = 2};
  check_refused(rig, call, D3DERR_INVALIDCALL);  // Index 4 is not there.
  check_bindings(rig);
}

TEST_CASE("instances that take more than 2 GiB are refused", "[umd][T195][T196]") {
  instancing_rig rig;
  rig.fill_streams(9);
  rig.fill_indices(9);
  const draw_call call{.primitive_count = 1, .is_indexed = true};
  // A vertex takes 12, 20 and 16 bytes: 9 of them as often as 2 GiB hold.
  rig.frequencies(indexed_data | 0x3FFFFFFF, indexed_data | 0x3FFFFFFF);
  check_refused(rig, call, E_INVALIDARG);
  rig.frequencies(indexed_data | 35791395, 1);
  check_refused(rig, call, E_INVALIDARG);
}

TEST_CASE("bindings are the application's again when a draw of instances fails", "[umd][T196]") {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    CAPTURE(n);
    instancing_rig rig;
    rig.device.resources.rule = backing_rule::everything;
    rig.fill_streams(6);
    REQUIRE(set_indices(rig.device, {&rig.buffer(byte_vector(12)), 4, 0}) == S_OK);
    rig.frequencies(indexed_data | 3, instance_data | 1);
    REQUIRE(rig.device.commands.submit() == S_OK);
    // Indices are locked to find the vertices, then each stream, and the indices again.
    if (n < 6) rig.runtime.fail_call(rig.runtime.calls() + n, E_OUTOFMEMORY);
    CHECK(draw(rig.device, {.primitive_count = 1, .is_indexed = true}) ==
          (n < 6 ? E_OUTOFMEMORY : S_OK));
    CHECK_FALSE(rig.device.loss.is_lost());
    CHECK(rig.drawn().size() == (n < 6 ? 0 : 1));
    check_bindings(rig);
  }
}

TEST_CASE("instances come from the application's own memory too", "[umd][T195]") {
  instancing_rig rig;
  rig.fill_streams(4);
  rig.frequencies(indexed_data | 2, instance_data | 1, instance_data | 2);
  const byte_vector vertices = counted_bytes(5 * 12);
  const std::array<std::uint16_t, 5> indices{9, 9, 3, 1, 2};
  rig.device.scratch.user_vertices = {vertices.data(), 12};
  rig.device.scratch.user_indices = {std::as_bytes(std::span{indices}).data(), 2};
  draw_call call{.type = D3DPT_TRIANGLESTRIP,
                 .primitive_count = 1,
                 .is_indexed = true,
                 .first = 2,
                 .min_index = 1,
                 .vertex_count = 3};
  CHECK(draw(rig.device, call) == S_OK);
  const auto drawn = rig.drawn();
  REQUIRE(drawn.size() == 2);
  for (std::size_t instance = 0; instance < 2; ++instance) {
    for (std::size_t i = 0; i < 3; ++i) {
      const byte_vector& vertex = drawn[instance].vertices[i];
      const auto first = vertices.begin() + indices[2 + i] * 12;
      CHECK(byte_vector(vertex.begin(), vertex.begin() + 12) == byte_vector(first, first + 12));
      CHECK(vertex[12] == rig.bound[1]->shadow[instance * 32]);
      CHECK(vertex[32] == rig.bound[2]->shadow[0]);
    }
  }
  check_bindings(rig);
}

TEST_CASE("instances come from buffers in guest memory, locked no longer than they are read",
          "[umd][T195][T196]") {
  instancing_rig rig;
  rig.device.resources.rule = backing_rule::everything;
  rig.fill_streams(6);
  REQUIRE(rig.bound[0]->contents == residence::guest);
  byte_vector indices(12);
  for (std::uint32_t i = 0; i < 3; ++i) store(indices.data() + 4 * i, 5 - i);
  REQUIRE(set_indices(rig.device, {&rig.buffer(indices), 4, 0}) == S_OK);
  rig.frequencies(indexed_data | 2, instance_data | 1);
  CHECK(draw(rig.device, {.primitive_count = 1, .is_indexed = true}) == S_OK);
  const auto drawn = rig.drawn();
  REQUIRE(drawn.size() == 1);
  REQUIRE(drawn[0].vertices.size() == 6);
  CHECK(drawn[0].vertices[0][0] == counted_bytes(6 * 32, 0)[5 * 32]);
  CHECK(drawn[0].vertices[5][12] == counted_bytes(6 * 32, 50)[32]);
}

TEST_CASE("left instance red, right instance green", "[umd][G19]") {
  instancing_rig rig;
  test_declaration scene{rig,
                         {{0, 0, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_POSITION, 0},
                          {1, 0, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0},
                          {1, 8, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
  REQUIRE(set_declaration(rig.device, scene.get()) == S_OK);
  const std::array<float, 8> corners{-0.25f, -0.5f, -0.25f, 0.5f, 0.25f, -0.5f, 0.25f, 0.5f};
  struct instance {
    float x, y;
    std::uint32_t color;
  };
  const std::array<instance, 2> instances{{{-0.5f, 0, 0xFFFF0000}, {0.5f, 0, 0xFF00FF00}}};
  const std::array<std::uint16_t, 6> indices{0, 1, 2, 2, 1, 3};
  const auto bytes = [](const auto& from) {
    const const_bytes all = std::as_bytes(std::span{from});
    return byte_vector(all.begin(), all.end());
  };
  REQUIRE(set_stream(rig.device, 0, {&rig.buffer(bytes(corners)), 0, 8}) == S_OK);
  REQUIRE(set_stream(rig.device, 1, {&rig.buffer(bytes(instances)), 0, 12}) == S_OK);
  REQUIRE(set_indices(rig.device, {&rig.buffer(bytes(indices)), 2, 0}) == S_OK);
  rig.frequencies(indexed_data | 2, instance_data | 1);
  CHECK(draw(rig.device, {.primitive_count = 2, .is_indexed = true}) == S_OK);
  const input_assembler assembler{rig, {{0, 8}, {1, 12}}};
  REQUIRE(assembler.draws().size() == 1);
  const auto& vertices = assembler.draws()[0].vertices;
  REQUIRE(vertices.size() == 12);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto x = load<float>(vertices[i].data());
    const auto at = load<instance>(vertices[i].data() + 8);
    CHECK(x == corners[indices[i % 6] * 2u]);
    CHECK((x + at.x < 0) == (i < 6));
    CHECK(at.color == instances[i / 6].color);
  }
}

}  // namespace aerogpu::umd::test
