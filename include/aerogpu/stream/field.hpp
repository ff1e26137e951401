// SPDX-License-Identifier: MIT
/// \file What a packet field is: name, place, type and the rule for its value.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/stage.hpp"
#include "aerogpu/stream/value_set.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace aerogpu {

/// How a field is stored and printed. `f32` is a bit pattern.
enum class field_type : std::uint8_t { u8, u16, u32, u64, i32, f32 };

/// Bytes of one element of a type.
[[nodiscard]] constexpr auto size_of(field_type type) noexcept -> std::uint32_t {
  constexpr std::array<std::uint8_t, 6> sizes{1, 2, 4, 8, 4, 4};
  return sizes[static_cast<std::size_t>(type)];
}

/// What a field's number stands for.
enum class field_role : std::uint8_t {
  number,
  boolean,      ///< 0 or 1.
  enumeration,  ///< One value of `values`.
  flags,        ///< Bits of `values`.
  raw_bits,     ///< Bits another interface defines; never checked, shown in hexadecimal.
  handle,       ///< `space` and `use` say of what and for what.
  allocation,   ///< Allocation id, 0 = none.
  share_token,
  stage,     ///< Base shader stage.
  stage_ex,  ///< Its extension, wire.md 8; read only when the base stage is COMPUTE.
  first,     ///< First slot or register; with the count added it fits in 32 bits.
  count,     ///< Number of payload elements or bytes.
  reserved,  ///< Written as 0, not looked at.
};

/// Namespaces of handles (host.md 2.3). Views share that of the resources.
enum class handle_space : std::uint8_t { none, resource, shader, input_layout, sampler };

/// What a packet does with a handle, and so whether 0 is allowed.
enum class handle_use : std::uint8_t {
  none,
  creates,  ///< Names a new object; not 0.
  needs,    ///< Names a live object; not 0.
  binds,    ///< 0 unbinds.
  drops,    ///< Destroys; 0 does nothing.
};

/// What 0 in a field makes of the whole packet, as hosts take it (host.md 2.10, 2.12).
enum class zero_meaning : std::uint8_t {
  value,   ///< Nothing more than its value.
  no_op,   ///< The packet has no effect, and nothing else in it is looked at.
  exempt,  ///< Nothing is asked of the other fields.
};

/// The rule of a field's value.
struct field_rule {
  field_role role = field_role::number;
  value_set values = value_set::none;
  handle_space space = handle_space::none;
  handle_use use = handle_use::none;
  std::uint64_t minimum = 0;
  std::uint64_t maximum = std::numeric_limits<std::uint64_t>::max();
  std::uint8_t multiple_of = 1;
  bool is_lenient = false;  ///< Readers make do with a value outside the set.
  /// A host refuses the packet for it before it looks at any object; see `checked_packet`. What a
  /// host checks later, because host.md 2.12 has another error before, its handlers check.
  bool is_fatal = false;
  const char* refusal = nullptr;  ///< The host's sentence; null: that the field is zero.
  std::uint32_t run_limit = 0;  ///< Of a first slot or register: how many there are; 0 = not said.
  std::uint8_t stages = 0xFF;   ///< Of a stage: bit s for each `shader_stage` that may be named.
  zero_meaning zero = zero_meaning::value;
  std::string_view note{};  ///< What the rest does not say, such as the unit; for documents.

  [[nodiscard]] constexpr auto with(std::string_view text) const noexcept -> field_rule {
    field_rule rule = *this;
    rule.note = text;
    return rule;
  }
  /// Fatal on a host, in a sentence of its own.
  [[nodiscard]] constexpr auto fatal(const char* sentence = nullptr) const noexcept -> field_rule {
    field_rule rule = *this;
    rule.is_fatal = true;
    rule.refusal = sentence;
    return rule;
  }
  [[nodiscard]] constexpr auto when_zero(zero_meaning meaning) const noexcept -> field_rule {
    field_rule rule = *this;
    rule.zero = meaning;
    return rule;
  }
};

/// A field of a packet, or of an element of its payload.
struct packet_field {
  std::string_view name;
  std::uint16_t offset = 0;  ///< From the start of the packet or element.
  std::uint8_t length = 1;   ///< Elements of an array field; 1 for a scalar.
  field_type type = field_type::u32;
  field_rule rule;

