// SPDX-License-Identifier: MIT
// Shaders that index what they declared out of its range. Out of range reads are 0 and writes
// vanish, whatever the driver would do.
#include "tests/catch.hpp"
#include "tests/hostile/attacks/compute.hpp"
#include "tests/hostile/shaders.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::hostile {

namespace shader_memory_group {

constexpr std::uint32_t threads = 64;
constexpr std::uint32_t known = 0x5A5A5A5A;

/// Offsets that lie outside of anything that is small, on both sides and around wraps.
auto wild_offsets() -> words {
  words all;
  for (std::uint32_t i = 0; i < 24; ++i) all.push_back(256 + i * 4);
  for (std::uint32_t bit = 9; bit < 32; ++bit) all.push_back(1u << bit);
  for (const std::uint32_t edge : {0xFFFFFFFCu, 0xFFFFFF00u, 0xFFFF0000u, 0x80000004u, 0x7FFFFFFCu,
                                   0x40000000u, 0xC0000000u, 0xFFFFFFF0u}) {
    all.push_back(edge);
  }
  while (all.size() < 256) all.push_back(0x1000u * static_cast<std::uint32_t>(all.size()));
  return all;
}

/// The same as numbers of elements.
auto wild_indices(std::uint32_t first_outside) -> words {
  words all;
  for (std::uint32_t i = 0; i < 128; ++i) all.push_back(first_outside + i);
  for (std::uint32_t bit = 8; bit < 32; ++bit) all.push_back(1u << bit);
  for (std::uint32_t i = 1; all.size() < 192; ++i) all.push_back(0u - i);
  return all;
}

void expect_zeros(const compute_run& run) {
  REQUIRE(run.why == error_code::none);
  std::size_t leaked = 0;
  for (const std::uint32_t word : run.results) leaked += word != 0 ? 1 : 0;
  CHECK(leaked == 0);
}

/// Each word of a raw g0 of 64 words is `known`, and every thread waits for that.
void fill_shared(program& code) {
  code.op(iadd, {to(temp, {2}, "x"), from(temp, {0}, "x"), bits(0)})
      .op(mov, {to(temp, {2}, "x"), from(thread_in_group, {}, "x")})
      .op(ishl, {to(temp, {2}, "x"), from(temp, {2}, "x"), bits(2)})
      .op(store_raw, {to(group_shared, {0}, "x"), from(temp, {2}, "x"), bits(known)})
      .op(op_sync, {}, sync_group);
}

auto raw_shared() -> std::vector<token_vector> {
  return {declare(dcl_input, {to(thread_in_group, {}, "x")}),
          declare(op_dcl_tgsm_raw, {plain(group_shared, {0}), word(threads * 4)})};
}

void shared_raw_read() {
  session s{validated()};
  program code = begin_compute(threads, raw_shared());
  fill_shared(code);
  code.op(ld_raw, {to(temp, {1}, "x"), from(temp, {0}, "y"), from(group_shared, {0}, "xxxx")});
  const byte_vector shader = end_compute(code);
  const compute_run inside = run_compute(s.g(), shader, words(64, 252), threads);
  CHECK((inside.results == words(64, known)));
  expect_zeros(run_compute(s.g(), shader, wild_offsets(), threads));
  s.must_serve();
}

void shared_wide_read() {
  session s{validated()};
  program code = begin_compute(threads, raw_shared());
  fill_shared(code);
  // Four words from the last one on: three of them are outside.
  code.op(ld_raw, {to(temp, {3}), from(temp, {0}, "y"), from(group_shared, {0})})
      .op(iadd, {to(temp, {1}, "x"), from(temp, {3}, "y"), from(temp, {3}, "z")})
      .op(iadd, {to(temp, {1}, "x"), from(temp, {1}, "x"), from(temp, {3}, "w")});
  words offsets(64, 252);
  offsets.resize(128, 0xFFFFFFF8);
  expect_zeros(run_compute(s.g(), end_compute(code), offsets, threads));
  s.must_serve();
}

void shared_raw_write() {
  session s{validated()};
  program code = begin_compute(threads, raw_shared());
  fill_shared(code);
  code.op(store_raw, {to(group_shared, {0}, "x"), from(temp, {0}, "y"), bits(0x41414141)})
      .op(op_sync, {}, sync_group)
      .op(ld_raw, {to(temp, {1}, "x"), from(temp, {2}, "x"), from(group_shared, {0}, "xxxx")});
  const compute_run run = run_compute(s.g(), end_compute(code), wild_offsets(), threads);
  REQUIRE(run.why == error_code::none);
  CHECK((run.results == words(run.results.size(), known)));
  s.must_serve();
}

void shared_atomic() {
  session s{validated()};
  program code = begin_compute(threads, raw_shared());
  fill_shared(code);
  code.op(imm_atomic_iadd,
          {to(temp, {1}, "x"), plain(group_shared, {0}), from(temp, {0}, "y"), bits(0x01010101)})
      .op(op_atomic_iadd, {plain(group_shared, {0}), from(temp, {0}, "y"), bits(0x01010101)})
      .op(op_imm_atomic_exch,
          {to(temp, {4}, "x"), plain(group_shared, {0}), from(temp, {0}, "y"), bits(0x42424242)});
  const compute_run run = run_compute(s.g(), end_compute(code), wild_offsets(), threads);
  expect_zeros(run);
  s.must_serve();
}

void shared_structured() {
  session s{validated()};
  const std::vector<token_vector> declarations{
      declare(dcl_input, {to(thread_in_group, {}, "x")}),
      declare(op_dcl_tgsm_structured, {plain(group_shared, {0}), word(16), word(threads)})};
  program code = begin_compute(threads, declarations);
  code.op(mov, {to(temp, {2}, "x"), from(thread_in_group, {}, "x")})
      .op(store_structured,
          {to(group_shared, {0}), from(temp, {2}, "x"), bits(0), bits(known, known, known, known)})
      .op(op_sync, {}, sync_group)
      .op(store_structured,
          {to(group_shared, {0}, "x"), from(temp, {0}, "y"), bits(0), bits(0x41414141)})
      .op(op_sync, {}, sync_group)
      .op(ld_structured,
          {to(temp, {1}, "x"), from(temp, {0}, "y"), bits(0), from(group_shared, {0}, "xxxx")});
  expect_zeros(run_compute(s.g(), end_compute(code), wild_indices(threads), threads));
  // An offset past the structure, whose number is good.
  program by_offset = begin_compute(threads, declarations);
  by_offset.op(ld_structured, {to(temp, {1}, "x"), bits(threads - 1), from(temp, {0}, "y"),
                               from(group_shared, {0}, "xxxx")});
  expect_zeros(run_compute(s.g(), end_compute(by_offset), wild_offsets(), threads));
  s.must_serve();
}

/// One guest process leaves secrets in g#; another reads what it never wrote.
void shared_never_written() {
  session s{validated()};
  constexpr std::uint32_t shared_words = 4096;
  const std::vector<token_vector> declarations{
      declare(op_dcl_tgsm_raw, {plain(group_shared, {0}), word(shared_words * 4)})};
  const auto strided = [&](program& code) {
    code.op(iadd, {to(temp, {1}, "x"), from(temp, {0}, "y"), bits(0)});
  };
  program writer = begin_compute(threads, declarations);
  strided(writer);
  for (std::uint32_t i = 0; i < shared_words / threads; ++i) {
    writer.op(iadd, {to(temp, {2}, "x"), from(temp, {0}, "y"), bits(i * threads * 4)})
        .op(store_raw, {to(group_shared, {0}, "x"), from(temp, {2}, "x"), bits(0x5EC2E75)});
  }
  program reader = begin_compute(threads, declarations);
  reader.op(mov, {to(temp, {1}, "x"), bits(0)});
  for (std::uint32_t i = 0; i < shared_words / threads; ++i) {
    reader.op(iadd, {to(temp, {2}, "x"), from(temp, {0}, "y"), bits(i * threads * 4)})
        .op(ld_raw, {to(temp, {3}, "x"), from(temp, {2}, "x"), from(group_shared, {0}, "xxxx")})
        .op(iadd, {to(temp, {1}, "x"), from(temp, {1}, "x"), from(temp, {3}, "x")});
  }
  words offsets;
  for (std::uint32_t i = 0; i < 512; ++i) offsets.push_back(i % threads * 4);
  const byte_vector writing = end_compute(writer), reading = end_compute(reader);
  for (int round = 0; round < 4; ++round) {
    CHECK(run_compute(s.g(), writing, offsets, threads, 1).why == error_code::none);
    expect_zeros(run_compute(s.g(), reading, offsets, threads, 2));
  }
  s.must_serve();
}

void indexable_temps() {
  session s{validated()};
  constexpr std::uint32_t count = 8;
  program code =
      begin_compute(threads, {declare(op_dcl_indexable_temp, {word(0), word(count), word(4)}),
                              declare(op_dcl_indexable_temp, {word(1), word(count), word(4)})});
  for (std::uint32_t i = 0; i < count; ++i) {
    code.op(mov, {to(indexable_temp, {0, i}), bits(known, known, known, known)})
        .op(mov, {to(indexable_temp, {1, i}), bits(known, known, known, known)});
  }
  code.op(mov, {indexed_to(indexable_temp, 0, {0, 'y', 0}), bits(0x41414141, 1, 2, 3)})
      .op(mov, {to(temp, {1}), indexed(indexable_temp, 0, {0, 'y', 0})});
  expect_zeros(run_compute(s.g(), end_compute(code), wild_indices(count), threads));
  // Nothing that was in range has changed.
  program neighbours =
      begin_compute(threads, {declare(op_dcl_indexable_temp, {word(0), word(count), word(4)})});
  for (std::uint32_t i = 0; i < count; ++i) {
    neighbours.op(mov, {to(indexable_temp, {0, i}), bits(1, 1, 1, 1)});
  }
  neighbours.op(mov, {indexed_to(indexable_temp, 0, {0, 'y', 0}), bits(9, 9, 9, 9)})
      .op(mov, {to(temp, {1}), bits(0, 0, 0, 0)});
  for (std::uint32_t i = 0; i < count; ++i) {
    neighbours.op(iadd, {to(temp, {1}), from(temp, {1}), from(indexable_temp, {0, i})});
  }
  const words inputs = wild_indices(count);
  const compute_run run = run_compute(s.g(), end_compute(neighbours), inputs, threads);
  REQUIRE(run.why == error_code::none);
  CHECK((run.results == words(inputs.size(), count)));
  s.must_serve();
}

void registers_never_written() {
  session s{validated()};
  program code =
      begin_compute(threads, {declare(op_dcl_indexable_temp, {word(0), word(64), word(4)})});
  code.op(mov, {to(temp, {1}), from(temp, {7})})
      .op(op_ult, {to(temp, {2}, "x"), from(temp, {0}, "y"), bits(64)})
      .op(op_if, {from(temp, {2}, "x")}, 1 << 7)
      .op(iadd, {to(temp, {1}), from(temp, {1}), indexed(indexable_temp, 0, {0, 'y', 0})})
      .op(endif);
  words inputs;
  for (std::uint32_t i = 0; i < 256; ++i) inputs.push_back(i % 64);
  expect_zeros(run_compute(s.g(), end_compute(code), inputs, threads));
  s.must_serve();
}

void immediate_constant_table() {
  session s{validated()};
  program_with_constants code{program_type::compute, 5};
  code.op(dcl_resource_raw, {plain(resource, {0})})
      .op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_input, {to(thread_id, {}, "x")})
      .op(dcl_temps, {word(8)})
      .op(dcl_thread_group, {word(threads), word(1), word(1)})
      .op(ishl, {to(temp, {0}, "x"), from(thread_id, {}, "x"), bits(2)})
      .op(ld_raw, {to(temp, {0}, "y"), from(temp, {0}, "x"), from(resource, {0}, "xxxx")})
      .op(mov, {to(temp, {1}), indexed(immediate_constants, {0, 'y', 0})})
      .op(store_raw, {to(uav, {0}, "x"), from(temp, {0}, "x"), from(temp, {1}, "x")})
      .op(ret);
  const token_vector tokens = code.tokens_with(token_vector(16, known));
  const byte_vector shader = test::make_dxbc({{"ISGN", test::make_signature({})},
                                              {"OSGN", test::make_signature({})},
                                              {"SHEX", test::token_bytes(tokens)}});
  const compute_run inside = run_compute(s.g(), shader, words(64, 3), threads);
  CHECK((inside.results == words(64, known)));
  expect_zeros(run_compute(s.g(), shader, wild_indices(4), threads));
  s.must_serve();
}

