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