  [[nodiscard]] constexpr auto size_bytes() const noexcept -> std::uint32_t {
    return length * size_of(type);
  }
  [[nodiscard]] constexpr auto end() const noexcept -> std::uint32_t {
    return offset + size_bytes();
  }
};

/// A field or none. Not a pointer, because sanitizers keep the comparison of a pointer with null
/// from being a constant.
class optional_field {
 public:
  constexpr optional_field() noexcept = default;
  constexpr optional_field(const packet_field& field) noexcept : field_(field), is_there_(true) {}

  [[nodiscard]] friend constexpr auto operator==(const optional_field& f, std::nullptr_t) noexcept
      -> bool {
    return !f.is_there_;
  }
  /// The field; an empty one when there is none.
  [[nodiscard]] constexpr auto operator*() const noexcept -> const packet_field& { return field_; }
  [[nodiscard]] constexpr auto operator->() const noexcept -> const packet_field* {
    return &field_;
  }

 private:
  packet_field field_;
  bool is_there_ = false;
};

/// The number at `at`, zero-extended; an i32 or f32 as its bits.
[[nodiscard, gnu::always_inline]] inline auto load_number(const std::byte* at,
                                                          field_type type) noexcept
    -> std::uint64_t {
  switch (type) {
    case field_type::u8: return load<std::uint8_t>(at);
    case field_type::u16: return load<std::uint16_t>(at);
    case field_type::u64: return load<std::uint64_t>(at);
    default: return load<std::uint32_t>(at);
  }
}

namespace detail {

/// Offset of `member`, found by reading it out of bytes that hold their own positions.
template <class Struct, class Member>
[[nodiscard]] constexpr auto offset_of(Member Struct::*member) noexcept -> std::uint16_t {
  static_assert(sizeof(Struct) < 256);
  std::array<std::uint8_t, sizeof(Struct)> positions{};
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<std::uint8_t>(i);
  const auto probe = std::bit_cast<Struct>(positions);
  const auto first = [](const auto& value) {
    if constexpr (std::is_array_v<Member>) return value[0];
    if constexpr (!std::is_array_v<Member>) return value;
  }(probe.*member);
  return std::bit_cast<std::array<std::uint8_t, sizeof first>>(first)[0];
}

template <class Scalar>
[[nodiscard]] constexpr auto type_of(std::string_view name) noexcept -> field_type {
  if constexpr (std::is_same_v<Scalar, std::uint8_t>) return field_type::u8;
  if constexpr (std::is_same_v<Scalar, std::uint16_t>) return field_type::u16;
  if constexpr (std::is_same_v<Scalar, std::uint64_t>) return field_type::u64;
  if constexpr (std::is_same_v<Scalar, std::int32_t>) return field_type::i32;
  if constexpr (std::is_same_v<Scalar, std::uint32_t>) {
    return name.ends_with("_f32") ? field_type::f32 : field_type::u32;
  }
}

}  // namespace detail

/// The words in which the packet table is written. A base class, so that they mean nothing
/// elsewhere.
struct field_vocabulary {
  static constexpr field_rule zero_or_one{.role = field_role::boolean};
  static constexpr field_rule foreign_bits{.role = field_role::raw_bits};
  static constexpr field_rule allocation{.role = field_role::allocation};
  static constexpr field_rule base_stage{.role = field_role::stage,
                                         .values = value_set::shader_stage};
  static constexpr field_rule extended_stage{.role = field_role::stage_ex,
                                             .values = value_set::shader_stage_ex};
  static constexpr field_rule first_of_run{.role = field_role::first};
  static constexpr field_rule payload_count{.role = field_role::count};
  static constexpr field_rule nonzero_count{.role = field_role::count, .minimum = 1};
  static constexpr field_rule written_as_zero{.role = field_role::reserved};
  static constexpr field_rule word_multiple{.multiple_of = 4};
  static constexpr field_rule nonzero_word_multiple{.minimum = 1, .multiple_of = 4};

