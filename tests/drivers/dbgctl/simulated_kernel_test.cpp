// SPDX-License-Identifier: MIT
/// \file The debug tool over the simulated kernel's thunk: each command through the real driver.
#include "aerogpu/abi/mmio.h"
#include "drivers/win7/tools/dbgctl/commands.hpp"
#include "drivers/win7/tools/dbgctl/program.hpp"
#include "tests/drivers/guest/simulated_desktop.hpp"
#include "tests/drivers/support/application.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

using namespace aerogpu;
using dbgctl::exit_code;
using test::application;
using test::guest_machine;

namespace {

/// What `kmt_channel` is on Windows.
class thunk_channel final : public dbgctl::escape_channel {
 public:
  explicit thunk_channel(guest_machine& on) : on_(on) {
    D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME opened{};
    REQUIRE(D3DKMTOpenAdapterFromGdiDisplayName(&opened) == STATUS_SUCCESS);
    adapter_ = opened.hAdapter;
  }
  ~thunk_channel() override {
    const D3DKMT_CLOSEADAPTER closed{adapter_};
    CHECK(D3DKMTCloseAdapter(&closed) == STATUS_SUCCESS);
  }
  auto escape(std::span<std::byte> buffer) -> dbgctl::nt_status override {
    D3DKMT_ESCAPE arguments{};
    arguments.hAdapter = adapter_;
    arguments.pPrivateDriverData = buffer.data();
    arguments.PrivateDriverDataSize = static_cast<UINT>(buffer.size());
    return dbgctl::nt_status{static_cast<std::uint32_t>(D3DKMTEscape(&arguments))};
  }
  auto own_section() -> std::uint64_t override { return on_.create_section(); }

 private:
  guest_machine& on_;
  D3DKMT_HANDLE adapter_ = 0;
};

struct tool_result {
  exit_code code;
  std::string out, err;

  [[nodiscard]] auto has(std::string_view text) const -> bool {
    return out.find(text) != std::string::npos;
  }
};

auto run_tool(guest_machine& on, std::vector<std::string_view> words) -> tool_result {
  dbgctl::output to;
  const auto code = dbgctl::run(
      words, [&](std::string&) { return std::make_unique<thunk_channel>(on); }, to);
  return {code, to.out, to.err};
}

/// The member's value, as a line of text shows it.
auto value_of(const tool_result& from, std::string_view member) -> std::string {
  const auto line = from.out.find("\n  " + std::string{member} + " ");
  if (line == std::string::npos) return {};
  const auto begin = from.out.find_first_not_of(' ', line + 3 + member.size());
  return from.out.substr(begin, from.out.find('\n', begin) - begin);
}

/// A file that goes with the case.
class scratch_file {
 public:
  explicit scratch_file(std::string_view bytes = {}) {
    const int file = mkstemp(path_);
    REQUIRE(file >= 0);
    close(file);
    std::ofstream{path_, std::ios::binary} << bytes;
  }
  ~scratch_file() { std::remove(path_); }
  [[nodiscard]] auto path() const -> std::string_view { return path_; }
  [[nodiscard]] auto read() const -> std::string {
    std::ifstream from{path_, std::ios::binary};
    return {std::istreambuf_iterator<char>{from}, {}};
  }

 private:
  char path_[32] = "/tmp/aerogpu_dbgctl_XXXXXX";
};

auto hex_text(std::uint64_t value) -> std::string {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// Operands with which each command succeeds.
auto words_for(const dbgctl::command& one, guest_machine& on, const scratch_file& picture)
    -> std::vector<std::string> {
  const std::string name{one.name};
  if (name == "read-gpa")
    return {name, hex_text(on.pc.bus.peek64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO)), "64"};
  if (name == "set-cursor-shape") return {name, "2", "2", "0", "1", std::string{picture.path()}};
  if (name == "set-cursor-position") return {name, "7", "-3"};
  if (name == "set-cursor-visibility") return {name, "1"};
  return {name};
}

/// Every bracket closed, and no text outside of the one value.
auto is_one_json_value(std::string_view text) -> bool {
  if (text.empty() || text.back() != '\n') return false;
  text.remove_suffix(1);
  std::string open;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string && c == '\\') ++i;
    if (c == '"') is_string = !is_string;
    if (is_string || c == '"') continue;
    if (c == '{' || c == '[') open += c;
    if (c != '}' && c != ']') continue;
    if (open.empty() || open.back() != (c == '}' ? '{' : '[')) return false;
    open.pop_back();
    if (open.empty() && i + 1 != text.size()) return false;
  }
  return open.empty() && !is_string;
}

/// Where the driver's answer ends in nothing that is printed.
auto has_no_answer(const dbgctl::command& one) -> bool {
  return one.name.starts_with("set-cursor");
}

}  // namespace

