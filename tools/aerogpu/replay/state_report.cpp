// SPDX-License-Identifier: MIT
#include "tools/aerogpu/replay/state_report.hpp"

#include "aerogpu/backend/sampler_state.hpp"
#include "aerogpu/memory/format.hpp"
#include "aerogpu/processor/state/render_state.hpp"
#include "aerogpu/stream/text/d3d9_state_names.hpp"
#include "aerogpu/stream/text/describe.hpp"
#include "aerogpu/stream/text/text_printer.hpp"
#include "tools/aerogpu/output/json.hpp"
#include "tools/aerogpu/replay/replay.hpp"

#include <algorithm>
#include <string_view>

namespace aerogpu::tool {

namespace {

constexpr std::array<std::string_view, 8> stencil_names{
    "KEEP",   "ZERO",           "REPLACE",       "INCREMENT_CLAMP", "DECREMENT_CLAMP",
    "INVERT", "INCREMENT_WRAP", "DECREMENT_WRAP"};

auto name_in(value_set set, std::uint32_t value) -> json {
  const named_value* known = row_of(set).find(value);
  return known != nullptr ? json(std::string{known->name}) : json(value);
}

template <std::size_t N, class Enum>
auto name_in(const std::array<std::string_view, N>& names, Enum value) -> json {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? json(std::string{names[index]}) : json(index);
}

auto name_of(blend_factor factor) -> json {
  const auto* row = find_blend_factor(&blend_factor_row::factor, factor);
  return row != nullptr ? json(std::string{row->name}) : json(factor);
}

/// Writes the state of one context; looks handles up among the live resources.
class state_writer {
 public:
  explicit state_writer(const context_state& of) : state_(of) {
    std::ranges::sort(resources_, {}, &state_resource::handle);
  }

  void write(json& out) const {
    out["context"] = raw(state_.id);
    out["targets"] = targets();
    out["viewport"] = viewport();
    out["scissor"] = scissor();
    out["topology"] = name_in(value_set::primitive_topology, state_.fixed.topology);
    out["input_layout"] = raw(state_.bound.input_layout);
    out["vertex_buffers"] = vertex_buffers();
    out["index_buffer"] = index_buffer();
    out["blend"] = blend();
    out["depth_stencil"] = depth_stencil();
    out["rasterizer"] = rasterizer();
    out["alpha_test"] = {{"enable", state_.fixed.alpha_test.enable},
                         {"func", name_in(value_set::compare_func, state_.fixed.alpha_test.func)},
                         {"reference", state_.fixed.alpha_test.reference}};
    out["srgb_write"] = state_.fixed.srgb_write;
    out["stages"] = json::array();
    for (std::size_t i = 0; i < shader_stage_count; ++i) out["stages"].push_back(stage(i));
    out["render_states"] = render_states();
    out["resources"] = json::array();
    for (const state_resource& one : resources_) out["resources"].push_back(describe(one));
  }

 private:
  [[nodiscard]] auto find(const resource_slot& slot) const -> const state_resource* {
    const auto at =
        std::ranges::lower_bound(resources_, raw(slot.handle), {}, &state_resource::handle);
    if (!slot.is_bound() || at == resources_.end() || at->handle != raw(slot.handle))
      return nullptr;
    return slot.still_names(at->serial) ? &*at : nullptr;
  }

  [[nodiscard]] static auto describe(const state_resource& one) -> json {
    json out = json::object();
    out["handle"] = one.handle;
    if (one.kind == resource_kind::buffer) {
      out["kind"] = "buffer";
      out["size_bytes"] = one.buffer.size_bytes;
      return out;
    }
    out["kind"] = one.kind == resource_kind::view ? "view" : "texture";
    out["width"] = one.texture.width;
    out["height"] = one.texture.height;
    out["format"] = name_in(value_set::format, one.texture.format);
    out["mip_levels"] = one.texture.mip_levels;
    out["array_layers"] = one.texture.array_layers;
    return out;
  }

  /// The handle of what is bound; null when nothing is, or when it was destroyed since.
  [[nodiscard]] auto handle_of(const resource_slot& slot) const -> json {
    return find(slot) != nullptr ? json(raw(slot.handle)) : json();
  }

