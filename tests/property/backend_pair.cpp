// SPDX-License-Identifier: MIT
#include "tests/property/backend_pair.hpp"

#include "vulkan/engine.hpp"

namespace aerogpu::property {

namespace {

auto describe(const char* who, const error& why) -> std::string {
  return std::string{who} + " says " + kind_name(why.code) + " of packet " +
         std::to_string(why.opcode) + " at " + std::to_string(why.offset) + " (" +
         (why.what != nullptr ? why.what : "") + ", " + std::to_string(why.detail) + ", " +
         std::to_string(why.limit) + ")";
}

auto why_text(const error& why) -> std::string {
  return std::string{kind_name(why.code)} + " of packet " + std::to_string(why.opcode) + ": " +
         (why.what != nullptr ? why.what : "");
}

auto is_draw(const error& why) -> bool {
  return why.opcode == AEROGPU_CMD_DRAW || why.opcode == AEROGPU_CMD_DRAW_INDEXED;
}

/// What a backend may refuse though the null backend does not: what the device cannot do, and
/// programs that do not fit each other, which shows when they are compiled.
auto is_of_the_device(const error& why) -> bool {
  return why.code == error_code::unsupported || why.code == error_code::out_of_memory ||
         (why.code == error_code::invalid_parameter && is_draw(why));
}

}  // namespace

auto count_messages(vulkan::vulkan_backend& device) -> std::uint64_t {
  const auto* const parts = device.inside().device();
  if (parts == nullptr) return device.validation_errors();
  return std::uint64_t{device.validation_errors()} + parts->gpu->messages.warnings;
}

auto backend_pair::run(const test::byte_vector& stream, context_id context) -> std::uint32_t {
  const std::uint64_t before = count_messages(device_);
  const error real = vulkan_.run(stream, context);
  if (const std::uint64_t now = count_messages(device_); now != before) {
    complain("the validation layers have something to say: " + std::to_string(now - before) +
             " messages; " + describe("Vulkan", real));
  }
  if (device_.counters().device_losses != 0) complain("the device is lost");
  compare(stream, context, real);
  ++counts_.streams;
  if (real.code == error_code::none) ++counts_.accepted;
  if (real.code != error_code::none) ++counts_.refusals[why_text(real)];
  if (vulkan_.complaint() != nullptr) complain(std::string{"Vulkan: "} + vulkan_.complaint());
  if (reference_.complaint() != nullptr) complain(std::string{"null: "} + reference_.complaint());
  return static_cast<std::uint32_t>(real.code == error_code::none ? stream.size() : real.offset);
}

/// What the device refuses, the null backend may take; it never sees such a packet, unless that is
/// a draw, which leaves nothing behind.
void backend_pair::compare(const test::byte_vector& stream, context_id context, const error& real) {
  const bool may_differ = is_of_the_device(real);
  test::byte_vector same = stream;
  if (may_differ) {
    same.resize(real.offset + (is_draw(real) ? load<std::uint32_t>(&stream[real.offset + 4]) : 0));
    store(same.data() + offsetof(aerogpu_cmd_stream_header, size_bytes),
          static_cast<std::uint32_t>(same.size()));
  }
  const error expected = reference_.run(same, context);
  const bool is_same = expected.code == real.code && expected.offset == real.offset;
  // A shader that the device has no program for is found before what else is wrong with a draw.
  const bool is_beyond_device =
      may_differ && !is_same &&
      (expected.code == error_code::none || expected.offset == real.offset);
  if (is_beyond_device) ++counts_.refused_by_device;
  if (is_same && real.code != error_code::none) ++counts_.refused_by_both;
  if (!is_same && !is_beyond_device) {
    complain(describe("Vulkan", real) + ", " + describe("null", expected));
  }
}

void backend_pair::reset() {
  const std::uint64_t before = count_messages(device_);
  vulkan_.reset();
  reference_.reset();
  if (count_messages(device_) != before) complain("the validation layers complain of a reset");
  if (device_.live_objects() != 0) complain("a reset of the Vulkan backend forgets objects");
}

}  // namespace aerogpu::property