TEST_CASE("every command goes through the driver, as text and as JSON", "[drivers][dbgctl]") {
  const scratch_file picture{"0123456789abcdef"};
  std::uint32_t op = 0;
  for (const auto& one : dbgctl::commands()) {
    CHECK(one.op == ++op);
    guest_machine machine{{.allows_gated_escapes = true}};
    const auto operands = words_for(one, machine, picture);
    std::vector<std::string_view> words{operands.begin(), operands.end()};
    const auto text = run_tool(machine, words);
    INFO(one.name << "\n" << text.out << text.err);
    CHECK(text.code == exit_code::fine);
    CHECK(text.err.empty());
    CHECK((has_no_answer(one) || text.out.starts_with(std::string{one.name} + "\n  ")));
    words.push_back("--json");
    const auto json = run_tool(machine, words);
    INFO(json.out << json.err);
    CHECK(json.code == exit_code::fine);
    CHECK(is_one_json_value(json.out));
    CHECK(json.out.starts_with("{\"command\":\"" + std::string{one.name} +
                               "\",\"op\":" + std::to_string(op)));
  }
  CHECK(op == 17);
}

TEST_CASE("a gated command is refused by the driver, and the tool says what would allow it",
          "[drivers][dbgctl]") {
  for (const auto& one : dbgctl::commands()) {
    if (one.gate.empty()) continue;
    guest_machine machine;
    std::vector<std::string_view> words{one.name};
    if (one.min_operands != 0) words.insert(words.end(), {"0x1000", "64"});
    const auto refused = run_tool(machine, words);
    CHECK(refused.code == exit_code::refused);
    CHECK(refused.out.empty());
    CHECK(refused.err.find(one.gate) != std::string::npos);
    CHECK(refused.err.find("0xc00000bb") != std::string::npos);
    words.push_back("--json");
    const auto json = run_tool(machine, words);
    CHECK(json.code == exit_code::refused);
    CHECK(is_one_json_value(json.out));
    CHECK(json.has("\"problem\":"));
  }
}

TEST_CASE("an open gate does not serve a caller without privilege", "[drivers][dbgctl]") {
  guest_machine machine{{.allows_gated_escapes = true}};
  sim::this_thread().is_privileged = false;
  CHECK(run_tool(machine, {"map-shared-handle"}).code == exit_code::refused);
  CHECK(run_tool(machine, {"read-gpa", "0x1000", "64"}).code == exit_code::refused);
}

TEST_CASE("status asks the driver every query", "[drivers][dbgctl]") {
  guest_machine machine;
  const auto text = run_tool(machine, {"status"});
  const auto json = run_tool(machine, {"status", "--json"});
  CHECK(text.code == exit_code::fine);
  CHECK(json.code == exit_code::fine);
  CHECK(is_one_json_value(json.out));
  for (const auto& one : dbgctl::commands()) {
    CHECK(json.has("\"op\":" + std::to_string(one.op) + ",") == !one.changes_state);
    CHECK((("\n" + text.out).find("\n" + std::string{one.name} + "\n") != std::string::npos) ==
          !one.changes_state);
  }
}

TEST_CASE("what the tool shows is what the device has", "[drivers][dbgctl]") {
  guest_machine machine;
  const auto scanout = run_tool(machine, {"query-scanout"});
  CHECK(value_of(scanout, "mmio_width") == "640");
  CHECK(value_of(scanout, "cached_height") == "480");
  const auto address = machine.pc.bus.peek64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO);
  CHECK(scanout.has(hex_text(address).substr(2)));
  const auto device = run_tool(machine, {"query-device-v2"});
  CHECK(value_of(device, "magic") == "AGPU");
  const auto features = machine.pc.bus.peek(AEROGPU_MMIO_REG_FEATURES_LO);
  CHECK(device.has("error_info") == ((features & AEROGPU_FEATURE_ERROR_INFO) != 0));
}

TEST_CASE("the cursor commands move the device's cursor for an administrator",
          "[drivers][dbgctl]") {
  guest_machine machine;
  const scratch_file picture{std::string(std::size_t{4} * 3 * 2, 'x')};
  CHECK(run_tool(machine, {"set-cursor-visibility", "1"}).code == exit_code::refused);
  sim::this_thread().is_privileged = true;
  CHECK(run_tool(machine, {"set-cursor-shape", "3", "2", "2", "1", picture.path()}).code ==
        exit_code::fine);
  CHECK(run_tool(machine, {"set-cursor-visibility", "1"}).code == exit_code::fine);
  CHECK(run_tool(machine, {"set-cursor-position", "41", "-5"}).code == exit_code::fine);
  CHECK(machine.pc.bus.peek(AEROGPU_MMIO_REG_CURSOR_WIDTH) == 3);
  CHECK(machine.pc.bus.peek(AEROGPU_MMIO_REG_CURSOR_HEIGHT) == 2);
  CHECK(machine.pc.bus.peek(AEROGPU_MMIO_REG_CURSOR_HOT_X) == 2);
  CHECK(machine.pc.bus.peek(AEROGPU_MMIO_REG_CURSOR_ENABLE) == 1);
  // The registers have the hot spot's place.
  CHECK(machine.pc.bus.peek(AEROGPU_MMIO_REG_CURSOR_X) == 41 + 2);
  CHECK(machine.pc.bus.peek(AEROGPU_MMIO_REG_CURSOR_Y) == static_cast<std::uint32_t>(-5 + 1));
  const auto shown = run_tool(machine, {"query-cursor"});
  CHECK(value_of(shown, "x") == "43");
  CHECK(value_of(shown, "y") == "-4");
}