/// A constant buffer of which the shader sees 64 bytes, with secrets behind them.
void constant_buffer_index() {
  session s{validated()};
  constexpr std::uint32_t constants_buffer = 0x7010;
  byte_vector secrets = test::filled(4096, 0x5A);
  for (std::size_t i = 0; i < 64; ++i) secrets[i] = std::byte{1};
  s.g().must_run(stream_builder{}
                     .create_buffer(constants_buffer, secrets.size())
                     .upload(constants_buffer, 0, secrets)
                     .constant_buffers(test::wire_cs, 0, {{constants_buffer, 0, 64}}));
  program code =
      begin_compute(threads, {declare(dcl_constant_buffer, {from(constants, {0, 4})}, 1)});
  code.op(mov, {to(temp, {1}), indexed(constants, 0, {0, 'y', 0})});
  expect_zeros(run_compute(s.g(), end_compute(code), wild_indices(4), threads));
  s.must_serve();
}

/// Buffers bound in part: what lies around the part is another process's.
void buffer_ranges() {
  session s{validated()};
  constexpr std::uint32_t big = 0x7010;
  s.g().must_run(stream_builder{}
                     .create_buffer(big, 4096)
                     .upload(big, 0, test::filled(4096, 0x5A))
                     .resource_buffers(test::wire_cs, 1, {{big, 1024, 256}})
                     .unordered_access(test::wire_cs, 1, {{big, 2048, 256}}));
  program code = begin_compute(threads, {declare(dcl_resource_raw, {plain(resource, {1})}),
                                         declare(dcl_uav_raw, {plain(uav, {1})})});
  code.op(ld_raw, {to(temp, {1}, "x"), from(temp, {0}, "y"), from(resource, {1}, "xxxx")})
      .op(ld_raw, {to(temp, {2}, "x"), from(temp, {0}, "y"), from(uav, {1}, "xxxx")})
      .op(iadd, {to(temp, {1}, "x"), from(temp, {1}, "x"), from(temp, {2}, "x")})
      .op(store_raw, {to(uav, {1}, "x"), from(temp, {0}, "y"), bits(0x41414141)})
      .op(op_atomic_iadd, {plain(uav, {1}), from(temp, {0}, "y"), bits(0x01010101)});
  expect_zeros(run_compute(s.g(), end_compute(code), wild_offsets(), threads));
  CHECK((s.g().read_buffer(big, 0, 4096) == test::filled(4096, 0x5A)));
  s.must_serve();
}

