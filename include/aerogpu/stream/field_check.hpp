// SPDX-License-Identifier: MIT
/// \file Checks a packet's fields against the rules of their rows, with a sentence for each breach.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/stream/packet_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// What a finding means for a stream.
enum class severity : std::uint8_t {
  error,    ///< wire.md or host.md refuses it.
  warning,  ///< Readers take it; a writer must not write it.
};

namespace detail {

/// How a field breaks its rule; indexes the sentences below.
enum class breach : std::uint8_t {
  not_in_set,
  unknown_bits,
  too_new,
  not_boolean,
  below_minimum,
  above_maximum,
  not_multiple,
  not_zero,
  is_zero,
};

inline constexpr std::array<std::string_view, 9> breach_text{
    " is not a value of ",
    " has unknown bits of ",
    " is newer than the stream's minor",
    " is neither 0 nor 1",
    " is less than its minimum",
    " is more than its maximum",
    " is not a multiple of its unit",
    " is reserved and not 0",
    " is zero",
};

/// The rows of a packet's struct, or of one payload element.
template <wire_packet P>
struct struct_part {
  static constexpr const auto& fields = packet_traits<P>::fields;
};
template <wire_packet P>
struct element_part {
  static constexpr const auto& fields = packet_traits<P>::element_fields;
};

/// "format is not a value of aerogpu_format", made at compile time.
template <class Part, std::size_t I, breach Why>
inline constexpr auto sentence = [] {
  constexpr packet_field f = Part::fields[I];
  constexpr std::string_view text = breach_text[static_cast<std::size_t>(Why)];
  constexpr std::string_view set = Why == breach::not_in_set || Why == breach::unknown_bits
                                       ? row_of(f.rule.values).type_name
                                       : std::string_view{};
  std::array<char, f.name.size() + text.size() + set.size() + 1> out{};
  std::size_t at = 0;
  for (const std::string_view part : {f.name, text, set}) {
    for (const char c : part) out[at++] = c;
  }
  return out;
}();

[[nodiscard]] constexpr auto minimum_breach_code(field_role role) noexcept -> error_code {
  if (role == field_role::handle) return error_code::invalid_handle;
  if (role == field_role::share_token) return error_code::invalid_share_token;
  return error_code::invalid_parameter;
}

/// One field's value. `report(severity, error_code, what, value, limit)` gets each breach.
template <class Part, std::size_t I, class Report>
[[gnu::always_inline]] inline void check_value(std::uint64_t value, std::uint32_t minor,
                                               Report& report) noexcept {
  constexpr field_rule rule = Part::fields[I].rule;
  constexpr const value_set_row& set = row_of(rule.values);
  constexpr severity level = rule.is_lenient ? severity::warning : severity::error;
  const auto say = [&](severity how, error_code code, const auto& what, std::uint64_t limit) {
    report(how, code, what.data(), value, limit);
  };
  if constexpr (rule.role == field_role::reserved) {
    if (value != 0) {
      say(severity::warning, error_code::invalid_parameter, sentence<Part, I, breach::not_zero>, 0);
    }
  }
  if constexpr (rule.role == field_role::boolean) {
    if (value > 1) {
      say(severity::warning, error_code::invalid_parameter, sentence<Part, I, breach::not_boolean>,
          1);
    }
  }
  if constexpr (rule.role == field_role::flags) {
    if (!set.contains(static_cast<std::uint32_t>(value))) {
      say(level, error_code::invalid_parameter, sentence<Part, I, breach::unknown_bits>,
          set.members[0]);
    }
  }
  if constexpr (rule.role == field_role::enumeration) {
    constexpr error_code code = rule.values == value_set::format ? error_code::unsupported_format
                                                                 : error_code::invalid_parameter;
    const auto enumerator = static_cast<std::uint32_t>(value);
    if (!set.contains(enumerator)) {
      say(level, code, sentence<Part, I, breach::not_in_set>, 0);
    } else if (minor < set.newest_member_minor) {
      const std::uint32_t since = set.find(enumerator)->since_minor;
      if (minor < since) {
        say(severity::warning, code, sentence<Part, I, breach::too_new>, since);
      }
    }
  }
  if constexpr (rule.minimum != 0) {
    if (value < rule.minimum) {
      say(severity::error, minimum_breach_code(rule.role), sentence<Part, I, breach::below_minimum>,
          rule.minimum);
    }
  }
  if constexpr (rule.maximum != field_rule{}.maximum) {
    if (value > rule.maximum) {
      say(severity::error, error_code::invalid_parameter, sentence<Part, I, breach::above_maximum>,
          rule.maximum);
    }
  }
  if constexpr (rule.multiple_of != 1) {
    if (value % rule.multiple_of != 0) {
      say(severity::error, error_code::invalid_parameter, sentence<Part, I, breach::not_multiple>,
          rule.multiple_of);
    }
  }
}

template <wire_packet P, std::size_t I, zero_meaning Meaning>
[[nodiscard, gnu::always_inline]] inline auto is_zero([[maybe_unused]] const std::byte* at) noexcept
    -> bool {
  constexpr packet_field f = packet_traits<P>::fields[I];
  if constexpr (f.rule.zero != Meaning) return false;
  if constexpr (f.rule.zero == Meaning) return load_number(at + f.offset, f.type) == 0;
}

/// Whether a field for which 0 has that meaning is 0 in the packet at `at`.
template <wire_packet P, zero_meaning Meaning>
[[nodiscard, gnu::always_inline]] inline auto has_zero(
    [[maybe_unused]] const std::byte* at) noexcept -> bool {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (false || ... || is_zero<P, I, Meaning>(at));
  }
  (std::make_index_sequence<packet_traits<P>::fields.size()>{});
}

/// Which fields of a packet are looked at.
enum class field_scope : std::uint8_t { all, reserved_only };

template <class Part, std::size_t I, class Report>
[[gnu::always_inline]] inline void check_field(const std::byte* at, std::uint32_t minor,
                                               field_scope scope, Report& report) noexcept {
  constexpr packet_field f = Part::fields[I];
  if constexpr (f.rule.role != field_role::reserved) {
    if (scope == field_scope::reserved_only) return;
  }
  for (std::size_t i = 0; i < f.length; ++i) {
    check_value<Part, I>(load_number(at + f.offset + i * size_of(f.type), f.type), minor, report);
  }
}

/// Every field of the struct or element at `at`.
template <class Part, class Report>
[[gnu::always_inline]] inline void check_part(const std::byte* at, std::uint32_t minor,
                                              field_scope scope, Report& report) noexcept {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check_field<Part, I>(at, minor, scope, report), ...);
  }
  (std::make_index_sequence<Part::fields.size()>{});
}

/// Whether any row asks for a check, so that loops over elements without rules vanish.
[[nodiscard]] constexpr auto has_rules(std::span<const packet_field> fields) noexcept -> bool {
  for (const packet_field& f : fields) {
    const field_role role = f.rule.role;
    if (role == field_role::reserved || role == field_role::boolean || role == field_role::flags ||
        role == field_role::enumeration || f.rule.minimum != 0 || f.rule.multiple_of != 1) {
      return true;
    }
  }
  return false;
}

}  // namespace detail
}  // namespace aerogpu
