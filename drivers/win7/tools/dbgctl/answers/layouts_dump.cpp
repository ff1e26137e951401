// SPDX-License-Identifier: MIT
/// \file Layouts of the dumps and of what changes something (kmd.md 3.21).
#include "aerogpu/abi/escape.h"
#include "drivers/win7/tools/dbgctl/answers/layouts.hpp"
#include "drivers/win7/tools/dbgctl/answers/value_names.hpp"

#include <cstddef>

namespace aerogpu::dbgctl {
namespace {

using enum value_kind;

using dump_ring = aerogpu_escape_dump_ring_inout;
using dump_ring_v2 = aerogpu_escape_dump_ring_v2_inout;
using dump_createallocation = aerogpu_escape_dump_createallocation_inout;
using read_gpa = aerogpu_escape_read_gpa_inout;
using map_shared_handle = aerogpu_escape_map_shared_handle_inout;
using set_cursor_shape = aerogpu_escape_set_cursor_shape_in;
using set_cursor_position = aerogpu_escape_set_cursor_position_in;
using set_cursor_visibility = aerogpu_escape_set_cursor_visibility_in;

constexpr field dump_ring_fields[] = {
    {"ring_id", offsetof(dump_ring, ring_id), 4},
    {"ring_size_bytes", offsetof(dump_ring, ring_size_bytes), 4},
    {"head", offsetof(dump_ring, head), 4},
    {"tail", offsetof(dump_ring, tail), 4},
    {"desc_count", offsetof(dump_ring, desc_count), 4},
};

constexpr field ring_desc_fields[] = {
    {"fence", offsetof(aerogpu_dbgctl_ring_desc, signal_fence), 8},
    {"cmd_gpa", offsetof(aerogpu_dbgctl_ring_desc, cmd_gpa), 8, hex},
    {"cmd_size_bytes", offsetof(aerogpu_dbgctl_ring_desc, cmd_size_bytes), 4},
    {"flags", offsetof(aerogpu_dbgctl_ring_desc, flags), 4, bits, submit_flags},
};

constexpr field dump_ring_v2_fields[] = {
    {"ring_id", offsetof(dump_ring_v2, ring_id), 4},
    {"ring_format", offsetof(dump_ring_v2, ring_format), 4, one_of, ring_formats},
    {"ring_size_bytes", offsetof(dump_ring_v2, ring_size_bytes), 4},
    {"head", offsetof(dump_ring_v2, head), 4},
    {"tail", offsetof(dump_ring_v2, tail), 4},
    {"desc_count", offsetof(dump_ring_v2, desc_count), 4},
};

constexpr field ring_desc_v2_fields[] = {
    {"fence", offsetof(aerogpu_dbgctl_ring_desc_v2, fence), 8},
    {"cmd_gpa", offsetof(aerogpu_dbgctl_ring_desc_v2, cmd_gpa), 8, hex},
    {"cmd_size_bytes", offsetof(aerogpu_dbgctl_ring_desc_v2, cmd_size_bytes), 4},
    {"flags", offsetof(aerogpu_dbgctl_ring_desc_v2, flags), 4, bits, submit_flags},
    {"alloc_table_gpa", offsetof(aerogpu_dbgctl_ring_desc_v2, alloc_table_gpa), 8, hex},
    {"alloc_table_size_bytes", offsetof(aerogpu_dbgctl_ring_desc_v2, alloc_table_size_bytes), 4},
};

constexpr field dump_createallocation_fields[] = {
    {"write_index", offsetof(dump_createallocation, write_index), 4},
    {"entry_count", offsetof(dump_createallocation, entry_count), 4},
};

constexpr field createallocation_fields[] = {
    {"seq", offsetof(aerogpu_dbgctl_createallocation_desc, seq), 4},
    {"call_seq", offsetof(aerogpu_dbgctl_createallocation_desc, call_seq), 4},
    {"alloc_index", offsetof(aerogpu_dbgctl_createallocation_desc, alloc_index), 4},
    {"num_allocations", offsetof(aerogpu_dbgctl_createallocation_desc, num_allocations), 4},
    {"create_flags", offsetof(aerogpu_dbgctl_createallocation_desc, create_flags), 4, hex},
    {"alloc_id", offsetof(aerogpu_dbgctl_createallocation_desc, alloc_id), 4, hex},
    {"priv_flags", offsetof(aerogpu_dbgctl_createallocation_desc, priv_flags), 4, bits,
     allocation_flags},
    {"pitch_bytes", offsetof(aerogpu_dbgctl_createallocation_desc, pitch_bytes), 4},
    {"share_token", offsetof(aerogpu_dbgctl_createallocation_desc, share_token), 8, hex},
    {"size_bytes", offsetof(aerogpu_dbgctl_createallocation_desc, size_bytes), 8},
    {"flags_in", offsetof(aerogpu_dbgctl_createallocation_desc, flags_in), 4, hex},
    {"flags_out", offsetof(aerogpu_dbgctl_createallocation_desc, flags_out), 4, hex},
};

constexpr field read_gpa_fields[] = {
    {"gpa", offsetof(read_gpa, gpa), 8, hex},
    {"size_bytes", offsetof(read_gpa, size_bytes), 4},
    {"status", offsetof(read_gpa, status), 4, one_of, read_statuses},
    {"bytes_copied", offsetof(read_gpa, bytes_copied), 4},
};

constexpr field map_shared_handle_fields[] = {
    {"shared_handle", offsetof(map_shared_handle, shared_handle), 8, hex},
    {"debug_token", offsetof(map_shared_handle, debug_token), 4},
};

constexpr field set_cursor_position_fields[] = {
    {"x", offsetof(set_cursor_position, x), 4, signed_number},
    {"y", offsetof(set_cursor_position, y), 4, signed_number},
};

constexpr field set_cursor_visibility_fields[] = {
    {"visible", offsetof(set_cursor_visibility, visible), 4, truth},
};

constexpr field set_cursor_shape_fields[] = {
    {"width", offsetof(set_cursor_shape, width), 4},
    {"height", offsetof(set_cursor_shape, height), 4},
    {"hot_x", offsetof(set_cursor_shape, hot_x), 4},
    {"hot_y", offsetof(set_cursor_shape, hot_y), 4},
    {"pitch_bytes", offsetof(set_cursor_shape, pitch_bytes), 4},
    {"format", offsetof(set_cursor_shape, format), 4, format},
};

constexpr entry_list ring_entries{offsetof(dump_ring, desc_count), offsetof(dump_ring, desc),
                                  sizeof(aerogpu_dbgctl_ring_desc),
                                  AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS, ring_desc_fields};
constexpr entry_list ring_v2_entries{offsetof(dump_ring_v2, desc_count),
                                     offsetof(dump_ring_v2, desc),
                                     sizeof(aerogpu_dbgctl_ring_desc_v2),
                                     AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS, ring_desc_v2_fields};
constexpr entry_list allocation_entries{
    offsetof(dump_createallocation, entry_count), offsetof(dump_createallocation, entries),
    sizeof(aerogpu_dbgctl_createallocation_desc), AEROGPU_DBGCTL_MAX_RECENT_ALLOCATIONS,
    createallocation_fields};
constexpr byte_list read_bytes{offsetof(read_gpa, bytes_copied), offsetof(read_gpa, data),
                               AEROGPU_DBGCTL_READ_GPA_MAX_BYTES};
constexpr std::uint32_t shape_size = offsetof(set_cursor_shape, pixels);

}  // namespace

const answer_layout dump_ring_layout{sizeof(dump_ring), offsetof(dump_ring, desc), dump_ring_fields,
                                     0, &ring_entries};
const answer_layout dump_ring_v2_layout{sizeof(dump_ring_v2), offsetof(dump_ring_v2, desc),
                                        dump_ring_v2_fields, 0, &ring_v2_entries};
const answer_layout dump_createallocation_layout{
    sizeof(dump_createallocation), offsetof(dump_createallocation, entries),
    dump_createallocation_fields, 0, &allocation_entries};
const answer_layout read_gpa_layout{
    sizeof(read_gpa), offsetof(read_gpa, data), read_gpa_fields, 0, nullptr, &read_bytes};
const answer_layout map_shared_handle_layout{sizeof(map_shared_handle), sizeof(map_shared_handle),
                                             map_shared_handle_fields};
// The pixels follow the fields, and no answer repeats them.
const answer_layout set_cursor_shape_layout{shape_size, shape_size, set_cursor_shape_fields};
const answer_layout set_cursor_position_layout{
    sizeof(set_cursor_position), sizeof(set_cursor_position), set_cursor_position_fields};
const answer_layout set_cursor_visibility_layout{
    sizeof(set_cursor_visibility), sizeof(set_cursor_visibility), set_cursor_visibility_fields};

}  // namespace aerogpu::dbgctl
