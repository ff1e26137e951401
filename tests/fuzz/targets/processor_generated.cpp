// SPDX-License-Identifier: MIT
// Fuzzes the command processor with streams that keep every rule of the wire: the input makes the
// generator's choices, so that nearly every packet is executed.
#include "aerogpu/stream/generate.hpp"
#include "aerogpu/stream/validate.hpp"
#include "tests/fuzz/processor_machine.hpp"

using namespace aerogpu;

namespace {

/// Two bytes of the input a choice; a large one takes eight more.
struct choices {
  fuzz::input& in;
  auto operator()() noexcept -> std::uint64_t {
    const std::uint16_t small = in.u16();
    return small < 0xFF00 ? small : in.u64();
  }
};

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  choices random{in};
  fuzz::machine guest;
  while (!in.empty()) {
    const std::uint8_t what = in.u8();
    const std::uint32_t minor = what % 5u;
    std::vector<std::byte> stream(4096);
    packet_generator generator{random, minor};
    stream.resize(generator.make_stream(stream, 1 + what / 16u));
    const auto header = parse_stream_header(stream);
    fuzz::claim(static_cast<bool>(header), "a generated stream has a sound header");
    const auto findings = validate(*header, [](const finding&) {});
    fuzz::claim(findings.errors == 0 && findings.warnings == 0,
                "nothing is said against a generated stream");
    if (what % 7 == 0) stream.resize(mutate_stream(random, stream, stream.size()));
    guest.plan({what % 8 == 1 ? in.u8() : 0u, error_code::device_lost, true});
    guest.submit(stream, context_id{what / 32u}, fuzz::table_choice::present);
  }
  guest.reset();
  return 0;
}