/// Structured and typed buffers by element.
void buffer_elements() {
  session s{validated()};
  constexpr std::uint32_t big = 0x7010;
  s.g().must_run(stream_builder{}
                     .create_buffer(big, 4096)
                     .upload(big, 0, test::filled(4096, 0x5A))
                     .resource_buffers(test::wire_cs, 1, {{big, 1024, 256}, {big, 1024, 256}})
                     .unordered_access(test::wire_cs, 1, {{big, 2048, 256}}));
  program code = begin_compute(
      threads, {declare(dcl_resource_structured, {plain(resource, {1}), word(16)}),
                declare(dcl_resource, {plain(resource, {2}), word(returns_uint)}, buffer),
                declare(dcl_uav_structured, {plain(uav, {1}), word(16)})});
  code.op(ld_structured,
          {to(temp, {1}, "x"), from(temp, {0}, "y"), bits(0), from(resource, {1}, "xxxx")})
      .op(ld, {to(temp, {2}), from(temp, {0}, "yyyy"), from(resource, {2})})
      .op(iadd, {to(temp, {1}, "x"), from(temp, {1}, "x"), from(temp, {2}, "x")})
      .op(store_structured, {to(uav, {1}, "x"), from(temp, {0}, "y"), bits(0), bits(0x41414141)});
  expect_zeros(run_compute(s.g(), end_compute(code), wild_indices(64), threads));
  // Numbers times the stride may wrap: then they hit what is bound, and nothing else.
  CHECK((s.g().read_buffer(big, 0, 2048) == test::filled(2048, 0x5A)));
  CHECK((s.g().read_buffer(big, 2304, 1792) == test::filled(1792, 0x5A)));
  s.must_serve();
}

