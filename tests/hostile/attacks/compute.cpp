// SPDX-License-Identifier: MIT
#include "tests/hostile/attacks/compute.hpp"

#include "tests/catch.hpp"

#include <span>

namespace aerogpu::hostile {

namespace {

auto bytes_of_words(const words& from) -> byte_vector {
  const const_bytes bytes = std::as_bytes(std::span{from});
  return {bytes.begin(), bytes.end()};
}

}  // namespace

auto run_compute(guest& g, const byte_vector& shader, const words& inputs, std::uint32_t threads,
                 std::uint32_t context) -> compute_run {
  constexpr std::uint32_t source = 0x7001, destination = 0x7002, cs = 0x7003;
  const std::uint64_t size = inputs.size() * sizeof(std::uint32_t);
  const auto groups = static_cast<std::uint32_t>((inputs.size() + threads - 1) / threads);
  const words before(inputs.size(), stale);
  stream_builder stream;
  stream.create_buffer(source, size)
      .upload(source, 0, bytes_of_words(inputs))
      .create_buffer(destination, size)
      .upload(destination, 0, bytes_of_words(before))
      .create_shader(cs, test::wire_cs, shader)
      .bind_shaders(0, 0, cs)
      .resource_buffers(test::wire_cs, 0, {{source}})
      .unordered_access(test::wire_cs, 0, {{destination}})
      .dispatch(groups, 1, 1);
  compute_run run;
  run.why = g.run(stream, context);
  if (run.why == error_code::none) run.results = g.read_words(destination, 0, inputs.size());
  static_cast<void>(
      g.run(stream_builder{}.destroy(source).destroy(destination).destroy_shader(cs), context));
  return run;
}

}  // namespace aerogpu::hostile
