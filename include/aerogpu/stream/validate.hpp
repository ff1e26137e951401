// SPDX-License-Identifier: MIT
/// \file Holds packets to every rule that needs no host state: what writers keep and tools report.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/stream/field_check.hpp"
#include "aerogpu/stream/input_layout_blob.hpp"
#include "aerogpu/stream/reader.hpp"
#include "aerogpu/stream/resolve.hpp"
#include "aerogpu/stream/stage.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace aerogpu {

/// One broken rule of a packet, with the packet's opcode and offset.
struct finding {
  severity level = severity::error;
  error why;
};

namespace detail {

template <wire_packet P, class Report>
[[gnu::always_inline]] inline void check_stage(const std::byte* at, std::uint32_t minor,
                                               Report& report) noexcept {
  const auto [stage, stage_ex] = load_stage<P>(at);
  if (stage <= AEROGPU_SHADER_STAGE_GEOMETRY && stage_ex == AEROGPU_SHADER_STAGE_EX_NONE) return;
  const auto resolved = resolve_stage_strict(stage, stage_ex, minor);
  if (!resolved) {
    const error why = resolved.why();
    return report(severity::error, why.code, why.what, why.detail, why.limit);
  }
  if (stage != AEROGPU_SHADER_STAGE_COMPUTE) {
    return report(severity::warning, error_code::invalid_parameter,
                  "stage_ex is ignored with this base stage and not 0", stage_ex, 0);
  }
  if (minor < AEROGPU_STAGE_EX_MIN_ABI_MINOR) {
    return report(severity::warning, error_code::invalid_parameter,
                  "stage_ex is ignored in a stream of this minor and not 0", minor,
                  AEROGPU_STAGE_EX_MIN_ABI_MINOR);
  }
  if (stage_ex == AEROGPU_SHADER_STAGE_EX_COMPUTE) {
    report(severity::warning, error_code::invalid_parameter,
           "stage_ex is the alias of compute that writers avoid", stage_ex, 0);
  }
}

template <wire_packet P, class Report>
[[gnu::always_inline]] inline void check_run(const std::byte* at, std::uint64_t count,
                                             Report& report) noexcept {
  constexpr std::size_t offset = find_role(packet_traits<P>::fields, field_role::first)->offset;
  const std::uint64_t start = load<std::uint32_t>(at + offset);
  if (start + count > std::numeric_limits<std::uint32_t>::max()) {
    report(severity::error, error_code::invalid_parameter,
           "the last slot or register does not fit in 32 bits", start, count);
  }
}

// Rules that join several fields, or fields and payload.
template <wire_packet P, class Report>
inline void check_relations(const P&, const_bytes, Report&) noexcept {}

template <class Report>
inline void check_relations(const aerogpu_cmd_create_texture2d& p, const_bytes,
                            Report& report) noexcept {
  if (p.backing_alloc_id != 0 && p.row_pitch_bytes == 0) {
    report(severity::error, error_code::invalid_parameter,
           "row_pitch_bytes is 0 in a guest-backed texture", 0, 1);
  }
}
template <class Report>
inline void check_relations(const aerogpu_cmd_set_render_targets& p, const_bytes,
                            Report& report) noexcept {
  for (std::uint32_t i = p.color_count; i < AEROGPU_MAX_RENDER_TARGETS; ++i) {
    if (p.colors[i] == 0) continue;
    report(severity::warning, error_code::invalid_parameter, "colors beyond color_count are not 0",
           p.colors[i], 0);
  }
}
template <class Report>
inline void check_relations(const aerogpu_cmd_set_shader_constants_b&, const_bytes payload,
                            Report& report) noexcept {
  for (const auto& lanes : packed_array<std::array<std::uint32_t, 4>>{payload}) {
    const bool is_plain =
        lanes[0] <= 1 && lanes[1] == lanes[0] && lanes[2] == lanes[0] && lanes[3] == lanes[0];
    if (is_plain) continue;
    return report(severity::warning, error_code::invalid_parameter,
                  "a boolean register is not four times 0 or four times 1", lanes[0], 1);
  }
}
template <class Report>
inline void check_relations(const aerogpu_cmd_create_input_layout&, const_bytes payload,
                            Report& report) noexcept {
  const auto blob = parse_input_layout_blob(payload);
  if (blob) return;
  const error why = blob.why();
  report(severity::error, why.code, why.what, why.detail, why.limit);
}

/// Every rule of a packet that needs no host state. Inlined by force, as are its parts: a call that
/// takes the address of `fields` would push the writer's struct through memory for each packet.
template <wire_packet P, class Report>
[[gnu::always_inline]] inline void check_packet_rules(const P& fields, const_bytes payload,
                                                      std::uint32_t minor,
                                                      Report& report) noexcept {
  const std::byte* at = bytes_of(fields).data();
  if (minor < packet_traits<P>::since_minor) {
    report(severity::warning, error_code::unsupported,
           "the packet is newer than the stream's minor", minor, packet_traits<P>::since_minor);
  }
  if constexpr (has_stage<P>) check_stage<P>(at, minor, report);
  if constexpr (find_role(packet_traits<P>::fields, field_role::first) != nullptr) {
    check_run<P>(at, payload.size() / element_size<P>, report);
  }
  const bool is_skipped =
      has_zero<P, zero_meaning::no_op>(at) || has_zero<P, zero_meaning::exempt>(at);
  check_part<struct_part<P>>(at, minor, is_skipped ? field_scope::reserved_only : field_scope::all,
                             report);
  if constexpr (has_rules(packet_traits<P>::element_fields)) {
    for (std::size_t i = 0; i + element_size<P> <= payload.size(); i += element_size<P>) {
      check_part<element_part<P>>(payload.data() + i, minor, field_scope::all, report);
    }
  }
  if (!is_skipped) check_relations(fields, payload, report);
}

/// A packet in its second form: what holds for its fields, and that writers use the other one.
template <wire_packet P, class Report>
void check_compact(const packet<P>& from, std::uint32_t minor, Report& report) noexcept {
  const P fields = from.fields();
  constexpr std::uint32_t stride = packet_traits<P>::compact_element_size;
  report(severity::warning, error_code::invalid_parameter,
         "the elements have the second form, which writers avoid", stride, element_size<P>);
  check_run<P>(bytes_of(fields).data(), from.payload().size() / stride, report);
  check_packet_rules(fields, const_bytes{}, minor, report);
}

}  // namespace detail

