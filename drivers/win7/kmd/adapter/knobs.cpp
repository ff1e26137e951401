// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/knobs.hpp"

#include "drivers/win7/kmd/system/os.hpp"

#include <algorithm>

namespace aerogpu::kmd {
namespace {

constexpr std::uint32_t max_side = 16384;
constexpr std::uint32_t least_dma_buffer_bytes = 256u << 10;
constexpr std::uint32_t most_dma_buffer_bytes = 256u << 20;

constexpr std::uint32_t default_aperture_mib = 512;
constexpr std::uint32_t least_aperture_mib = 128;
/// Its page map is non-paged pool, of which x86 has little.
constexpr std::uint32_t most_aperture_mib = sizeof(void*) == 8 ? 2048 : 1024;

auto read(const UNICODE_STRING& key, const char* name) noexcept -> std::uint32_t {
  std::uint32_t value = 0;
  return os::read_registry_dword(key, name, value) ? value : 0;
}

auto read_side(const UNICODE_STRING& key, const char* name) noexcept -> std::uint32_t {
  const std::uint32_t side = read(key, name);
  return side <= max_side ? side : 0;
}

}  // namespace

auto read_driver_knobs(const UNICODE_STRING& service_key) noexcept -> driver_knobs {
  driver_knobs knobs;
  knobs.preferred_width = read_side(service_key, "PreferredWidth");
  knobs.preferred_height = read_side(service_key, "PreferredHeight");
  if (knobs.preferred_width == 0 || knobs.preferred_height == 0) {
    knobs.preferred_width = 0;
    knobs.preferred_height = 0;
  }
  knobs.max_width = read_side(service_key, "MaxWidth");
  knobs.max_height = read_side(service_key, "MaxHeight");
  if (const std::uint32_t bytes = read(service_key, "MaxDmaBufferBytes"); bytes != 0) {
    knobs.dma_buffer_bytes = std::clamp(bytes, least_dma_buffer_bytes, most_dma_buffer_bytes);
  }
  knobs.allows_read_gpa = read(service_key, "EnableReadGpaEscape") != 0;
  knobs.allows_map_shared_handle = read(service_key, "EnableMapSharedHandleEscape") != 0;
  return knobs;
}

auto read_aperture_mib(PDEVICE_OBJECT physical_device, const UNICODE_STRING& device_key) noexcept
    -> std::uint32_t {
  constexpr char name[] = "NonLocalMemorySizeMB";
  std::uint32_t mib = 0;
  const bool is_set = os::read_registry_dword(device_key, name, mib) ||
                      os::read_device_dword(physical_device, name, mib);
  if (!is_set || mib == 0) mib = default_aperture_mib;
  return std::clamp(mib, least_aperture_mib, most_aperture_mib);
}

}  // namespace aerogpu::kmd
