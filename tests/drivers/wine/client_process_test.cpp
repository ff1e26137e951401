// SPDX-License-Identifier: MIT
/// What a server makes of requests: each from a copy, within bounds, whatever a client writes.
#include "drivers/wine/guestd/client_process.hpp"

#include "drivers/wine/guestd/machine.hpp"
#include "tests/drivers/support/running_windows.hpp"

#include <array>
#include <cstring>
#include <random>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::wine;

namespace {

constexpr std::uint32_t pages_in_mib = (1u << 20) / sim::page_bytes;

[[nodiscard]] auto made_memory(const machine_options& options) -> std::unique_ptr<shared_file> {
  auto made = std::make_unique<shared_file>();
  REQUIRE(made->create(std::uint64_t{video_mib + options.memory_mib} << 20));
  return made;
}

[[nodiscard]] auto one_thread(const shared_file& memory, const machine_options& options)
    -> sim::pc_config {
  auto config = config_of(memory, options);
  config.is_concurrent = false;
  return config;
}

/// A process of a client on a booted machine, and messages to it.
struct rig {
  rig() { REQUIRE((process.file.create(process_file_bytes) && process.file.map())); }
  ~rig() { process.end(); }

  auto send(request_code code, const_bytes message) -> NTSTATUS {
    const sim::process_scope here{process.id};
    message_reader request{message};
    message_writer answer{answer_bytes};
    const auto status = process.serve(code, request, answer);
    answered = answer.used();
    return status;
  }
  /// A row with these arguments; what comes back is in them.
  template <class Row>
  auto call(typename Row::arguments& arguments) -> NTSTATUS {
    std::vector<std::byte> bytes(bounds.message_bytes);
    message_writer request{bytes};
    Row::put_request(request, arguments);
    const auto status = send(Row::code, const_bytes{bytes}.first(request.used()));
    message_reader answer{const_bytes{answer_bytes}.first(answered)};
    const auto before = arguments;
    Row::take_answer(answer, arguments, before);
    return status;
  }
  [[nodiscard]] auto made_context() -> D3DKMT_CREATECONTEXT {
    D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME opened{};
    REQUIRE(call<open_adapter_row>(opened) == STATUS_SUCCESS);
    D3DKMT_CREATEDEVICE device{};
    device.hAdapter = opened.hAdapter;
    REQUIRE(call<create_device_row>(device) == STATUS_SUCCESS);
    D3DKMT_CREATECONTEXT context{};
    context.hDevice = device.hDevice;
    REQUIRE(call<create_context_row>(context) == STATUS_SUCCESS);
    return context;
  }

  machine_options options{16, 640, 480};
  std::unique_ptr<shared_file> memory = made_memory(options);
  test::running_windows<> w{test::running_windows<>::small_desktop(), one_thread(*memory, options)};
  client_process process{w.session, 5, private_mib* pages_in_mib};
  std::vector<std::byte> answer_bytes = std::vector<std::byte>(bounds.message_bytes);
  std::uint32_t answered = 0;
};

}  // namespace

TEST_CASE("a message reader gives what is there and refuses the first byte that is not",
          "[wine][message]") {
  const std::array<std::uint32_t, 2> words{7, 9};
  message_reader reader{std::as_bytes(std::span{words})};
  CHECK(reader.take<std::uint32_t>() == 7);
  CHECK(reader.take_bytes(4).size() == 4);
  CHECK_FALSE(reader.is_bad());
  CHECK(reader.is_at_end());
  CHECK(reader.take<std::uint32_t>() == 0);
  CHECK(reader.is_bad());
}

TEST_CASE("a message writer keeps what fits and says when something did not", "[wine][message]") {
  std::array<std::byte, 8> room{};
  message_writer writer{room};
  writer.put(std::uint64_t{1});
  CHECK_FALSE(writer.is_full());
  writer.put(std::byte{1});
  CHECK(writer.is_full());
  CHECK(writer.used() == 8);
}