/// Texels and mip levels that a texture does not have.
void texel_coordinates() {
  session s{validated()};
  constexpr std::uint32_t texture = 0x7020, neighbour = 0x7021;
  const test::texture_spec small{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 4, .height = 4};
  const test::texture_spec big{
      .format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 256, .height = 256};
  s.g().must_run(stream_builder{}
                     .create_texture(texture, small)
                     .upload(texture, 0, test::filled(64, 0x5A))
                     .create_texture(neighbour, big)
                     .upload(neighbour, 0, test::filled(256 * 256 * 4, 0x5A))
                     .set_texture(test::wire_cs, 1, texture));
  program code = begin_compute(
      threads, {declare(dcl_resource, {plain(resource, {1}), word(returns_float)}, texture_2d)});
  code.op(mov, {to(temp, {2}, "xy"), from(temp, {0}, "yyyy")})
      .op(mov, {to(temp, {2}, "zw"), bits(0, 0, 0, 0)})
      .op(ld, {to(temp, {1}), from(temp, {2}), from(resource, {1})})
      .op(mov, {to(temp, {2}, "xy"), bits(1, 1, 0, 0)})
      .op(mov, {to(temp, {2}, "zw"), from(temp, {0}, "yyyy")})
      .op(ld, {to(temp, {3}), from(temp, {2}), from(resource, {1})})
      .op(iadd, {to(temp, {1}), from(temp, {1}), from(temp, {3})});
  expect_zeros(run_compute(s.g(), end_compute(code), wild_indices(4), threads));
  s.must_serve();
}

