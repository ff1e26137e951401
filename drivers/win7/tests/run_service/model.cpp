// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_service/model.hpp"

#include "aerogpu/abi/mmio.h"
#include "drivers/sim/kernel/kernel.hpp"
#include "drivers/sim/kernel/machine/null_machine.hpp"
#include "drivers/win7/tests/run_service/host_windows.hpp"
#include "drivers/win7/tests/run_service/report.hpp"
#include "drivers/win7/tests/run_service/service_imports.hpp"
#include "drivers/win7/tests/run_sys/hardware_access.hpp"
#include "drivers/win7/tests/run_sys/import_table.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace aerogpu::run_service {
namespace {

constexpr std::uint32_t image_already_loaded = 0xC000010E;
constexpr char dxgkrnl_service[] = R"(\Registry\Machine\System\CurrentControlSet\Services\DXGKrnl)";
constexpr char miniport_service[] = R"(\services\aerogpu)";
constexpr std::uint32_t generic_read_write = 0xC0000000;

/// The PC that the driver's device is in.
struct service_machine {
  sim::pc pc;
  null_backend backend;
  sim::machine<null_backend> device{pc, backend};
  sim::kernel windows{pc};
};

bool was_loaded_by_miniport = false;

/// Never destroyed: the process ends without asking.
[[nodiscard]] auto machine_here() -> service_machine& {
  static auto* const made = new service_machine;
  return *made;
}

/// Wine's thread belongs to the machine from now on.
void enter_machine() {
  sim::this_thread().machine = &machine_here().pc;
}

void bind(void* image) {
  static unsigned imports = 0;
  if (imports != 0) return;
  imports = run_sys::bind_imports(static_cast<std::byte*>(image), &choose_import);
  run_sys::install_access_trap();
  note("imports " + std::to_string(imports) + ", of them Wine's own " +
       std::to_string(calls().kernels_own));
}

void check_handshake(const std::string& registry_path) {
  const auto& made = calls();
  if (was_loaded_by_miniport) {
    note("dxgkrnl was loaded by the driver");
  } else {
    note("dxgkrnl was loaded before the driver");
    check(made.loaded_service == dxgkrnl_service, "ZwLoadDriver is asked for dxgkrnl's service");
    check(made.load_status == image_already_loaded, "the driver hears that dxgkrnl is there");
  }
  check(made.opened_device == R"(\Device\DxgKrnl)", "the device is opened by its name");
  check(made.opened_access == generic_read_write, "the device is opened to read and write");
  check(ends_with_ignoring_case(registry_path, miniport_service),
        "the registry path is the driver's own key");
}

/// kmd.md 1.3: the numbers of the entries of policy N.
[[nodiscard]] auto is_null_by_policy(std::size_t number) -> bool {
  constexpr std::size_t link_device = 60;
  constexpr std::size_t describe_page_table = 62;
  constexpr std::size_t reserved = 69;
  return number == link_device || (number >= describe_page_table && number <= reserved);
}

void check_table(const DRIVER_INITIALIZATION_DATA& table) {
  check(table.Version == DXGKDDI_INTERFACE_VERSION_WIN7, "the table has Windows 7's version");
  unsigned filled = 0;
  unsigned wrong = 0;
  const auto* const bytes = reinterpret_cast<const std::byte*>(&table);
  for (std::size_t number = 1; number < sizeof table / sizeof(void*); ++number) {
    void* entry = nullptr;
    std::memcpy(&entry, bytes + number * sizeof entry, sizeof entry);
    if (entry != nullptr) ++filled;
    const bool is_right =
        is_null_by_policy(number) ? entry == nullptr : run_sys::is_driver_code(entry);
    if (is_right) continue;
    ++wrong;
    note("the table's entry " + std::to_string(number) + " is not as Windows 7 wants it");
  }
  check(wrong == 0, "each entry that Windows 7 calls is the driver's, the others are NULL");
  note("table entries " + std::to_string(filled));
}

/// The driver read the device's key through Wine's registry.
void check_segments(sim::kernel& windows) {
  DXGK_QUERYSEGMENTIN in{};
  DXGK_QUERYSEGMENTOUT out{};
  const DXGKARG_QUERYADAPTERINFO query{DXGKQAITYPE_QUERYSEGMENT, &in, sizeof in, &out, sizeof out};
  const auto ask = [&] {
    return windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiQueryAdapterInfo, windows.context(),
                        &query);
  };
  check(NT_SUCCESS(ask()) && out.NbSegment == 2, "there are two segments");
  if (out.NbSegment != 2) return;
  std::vector<DXGK_SEGMENTDESCRIPTOR> segments(out.NbSegment);
  out.pSegmentDescriptor = segments.data();
  check(NT_SUCCESS(ask()), "the segments are described");
  check(segments[1].Size == std::size_t{aperture_mib} << 20,
        "the aperture segment is as large as the registry says");
}

