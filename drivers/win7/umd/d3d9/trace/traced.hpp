// SPDX-License-Identifier: MIT
/// \file Entry points that the tracer sees: the function that a table holds around one of ours.
#pragma once

#include "drivers/win7/umd/d3d9/trace/tracer.hpp"

namespace aerogpu::umd::trace {

namespace detail {

/// `Target::function()` with a record of each call. `Pointer` is its type.
template <class Packing, entry_id Id, class Target, class Pointer>
struct wrapper;
template <class Packing, entry_id Id, class Target, class... Arguments>
struct wrapper<Packing, Id, Target, HRESULT(APIENTRY*)(Arguments...)> {
  static auto APIENTRY call(Arguments... arguments) noexcept -> HRESULT {
    if (is_enabled()) [[unlikely]]
      return record(arguments...);
    return Target::function()(arguments...);
  }
  /// Apart, so that a call that nobody traces sets nothing up for it.
  [[gnu::noinline]] static auto APIENTRY record(Arguments... arguments) noexcept -> HRESULT {
    traced_call call{Id, pack_call<Packing, Id>(arguments...)};
    return call.returns(Target::function()(arguments...));
  }
};
template <class Packing, entry_id Id, class Target, class... Arguments>
struct wrapper<Packing, Id, Target, HRESULT(APIENTRY*)(Arguments...) noexcept>
    : wrapper<Packing, Id, Target, HRESULT(APIENTRY*)(Arguments...)> {};

/// A function that is known here.
template <auto Entry>
struct known_function {
  static constexpr auto function() noexcept { return Entry; }
};
/// A member of a table that is filled at run time.
template <auto& Table, auto Member>
struct table_entry {
  static auto function() noexcept { return Table.*Member; }
};

}  // namespace detail

/// `Entry`, recorded as `Id` with the arguments that a row of `Packing` names.
template <class Packing, entry_id Id, auto Entry>
inline constexpr auto traced =
    &detail::wrapper<Packing, Id, detail::known_function<Entry>, decltype(Entry)>::call;

/// The same around `Table.*Member`, where `Table` is of static storage and filled before the first
/// call, for good.
template <class Packing, entry_id Id, auto& Table, auto Member>
inline constexpr auto traced_member =
    &detail::wrapper<Packing, Id, detail::table_entry<Table, Member>,
                     std::remove_cvref_t<decltype(Table.*Member)>>::call;

}  // namespace aerogpu::umd::trace