constexpr cost_limit small{.resident_mib = 96, .processor_seconds = 8};
constexpr std::array attacks{
    attack{"shared-raw-read", "an out of range read of g# is 0", small, shared_raw_read},
    attack{"shared-wide-read", "each word of a wide read is bounded", small, shared_wide_read},
    attack{"shared-raw-write", "an out of range write to g# vanishes", small, shared_raw_write},
    attack{"shared-atomic", "an out of range atomic on g# does nothing and returns 0", small,
           shared_atomic},
    attack{"shared-structured", "structures of g# are bounded by number and by offset", small,
           shared_structured},
    attack{"shared-never-written", "g# is zero before it is written", small, shared_never_written},
    attack{"indexable-temps", "x# are bounded", small, indexable_temps},
    attack{"registers-never-written", "r# and x# are zero before they are written", small,
           registers_never_written},
    attack{"immediate-constants", "tables of constants are bounded", small,
           immediate_constant_table},
    attack{"constant-buffer-index", "a constant buffer ends where its binding ends", small,
           constant_buffer_index},
    attack{"buffer-ranges", "a raw buffer ends where its binding ends", small, buffer_ranges},
    attack{"buffer-elements", "structured and typed buffers end where their bindings end", small,
           buffer_elements},
    attack{"texel-coordinates", "texels and levels that are not there are 0", small,
           texel_coordinates},
};

}  // namespace shader_memory_group

auto shader_memory_attacks() -> std::span<const attack> {
  return shader_memory_group::attacks;
}

}  // namespace aerogpu::hostile
