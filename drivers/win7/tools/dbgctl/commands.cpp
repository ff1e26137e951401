// SPDX-License-Identifier: MIT
#include "drivers/win7/tools/dbgctl/commands.hpp"

#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/tools/dbgctl/answers/answer.hpp"
#include "drivers/win7/tools/dbgctl/answers/layouts.hpp"
#include "drivers/win7/tools/dbgctl/answers/value_names.hpp"

#include <array>

namespace aerogpu::dbgctl {
namespace {

auto judge_selftest(const answer& from) -> std::string {
  return from.value("passed") != 0 ? std::string{} : "the self-test failed";
}

auto judge_error(const answer& from) -> std::string {
  constexpr std::uint64_t latched = flags_valid | AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED;
  return (from.value("flags") & latched) == latched ? "the device has a latched error"
                                                    : std::string{};
}

auto judge_read(const answer& from) -> std::string {
  return from.value("status") == 0 ? std::string{} : "not all of the memory could be read";
}

constexpr std::string_view selftest_help =
    "  TIMEOUT_MS  how long to wait for the device, at most 3000; without it the driver decides\n"
    "\n"
    "Needs an idle GPU: \"GPU busy\" means to try again.\n";
constexpr std::string_view map_help =
    "  HANDLE  a section handle of this process; without it one is made\n"
    "\n"
    "The answer is a number for debugging, the same for each handle of one section.\n";
constexpr std::string_view dump_allocations_help =
    "share_token is 0 where nothing is shared, and for callers who are no administrators.\n";
constexpr std::string_view read_help =
    "  GPA   guest physical address\n"
    "  SIZE  bytes, at most 4096\n"
    "  FILE  gets the bytes as they are\n"
    "\n"
    "Only what the device uses can be read: ring, fence page, cursor, recent command buffers and\n"
    "their tables, the scanout.\n";
constexpr std::string_view shape_help =
    "  WIDTH HEIGHT  pixels, 1 to 512\n"
    "  HOT_X HOT_Y   the hot spot\n"
    "  FILE          4 * WIDTH * HEIGHT bytes: rows from the top, B G R A\n"
    "\n"
    "Windows sets its own shape again when the pointer changes.\n";
constexpr std::string_view position_help = "  X Y  pixels, may be negative\n";
constexpr std::string_view visibility_help = "  VISIBLE  0 or 1\n";

constexpr std::array<command, 17> table{{
    {AEROGPU_ESCAPE_OP_QUERY_DEVICE, "query-device", "", 0, 0, "version of the device", "",
     &query_device_layout, encode_nothing},
    {AEROGPU_ESCAPE_OP_QUERY_FENCE, "query-fence", "", 0, 0, "fences and error interrupts", "",
     &query_fence_layout, encode_nothing},
    {AEROGPU_ESCAPE_OP_DUMP_RING, "dump-ring", "", 0, 0, "submissions not taken yet", "",
     &dump_ring_layout, encode_dump_ring},
    {AEROGPU_ESCAPE_OP_SELFTEST, "selftest", "[TIMEOUT_MS]", 0, 1, "whether the device works",
     selftest_help, &selftest_layout, encode_selftest, judge_selftest, "", true},
    {AEROGPU_ESCAPE_OP_QUERY_VBLANK, "query-vblank", "", 0, 0, "vblank clock and interrupts", "",
     &query_vblank_layout, encode_nothing},
    {AEROGPU_ESCAPE_OP_DUMP_RING_V2, "dump-ring-v2", "", 0, 0,
     "the latest submissions with their tables", "", &dump_ring_v2_layout, encode_dump_ring_v2},
    {AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2, "query-device-v2", "", 0, 0,
     "identity, ABI version and features", "", &query_device_v2_layout, encode_nothing},
    {AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE, "map-shared-handle", "[HANDLE]", 0, 1,
     "a debug number for a section (gated)", map_help, &map_shared_handle_layout,
     encode_map_shared_handle, nullptr, "EnableMapSharedHandleEscape", true},
    {AEROGPU_ESCAPE_OP_DUMP_CREATEALLOCATION, "dump-createallocation", "", 0, 0,
     "the latest allocations", dump_allocations_help, &dump_createallocation_layout,
     encode_dump_createallocation},
    {AEROGPU_ESCAPE_OP_QUERY_SCANOUT, "query-scanout", "", 0, 0,
     "the mode as the driver and the registers have it", "", &query_scanout_layout, encode_nothing},
    {AEROGPU_ESCAPE_OP_QUERY_CURSOR, "query-cursor", "", 0, 0, "the cursor registers", "",
     &query_cursor_layout, encode_nothing},
    {AEROGPU_ESCAPE_OP_QUERY_PERF, "query-perf", "", 0, 0, "counters of the driver", "",
     &query_perf_layout, encode_nothing},
    {AEROGPU_ESCAPE_OP_READ_GPA, "read-gpa", "GPA SIZE [FILE]", 2, 3, "guest memory (gated)",
     read_help, &read_gpa_layout, encode_read_gpa, judge_read, "EnableReadGpaEscape", true},
    {AEROGPU_ESCAPE_OP_QUERY_ERROR, "query-error", "", 0, 0, "the last error of the device", "",
     &query_error_layout, encode_nothing, judge_error},
    {AEROGPU_ESCAPE_OP_SET_CURSOR_SHAPE, "set-cursor-shape", "WIDTH HEIGHT HOT_X HOT_Y FILE", 5, 5,
     "give the cursor a picture", shape_help, &set_cursor_shape_layout, encode_set_cursor_shape,
     nullptr, "", true},
    {AEROGPU_ESCAPE_OP_SET_CURSOR_POSITION, "set-cursor-position", "X Y", 2, 2, "move the cursor",
     position_help, &set_cursor_position_layout, encode_set_cursor_position, nullptr, "", true},
    {AEROGPU_ESCAPE_OP_SET_CURSOR_VISIBILITY, "set-cursor-visibility", "VISIBLE", 1, 1,
     "show or hide the cursor", visibility_help, &set_cursor_visibility_layout,
     encode_set_cursor_visibility, nullptr, "", true},
}};

}  // namespace

auto commands() noexcept -> std::span<const command> {
  return table;
}

auto find_command(std::string_view name) noexcept -> const command* {
  for (const command& row : table) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace aerogpu::dbgctl