  [[nodiscard]] auto targets() const -> json {
    json out = json::object();
    out["colors"] = json::array();
    const target_slots& bound = state_.bound.targets;
    for (std::uint32_t i = 0; i < bound.color_count; ++i) {
      out["colors"].push_back(handle_of(bound.colors[i]));
    }
    out["depth_stencil"] = handle_of(bound.depth_stencil);
    return out;
  }

  [[nodiscard]] auto viewport() const -> json {
    const viewport_state& v = state_.fixed.viewport;
    if (!v.is_set) return json();
    return {{"x", v.x},
            {"y", v.y},
            {"width", v.width},
            {"height", v.height},
            {"min_depth", v.min_depth},
            {"max_depth", v.max_depth}};
  }

  [[nodiscard]] auto scissor() const -> json {
    const scissor_state& s = state_.fixed.scissor;
    if (!s.is_set) return json();
    return {{"x", s.x}, {"y", s.y}, {"width", s.width}, {"height", s.height}};
  }

  [[nodiscard]] auto vertex_buffers() const -> json {
    json out = json::array();
    for (std::size_t i = 0; i < state_.bound.vertex_buffers.size(); ++i) {
      const vertex_buffer_slot& slot = state_.bound.vertex_buffers[i];
      if (find(slot.name) == nullptr) continue;
      out.push_back({{"slot", i},
                     {"buffer", raw(slot.name.handle)},
                     {"offset_bytes", slot.offset_bytes},
                     {"stride_bytes", slot.stride_bytes}});
    }
    return out;
  }

  [[nodiscard]] auto index_buffer() const -> json {
    const index_buffer_slot& slot = state_.bound.index_buffer;
    if (find(slot.name) == nullptr) return json();
    return {{"buffer", raw(slot.name.handle)},
            {"offset_bytes", slot.offset_bytes},
            {"format", name_in(value_set::index_format, slot.format)}};
  }

  [[nodiscard]] static auto equation(const blend_equation& e) -> json {
    return {{"source", name_of(e.source)},
            {"destination", name_of(e.destination)},
            {"op", name_in(value_set::blend_op, e.op)}};
  }

  [[nodiscard]] auto blend() const -> json {
    const blend_state& b = state_.fixed.blend;
    return {{"enable", b.enable},         {"color", equation(b.color)},
            {"alpha", equation(b.alpha)}, {"write_masks", b.write_masks},
            {"constant", b.constant},     {"sample_mask", b.sample_mask}};
  }

  [[nodiscard]] static auto face(const stencil_face& f) -> json {
    return {{"fail", name_in(stencil_names, f.fail)},
            {"depth_fail", name_in(stencil_names, f.depth_fail)},
            {"pass", name_in(stencil_names, f.pass)},
            {"func", name_in(value_set::compare_func, f.func)}};
  }

  [[nodiscard]] auto depth_stencil() const -> json {
    const depth_stencil_state& d = state_.fixed.depth_stencil;
    return {{"depth_enable", d.depth_enable},
            {"depth_write", d.depth_write},
            {"depth_func", name_in(value_set::compare_func, d.depth_func)},
            {"stencil_enable", d.stencil_enable},
            {"two_sided", d.two_sided},
            {"read_mask", d.stencil_read_mask},
            {"write_mask", d.stencil_write_mask},
            {"reference", d.stencil_reference},
            {"clockwise", face(d.clockwise)},
            {"counter_clockwise", face(d.counter_clockwise)}};
  }

  [[nodiscard]] auto rasterizer() const -> json {
    const rasterizer_state& r = state_.fixed.rasterizer;
    return {{"fill", name_in(value_set::fill_mode, r.fill)},
            {"cull", name_in(value_set::cull_mode, r.cull)},
            {"front_counter_clockwise", r.front_counter_clockwise},
            {"depth_clip", r.depth_clip},
            {"scissor_enable", r.scissor_enable},
            {"depth_bias", r.depth_bias}};
  }

