// SPDX-License-Identifier: MIT
/// \file A packet that keeps the rules which a host holds it to before it looks at any object.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/stream/field_check.hpp"
#include "aerogpu/stream/packet.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

namespace detail {

/// The field whose stage is fatal: the base stage, or the extension of a packet without one.
template <wire_packet P>
inline constexpr optional_field checked_stage_field =
    stage_field<P> != nullptr ? stage_field<P> : stage_ex_field<P>;

/// Whether a host refuses the packet at once for its stage.
template <wire_packet P>
inline constexpr bool has_checked_stage = checked_stage_field<P>->rule.is_fatal;

/// What a fatal field's breach is called.
template <wire_packet P, std::size_t I>
[[nodiscard]] constexpr auto refusal_of() noexcept -> const char* {
  constexpr field_rule rule = packet_traits<P>::fields[I].rule;
  if constexpr (rule.refusal != nullptr) return rule.refusal;
  if constexpr (rule.refusal == nullptr) {
    static_assert(rule.minimum == 1);
    return sentence<struct_part<P>, I, breach::is_zero>.data();
  }
}

/// Whether the set is 0 to n - 1: then one comparison tells its members.
[[nodiscard]] constexpr auto is_dense(const value_set_row& set) noexcept -> bool {
  return !set.is_flags && set.members[1] == 0 && (set.members[0] & (set.members[0] + 1)) == 0;
}

template <value_set Set>
[[nodiscard]] constexpr auto has_member(std::uint32_t value) noexcept -> bool {
  constexpr const value_set_row& set = row_of(Set);
  constexpr auto dense_count = static_cast<std::uint32_t>(std::popcount(set.members[0]));
  if constexpr (is_dense(set)) return value < dense_count;
  if constexpr (!is_dense(set)) return set.contains(value);
}

/// The length of a packet's run; 1 for a packet that names a single slot.
template <wire_packet P>
[[nodiscard]] inline auto run_length(const std::byte* at) noexcept -> std::uint64_t {
  if constexpr (count_field<P> != nullptr) {
    constexpr packet_field count = *count_field<P>;
    return load_number(at + count.offset, count.type);
  }
  return 1;
}

/// Holds field `I` of the packet at `at` to its rule, if that is fatal; `refuse(error)` hears of a
/// breach.
template <wire_packet P, std::size_t I, class Refuse>
[[nodiscard, gnu::always_inline]] inline auto check_fatal([[maybe_unused]] const std::byte* at,
                                                          [[maybe_unused]] Refuse& refuse) noexcept
    -> error_code {
  constexpr packet_field f = packet_traits<P>::fields[I];
  constexpr field_rule rule = f.rule;
  constexpr bool is_stage = rule.role == field_role::stage || rule.role == field_role::stage_ex;
  if constexpr (rule.is_fatal && !is_stage) {
    static_assert(f.length == 1 && rule.multiple_of == 1);
    const std::uint64_t value = load_number(at + f.offset, f.type);
    constexpr const char* what = refusal_of<P, I>();
    if constexpr (rule.minimum != 0) {
      if (value < rule.minimum)
        return refuse(make_error(minimum_breach_code(rule.role), what, value));
    }
    if constexpr (rule.maximum != field_rule{}.maximum) {
      if (value > rule.maximum) {
        return refuse(make_error(error_code::invalid_parameter, what, value, rule.maximum));
      }
    }
    if constexpr (rule.values != value_set::none) {
      static_assert(rule.values != value_set::format);
      if (!has_member<rule.values>(static_cast<std::uint32_t>(value))) {
        return refuse(make_error(error_code::invalid_parameter, what, value));
      }
    }
    if constexpr (rule.run_limit != 0) {
      if (!range_fits(value, run_length<P>(at), rule.run_limit)) {
        return refuse(make_error(error_code::invalid_parameter, what, value, rule.run_limit));
      }
    }
  }
  return error_code::none;
}

/// All fatal rules but that of the stage, in the order of rows, to the first that is broken.
template <wire_packet P, class Refuse>
[[nodiscard, gnu::always_inline]] inline auto check_fatal_fields(
    [[maybe_unused]] const std::byte* at, [[maybe_unused]] Refuse& refuse) noexcept -> error_code {
  if (has_zero<P, zero_meaning::exempt>(at)) return error_code::none;
  auto code = error_code::none;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (void)(true && ... && ((code = check_fatal<P, I>(at, refuse)) == error_code::none));
  }
  (std::make_index_sequence<packet_traits<P>::fields.size()>{});
  return code;
}

