// SPDX-License-Identifier: MIT
/// Every fixed line of the log, whole, and each variable's effect on it. A program of its own:
/// several lines come once in a process.
#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/umd/d3d9/device/baseline.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_table.hpp"
#include "drivers/win7/umd/d3d9/present/present.hpp"
#include "drivers/win7/umd/d3d9/resource/opening.hpp"
#include "drivers/win7/umd/d3d9/trace/module.hpp"
#include "drivers/win7/umd/d3d9/trace/section_log.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"
#include "tests/drivers/umd/submission/trace_rig.hpp"

#include <cctype>
#include <unistd.h>

namespace aerogpu::umd::test {

namespace {

using lines = std::vector<std::string>;

/// Whether a line is `pattern`, whose '*' stands for the digits of one number.
[[nodiscard]] auto matches(std::string_view line, std::string_view pattern) -> bool {
  for (const char c : pattern) {
    if (c == '*') {
      std::size_t digits = 0;
      while (digits < line.size() && std::isxdigit(static_cast<unsigned char>(line[digits])) != 0) {
        ++digits;
      }
      if (digits == 0) return false;
      line.remove_prefix(digits);
      continue;
    }
    if (line.empty() || line.front() != c) return false;
    line.remove_prefix(1);
  }
  return line.empty();
}
/// Compares from line `from` on.
void expect_log(const fake_system& system, std::size_t from, const lines& patterns) {
  const lines log = system.log();
  REQUIRE(log.size() == from + patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    INFO(log[from + i] << "\n" << patterns[i]);
    CHECK(matches(log[from + i], patterns[i]));
  }
}
[[nodiscard]] auto count_line(const fake_system& system, std::string_view pattern)
    -> std::ptrdiff_t {
  const lines log = system.log();
  return std::count_if(log.begin(), log.end(),
                       [&](const std::string& line) { return matches(line, pattern); });
}

/// A kernel driver that answers about its fences.
struct kernel_with_fences final : os::native_system {
  lines log;

  void write_log(std::string_view line) noexcept override { log.emplace_back(line); }
  auto escape(std::uint32_t, mutable_bytes buffer) noexcept -> bool override {
    aerogpu_escape_query_fence_out answer{};
    if (buffer.size() != sizeof answer) return false;
    answer.last_submitted_fence = 7;
    answer.last_completed_fence = 5;
    copy_bytes(buffer, bytes_of(answer));
    return true;
  }
};

/// What goes to stderr while it lives.
class caught_stderr {
 public:
  caught_stderr() : before_(dup(STDERR_FILENO)) {
    REQUIRE(pipe(ends_) == 0);
    REQUIRE(dup2(ends_[1], STDERR_FILENO) >= 0);
  }
  caught_stderr(const caught_stderr&) = delete;
  auto operator=(const caught_stderr&) -> caught_stderr& = delete;
  ~caught_stderr() {
    finish();
    close(ends_[0]);
  }

