// SPDX-License-Identifier: MIT
/// \file What a case did to a command processor, kept so that it can be done again.
#pragma once

#include "tests/conformance/processor/processor_rig.hpp"
#include "tests/conformance/run_mode.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace aerogpu::conformance {

struct submit_step {
  byte_vector stream;
  std::uint32_t context;
  table_entries table;
};
struct poke_step {
  gpa at;
  byte_vector bytes;
};
struct map_step {
  gpa at;
  std::uint64_t size;
  bool exists;
};
struct reset_step {};

using script = std::vector<std::variant<submit_step, poke_step, map_step, reset_step>>;

namespace detail {

template <backend B>
struct script_player {
  processor_rig<B>& rig;

  void operator()(const submit_step& step) const {
    static_cast<void>(rig.submit(step.stream, step.context, step.table));
    rig.finish();
  }
  void operator()(const poke_step& step) const { rig.memory().poke(step.at, step.bytes); }
  void operator()(const map_step& step) const {
    if (step.exists) {
      rig.memory().map(step.at, step.size);
    } else {
      rig.memory().unmap(step.at, step.size);
    }
  }
  void operator()(const reset_step&) const { rig.reset(); }
};

/// A submission that works on any device in any state.
[[nodiscard]] inline auto harmless_stream() -> byte_vector {
  constexpr std::uint32_t handle = 0xFFFE0000;
  return test::stream_builder{}
      .create_buffer(handle, 16)
      .upload(handle, 0, test::counting(16))
      .destroy(handle)
      .bytes();
}

/// Plays the script with one planned failure. False when the script ended before that call.
template <backend B>
[[nodiscard]] auto survives(const script& steps, const test::planned_failure& failure) -> bool {
  CAPTURE(failure.at_call, kind_name(failure.code));
  processor_rig<B> rig{test::memory_mood::calm, stream_route::through_device};
  rig.backend().plan(failure);
  for (const auto& step : steps) std::visit(script_player<B>{rig}, step);
  const bool was_reached = rig.backend().calls() >= failure.at_call;
  rig.backend().plan({});
  if (failure.lasts_until_reset) rig.reset();
  CHECK(rig.submit(harmless_stream(), 0, {}).code == error_code::none);
  rig.finish();
  rig.reset();
  return was_reached;
}

}  // namespace detail

/// Plays the script again and again while the backend fails at its call 1, 2, 3, ... until it
/// makes no such call: once out of memory at that call, once unable to do it (which poisons a
/// shader), once lost from then until a reset.
template <backend B>
void replay_with_failures(const script& steps) {
  const auto play_all = [&](error_code code, bool lasts) {
    std::uint64_t call = 1;
    while (detail::survives<B>(steps, {call, code, lasts})) call += failure_stride();
  };
  play_all(error_code::out_of_memory, false);
  play_all(error_code::unsupported, false);
  play_all(error_code::device_lost, true);
}

}  // namespace aerogpu::conformance
