// SPDX-License-Identifier: MIT
/// \file Runs one command stream on the example's backend and prints what the backend was asked.
#include "aerogpu/processor/command_processor.hpp"
#include "aerogpu/stream/writer.hpp"
#include "logging_backend.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>

using namespace aerogpu;

namespace {

/// A guest without memory: everything travels inside the stream.
struct no_memory {
  auto read(gpa, mutable_bytes) noexcept -> bool { return false; }
  auto write(gpa, const_bytes) noexcept -> bool { return false; }
};

struct count_completions {
  int completed = 0;
  void on_write_back(submission_id, const guest_rows&, const_bytes) noexcept {}
  void on_complete(submission_id, const error& why) noexcept {
    if (why.code == error_code::none) ++completed;
  }
};

auto write_stream(stream_writer<span_sink>& w) -> bool {
  constexpr resource_handle source{1}, copy{2}, target{3};
  const std::array<std::uint32_t, 16> words{1, 2, 3, 4};
  return w.begin() && w.create_buffer({source, 0, sizeof words, {}}) &&
         w.create_buffer({copy, 0, sizeof words, {}}) &&
         w.upload_resource(source, 0, bytes_of(words)) &&
         w.copy_buffer({copy, source, 0, 0, sizeof words}) &&
         w.create_texture2d({target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                             AEROGPU_FORMAT_B8G8R8A8_UNORM, 64, 64}) &&
         w.set_render_targets(std::array{target}, {}) && w.clear({.color = {0, 0, 1, 1}}) &&
         w.present(0, AEROGPU_PRESENT_FLAG_NONE) && w.destroy_resource(copy);
}

/// What the stream above must come to.
struct expectation {
  example::operation kind;
  example::operation_row row;
};
constexpr expectation expected[]{
    {example::operation::create, {3, 64 + 64 + 64 * 64 * 4}},
    {example::operation::upload, {1, 64}},
    {example::operation::copy, {1, 64}},
    {example::operation::clear, {1, 64 * 64 * 4}},
    {example::operation::present, {1, 0}},
    {example::operation::destroy, {1, 0}},
    {example::operation::submission, {1, 0}},
};

}  // namespace

auto main(int argc, char**) -> int {
  if (argc != 1) return std::fputs("usage: model_backend\n", stderr), 2;
  std::array<std::byte, 4096> storage{};
  span_sink sink{storage};
  stream_writer writer{sink};
  if (!write_stream(writer)) return std::fputs("model_backend: a packet is refused\n", stderr), 1;
  const std::uint32_t stream_size = writer.finish();

  example::logging_backend backend;
  command_processor processor{backend};
  no_memory memory;
  const auto report = processor.execute(
      {context_id{0}, fence_value{1}, sink.bytes().first(stream_size), nullptr}, memory);
  count_completions heard;
  processor.poll(heard);
  bool is_right = report.why.code == error_code::none && heard.completed == 1;

  std::printf("%-12s %6s %8s\n", "operation", "calls", "bytes");
  for (const auto& [kind, row] : expected) {
    const auto& [calls, bytes] = backend.log()[kind];
    std::printf("%-12s %6" PRIu64 " %8" PRIu64 "\n",
                example::operation_names[static_cast<std::size_t>(kind)], calls, bytes);
    is_right = is_right && calls == row.calls && bytes == row.bytes;
  }
  if (!is_right)
    std::fprintf(stderr, "model_backend: not what the stream asks for %s\n", report.why.what);
  return is_right ? 0 : 1;
}
