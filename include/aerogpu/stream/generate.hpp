// SPDX-License-Identifier: MIT
/// \file Random packets and streams that keep every rule, made from the packet table, for fuzzing
/// and property tests.
#pragma once

#include "aerogpu/abi/version.h"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/random.hpp"
#include "aerogpu/stream/input_layout_blob.hpp"
#include "aerogpu/stream/packet_table.hpp"
#include "aerogpu/stream/resolve.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace aerogpu {

/// A small deterministic sequence (SplitMix64): the same seed gives the same streams everywhere.
class seeded_random {
 public:
  explicit constexpr seeded_random(std::uint64_t seed) noexcept : state_(seed) {}
  constexpr auto operator()() noexcept -> std::uint64_t {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// Makes packets that `validate` has nothing to say about. Handles, tokens and allocation ids come
/// from small pools, so that packets of one stream meet each other's objects.
template <random_source Random>
class packet_generator {
 public:
  static constexpr std::uint64_t handle_pool = 12;     ///< Handles 1..12 of every namespace.
  static constexpr std::uint64_t token_pool = 4;       ///< Share tokens 1..4.
  static constexpr std::uint64_t allocation_pool = 3;  ///< Allocation ids 1..3.

  explicit packet_generator(Random& random, std::uint32_t abi_minor = AEROGPU_ABI_MINOR) noexcept
      : random_(&random), abi_minor_(abi_minor) {}

  /// Writes a packet of `row` to the front of `to`; its bytes, or 0 when it does not fit.
  [[nodiscard]] auto make_packet(const packet_row& row, mutable_bytes to) noexcept -> std::size_t {
    std::array<std::byte, 512> packet{};
    std::byte* const at = packet.data();
    const encoded_stage stage = pick_stage(row);
    for (const packet_field& f : row.fields) fill_field(at, f, stage);
    const std::size_t payload = make_payload(row, at + row.fixed_size);
    if (row.count != nullptr) {
      const std::uint64_t count = payload / row.element_size;
      store(at + row.count->offset, static_cast<std::uint32_t>(count));  // A u64's upper half is 0.
    }
    relate_fields(row, at, payload);
    const std::size_t size = row.fixed_size + static_cast<std::size_t>(align4(payload));
    if (size > to.size()) return 0;
    store(at, aerogpu_cmd_hdr{row.opcode, static_cast<std::uint32_t>(size)});
    copy_bytes(to.first(size), const_bytes{packet}.first(size));
    return size;
  }

  /// Writes a stream of up to `most_packets` packets to `to`; its bytes, header included. It ends
  /// early where a packet does not fit. Precondition: `to` holds a stream header.
  [[nodiscard]] auto make_stream(mutable_bytes to, std::uint32_t most_packets) noexcept
      -> std::size_t {
    AEROGPU_CHECK(to.size() >= sizeof(aerogpu_cmd_stream_header));
    std::size_t size = sizeof(aerogpu_cmd_stream_header);
    for (std::uint32_t i = 0; i < most_packets; ++i) {
      const packet_row& row = packet_table[below(packet_table.size())];
      if (row.since_minor > abi_minor_) continue;
      const std::size_t added = make_packet(row, to.subspan(size));
      if (added == 0) break;
      size += added;
    }
    store(to.data(),
          aerogpu_cmd_stream_header{AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_MAJOR << 16 | abi_minor_,
                                    static_cast<std::uint32_t>(size), 0, 0, 0});
    return size;
  }

 private:
  [[nodiscard]] auto below(std::uint64_t limit) noexcept -> std::size_t {
    return static_cast<std::size_t>((*random_)() % limit);
  }
  [[nodiscard]] auto one_in(std::uint64_t n) noexcept -> bool { return below(n) == 0; }

  [[nodiscard]] auto pick_stage(const packet_row& row) noexcept -> encoded_stage {
    const bool has_extension = row.stage_ex != nullptr && abi_minor_ >= 3;
    if (row.stage == nullptr) {  // DISPATCH
      constexpr std::array<std::uint32_t, 4> extensions{0, 2, 3, 4};
      return {AEROGPU_SHADER_STAGE_COMPUTE, has_extension ? extensions[below(4)] : 0};
    }
    const std::uint64_t count = has_extension ? shader_stage_count : 4;
    return encode_stage(static_cast<shader_stage>(below(count)));
  }

  /// A number that tests tend to trip over, or a small one.
  [[nodiscard]] auto pick_number(field_type type) noexcept -> std::uint64_t {
    constexpr std::array<std::uint32_t, 8> floats{0,          0x3F800000, 0x3F000000, 0xBF800000,
                                                  0x42800000, 0x44000000, 0x7F800000, 0x7FC00000};
    if (type == field_type::f32) return floats[below(floats.size())];
    const std::uint64_t bits = one_in(8) ? 8 * size_of(type) : 6;
    return (*random_)() >> (64 - bits);
  }

  [[nodiscard]] auto pick_enumerator(const value_set_row& set) noexcept -> std::uint64_t {
    const std::size_t start = below(set.values.size());
    for (std::size_t i = 0; i < set.values.size(); ++i) {
      const named_value& v = set.values[(start + i) % set.values.size()];
      if (v.since_minor <= abi_minor_) return v.value;
    }
    return set.values[0].value;
  }

  [[nodiscard]] auto pick_value(const packet_field& f, encoded_stage stage) noexcept
      -> std::uint64_t {
    const field_rule& rule = f.rule;
    const value_set_row& set = row_of(rule.values);
    switch (rule.role) {
      case field_role::boolean: return below(2);
      case field_role::enumeration: return pick_enumerator(set);
      case field_role::flags: return (*random_)() & set.members[0];
      case field_role::raw_bits: return (*random_)();
      case field_role::handle: return rule.minimum + below(handle_pool + 1 - rule.minimum);
      case field_role::allocation: return one_in(4) ? 1 + below(allocation_pool) : 0;
      case field_role::share_token: return rule.minimum + below(token_pool);
      case field_role::stage: return stage.stage;
      case field_role::stage_ex: return stage.stage_ex;
      case field_role::first: return below(8);
      case field_role::count:
      case field_role::reserved: return 0;
      default: break;
    }
    constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
    if (rule.maximum != unlimited) return below(rule.maximum + 1);
    const std::uint64_t value = pick_number(f.type) / rule.multiple_of * rule.multiple_of;
    return value < rule.minimum ? value + rule.multiple_of : value;
  }

  void fill_field(std::byte* base, const packet_field& f, encoded_stage stage) noexcept {
    for (std::size_t i = 0; i < f.length; ++i) {
      const std::uint64_t value = pick_value(f, stage);
      copy_bytes({base + f.offset + i * size_of(f.type), size_of(f.type)},
                 bytes_of(value).first(size_of(f.type)));
    }
  }

  /// Bytes of the payload before padding.
  [[nodiscard]] auto make_payload(const packet_row& row, std::byte* at) noexcept -> std::size_t {
    switch (row.opcode) {
      case AEROGPU_CMD_NOP: return 4 * below(4);
      case AEROGPU_CMD_CREATE_INPUT_LAYOUT: return make_layout({at, 256});
      case AEROGPU_CMD_SET_SHADER_CONSTANTS_B: return make_booleans(at);
      case AEROGPU_CMD_BIND_SHADERS: return one_in(2) ? make_shader_tail(at) : 0;
      default: break;
    }
    if (row.payload == payload_kind::none) return 0;
    const std::size_t count = 1 + below(row.element_size == 1 ? 40 : 4);
    for (std::size_t i = 0; i < count; ++i) {
      std::byte* const element = at + i * row.element_size;
      if (row.element_fields.empty()) *element = static_cast<std::byte>((*random_)() | 1);
      for (const packet_field& f : row.element_fields) fill_field(element, f, {});
    }
    return count * row.element_size;
  }
  [[nodiscard]] auto make_layout(mutable_bytes to) noexcept -> std::size_t {
    std::array<aerogpu_input_layout_element_dxgi, 3> ilay{};
    std::array<d3d9_vertex_element, 3> d3d9{};
    const std::size_t count = below(4);
    for (std::size_t i = 0; i < count; ++i) {
      const auto slot = static_cast<std::uint16_t>(below(d3d9_streams));
      ilay[i] = {0x7808E88A, static_cast<std::uint32_t>(i), 6, slot, ilay_append, 0, 0};
      d3d9[i] = {slot, static_cast<std::uint16_t>(12 * i), 2, 0, 0, static_cast<std::uint8_t>(i)};
    }
    const auto blob = one_in(2) ? write_ilay_blob(std::span{ilay}.first(count), to)
                                : write_d3d9_declaration(std::span{d3d9}.first(count), to);
    return blob ? blob->size() : 0;
  }
  [[nodiscard]] auto make_booleans(std::byte* at) noexcept -> std::size_t {
    const std::size_t count = 1 + below(4);
    for (std::size_t i = 0; i < count; ++i) {
      const auto lane = static_cast<std::uint32_t>(below(2));
      store(at + 16 * i, std::array<std::uint32_t, 4>{lane, lane, lane, lane});
    }
    return 16 * count;
  }
  [[nodiscard]] auto make_shader_tail(std::byte* at) noexcept -> std::size_t {
    const auto handle = [this] { return static_cast<aerogpu_handle_t>(below(handle_pool + 1)); };
    store(at, bind_shaders_extension{handle(), handle(), handle()});
    return sizeof(bind_shaders_extension);
  }

  /// Makes fields agree that have a rule together.
  void relate_fields(const packet_row& row, std::byte* at, std::size_t payload) noexcept {
    const auto change = [at]<class P>(P fields, auto&& how) {
      copy_bytes(mutable_bytes_of(fields), const_bytes{at, sizeof fields});
      how(fields);
      store(at, fields);
    };
    if (row.opcode == AEROGPU_CMD_CREATE_TEXTURE2D) {
      change(aerogpu_cmd_create_texture2d{}, [](auto& p) {
        if (p.backing_alloc_id != 0 && p.row_pitch_bytes == 0) p.row_pitch_bytes = 256;
      });
    }
    if (row.opcode == AEROGPU_CMD_SET_RENDER_TARGETS) {
      change(aerogpu_cmd_set_render_targets{}, [](auto& p) {
        for (std::size_t i = p.color_count; i < AEROGPU_MAX_RENDER_TARGETS; ++i) p.colors[i] = 0;
      });
    }
    if (row.opcode == AEROGPU_CMD_BIND_SHADERS && payload != 0) {
      const auto tail = load<bind_shaders_extension>(at + row.fixed_size);
      change(aerogpu_cmd_bind_shaders{}, [&](auto& p) { p.reserved0 = one_in(2) ? tail.gs : 0; });
    }
  }

  Random* random_;
  std::uint32_t abi_minor_;
};

/// Breaks a stream in one place: a header word, a size, an opcode, a count, a byte or the end. The
/// stream is `size` bytes at the front of `bytes`; its new size comes back.
template <random_source Random>
[[nodiscard]] auto mutate_stream(Random& random, mutable_bytes bytes, std::size_t size) noexcept
    -> std::size_t {
  constexpr std::array<std::uint32_t, 10> values{
      0, 1, 3, 4, 8, 0x7F, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF};
  if (size < sizeof(std::uint32_t) || size > bytes.size()) return size;
  const auto pick = [&random](std::size_t limit) {
    return static_cast<std::size_t>(random() % limit);
  };
  const std::size_t words = size / sizeof(std::uint32_t);
  std::byte* const word = bytes.data() + pick(words) * sizeof(std::uint32_t);
  switch (pick(6)) {
    case 0: store(word, values[pick(values.size())]); break;
    case 1: store(word, static_cast<std::uint32_t>(random())); break;
    case 2: store(word, packet_table[pick(packet_table.size())].opcode); break;
    case 3:
      store(word, load<std::uint32_t>(word) + 4 * static_cast<std::uint32_t>(pick(3)) - 4);
      break;
    case 4: bytes[pick(size)] ^= static_cast<std::byte>(1u << pick(8)); break;
    default: return pick(size + 1);
  }
  return size;
}

}  // namespace aerogpu
