// SPDX-License-Identifier: MIT
// What reading and writing command streams costs, beside the least that it can cost.
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/reader.hpp"
#include "bench/d3d9_mix.hpp"
#include "bench/header_walk.hpp"
#include "bench/ratio.hpp"

#include <benchmark/benchmark.h>

#include <cstring>

namespace {

using namespace aerogpu;
using bench::byte_vector;

[[gnu::noinline]] auto framed(const stream_view& stream) -> std::uint64_t {
  return frame(stream).packet_count;
}

/// Every packet checked, and seen with its row, untyped: reads the row's size and the last word.
[[gnu::noinline]] auto seen(const stream_view& stream) -> std::uint64_t {
  std::uint64_t sum = 0;
  for (packet_cursor at{stream}; at.next();) {
    const raw_packet packet = at.packet();
    sum += load<std::uint32_t>(packet.bytes().data() + packet.size() - 4) + packet.offset();
    sum += at.row() != nullptr ? at.row()->fixed_size : 0;
  }
  return sum;
}

/// Reads one field of every packet by its type.
struct last_word_visitor {
  std::uint64_t sum = 0;
  template <wire_packet P>
  auto on_packet(const packet<P>& p) noexcept -> error_code {
    const P fields = p.fields();
    sum += load<std::uint32_t>(bytes_of(fields).data() + sizeof(P) - 4);
    return error_code::none;
  }
  auto on_unknown(const raw_packet&) noexcept -> error_code { return error_code::none; }
};

[[gnu::noinline]] auto visited(const stream_view& stream) -> std::uint64_t {
  last_word_visitor visitor;
  return visit(stream, visitor).code == error_code::none ? visitor.sum : 0;
}
[[gnu::noinline]] auto executed(const stream_view& stream) -> std::uint64_t {
  last_word_visitor visitor;
  const frame_report report = frame(stream);
  if (!report) return 0;
  return visit_framed(report.framed(), visitor).code == error_code::none ? visitor.sum : 0;
}

using decode = std::uint64_t (*)(const stream_view&);

void run_decode(benchmark::State& state, const byte_vector& bytes, decode subject, int repeats) {
  const auto stream = parse_stream_header(bytes);
  AEROGPU_CHECK(static_cast<bool>(stream));
  const std::size_t packets = frame(*stream).packet_count;
  const auto repeat = [repeats](auto&& work) {
    for (int i = 0; i < repeats; ++i) {
      benchmark::DoNotOptimize(work());
      benchmark::ClobberMemory();
    }
  };
  bench::run_ratio(
      state, packets * static_cast<std::size_t>(repeats),
      [&] { repeat([&] { return bench::walk(bytes); }); },
      [&] { repeat([&] { return subject(*stream); }); });
}

void decode_frame(benchmark::State& state, decode subject) {
  run_decode(state, bench::d3d9_frame(1000), subject, 20);
}
void decode_shuffled(benchmark::State& state, decode subject) {
  run_decode(state, bench::shuffled_packets(400'000), subject, 10);
}
void decode_64_mib(benchmark::State& state, decode subject) {
  run_decode(state, bench::shuffled_packets(64u << 20), subject, 1);
}

BENCHMARK_CAPTURE(decode_frame, check, framed)->UseManualTime();
BENCHMARK_CAPTURE(decode_frame, packet_rows, seen)->UseManualTime();
BENCHMARK_CAPTURE(decode_frame, check_and_dispatch, visited)->UseManualTime();
BENCHMARK_CAPTURE(decode_frame, two_passes, executed)->UseManualTime();
BENCHMARK_CAPTURE(decode_shuffled, check, framed)->UseManualTime();
BENCHMARK_CAPTURE(decode_shuffled, packet_rows, seen)->UseManualTime();
BENCHMARK_CAPTURE(decode_shuffled, check_and_dispatch, visited)->UseManualTime();
BENCHMARK_CAPTURE(decode_shuffled, two_passes, executed)->UseManualTime();
BENCHMARK_CAPTURE(decode_64_mib, check, framed)->UseManualTime();
BENCHMARK_CAPTURE(decode_64_mib, packet_rows, seen)->UseManualTime();
BENCHMARK_CAPTURE(decode_64_mib, two_passes, executed)->UseManualTime();

/// A writer as one writes it by hand for one buffer: the calls of stream_writer that a frame needs,
/// bounds checked, without rules.
class hand_writer {
 public:
  explicit hand_writer(mutable_bytes to) noexcept
      : begin_(to.data()),
        at_(to.data() + sizeof(aerogpu_cmd_stream_header)),
        end_(to.data() + to.size()) {}

  auto set_texture(shader_stage stage, std::uint32_t slot, resource_handle texture) -> bool {
    return put(
        aerogpu_cmd_set_texture{{}, static_cast<std::uint32_t>(stage), slot, raw(texture), 0});
  }
  auto set_shader_constants_f(shader_stage stage, std::uint32_t start,
                              std::span<const std::array<float, 4>> registers) -> bool {
    return put(aerogpu_cmd_set_shader_constants_f{{},
                                                  static_cast<std::uint32_t>(stage),
                                                  start,
                                                  static_cast<std::uint32_t>(registers.size()),
                                                  0},
               std::as_bytes(registers));
  }
  auto set_render_state(std::uint32_t id, std::uint32_t value) -> bool {
    return put(aerogpu_cmd_set_render_state{{}, id, value});
  }
  auto set_vertex_buffers(std::uint32_t start,
                          std::span<const aerogpu_vertex_buffer_binding> buffers) -> bool {
    return put(
        aerogpu_cmd_set_vertex_buffers{{}, start, static_cast<std::uint32_t>(buffers.size())},
        std::as_bytes(buffers));
  }
  auto set_index_buffer(resource_handle buffer, std::uint32_t format, std::uint32_t offset)
      -> bool {
    return put(aerogpu_cmd_set_index_buffer{{}, raw(buffer), format, offset, 0});
  }
  auto bind_shaders(const shader_handles& s) -> bool {
    return put(aerogpu_cmd_bind_shaders{{}, raw(s[0]), raw(s[1]), raw(s[2]), raw(s[3])});
  }
  auto set_blend_state(const aerogpu_blend_state& blend) -> bool {
    return put(aerogpu_cmd_set_blend_state{{}, blend});
  }
  auto draw_indexed(const draw_indexed_args& a) -> bool {
    return put(aerogpu_cmd_draw_indexed{
        {}, a.index_count, a.instance_count, a.first_index, a.base_vertex, a.first_instance});
  }
  auto present(std::uint32_t scanout, std::uint32_t flags) -> bool {
    return put(aerogpu_cmd_present{{}, scanout, flags});
  }
  void finish() {
    store(begin_, aerogpu_cmd_stream_header{AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_VERSION_U32,
                                            static_cast<std::uint32_t>(at_ - begin_), 0, 0, 0});
  }

 private:
  template <class P>
  auto put(P fields, const_bytes payload = {}) -> bool {
    const std::size_t size = sizeof fields + payload.size();
    if (static_cast<std::size_t>(end_ - at_) < size) return false;
    fields.hdr = {packet_traits<P>::opcode, static_cast<std::uint32_t>(size)};
    store(at_, fields);
    if (!payload.empty()) std::memcpy(at_ + sizeof fields, payload.data(), payload.size());
    at_ += size;
    return true;
  }

  std::byte* begin_;
  std::byte* at_;
  std::byte* end_;
};

constexpr std::uint32_t frame_draws = 1000;
constexpr int encode_repeats = 20;

[[gnu::noinline]] void encode_by_library(mutable_bytes to) {
  span_sink sink{to};
  stream_writer writer{sink};
  const bool is_fine = !!writer.begin() && bench::write_d3d9_frame(writer, frame_draws);
  AEROGPU_CHECK(is_fine);
  benchmark::DoNotOptimize(writer.finish());
}
[[gnu::noinline]] void encode_by_hand(mutable_bytes to) {
  hand_writer writer{to};
  AEROGPU_CHECK(bench::write_d3d9_frame(writer, frame_draws));
  writer.finish();
}
/// Copies packets that stand ready, one memcpy each.
[[gnu::noinline]] void copy_packets(const byte_vector& from, mutable_bytes to) {
  std::size_t at = sizeof(aerogpu_cmd_stream_header);
  while (at < from.size()) {
    const std::size_t size = load<std::uint32_t>(from.data() + at + 4);
    std::memcpy(to.data() + at, from.data() + at, size);
    at += size;
  }
}

/// Every writer against packet-wise memcpy; `ratio` above 1 / 0.6 misses the aim.
void encode_frame(benchmark::State& state, void (*subject)(mutable_bytes)) {
  const byte_vector ready = bench::d3d9_frame(frame_draws);
  byte_vector to(ready.size() + 4096);
  const auto stream = parse_stream_header(ready);
  const std::size_t packets = frame(*stream).packet_count;
  bench::run_ratio(
      state, packets * encode_repeats,
      [&] {
        for (int i = 0; i < encode_repeats; ++i) copy_packets(ready, to);
      },
      [&] {
        for (int i = 0; i < encode_repeats; ++i) subject(to);
      });
}

BENCHMARK_CAPTURE(encode_frame, by_hand, encode_by_hand)->UseManualTime();
BENCHMARK_CAPTURE(encode_frame, by_library, encode_by_library)->UseManualTime();

}  // namespace