  [[nodiscard]] auto text() -> std::string {
    finish();
    std::array<char, 512> storage;
    const auto size = read(ends_[0], storage.data(), storage.size());
    return {storage.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }

 private:
  void finish() {
    if (before_ < 0) return;
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(ends_[1]);
    before_ = -1;
  }

  int before_;
  int ends_[2] = {-1, -1};
};

}  // namespace

TEST_CASE("the log of a module that opens an adapter, makes a device and submits",
          "[umd][T248][T283]") {
  fake_system process;
  process.variables = {{"AEROGPU_D3D9_LOG_SUBMITS", "on"}};
  attach_module();
  std::array<char, 260> path;
  const std::string module{os::module_path(path)};
  CHECK_FALSE(module.empty());
  CHECK(process.log() == lines{"module_path=" + module});
  {
    device_m_rig rig;
    CHECK(rig.functions.pfnFlush(rig.device) == S_OK);  // Nothing recorded: no line.
    const D3DDDIARG_VOLUMEBLT volume{};
    CHECK(rig.functions.pfnVolBlt(rig.device, &volume) == D3DERR_NOTAVAILABLE);
    CHECK(rig.functions.pfnVolBlt(rig.device, &volume) == D3DERR_NOTAVAILABLE);
    record_viewport(rig.core().commands);
    CHECK(rig.functions.pfnFlush(rig.device) == S_OK);
    UINT answer = 1;
    D3DDDIARG_GETCAPS caps{};
    caps.Type = static_cast<D3DDDICAPS_TYPE>(0x777);
    caps.pData = &answer;
    caps.DataSize = sizeof answer;
    CHECK(rig.table.pfnGetCaps(rig.handle, &caps) == S_OK);
    CHECK(rig.table.pfnGetCaps(rig.handle, &caps) == S_OK);
    record_viewport(rig.core().commands);
    rig.callbacks.render_result = D3DERR_DEVICEHUNG;
    CHECK(rig.functions.pfnFlush(rig.device) == D3DERR_DEVICEHUNG);
    CHECK(rig.functions.pfnFlush(rig.device) == D3DERR_DEVICEHUNG);
    expect_log(
        rig.system, 0,
        {"OpenAdapter Interface=9 Version=65537 LUID=00000005:00001234",
         "UMDRIVERPRIVATE magic=0x55504741 (AGPU) abi=0x00010004 features=0x3f flags=0x00000006",
         "KMD MaxAllocationListSlotId=65535",
         "CreateDevice wddm hDevice=0x* hContext=0x* hSyncObject=0x0 cmd=0x*/16384 alloc=0x*/64 "
         "patch=0x*/4 dma_priv=0x0/0",
         "WDDM callbacks SubmitCommandCb=0x0 RenderCb=0x* PresentCb=0x*",
         "WDDM RenderCb can_signal_present=0",
         "WDDM patch_list=present (AeroGPU submits with NumPatchLocations=0)",
         "fence_wait bounded=polling poll=marker (hSyncObject=absent kmd_query=unavailable)",
         "submit cmd_bytes=* fence=1 present=0", "stub VolBlt",
         "submit cmd_bytes=56 fence=2 present=0", "GetCaps unknown type=1911 size=4",
         "device lost: render submit via RenderCb failed hr=0x88760874"});
    rig.callbacks.render_result = S_OK;
  }
  process.variables.clear();
  init_from_env();
  device_m_rig quiet;  // The same process: once is once.
  expect_log(quiet.system, 0,
             {"OpenAdapter Interface=9 Version=65537 LUID=00000005:00001234",
              "UMDRIVERPRIVATE magic=0x55504741 (AGPU) abi=0x00010004 features=0x3f "
              "flags=0x00000006",
              "KMD MaxAllocationListSlotId=65535",
              "CreateDevice wddm hDevice=0x* hContext=0x* hSyncObject=0x0 cmd=0x*/16384 "
              "alloc=0x*/64 patch=0x*/4 dma_priv=0x0/0"});
}

TEST_CASE("the log of a kernel driver's fences", "[umd][T283]") {
  kernel_with_fences below;
  os::native_system* const before = os::install(&below);
  {
    const adapter opened{{0x40000040, {0x1234, 0x5}}, plain_facts()};
    log_adapter(opened);
  }
  os::install(before);
  CHECK(std::count(below.log.begin(), below.log.end(),
                   "aerogpu-d3d9: KMD fence submitted=7 completed=5\n") == 1);
}

TEST_CASE("the log of an interface that the driver does not know", "[umd][T283]") {
  adapter_rig rig;
  const std::size_t before = rig.system.log().size();
  D3DDDI_ADAPTERFUNCS functions{};
  D3DDDIARG_OPENADAPTER open{};
  open.hAdapter = &rig.callbacks;
  open.Interface = 6;
  open.Version = 65537;
  open.pAdapterCallbacks = &rig.callbacks.adapter;
  open.pAdapterFuncs = &functions;
  CHECK(front_m::open_adapter(&open) == E_INVALIDARG);
  expect_log(rig.system, before, {"OpenAdapter invalid interface/version (6/65537)"});
}

TEST_CASE("the log of an entry that is missing", "[umd][T283]") {
  fake_system system;
  D3DDDI_DEVICEFUNCS table;
  REQUIRE(front_m::fill_device_table(table));
  table.pfnPresent = nullptr;
  CHECK(front_m::find_missing_entry(table) != nullptr);
  CHECK(system.log() == lines{"D3DDDI_DEVICEFUNCS missing entry index=40 (bytes=" +
                              std::to_string(40 * sizeof(void*)) + ") member=pfnPresent"});
}

TEST_CASE("the log of a surface that is shared and opened", "[umd][T283]") {
  device_rig rig;
  const resource& made = make(rig, shared_of(16, 8));
  CHECK(count_line(rig.system, "export shared_surface res=" + std::to_string(raw(made.handle)) +
                                   " token=0x*") == 1);
  const auto* const memory = rig.runtime.find(made.backing.allocation);
  REQUIRE(memory != nullptr);
  const alloc_private_data data = memory->data;
  opening_request request;
  request.allocation = rig.runtime.open(made.backing.allocation, nullptr);
  request.private_data = bytes_of(data);
  resource* opened = nullptr;
  REQUIRE(open_resource(rig.device, request, opened) == S_OK);
  CHECK(count_line(rig.system, "import shared_surface out_res=" +
                                   std::to_string(raw(opened->handle)) + " token=0x* alloc_id=" +
                                   std::to_string(raw(made.backing.id)) + " hAllocation=0x*") == 1);
}

TEST_CASE("shared surfaces are lines of the log up to a cap", "[umd][T283]") {
  device_rig rig;
  for (int i = 0; i < 70; ++i) static_cast<void>(make(rig, shared_of(4, 4)));
  CHECK(rig.system.logged("export shared_surface") <= 64);
}

TEST_CASE("the log of a list that is too small, and of numbers without a counter, comes once",
          "[umd][T283]") {
  fake_system system;
  system.has_counters = false;
  fake_runtime runtime({.list_entries = 2, .gives_fences = true});
  adapter owner{{0, {1, 1}}, plain_facts()};
  CHECK(system.log() ==
        lines{"alloc_id allocator: shared mapping unavailable; using RNG fallback"});
  const adapter other{{0, {1, 2}}, plain_facts()};
  CHECK(system.log().size() == 1);
  device starting{owner, runtime};
  REQUIRE(start_device(starting) == S_OK);
  const std::array<allocation_use, 3> uses{
      allocation_use{{kernel_allocation{1}, alloc_id{1}, {}, 4}, false},
      allocation_use{{kernel_allocation{2}, alloc_id{2}, {}, 4}, false},
      allocation_use{{kernel_allocation{3}, alloc_id{3}, {}, 4}, false}};
  CHECK(starting.commands.reserve(64, uses) == E_OUTOFMEMORY);
  CHECK(starting.commands.reserve(64, uses) == E_OUTOFMEMORY);
  CHECK(count_line(system, "draw requires 3 allocations but allocation list capacity is 2") == 1);
  stop_device(starting);
}

TEST_CASE("submissions are not lines of the log unless asked for", "[umd][T248]") {
  device_rig rig;
  record_viewport(rig.device.commands);
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(rig.system.logged("submit ") == 0);
}

TEST_CASE("how a section was protected is one line, when asked for", "[umd][T280][T283]") {
  const auto [taken, word] =
      GENERATE(table<section_security, std::string>({{section_security::sddl, "SDDL"},
                                                     {section_security::null_dacl, "NULL DACL"},
                                                     {section_security::relabelled, "relabelled"},
                                                     {section_security::unchanged, "unchanged"}}));
  fake_system system;
  log_section("Local\\AeroGPU.GlobalHandleCounter", taken);
  CHECK(system.log().empty());
  const heard_environment heard{system, {{"AEROGPU_LOG_MIC", "1"}}};
  log_section("Local\\AeroGPU.GlobalHandleCounter", taken);
  CHECK(system.log() == lines{"MIC section=Local\\AeroGPU.GlobalHandleCounter security=" + word});
}

TEST_CASE("natively the trace is on stderr, asked for or not", "[umd][T281]") {
  for (const bool is_asked : {false, true}) {
    os::native_system* const before = os::install(nullptr);
    caught_stderr caught;
    os::write_trace("aerogpu-d3d9-trace: a line\n", is_asked);
    const std::string text = caught.text();
    os::install(before);
    CHECK(text == "aerogpu-d3d9-trace: a line\n");
  }
}

TEST_CASE("an invisible window is occluded when the environment says so", "[umd][T282][T283]") {
  const auto [value, result] =
      GENERATE(table<std::string, HRESULT>({{"0", S_OK}, {"yes", S_PRESENT_OCCLUDED}}));
  fake_system process;
  const heard_environment heard{process, {{"AEROGPU_D3D9_OCCLUDE_INVISIBLE", value}}};
  device_rig rig;
  int window = 0;
  rig.system.windows[&window] = {.is_known = true, .client_width = 8, .client_height = 8};
  CHECK(check_device_state(rig.device, &window) == result);
}

TEST_CASE("pixel centres at integers are asked of the host when the environment says so", "[umd]") {
  const auto [value, asked] = GENERATE(table<std::string, std::size_t>({{"0", 0}, {"on", 1}}));
  fake_system process;
  const heard_environment heard{process, {{"AEROGPU_D3D9_INTEGER_PIXEL_CENTERS", value}}};
  device_rig rig;
  REQUIRE(record_baseline(rig.device) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  std::size_t sent = 0;
  for (const auto& each : rig.runtime.submissions()) {
    for (const auto& packet : packets_of<aerogpu_cmd_set_render_state>(each.stream))
      sent += packet.fields.state == 2000 && packet.fields.value == 1 ? 1 : 0;
  }
  CHECK(sent == asked);
}

TEST_CASE("the dump at a present comes from within the entry that presents", "[umd][T242]") {
  const trace_rig trace{
      {{"AEROGPU_D3D9_TRACE_DUMP_PRESENT", "2"}, {"AEROGPU_D3D9_TRACE_FILTER", "present"}}};
  device_m_rig rig;
  const D3DDDI_SURFACEINFO surface{8, 8, 1, nullptr, 0, 0};
  D3DDDIARG_CREATERESOURCE create{};
  create.Format = static_cast<D3DDDIFORMAT>(D3DFMT_A8R8G8B8);
  create.Pool = D3DDDIPOOL_VIDEOMEMORY;
  create.pSurfList = &surface;
  create.SurfCount = 1;
  create.MipLevels = 1;
  create.Rotation = D3DDDI_ROTATION_IDENTITY;
  create.Flags.RenderTarget = 1;
  REQUIRE(rig.functions.pfnCreateResource(rig.device, &create) == S_OK);
  D3DDDIARG_PRESENT present{};
  present.hSrcResource = create.hResource;
  present.Flags.Flip = 1;
  for (int i = 0; i < 3; ++i) CHECK(rig.functions.pfnPresent(rig.device, &present) == S_OK);
  const lines log = rig.system.log();  // The rig's own system lies below.
  const auto is_dump = [](const std::string& line) {
    return line.starts_with("aerogpu-d3d9-trace: dump reason=present_count entries=2 ");
  };
  CHECK(std::count_if(log.begin(), log.end(), is_dump) == 1);
  CHECK(log.back().find(" M::Present ") != std::string::npos);
  CHECK(log.back().ends_with(" hr=0x7fffffff"));
  CHECK(rig.functions.pfnDestroyResource(rig.device, create.hResource) == S_OK);
}

TEST_CASE("the tracer's banner and header, whole", "[umd][T283]") {
  const std::string all = std::to_string(trace::entry_count);
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", "all"},
                       {"AEROGPU_D3D9_TRACE_MAX", "40"},
                       {"AEROGPU_D3D9_TRACE_DUMP_PRESENT", "6"},
                       {"AEROGPU_D3D9_TRACE_DUMP_ON_FAIL", "1"},
                       {"AEROGPU_D3D9_TRACE_DUMP_ON_STUB", "1"},
                       {"AEROGPU_D3D9_TRACE_STDERR", "1"}}};
  CHECK(rig.system.log() ==
        lines{"aerogpu-d3d9-trace: enabled mode=all max=40 dump_present=6 dump_on_detach=1 "
              "dump_on_fail=1 dump_on_stub=1 stderr_on=1 filter_on=0 filter_count=" +
              all});
  call_entry<trace::id_of("M::VolBlt (stub)"), D3DERR_NOTAVAILABLE>();
  CHECK(rig.lines().at(1) ==
        "dump reason=M::VolBlt (stub) entries=1 mode=all max=40 dump_present=6 dump_on_detach=1 "
        "dump_on_fail=1 dump_on_stub=1 stderr_on=1 filter_on=0 filter_count=" +
            all);
  CHECK(rig.lines().at(2) == "#000 t=1000000000 tid=" + std::to_string(os::thread_id()) +
                                 " M::VolBlt (stub) a0=0x0 a1=0x0 a2=0x0 a3=0x0 hr=0x8876086a");
}

TEST_CASE("a module that is unloaded dumps when asked to", "[umd][T245]") {
  fake_system process;
  process.variables = {{"AEROGPU_D3D9_TRACE", "1"},
                       {"AEROGPU_D3D9_TRACE_DUMP_ON_DETACH", "1"},
                       {"AEROGPU_D3D9_TRACE_FILTER", "no such entry"}};
  attach_module();
  detach_module();
  CHECK(process.log().back() ==
        "aerogpu-d3d9-trace: dump reason=DLL_PROCESS_DETACH entries=0 mode=unique max=512 "
        "dump_present=0 dump_on_detach=1 dump_on_fail=0 dump_on_stub=0 stderr_on=0 filter_on=1 "
        "filter_count=0");
  process.variables.clear();
  init_from_env();
}

}  // namespace aerogpu::umd::test