TEST_CASE("what pointers point to is bounded together", "[wine][message]") {
  pointed_memory memory{100};
  CHECK(memory.allocate(60) != nullptr);
  CHECK(memory.allocate(41) == nullptr);
  CHECK(memory.allocate(40) != nullptr);
  CHECK(memory.allocate(0) != nullptr);
  CHECK(memory.allocate(UINT64_MAX) == nullptr);
}

TEST_CASE("a Render reads at most what the context's buffers hold", "[wine][server]") {
  rig r;
  const auto context = r.made_context();
  const auto [offset, length, entries, patches, status] = GENERATE_COPY(
      table<UINT, UINT, UINT, UINT, bool>({{0, 0, 0, 0, true},
                                           {context.CommandBufferSize, 1, 0, 0, false},
                                           {0, context.CommandBufferSize + 1, 0, 0, false},
                                           {UINT_MAX, 2, 0, 0, false},
                                           {0, 0, context.AllocationListSize + 1, 0, false},
                                           {0, 0, 0, context.PatchLocationListSize + 1, false},
                                           {0, 0, UINT_MAX, UINT_MAX, false}}));
  D3DKMT_RENDER render{};
  render.hContext = context.hContext;
  render.CommandOffset = offset;
  render.CommandLength = length;
  render.AllocationCount = entries;
  render.PatchLocationCount = patches;
  CHECK((r.call<render_row>(render) == STATUS_SUCCESS) == status);
}

TEST_CASE("a process has as many contexts as its file has places", "[wine][server]") {
  rig r;
  auto context = r.made_context();
  for (std::uint32_t i = 1; i < bounds.contexts; ++i)
    REQUIRE(r.call<create_context_row>(context) == STATUS_SUCCESS);
  CHECK(r.call<create_context_row>(context) == STATUS_INSUFFICIENT_RESOURCES);
  D3DKMT_DESTROYCONTEXT gone{context.hContext};
  CHECK(r.call<destroy_context_row>(gone) == STATUS_SUCCESS);
  CHECK(r.call<create_context_row>(context) == STATUS_SUCCESS);
}

TEST_CASE("two lists of one length are refused when their lengths differ", "[wine][server]") {
  rig r;
  const auto context = r.made_context();
  const std::array<std::uint32_t, 7> request{context.hDevice, 0, 1, 1, 1, 0, 0};
  CHECK(r.send(request_code::set_vidpn_source_owner, std::as_bytes(std::span{request})) ==
        STATUS_INVALID_PARAMETER);
}

TEST_CASE("whatever a client writes, the server answers and nothing is left", "[wine][server]") {
  rig r;
  const auto context = r.made_context();
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  CAPTURE(seed);
  std::mt19937 random{seed};
  const std::array<std::uint32_t, 12> words{0,
                                            1,
                                            2,
                                            context.hDevice,
                                            context.hContext,
                                            context.hDevice - 0x40,
                                            0xC0000002,
                                            0xFFFFFFFF,
                                            10240,
                                            64,
                                            0x80000000,
                                            40};
  constexpr std::uint32_t messages = 20'000, most_words = 24;
  constexpr std::uint32_t last_thunk = 25, others = 5;
  std::vector<std::uint32_t> message;
  std::uint32_t done = 0;
  for (std::uint32_t i = 0; i < messages; ++i) {
    message.resize(random() % most_words);
    for (auto& one : message) {
      one =
          random() % 8 == 0 ? static_cast<std::uint32_t>(random()) : words[random() % words.size()];
    }
    const auto number = static_cast<std::uint32_t>(random() % (last_thunk + others + 1));
    const auto code = number <= last_thunk ? number : 100 + number - last_thunk;
    const auto status = r.send(static_cast<request_code>(code), std::as_bytes(std::span{message}));
    done += NT_SUCCESS(status) ? 1 : 0;
  }
  CHECK(done > 0);
  CHECK(r.answered <= bounds.message_bytes);
}
