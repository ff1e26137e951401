// SPDX-License-Identifier: MIT
// What the types of Windows are on a host that is not Windows.
#include "drivers/win7/ddi/ddi.hpp"
#include "tests/catch.hpp"

#include <limits>
#include <type_traits>

TEST_CASE("the integers of Windows have Windows' sizes and signs", "[ddi]") {
  CHECK(sizeof(ULONG) == 4);
  CHECK(sizeof(LONG) == 4);
  CHECK(sizeof(UINT) == 4);
  CHECK(sizeof(BOOL) == 4);
  CHECK(sizeof(USHORT) == 2);
  CHECK(sizeof(WCHAR) == 2);
  CHECK(sizeof(BOOLEAN) == 1);
  CHECK(sizeof(LONGLONG) == 8);
  CHECK(sizeof(SIZE_T) == sizeof(void*));
  CHECK(sizeof(HANDLE) == sizeof(void*));
  CHECK(sizeof(D3DKMT_HANDLE) == 4);
  CHECK(std::is_signed_v<LONG>);
  CHECK(std::is_unsigned_v<ULONG>);
  CHECK(std::is_unsigned_v<SIZE_T>);
  CHECK(alignof(PHYSICAL_ADDRESS) == 8);
}

TEST_CASE("NT_SUCCESS is a matter of the sign alone", "[ddi]") {
  CHECK(NT_SUCCESS(STATUS_SUCCESS));
  CHECK(NT_SUCCESS(STATUS_PENDING));
  CHECK(NT_SUCCESS(STATUS_GRAPHICS_NO_MORE_ELEMENTS_IN_DATASET));
  CHECK(NT_SUCCESS(std::numeric_limits<NTSTATUS>::max()));
  CHECK_FALSE(NT_SUCCESS(-1));
  CHECK_FALSE(NT_SUCCESS(STATUS_PARTIAL_COPY));
  CHECK_FALSE(NT_SUCCESS(STATUS_INVALID_PARAMETER));
  CHECK_FALSE(NT_SUCCESS(std::numeric_limits<NTSTATUS>::min()));
}

TEST_CASE("a text of WCHARs has two bytes for each letter", "[ddi]") {
  constexpr const WCHAR* text = AEROGPU_DDI_TEXT("ab");
  CHECK(text[0] == 'a');
  CHECK(text[1] == 'b');
  CHECK(text[2] == 0);
}

TEST_CASE("a 64-bit address reads as its halves", "[ddi]") {
  PHYSICAL_ADDRESS address;
  address.QuadPart = 0x123456789;
  CHECK(address.LowPart == 0x23456789u);
  CHECK(address.HighPart == 1);
  CHECK(address.u.LowPart == 0x23456789u);
  CHECK(address.u.HighPart == 1);
}

namespace {

template <class... Enums>
constexpr bool have_four_bytes = ((sizeof(Enums) == 4 && std::is_enum_v<Enums>)&&...);

}  // namespace

TEST_CASE("enumerations of the DDI have four bytes, whatever their values", "[ddi][case-167]") {
  CHECK(have_four_bytes<D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY>);  // -2 and 0x80000000 in one.
  CHECK(have_four_bytes<DXGK_CHILD_DEVICE_TYPE, DXGK_CHILD_DEVICE_HPD_AWARENESS,
                        DXGK_CHILD_STATUS_TYPE, D3DKMDT_MONITOR_ORIENTATION_AWARENESS>);
  CHECK(have_four_bytes<DXGK_INTERRUPT_TYPE, DXGK_HANDLE_TYPE, DXGK_QUERYADAPTERINFOTYPE,
                        D3DKMDT_STANDARDALLOCATION_TYPE, D3DKMDT_GDISURFACETYPE>);
  CHECK(have_four_bytes<D3DKMDT_ENUMCOFUNCMODALITY_PIVOT_TYPE, D3DKMDT_VIDPN_PRESENT_PATH_SCALING,
                        D3DKMDT_VIDPN_PRESENT_PATH_ROTATION, D3DKMDT_VIDPN_SOURCE_MODE_TYPE,
                        D3DKMDT_PIXEL_VALUE_ACCESS_MODE>);
  CHECK(have_four_bytes<D3DKMDT_COLOR_BASIS, D3DKMDT_MODE_PREFERENCE,
                        D3DKMDT_MONITOR_CAPABILITIES_ORIGIN, D3DDDI_VIDEO_SIGNAL_SCANLINE_ORDERING,
                        D3DKMDT_VIDEO_SIGNAL_STANDARD, D3DDDI_GAMMARAMP_TYPE>);
  CHECK(have_four_bytes<D3DDDI_FLIPINTERVAL_TYPE, D3DDDIFORMAT, DEVICE_POWER_STATE, POWER_ACTION,
                        MEMORY_CACHING_TYPE>);
}
