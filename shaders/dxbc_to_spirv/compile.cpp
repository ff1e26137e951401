// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compile.hpp"

#include "dxbc_to_spirv/bounding.hpp"
#include "dxbc_to_spirv/check.hpp"
#include "dxbc_to_spirv/compiler/shader_compiler.hpp"
#include "dxbc_to_spirv/module/barriers.hpp"
#include "dxbc_to_spirv/module/invariance.hpp"
#include "dxbc_to_spirv/module/point_size.hpp"
#include "dxbc_to_spirv/module/precision.hpp"
#include "dxbc_to_spirv/module/spirv_check.hpp"
#include "dxbc_to_spirv/patch.hpp"
#include "dxbc_to_spirv/program/container.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::dxbc {
namespace {

auto has_extra(const compile_options& options) noexcept -> bool {
  return std::ranges::any_of(options.extra_outputs,
                             [](const interface_register& row) { return row.mask != 0; });
}

auto writes_positions(shader_stage stage) noexcept -> bool {
  return stage == shader_stage::vertex || stage == shader_stage::domain ||
         stage == shader_stage::geometry;
}

auto patch(shader_parts& parts, const compile_options& options) noexcept -> result<void> {
  if (auto done = simplify(parts); !done) return done.why();
  select_components(parts);
  if (auto done = define_results(parts); !done) return done.why();
  fix_partial_moves(parts);
  if (parts.stage == shader_stage::domain && options.hull.domain != 0) {
    if (auto done = place_patch_constants(parts, options.hull); !done) return done.why();
  }
  if (auto done = complete_targets(parts); !done) return done.why();
  return add_outputs(parts, options.extra_outputs);
}

/// What comes from the compiler is bounded and judged before anybody believes it.
auto judge(heap_array<std::uint32_t>& words, const compiled& facts, const compile_options& options)
    -> result<void> {
  if (writes_positions(facts.stage)) {
    if (auto made = make_position_invariant(words); !made) return made.why();
  }
  if (options.draws_points && facts.stage == shader_stage::vertex) {
    if (auto written = write_point_size(words); !written) return written.why();
  }
  if (facts.stage == shader_stage::geometry) {
    if (auto repeated = repeat_point_size(words); !repeated) return repeated.why();
  }
  if (facts.is_precise) {
    if (auto kept = forbid_contraction(words); !kept) return kept.why();
  }
  if (facts.orders_views) {
    if (auto widened = widen_memory_barriers(words, facts.stage); !widened) return widened.why();
  }
  auto bounded = bound_compiled(words.view(), facts, options);
  if (!bounded) return bounded.why();
  if (const auto judged = check_spirv(bounded->view(), options.log); !judged) return judged.why();
  words = *std::move(bounded);
  return {};
}

}  // namespace

auto is_available() noexcept -> bool {
  return true;
}

auto compile(const_bytes container, const compile_options& options, shader_compiler* compiler)
    -> result<compiled> {
  if (compiler == nullptr)
    return make_error(error_code::out_of_memory, "there is no memory for the shader compiler");
  auto parts = parse_container(container);
  if (!parts) return parts.why();
  if (has_extra(options) && !writes_positions(parts->stage)) {
    return make_error(error_code::invalid_parameter, "the stage cannot be given more outputs",
                      static_cast<std::uint64_t>(parts->stage));
  }
  const auto checked = check_program(*parts);
  if (!checked) return checked.why();
  if (auto patched = patch(*parts, options); !patched) return patched.why();
  auto made = check_program(*parts);
  if (!made) return made.why();
  made->orders_views = checked->orders_views;
  made->is_precise = checked->is_precise;
  const auto whole = put_together(*parts);
  if (!whole) return whole.why();
  auto words = compiler->compile(whole->view(), *made, options, judge);
  if (!words) return words.why();
  made->words = *std::move(words);
  return *std::move(made);
}

auto compile(const_bytes container, const compile_options& options) -> result<compiled> {
  const auto here = open_shader_compiler({.in_process = true});
  auto made = compile(container, options, here.get());
  if (!made) return made.why();
  return *std::move(made);
}

}  // namespace aerogpu::dxbc