void check_started(service_machine& all) {
  check(all.windows.sources() == 1 && all.windows.children() == 1,
        "there is one source and one child");
  check((all.pc.bus.peek(AEROGPU_MMIO_REG_RING_CONTROL) & AEROGPU_RING_CONTROL_ENABLE) != 0,
        "the device's ring is enabled");
  check(all.pc.bus.peek64(AEROGPU_MMIO_REG_RING_GPA_LO) != 0, "the device has the ring's address");
  check(all.pc.bus.mappings() != 0, "the registers are mapped");
  check_segments(all.windows);
  check(binary_value_bytes(device_key, "HardwareInformation.MemorySize") == sizeof(ULONG) &&
            binary_value_bytes(device_key, "HardwareInformation.ChipType") == sizeof u"AeroGPU",
        "the device's key says what hardware it is");
}

void note_counts() {
  const auto& done = run_sys::counts();
  const auto text = [](const std::atomic<std::uint64_t>& one) {
    return std::to_string(one.load());
  };
  note("register reads " + text(done.register_reads) + ", register writes " +
       text(done.register_writes) + ", clock reads " + text(done.clock_reads) + ", IRQL reads " +
       text(done.irql_reads));
  check(done.register_reads.load() != 0 && done.register_writes.load() != 0,
        "the device's registers are read and written");
}

}  // namespace
}  // namespace aerogpu::run_service

using namespace aerogpu;
using namespace aerogpu::run_service;

void model_start(void* device) noexcept {
  set_dxgkrnl_device(device);
  void* const image = find_driver_module();
  was_loaded_by_miniport = image != nullptr;
  if (was_loaded_by_miniport) bind(image);
}

void model_image_loaded(void* image) noexcept {
  if (image == find_driver_module()) bind(image);
}

int model_initialize(const unsigned short* registry_path, unsigned path_bytes,
                     void* table) noexcept {
  enter_machine();
  std::string path;
  for (unsigned i = 0; i < path_bytes / sizeof(WCHAR); ++i)
    path += static_cast<char>(registry_path[i]);
  check_handshake(path);
  auto* const received = static_cast<DRIVER_INITIALIZATION_DATA*>(table);
  check_table(*received);
  UNICODE_STRING text{};
  return sim::kernel::initialize(reinterpret_cast<PDRIVER_OBJECT>(&text), &text, received);
}

void model_run() noexcept {
  enter_machine();
  auto& all = machine_here();
  check(NT_SUCCESS(all.windows.add_device()) && all.windows.context() != nullptr,
        "AddDevice succeeds");
  check(NT_SUCCESS(all.windows.start_device()), "StartDevice succeeds");
  if (all.windows.is_started()) {
    check_started(all);
    check(NT_SUCCESS(all.windows.stop_device()), "StopDevice succeeds");
  }
  check(NT_SUCCESS(all.windows.remove_device()), "RemoveDevice succeeds");
  note_counts();
}

void model_unload() noexcept {
  enter_machine();
  auto& all = machine_here();
  all.windows.unload();
  check(calls().pool_blocks == 0, "no pool block is left");
  const auto stops = all.pc.bugs.text();
  if (!stops.empty()) fault(stops);
  finish();
}

void model_fault(const char* text) noexcept {
  fault(text);
}