  /// Any number, and what it means.
  [[nodiscard]] static constexpr auto number_of(std::string_view note) noexcept -> field_rule {
    return field_rule{}.with(note);
  }
  [[nodiscard]] static constexpr auto at_least(std::uint64_t minimum) noexcept -> field_rule {
    field_rule rule;
    rule.minimum = minimum;
    return rule;
  }
  [[nodiscard]] static constexpr auto at_most(std::uint64_t maximum) noexcept -> field_rule {
    field_rule rule;
    rule.maximum = maximum;
    return rule;
  }
  /// An enumerator; others are refused.
  [[nodiscard]] static constexpr auto one_of(value_set values) noexcept -> field_rule {
    return {.role = field_role::enumeration, .values = values};
  }
  /// An enumerator; for others readers use a default (host.md 3.5 to 3.7).
  [[nodiscard]] static constexpr auto preferably_one_of(value_set values) noexcept -> field_rule {
    return {.role = field_role::enumeration, .values = values, .is_lenient = true};
  }
  /// Flags; other bits are ignored.
  [[nodiscard]] static constexpr auto flags_of(value_set values) noexcept -> field_rule {
    return {.role = field_role::flags, .values = values, .is_lenient = true};
  }
  /// Flags; other bits are refused.
  [[nodiscard]] static constexpr auto only_flags_of(value_set values) noexcept -> field_rule {
    return {.role = field_role::flags, .values = values};
  }
  /// The first of a run of slots or registers, or the only one, of a table of `limit`; a run that
  /// leaves the table is fatal.
  [[nodiscard]] static constexpr auto run_of_slots(std::uint32_t limit) noexcept -> field_rule {
    field_rule rule = first_of_run.fatal("slots exceed the table");
    rule.run_limit = limit;
    return rule;
  }
  [[nodiscard]] static constexpr auto single_slot(std::uint32_t limit) noexcept -> field_rule {
    field_rule rule = run_of_slots(limit);
    rule.role = field_role::number;
    return rule;
  }
  [[nodiscard]] static constexpr auto run_of_registers(std::uint32_t limit) noexcept -> field_rule {
    field_rule rule = first_of_run.fatal("constant registers exceed the register file");
    rule.run_limit = limit;
    return rule;
  }
  /// A stage among some; another one is fatal, as is one that does not exist.
  template <std::same_as<shader_stage>... Stages>
  [[nodiscard]] static constexpr auto stage_among(const char* sentence, Stages... stages) noexcept
      -> field_rule {
    field_rule rule = base_stage.fatal(sentence);
    rule.stages = static_cast<std::uint8_t>((0u | ... | (1u << static_cast<unsigned>(stages))));
    return rule;
  }
  [[nodiscard]] static constexpr auto creates(handle_space space) noexcept -> field_rule {
    return {.role = field_role::handle, .space = space, .use = handle_use::creates, .minimum = 1};
  }
  [[nodiscard]] static constexpr auto needs(handle_space space) noexcept -> field_rule {
    return {.role = field_role::handle, .space = space, .use = handle_use::needs, .minimum = 1};
  }
  [[nodiscard]] static constexpr auto binds(handle_space space) noexcept -> field_rule {
    return {.role = field_role::handle, .space = space, .use = handle_use::binds};
  }
  [[nodiscard]] static constexpr auto drops(handle_space space) noexcept -> field_rule {
    return {.role = field_role::handle, .space = space, .use = handle_use::drops};
  }
  [[nodiscard]] static constexpr auto token(std::uint64_t minimum) noexcept -> field_rule {
    return {.role = field_role::share_token, .minimum = minimum};
  }

  /// A row for `member`; place and type come from the struct itself.
  template <class Struct, class Member>
  [[nodiscard]] static constexpr auto field(std::string_view name, Member Struct::*member,
                                            const field_rule& rule = {}) noexcept -> packet_field {
    using scalar = std::remove_all_extents_t<Member>;
    return {name, detail::offset_of(member), sizeof(Member) / sizeof(scalar),
            detail::type_of<scalar>(name), rule};
  }

  /// A row for a member of a struct nested in the packet.
  template <class Struct, class Inner, class Member>
  [[nodiscard]] static constexpr auto field(std::string_view name, Inner Struct::*outer,
                                            Member Inner::*member,
                                            const field_rule& rule = {}) noexcept -> packet_field {
    packet_field row = field(name, member, rule);
    row.offset = static_cast<std::uint16_t>(row.offset + detail::offset_of(outer));
    return row;
  }

  /// A row for an array of `length` scalars that is a payload element by itself.
  [[nodiscard]] static constexpr auto element_of(field_type type, std::uint8_t length,
                                                 const field_rule& rule = {}) noexcept
      -> packet_field {
    return {"", 0, length, type, rule};
  }
};

}  // namespace aerogpu
