// SPDX-License-Identifier: MIT
// The lists of entries: what the driver, its stubs, the tracer and the scan for NULL read.
#include "drivers/win7/ddi/portable/entries.hpp"

#include "drivers/win7/ddi/portable/portable_ddi.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/ddi/user/d3dumddi_entries.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using aerogpu::ddi::entry_plan;
using aerogpu::ddi::entry_row;
using entry_rows = std::span<const entry_row>;

std::vector<entry_rows> every_list() {
  return {aerogpu::ddi::adapter_entries,        aerogpu::ddi::device_entries,
          aerogpu::ddi::adapter_callbacks,      aerogpu::ddi::device_callbacks,
          aerogpu::d3d9ddi_u::device_callbacks, aerogpu::d3d9ddi_u::adapter_entries,
          aerogpu::d3d9ddi_u::device_entries,   aerogpu::d3d9ddi_u::extended_entries};
}

std::ptrdiff_t how_many(entry_rows rows, entry_plan plan) {
  return std::count_if(rows.begin(), rows.end(),
                       [plan](const entry_row& row) { return row.plan == plan; });
}

const entry_row& entry_named(entry_rows rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [name](const entry_row& row) { return name == row.name; });
  REQUIRE(found != rows.end());
  return *found;
}

}  // namespace

TEST_CASE("each row of an entry list has its place's index and a name of its own",
          "[ddi][user-mode]") {
  for (const entry_rows rows : every_list()) {
    std::set<std::string> names;
    for (std::size_t place = 0; place < rows.size(); ++place) {
      CAPTURE(rows[place].name);
      CHECK(rows[place].index == place);
      CHECK(names.insert(rows[place].name).second);
      CHECK(std::string("pfn") + rows[place].name == rows[place].member);
    }
  }
}

TEST_CASE("a trace name says (stub) where the plan is a stub, and nowhere else",
          "[ddi][user-mode]") {
  for (const entry_rows rows : every_list()) {
    for (const entry_row& row : rows) {
      CAPTURE(row.trace_name);
      const std::string_view name = row.trace_name;
      CHECK((name.find("(stub)") != name.npos) == row.is_stub());
      CHECK(name.find(row.name) != name.npos);
    }
  }
  CHECK(std::string_view("M::SetRenderState") == aerogpu::ddi::device_entries[0].trace_name);
  CHECK(std::string_view("M::VolBlt (stub)") == aerogpu::ddi::device_entries[16].trace_name);
  CHECK(std::string_view("Adapter::CloseAdapter") ==
        aerogpu::d3d9ddi_u::adapter_entries[0].trace_name);
  CHECK(std::string_view("Device::SetFVF") == aerogpu::d3d9ddi_u::device_entries[17].trace_name);
}

TEST_CASE("the device table of Windows 7 has 121 entries, 99 of them Vista's", "[ddi][user-mode]") {
  CHECK(std::size(aerogpu::ddi::device_entries) == 121);
  CHECK(std::size(aerogpu::ddi::adapter_entries) == 3);
  CHECK(std::string_view("Rename") ==
        aerogpu::ddi::device_entries[aerogpu::ddi::vista_device_entries - 1].name);
  CHECK(sizeof(D3DDDI_DEVICEFUNCS) == 121 * sizeof(void*));
  CHECK(offsetof(D3DDDI_DEVICEFUNCS, pfnCreateVideoProcessor) ==
        aerogpu::ddi::vista_device_entries * sizeof(void*));
}

TEST_CASE("stubs are few: what the chapter plans as S or X is all there is", "[ddi][user-mode]") {
  const entry_rows rows = aerogpu::ddi::device_entries;
  CHECK(how_many(rows, entry_plan::S) == 2);
  CHECK(how_many(rows, entry_plan::X) == 42);
  CHECK(how_many(rows, entry_plan::N) == 4);
  CHECK(how_many(rows, entry_plan::I) == 70);
  CHECK(how_many(rows, entry_plan::O) == 3);
  for (const std::string_view name : {"VolBlt", "CaptureToSysMem"}) {
    CAPTURE(name);
    CHECK(entry_named(rows, name).plan == entry_plan::S);
  }
}

TEST_CASE("the portable tables have 4, 86 and 46 entries and no stub", "[ddi][user-mode]") {
  CHECK(std::size(aerogpu::d3d9ddi_u::adapter_entries) == 4);
  CHECK(std::size(aerogpu::d3d9ddi_u::device_entries) == 86);
  CHECK(std::size(aerogpu::d3d9ddi_u::extended_entries) == 46);
  for (const entry_rows rows : {entry_rows(aerogpu::d3d9ddi_u::adapter_entries),
                                entry_rows(aerogpu::d3d9ddi_u::device_entries),
                                entry_rows(aerogpu::d3d9ddi_u::extended_entries)}) {
    for (const entry_row& row : rows) {
      CAPTURE(row.name);
      CHECK_FALSE(row.is_stub());
    }
  }
}

namespace {

HRESULT APIENTRY stop_here(HANDLE) {
  return E_FAIL;
}

}  // namespace

TEST_CASE("a table is an array of pointers, and a row's index finds its entry in it",
          "[ddi][user-mode]") {
  D3DDDI_DEVICEFUNCS table{};
  table.pfnDestroyDevice = stop_here;
  std::vector<void*> pointers(std::size(aerogpu::ddi::device_entries));
  REQUIRE(sizeof table == pointers.size() * sizeof(void*));
  std::memcpy(pointers.data(), &table, sizeof table);
  for (const entry_row& row : aerogpu::ddi::device_entries) {
    CAPTURE(row.name);
    CHECK((pointers[row.index] != nullptr) == (std::string_view("DestroyDevice") == row.name));
  }
}

TEST_CASE("what a stdcall pops is counted as x86 counts, whatever the host", "[ddi][user-mode]") {
  using aerogpu::ddi::stack_bytes;
  CHECK(stack_bytes<HRESULT(APIENTRY*)()> == 0);
  CHECK(stack_bytes<HRESULT(APIENTRY*)(void*)> == 4);
  CHECK(stack_bytes<HRESULT(APIENTRY*)(UCHAR, USHORT, FLOAT)> == 12);
  CHECK(stack_bytes<HRESULT(APIENTRY*)(ULONGLONG)> == 8);
  CHECK(stack_bytes<HRESULT(APIENTRY*)(aerogpu::d3d9ddi_u::D3D9DDI_HDEVICE, UINT)> == 8);
}