  /// The bound ranges of buffers in one table.
  template <class Slots, class RangeOf>
  [[nodiscard]] auto ranges(const Slots& slots, RangeOf&& range_of) const -> json {
    json out = json::array();
    slots.bound.for_each([&](std::size_t i) {
      const range_slot& range = range_of(slots.slots[i]);
      if (find(range.name) == nullptr) return;
      out.push_back({{"slot", i},
                     {"resource", raw(range.name.handle)},
                     {"offset_bytes", range.offset_bytes},
                     {"size_bytes", range.size_bytes}});
    });
    return out;
  }

  [[nodiscard]] auto stage(std::size_t i) const -> json {
    const stage_slots& slots = state_.bound.stages[i];
    json out = json::object();
    out["stage"] = std::string{stage_name(static_cast<shader_stage>(i))};
    out["shader"] = raw(state_.bound.shaders[i]);
    out["resources"] = ranges(slots.resources, [](const auto& slot) { return slot.range; });
    out["constant_buffers"] = ranges(slots.constant_buffers, [](const auto& slot) { return slot; });
    out["unordered_access"] = ranges(slots.unordered_access, [](const auto& slot) { return slot; });
    out["samplers"] = json::array();
    slots.samplers.bound.for_each([&](std::size_t slot) {
      out["samplers"].push_back(
          {{"slot", slot}, {"sampler", raw(slots.samplers.slots[slot].handle)}});
    });
    out["sampler_states"] = sampler_states(i);
    const constant_registers registers = state_.constants[i].view();
    out["float_constants"] = written(registers.floats);
    out["int_constants"] = written(registers.ints);
    out["bool_constants"] = json::array();
    for (std::size_t at = 0; at < registers.bools.size(); ++at) {
      if (registers.bools[at] != 0) out["bool_constants"].push_back(at);
    }
    return out;
  }

  /// Registers that are not all zero.
  template <class Register>
  [[nodiscard]] static auto written(std::span<const Register> registers) -> json {
    json out = json::array();
    for (std::size_t i = 0; i < registers.size(); ++i) {
      if (registers[i] != Register{}) out.push_back({{"register", i}, {"value", registers[i]}});
    }
    return out;
  }

  /// {"state": name, "value": name or number}
  [[nodiscard]] static auto named_state(std::span<const d3d9_state_row> rows, std::uint32_t id,
                                        std::uint32_t value) -> json {
    const d3d9_state_row* row = find_d3d9_state(rows, id);
    json out = json::object();
    out["state"] = row != nullptr ? json(std::string{row->name}) : json(id);
    text words;
    text_printer printer{words};
    describe_d3d9_value(printer, {}, row, value);
    out["value"] = words.str().substr(1);  // Behind the space that a printer begins with.
    return out;
  }

  [[nodiscard]] auto sampler_states(std::size_t stage) const -> json {
    json out = json::array();
    if (stage >= state_.d3d9.sampler_states.size()) return out;
    const auto& slots = state_.d3d9.sampler_states[stage];
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      for (std::uint32_t id = 1; id < sampler_state_count; ++id) {
        if (slots[slot][id] == sampler_state_defaults[id]) continue;
        json one = json::object();
        one["slot"] = slot;
        one.update(named_state(d3d9_sampler_states, id, slots[slot][id]));
        out.push_back(std::move(one));
      }
    }
    return out;
  }

  [[nodiscard]] auto render_states() const -> json {
    render_state_values defaults{};
    reset_render_states(defaults);
    json out = json::array();
    for (std::uint32_t id = 0; id < render_state_count; ++id) {
      const std::uint32_t value = state_.d3d9.render_states[id];
      if (value != defaults[id]) out.push_back(named_state(d3d9_render_states, id, value));
    }
    return out;
  }

  const context_state& state_;
  std::vector<state_resource> resources_ = state_.resources;
};

}  // namespace

auto state_as_json(const context_state& state, const state_place& place) -> std::string {
  json out = json::object();
  out["version"] = report_version;
  out["trace"] = place.trace;
  out["submission"] = place.submission;
  out["offset"] = place.offset ? json(*place.offset) : json();
  out["picture"] = place.picture.empty() ? json() : json(place.picture);
  state_writer{state}.write(out);
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace aerogpu::tool
