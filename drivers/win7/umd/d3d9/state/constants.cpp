// SPDX-License-Identifier: MIT
/// \file Constant registers: kept, compared, and sent where they differ.
#include "aerogpu/stream/stage.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/binding_packets.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace aerogpu::umd {

namespace {

/// How the registers of one kind are kept, recorded and sent.
template <class Value>
struct register_kind;

template <>
struct register_kind<int_register> {
  using packet = aerogpu_cmd_set_shader_constants_i;
  static constexpr state_group groups[] = {state_group::vertex_int, state_group::pixel_int};
  static auto values(constant_registers& of) noexcept -> auto& { return of.ints; }
  static auto sent(constant_registers& of) noexcept -> auto& { return of.sent_ints; }
  static constexpr std::size_t most_sent = constant_count;  // In one packet.
  static auto write(recorder::packet_writer& to, shader_stage stage, std::uint32_t first,
                    std::span<const int_register> values) noexcept {
    return to.set_shader_constants_i(stage, first, values);
  }
};

template <>
struct register_kind<std::uint32_t> {
  using packet = aerogpu_cmd_set_shader_constants_b;
  static constexpr state_group groups[] = {state_group::vertex_bool, state_group::pixel_bool};
  static auto values(constant_registers& of) noexcept -> auto& { return of.bools; }
  static auto sent(constant_registers& of) noexcept -> auto& { return of.sent_bools; }
  static constexpr std::size_t most_sent = 128;  // They are widened on the stack.
  static auto write(recorder::packet_writer& to, shader_stage stage, std::uint32_t first,
                    std::span<const std::uint32_t> values) noexcept {
    std::array<std::array<std::uint32_t, 4>, most_sent> wide{};
    std::transform(values.begin(), values.end(), wide.begin(),
                   [](std::uint32_t value) { return bool_register(value != 0); });
    return to.set_shader_constants_b(stage, first, std::span{wide}.first(values.size()));
  }
};

constexpr std::size_t register_bytes = 16;  ///< On the wire, of every kind.

/// The application's value as it is kept: booleans are 0 or 1.
template <class Value>
[[nodiscard]] auto normalised(const Value& value) noexcept -> Value {
  if constexpr (std::is_same_v<Value, std::uint32_t>) return value != 0 ? 1 : 0;
  if constexpr (!std::is_same_v<Value, std::uint32_t>) return value;
}

template <class Value>
[[nodiscard]] auto is_bitwise_equal(const Value& a, const Value& b) noexcept -> bool {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class Value>
[[nodiscard]] auto record(device& on, state_group group, std::uint32_t first,
                          std::span<const Value> values) noexcept -> HRESULT {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value value = normalised(values[i]);
    const HRESULT recorded =
        on.blocks.record({group, 0, first + static_cast<std::uint32_t>(i)}, bytes_of(value));
    if (FAILED(recorded)) return recorded;
  }
  return S_OK;
}

[[nodiscard]] auto record_floats(device& on, stage which, std::uint32_t first,
                                 const_bytes values) noexcept -> HRESULT {
  const bool is_vertex = which == stage::vertex;
  const state_group group = is_vertex ? state_group::vertex_float : state_group::pixel_float;
  for (; !values.empty(); values = values.subspan(register_bytes)) {
    const HRESULT recorded = on.blocks.record({group, 0, first++}, values.first(register_bytes));
    if (FAILED(recorded)) return recorded;
  }
  return S_OK;
}

[[nodiscard]] auto check_registers(std::uint32_t first, std::size_t count) noexcept -> HRESULT {
  if (first > constant_count || count > constant_count - first) return D3DERR_INVALIDCALL;
  return count != 0 ? S_OK : E_INVALIDARG;
}

constexpr std::size_t most_floats_sent = 128;  ///< In one packet.

[[gnu::noinline]] auto send_many_floats(device& on, stage which, std::uint32_t first,
                                        std::span<const float_register> values) noexcept
    -> HRESULT {
  HRESULT sent = S_OK;
  while (SUCCEEDED(sent) && !values.empty()) {
    const std::size_t count = std::min(values.size(), most_floats_sent);
    sent = send_floats(on, which, first, values.first(count));
    values = values.subspan(count);
    first += static_cast<std::uint32_t>(count);
  }
  return sent;
}

/// Sends registers `first` to `end` from their values.
template <class Value>
[[nodiscard]] auto send(device& on, stage which, std::size_t first, std::size_t end) noexcept
    -> HRESULT {
  using kind = register_kind<Value>;
  constant_registers& registers = on.state.constants_of(which);
  while (first < end) {
    const std::size_t count = std::min(end - first, kind::most_sent);
    const std::span<const Value> values = std::span{kind::values(registers)}.subspan(first, count);
    const HRESULT sent = emit<typename kind::packet>(
        on.commands,
        [&](auto& packets) {
          return kind::write(packets, wire_stage(which), static_cast<std::uint32_t>(first), values);
        },
        count * register_bytes);
    if (FAILED(sent)) return sent;
    for (std::size_t i = 0; i < count; ++i) kind::sent(registers)[first + i] = true;
    first += count;
  }
  return S_OK;
}

template <class Value>
[[nodiscard]] auto set(device& on, stage which, std::uint32_t first,
                       std::span<const Value> values) noexcept -> HRESULT {
  using kind = register_kind<Value>;
  if (const HRESULT bad = check_registers(first, values.size()); FAILED(bad)) return bad;
  if (on.blocks.is_recording()) {
    return record(on, kind::groups[static_cast<std::size_t>(which)], first, values);
  }
  constant_registers& registers = on.state.constants_of(which);
  auto& kept = kind::values(registers);
  auto& sent = kind::sent(registers);
  std::size_t first_changed = constant_count, end_changed = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t at = first + i;
    const Value value = normalised(values[i]);
    if (sent[at] && is_bitwise_equal(kept[at], value)) continue;
    kept[at] = value;
    sent[at] = false;
    first_changed = std::min(first_changed, at);
    end_changed = at + 1;
  }
  if (first_changed >= end_changed) return S_OK;
  return send<Value>(on, which, first_changed, end_changed);
}

}  // namespace

auto set_float_bytes(device& on, stage which, std::uint32_t first, const_bytes values) noexcept
    -> HRESULT {
  const std::size_t count = values.size() / register_bytes;
  if (const HRESULT bad = check_registers(first, count); FAILED(bad)) return bad;
  if (on.blocks.is_recording()) return record_floats(on, which, first, values);
  const std::span<float_register> kept =
      std::span{on.state.constants_of(which).floats}.subspan(first, count);
  copy_registers(std::as_writable_bytes(kept).data(), values);
  // Generated shaders use the same registers: what counts is what the host has.
  const auto& file = on.host_floats[static_cast<std::size_t>(which)];
  const fixed::register_block missing =
      file.missing({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count)}, kept);
  if (missing.count == 0) return S_OK;
  const std::span<const float_register> changed =
      kept.subspan(missing.first - first, missing.count);
  return missing.count <= most_floats_sent ? send_floats(on, which, missing.first, changed)
                                           : send_many_floats(on, which, missing.first, changed);
}

auto set_constants_i(device& on, stage which, std::uint32_t first,
                     std::span<const int_register> values) noexcept -> HRESULT {
  return set(on, which, first, values);
}

auto set_constants_b(device& on, stage which, std::uint32_t first,
                     std::span<const std::uint32_t> values) noexcept -> HRESULT {
  return set(on, which, first, values);
}

}  // namespace aerogpu::umd