/// Calls `report(const finding&)` for every broken rule of a framed packet of a stream of
/// `abi_minor`.
template <wire_packet P, std::invocable<const finding&> Report>
void validate_packet(const packet<P>& from, std::uint32_t abi_minor, Report&& report) noexcept {
  P fields = from.fields();
  if constexpr (std::same_as<P, aerogpu_cmd_set_blend_state>) {
    fields.state = resolve_blend_state(from);
  }
  const auto add = [&](severity level, error_code code, const char* what, std::uint64_t detail,
                       std::uint64_t limit) {
    report(finding{level, {code, packet_traits<P>::opcode, from.offset(), detail, limit, what}});
  };
  if constexpr (std::same_as<P, aerogpu_cmd_bind_shaders>) {
    const std::uint32_t geometry =
        raw(resolve_bind_shaders(from)[static_cast<std::size_t>(shader_stage::geometry)]);
    if (fields.reserved0 != 0 && fields.reserved0 != geometry) {
      add(severity::warning, error_code::invalid_parameter,
          "reserved0 is ignored and not the geometry shader", fields.reserved0, geometry);
    }
    if (from.size() > sizeof fields && from.size() < bind_shaders_extended_size) {
      add(severity::warning, error_code::invalid_parameter, "the extended form is cut short",
          from.size(), bind_shaders_extended_size);
    }
  }
  if constexpr (packet_traits<P>::compact_element_size != 0) {
    if (from.is_compact()) return detail::check_compact(from, abi_minor, add);
  }
  detail::check_packet_rules(fields, from.payload(), abi_minor, add);
}

/// What `validate` counted.
struct validation {
  std::uint32_t errors = 0;
  std::uint32_t warnings = 0;

  /// Whether nothing in the stream is refused.
  [[nodiscard]] explicit operator bool() const noexcept { return errors == 0; }
};

namespace detail {

template <class Report>
struct validating_visitor {
  std::uint32_t abi_minor;
  Report& report;

  template <wire_packet P>
  auto on_packet(const packet<P>& from) noexcept -> error_code {
    validate_packet(from, abi_minor, report);
    return error_code::none;
  }
  auto on_unknown(const raw_packet&) noexcept -> error_code { return error_code::none; }
};

}  // namespace detail

/// Holds a stream to framing and to every rule that needs no host state; `report` gets each
/// finding in stream order. A framing error ends the walk, as its last finding.
template <std::invocable<const finding&> Report>
auto validate(const stream_view& stream, Report&& report) noexcept -> validation {
  validation counts;
  auto count = [&](const finding& f) {
    (f.level == severity::error ? counts.errors : counts.warnings) += 1;
    report(f);
  };
  detail::validating_visitor<decltype(count)> visitor{stream.abi_minor(), count};
  const error framing = visit(stream, visitor);
  if (framing.code != error_code::none) count(finding{severity::error, framing});
  return counts;
}

}  // namespace aerogpu
