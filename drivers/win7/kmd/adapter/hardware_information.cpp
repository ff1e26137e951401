// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/hardware_information.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/system/os.hpp"

namespace aerogpu::kmd {

void write_hardware_information(const adapter& adapter) noexcept {
  const auto write = [&](const char* name, const auto& value) {
    os::write_device_value(adapter.physical_device, name, bytes_of(value));
  };
  // BAR1 is a 32-bit one, and a carve-out is smaller.
  const auto memory_bytes = static_cast<std::uint32_t>(adapter.segments.video_bytes());
  write("HardwareInformation.MemorySize", memory_bytes);
  write("HardwareInformation.ChipType", u"AeroGPU");
  write("HardwareInformation.DacType", u"Internal");
  write("HardwareInformation.AdapterString", u"AeroGPU Display Adapter");
  write("HardwareInformation.BiosString", u"None");
}

}  // namespace aerogpu::kmd