TEST_CASE("read-gpa writes the device's memory to a file", "[drivers][dbgctl]") {
  guest_machine machine{{.allows_gated_escapes = true}};
  const auto address = machine.pc.bus.peek64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO);
  auto* const pixels = machine.pc.bus.at(address, 16);
  REQUIRE(pixels != nullptr);
  const std::string wanted = "sixteen bytes ok";
  std::memcpy(pixels, wanted.data(), wanted.size());
  const scratch_file out;
  const auto at = hex_text(address);
  CHECK(run_tool(machine, {"read-gpa", at, "16", out.path()}).code == exit_code::fine);
  CHECK(out.read() == wanted);
}

TEST_CASE("read-gpa of what is not the device's reads nothing", "[drivers][dbgctl]") {
  guest_machine machine{{.allows_gated_escapes = true}};
  const scratch_file out;
  const auto refused = run_tool(machine, {"read-gpa", "0", "16", out.path()});
  CHECK(refused.code == exit_code::trouble);
  CHECK(refused.has("access denied"));
  CHECK(out.read().empty());
}

TEST_CASE("what an application creates and submits is in the dumps", "[drivers][dbgctl]") {
  guest_machine machine;
  application app{7};
  const auto surface = app.create_surface(1234, 64, 32);
  app.clear(surface, 1, 0, 0);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  CHECK(run_tool(machine, {"dump-createallocation"}).has("0x4d2 "));
  const auto ring = run_tool(machine, {"dump-ring-v2"});
  CHECK(ring.code == exit_code::fine);
  CHECK(ring.has("AGPU"));
  const auto fences = run_tool(machine, {"query-fence"});
  CHECK(value_of(fences, "last_submitted_fence") == value_of(fences, "last_completed_fence"));
  CHECK(value_of(fences, "last_submitted_fence") != "0");
  app.close();
}

TEST_CASE("a latched device error is trouble for query-error and status", "[drivers][dbgctl]") {
  guest_machine machine;
  application app{7};
  app.render({}, [](test::stream_type& s) {
    test::good(s.destroy_resource(static_cast<resource_handle>(0x7777)));
  });
  app.render({}, [](test::stream_type& s) {
    const std::array colors{static_cast<resource_handle>(0x7777)};
    test::good(s.set_render_targets(colors, resource_handle{}));
    test::good(s.clear({.flags = AEROGPU_CLEAR_COLOR, .color = {1, 1, 1, 1}}));
  });
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  const auto error = run_tool(machine, {"query-error"});
  INFO(error.out << error.err);
  CHECK(error.code == exit_code::trouble);
  CHECK(error.has("latched"));
  CHECK(run_tool(machine, {"status"}).code == exit_code::trouble);
  app.close();
}

TEST_CASE("a device that takes nothing fails the self-test within its time", "[drivers][dbgctl]") {
  guest_machine machine;
  machine.pc.bus.host.doorbells = sim::doorbell_mode::held;
  const auto failed = run_tool(machine, {"selftest", "100"});
  CHECK(failed.code == exit_code::trouble);
  CHECK(failed.has("timeout"));
  machine.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  machine.pc.bus.release_doorbell();
}

namespace {

/// Windows is asleep whenever the tool asks.
class sleeping_channel final : public dbgctl::escape_channel {
 public:
  explicit sleeping_channel(guest_machine& on) : on_(on), inner_(on) {}
  auto escape(std::span<std::byte> buffer) -> dbgctl::nt_status override {
    REQUIRE(on_.session.sleep() == STATUS_SUCCESS);
    const auto status = inner_.escape(buffer);
    REQUIRE(on_.session.wake() == STATUS_SUCCESS);
    return status;
  }

 private:
  guest_machine& on_;
  thunk_channel inner_;
};

}  // namespace

TEST_CASE("while Windows sleeps the tool is refused", "[drivers][dbgctl]") {
  guest_machine machine;
  dbgctl::output to;
  const std::string_view words[]{"query-fence"};
  const auto code = dbgctl::run(
      words, [&](std::string&) { return std::make_unique<sleeping_channel>(machine); }, to);
  CHECK(code == exit_code::refused);
  CHECK(to.err.find("0xc00000a3") != std::string::npos);
  CHECK(run_tool(machine, {"query-fence"}).code == exit_code::fine);
}