/// The effective stage, among those that the row allows.
template <wire_packet P, class Refuse>
[[nodiscard, gnu::always_inline]] inline auto check_fatal_stage(const packet<P>& from,
                                                                std::uint32_t abi_minor,
                                                                shader_stage& stage,
                                                                Refuse& refuse) noexcept
    -> error_code {
  constexpr field_rule rule = checked_stage_field<P>->rule;
  const auto resolved = stage_of(from, abi_minor);
  if (!resolved) return refuse(resolved.why());
  stage = *resolved;
  if constexpr (rule.stages != field_rule{}.stages) {
    const auto index = static_cast<std::uint32_t>(stage);
    if ((rule.stages >> index & 1) == 0) {
      return refuse(make_error(error_code::invalid_parameter, rule.refusal, index));
    }
  }
  return error_code::none;
}

}  // namespace detail

/// Whether a host takes the packet as one without effect, whatever else it says.
template <wire_packet P>
[[nodiscard]] inline auto is_no_op(const packet<P>& p) noexcept -> bool {
  return detail::has_zero<P, zero_meaning::no_op>(p.bytes().data());
}

/// A packet whose stage and fields keep those rules of its row that are fatal on a host, which is
/// all that host.md 2.12 wants checked before the first look at an object. Only `check` makes one.
template <wire_packet P>
class checked_packet : public packet<P> {
 public:
  /// Holds a packet of a stream of `abi_minor` to its rules: the stage, then fields as they stand.
  /// Returns what `take(checked_packet)` returns, or at the first broken rule what `refuse(error)`
  /// does. Calls, not a `result`: it compiles to comparisons in front of what `take` does, and the
  /// error is made in a function of its own, which keeps no registers of `take` busy.
  /// Precondition: not `is_no_op`. Errors: invalid_handle, invalid_parameter.
  template <class Take, class Refuse>
  [[gnu::always_inline]] static inline auto check(const packet<P>& from,
                                                  [[maybe_unused]] std::uint32_t abi_minor,
                                                  Take&& take, Refuse refuse) noexcept
      -> error_code {
    shader_stage stage{};
    constexpr auto code_of = [](const error& why) { return why.code; };
    if (find_breach(from, abi_minor, stage, code_of) != error_code::none) [[unlikely]]
      return refuse_broken(from, abi_minor, refuse);
    return take(checked_packet{from, stage});
  }

  /// The effective stage (host.md 2.11).
  [[nodiscard]] auto stage() const noexcept -> shader_stage requires(detail::has_checked_stage<P>) {
    return stage_;
  }

 private:
  /// `none`, or what `refuse` returns for the first broken rule.
  template <class Refuse>
  [[nodiscard, gnu::always_inline]] static inline auto find_breach(
      const packet<P>& from, [[maybe_unused]] std::uint32_t abi_minor,
      [[maybe_unused]] shader_stage& stage, const Refuse& refuse) noexcept -> error_code {
    if constexpr (detail::has_checked_stage<P>) {
      const auto code = detail::check_fatal_stage(from, abi_minor, stage, refuse);
      if (code != error_code::none) return code;
    }
    return detail::check_fatal_fields<P>(from.bytes().data(), refuse);
  }
  template <class Refuse>
  [[gnu::cold, gnu::noinline]] static auto refuse_broken(packet<P> from, std::uint32_t abi_minor,
                                                         Refuse refuse) noexcept -> error_code {
    shader_stage stage{};
    return find_breach(from, abi_minor, stage, refuse);
  }

  checked_packet(const packet<P>& from, shader_stage stage) noexcept
      : packet<P>(from), stage_(stage) {}

  shader_stage stage_;
};

}  // namespace aerogpu
