// SPDX-License-Identifier: MIT
#include "drivers/win7/ddi/probe/abi_rows.hpp"

#include "drivers/win7/ddi/layout/d3d9.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_callbacks.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_caps.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_drawing.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_resources.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_tables.hpp"
#include "drivers/win7/ddi/portable/entries.hpp"
#include "drivers/win7/ddi/portable/layout.hpp"
#include "drivers/win7/ddi/portable/portable_ddi.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/ddi/user/d3dumddi_entries.hpp"

namespace aerogpu::ddi {

namespace {

namespace portable = aerogpu::d3d9ddi_u;

template <std::size_t Length>
constexpr abi_row row(const char (&text)[Length], std::size_t value) {
  static_assert(Length <= sizeof(abi_row::text), "a name is longer than a row's text");
  abi_row made{};
  for (std::size_t at = 0; at < Length; ++at) made.text[at] = text[at];
  made.value = static_cast<std::uint32_t>(value);
  return made;
}

}  // namespace

#define AEROGPU_ABI_SIZE(type, x64, x86) row("size " #type, sizeof(type)),
#define AEROGPU_ABI_OFFSET(type, member, x64, x86) \
  row("offset " #type "." #member, offsetof(type, member)),
#define AEROGPU_ABI_PORTABLE_SIZE(type, x64, x86) \
  row("size portable::" #type, sizeof(portable::type)),
#define AEROGPU_ABI_PORTABLE_OFFSET(type, member, x64, x86) \
  row("offset portable::" #type "." #member, offsetof(portable::type, member)),

#define AEROGPU_ABI_ENTRY(table, name)                            \
  row("offset " #table ".pfn" #name, offsetof(table, pfn##name)), \
      row("stack " #table ".pfn" #name, stack_bytes<decltype(table::pfn##name)>),
#define AEROGPU_ABI_ADAPTER_ENTRY(index, name, bytes, plan) \
  AEROGPU_ABI_ENTRY(D3DDDI_ADAPTERFUNCS, name)
#define AEROGPU_ABI_DEVICE_ENTRY(index, name, bytes, plan) \
  AEROGPU_ABI_ENTRY(D3DDDI_DEVICEFUNCS, name)
#define AEROGPU_ABI_PORTABLE_ADAPTER_ENTRY(index, name, bytes, plan) \
  AEROGPU_ABI_ENTRY(portable::D3D9DDI_ADAPTERFUNCS, name)
#define AEROGPU_ABI_PORTABLE_DEVICE_ENTRY(index, name, bytes, plan) \
  AEROGPU_ABI_ENTRY(portable::D3D9DDI_DEVICEFUNCS, name)

#define AEROGPU_ABI_ADAPTER_CALLBACK(index, name, bytes, plan) \
  AEROGPU_ABI_ENTRY(D3DDDI_ADAPTERCALLBACKS, name)
#define AEROGPU_ABI_DEVICE_CALLBACK(index, name, bytes, plan) \
  AEROGPU_ABI_ENTRY(D3DDDI_DEVICECALLBACKS, name)
#define AEROGPU_ABI_PORTABLE_CALLBACK(index, name, bytes, plan) \
  AEROGPU_ABI_ENTRY(portable::D3DDDI_DEVICECALLBACKS, name)

// In a section of its own, where an object file shows it without being run.
#ifdef __GNUC__
__attribute__((section("abirows"), used))
#endif
// clang-format off
constexpr abi_row abi_rows[] = {
    AEROGPU_DDI_D3D9_LAYOUT(AEROGPU_ABI_SIZE, AEROGPU_ABI_OFFSET)
    AEROGPU_DDI_CALLBACK_LAYOUT(AEROGPU_ABI_SIZE, AEROGPU_ABI_OFFSET)
    AEROGPU_DDI_CAPS_LAYOUT(AEROGPU_ABI_SIZE, AEROGPU_ABI_OFFSET)
    AEROGPU_DDI_DRAWING_LAYOUT(AEROGPU_ABI_SIZE, AEROGPU_ABI_OFFSET)
    AEROGPU_DDI_RESOURCE_LAYOUT(AEROGPU_ABI_SIZE, AEROGPU_ABI_OFFSET)
    AEROGPU_DDI_TABLE_LAYOUT(AEROGPU_ABI_SIZE, AEROGPU_ABI_OFFSET)
    AEROGPU_D3DDDI_ADAPTER_ENTRIES(AEROGPU_ABI_ADAPTER_ENTRY)
    AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_ABI_DEVICE_ENTRY)
    AEROGPU_D3DDDI_ADAPTER_CALLBACKS(AEROGPU_ABI_ADAPTER_CALLBACK)
    AEROGPU_D3DDDI_DEVICE_CALLBACKS(AEROGPU_ABI_DEVICE_CALLBACK)
    AEROGPU_D3D9DDI_U_LAYOUT(AEROGPU_ABI_PORTABLE_SIZE, AEROGPU_ABI_PORTABLE_OFFSET)
    AEROGPU_D3D9DDI_U_ADAPTER_ENTRIES(AEROGPU_ABI_PORTABLE_ADAPTER_ENTRY)
    AEROGPU_D3D9DDI_U_DEVICE_ENTRIES(AEROGPU_ABI_PORTABLE_DEVICE_ENTRY)
    AEROGPU_D3D9DDI_U_DEVICE_CALLBACKS(AEROGPU_ABI_PORTABLE_CALLBACK)
};
// clang-format on
const std::size_t abi_row_count = sizeof abi_rows / sizeof *abi_rows;

}  // namespace aerogpu::ddi
