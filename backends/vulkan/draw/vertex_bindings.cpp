// SPDX-License-Identifier: MIT
#include "vulkan/draw/vertex_bindings.hpp"

#include "vulkan/pipeline/state_map.hpp"

#include <algorithm>

namespace aerogpu::vulkan {

namespace {

/// One input of a vertex shader.
struct shader_input {
  std::uint8_t register_index;
  std::uint8_t location;
  VkFormat zero_format;   ///< Of an input that nothing feeds.
  vertex_type word_type;  ///< Type of 32 bits that it reads.
};
using shader_input_list = fixed_vector<shader_input, vertex_input_limit>;

struct word_type_row {
  VkFormat zero_format;
  vertex_type type;
};
/// By dxbc::component_class.
constexpr std::array<word_type_row, 3> word_types{{{VK_FORMAT_R32_SFLOAT, vertex_type::f32},
                                                   {VK_FORMAT_R32_SINT, vertex_type::i32},
                                                   {VK_FORMAT_R32_UINT, vertex_type::u32}}};

/// The type of 32 bits that an element arrives as.
auto word_type_of(vertex_type type) noexcept -> vertex_type {
  switch (type) {
    case vertex_type::u8:
    case vertex_type::u16:
    case vertex_type::u32: return vertex_type::u32;
    case vertex_type::i8:
    case vertex_type::i16:
    case vertex_type::i32: return vertex_type::i32;
    default: return vertex_type::f32;
  }
}

/// The element's format as an input reads it: Direct3D hands bits on, Vulkan has types. Errors:
/// unsupported where the bits would not be the same.
auto fit_format(vertex_format format, const shader_input& input) -> result<vertex_format> {
  if (word_type_of(format.type) == input.word_type) return format;
  const bool is_word = format.type == vertex_type::f32 || format.type == vertex_type::u32 ||
                       format.type == vertex_type::i32;
  if (!is_word) {
    return make_error(error_code::unsupported,
                      "a shader input is of another type than the element that feeds it",
                      input.register_index);
  }
  format.type = input.word_type;
  return format;
}

/// D3D9 inputs are floats, all zero without an element; those of SM4+ have w = 1 (host.md 3.3).
auto inputs_of(const shader_variant& shader) noexcept -> shader_input_list {
  shader_input_list inputs;
  if (shader.compiled.words.empty()) {
    const auto& locations = shader.translated.input_locations;
    const auto count = static_cast<std::uint8_t>(locations.size());
    for (std::uint8_t i = 0; i < count; ++i) {
      if (locations[i] == d3d9::no_location) continue;
      AEROGPU_CHECK(
          inputs.push_back({i, locations[i], VK_FORMAT_R32G32B32A32_SFLOAT, vertex_type::f32}));
    }
    return inputs;
  }
  const auto count = static_cast<std::uint8_t>(shader.compiled.inputs.size());
  for (std::uint8_t i = 0; i < count; ++i) {
    const dxbc::interface_register& input = shader.compiled.inputs[i];
    if (input.mask == 0) continue;
    const auto& [zero, type] = word_types[static_cast<std::size_t>(input.components)];
    AEROGPU_CHECK(inputs.push_back({i, i, zero, type}));
  }
  return inputs;
}

auto find_attribute(const vertex_fetch* fetch, std::uint8_t register_index) noexcept
    -> const vertex_attribute* {
  if (fetch == nullptr) return nullptr;
  for (const vertex_attribute& attribute : fetch->attributes) {
    if (attribute.register_index == register_index) return &attribute;
  }
  return nullptr;
}

/// What the address of an element is a multiple of: the size of a component, or of the whole where
/// components are packed.
auto alignment_of(vertex_type type) noexcept -> std::uint8_t {
  switch (type) {
    case vertex_type::u8:
    case vertex_type::i8:
    case vertex_type::unorm8:
    case vertex_type::unorm8_bgra:
    case vertex_type::snorm8:
    case vertex_type::uscaled8: return 1;
    case vertex_type::f16:
    case vertex_type::u16:
    case vertex_type::i16:
    case vertex_type::unorm16:
    case vertex_type::snorm16:
    case vertex_type::sscaled16: return 2;
    default: return 4;
  }
}

constexpr auto is_multiple(std::uint64_t value, std::uint8_t alignment) noexcept -> bool {
  return (value & (alignment - 1u)) == 0;
}

constexpr std::uint8_t no_binding = 0xFF;

/// An attribute and the buffer of its slot.
struct fed_attribute {
  const vertex_attribute& from;
  const vertex_buffer_ref<vulkan_backend>& buffer;

  [[nodiscard]] auto alignment() const noexcept -> std::uint8_t {
    return alignment_of(from.format.type);
  }
  [[nodiscard]] auto end_bytes() const noexcept -> std::uint64_t {
    return std::uint64_t{from.offset_bytes} + from.format.size_bytes;
  }
  [[nodiscard]] auto start_bytes() const noexcept -> std::uint64_t {
    return std::uint64_t{buffer.offset_bytes} + from.offset_bytes;
  }
  /// Whether a binding that begins with the slot's first vertex serves it.
  [[nodiscard]] auto shares_slot(const VkPhysicalDeviceLimits& most) const noexcept -> bool {
    const std::uint32_t places = buffer.offset_bytes | buffer.stride_bytes | from.offset_bytes;
    return is_multiple(places, alignment()) &&
           from.offset_bytes <= most.maxVertexInputAttributeOffset &&
           (buffer.stride_bytes == 0 || end_bytes() <= buffer.stride_bytes);
  }
  /// Whether a binding of its own does.
  [[nodiscard]] auto is_readable() const noexcept -> bool {
    return is_multiple(start_bytes() | buffer.stride_bytes, alignment()) &&
           (buffer.stride_bytes == 0 || from.format.size_bytes <= buffer.stride_bytes);
  }
};

/// Where an attribute is read.
struct attribute_place {
  std::uint8_t binding;
  std::uint32_t offset_bytes;
};

/// Collects bindings: one for each slot in use, one for each attribute that cannot share it, and
/// one for zeros.
class binding_builder {
 public:
  binding_builder(pipeline_key& key, vertex_bindings& bindings, VkBuffer zero,
                  const gpu& device) noexcept
      : key_(key),
        bindings_(bindings),
        zero_(zero),
        most_(device.properties.limits),
        has_zero_divisor_(device.features.instance_divisor_zero) {
    slots_.fill(no_binding);
    bindings_.count = 0;
    bindings_.per_instance = bindings_.pinned = bindings_.misplaced = 0;
    bindings_.shares_slots = true;
  }

  [[nodiscard]] auto of_zero() noexcept -> std::uint8_t {
    if (zero_binding_ == no_binding) {
      zero_binding_ = add();
      bindings_.records[zero_binding_] = nullptr;
      bindings_.buffers[zero_binding_] = zero_;
      bindings_.offsets[zero_binding_] = bindings_.strides[zero_binding_] = 0;
    }
    return zero_binding_;
  }

  [[nodiscard]] auto of(const fed_attribute& fed) noexcept -> attribute_place {
    if (fed.shares_slot(most_)) return {of_slot(fed), fed.from.offset_bytes};
    bindings_.shares_slots = false;
    if (fed.start_bytes() >= fed.buffer.buffer_size_bytes) return {of_zero(), 0};
    const std::uint8_t binding = add(fed, fed.start_bytes());
    grow(binding, fed.alignment(), fed.from.format.size_bytes);
    if (!fed.is_readable()) bindings_.misplaced |= 1u << binding;
    return {binding, 0};
  }

 private:
  [[nodiscard]] auto of_slot(const fed_attribute& fed) noexcept -> std::uint8_t {
    std::uint8_t binding = slots_[fed.from.slot];
    const bool has_other_rate =
        binding != no_binding && fed.from.per_instance && rates_[binding] != fed.from.step_rate;
    if (binding == no_binding || has_other_rate) {
      bindings_.shares_slots &= !has_other_rate;
      binding = add(fed, fed.buffer.offset_bytes);
      slots_[fed.from.slot] = binding;
    }
    grow(binding, fed.alignment(), static_cast<std::uint32_t>(fed.end_bytes()));
    return binding;
  }

  auto add() noexcept -> std::uint8_t { return static_cast<std::uint8_t>(bindings_.count++); }

  auto add(const fed_attribute& fed, VkDeviceSize offset) noexcept -> std::uint8_t {
    const std::uint8_t i = add();
    const vertex_attribute& from = fed.from;
    // Without a divisor of 0, a stride of 0 gives all instances one element.
    const bool is_pinned = from.per_instance && from.step_rate == 0 && !has_zero_divisor_;
    bindings_.records[i] = fed.buffer.buffer->record;
    bindings_.buffers[i] = fed.buffer.buffer->record->handle;
    bindings_.offsets[i] = offset;
    bindings_.strides[i] = is_pinned ? 0 : fed.buffer.stride_bytes;
    bindings_.slots[i] = from.slot;
    bindings_.steps[i] = fed.buffer.stride_bytes;
    bindings_.ends[i] = 0;
    bindings_.alignments[i] = 1;
    rates_[i] = from.step_rate;
    if (!from.per_instance) return i;
    bindings_.per_instance |= 1u << i;
    if (is_pinned) bindings_.pinned |= 1u << i;
    key_.instance_bindings |= 1u << i;
    key_.divisors[i] = is_pinned ? 1 : from.step_rate;
    return i;
  }

  void grow(std::uint8_t binding, std::uint8_t alignment, std::uint32_t end) noexcept {
    bindings_.alignments[binding] = std::max(bindings_.alignments[binding], alignment);
    bindings_.ends[binding] = std::max(bindings_.ends[binding], end);
  }

  pipeline_key& key_;
  vertex_bindings& bindings_;
  VkBuffer zero_;
  const VkPhysicalDeviceLimits& most_;
  bool has_zero_divisor_;
  std::uint8_t zero_binding_ = no_binding;
  std::array<std::uint8_t, vertex_buffer_slots> slots_{};  ///< The binding that the slot got last.
  std::array<std::uint32_t, vertex_input_limit> rates_{};
};

auto check_device(const vertex_attribute& attribute,
                  const vertex_buffer_ref<vulkan_backend>& buffer, const gpu& device)
    -> result<void> {
  const VkPhysicalDeviceLimits& most = device.properties.limits;
  if (buffer.stride_bytes > most.maxVertexInputBindingStride) {
    return make_error(error_code::unsupported, "the vertex stride is above the device's limit",
                      buffer.stride_bytes, most.maxVertexInputBindingStride);
  }
  const std::uint32_t most_rate =
      device.features.instance_divisor ? device.most_instance_divisor : 1;
  if (attribute.per_instance && attribute.step_rate > most_rate) {
    return make_error(error_code::unsupported, "the device lacks so large an instance step rate",
                      attribute.step_rate, most_rate);
  }
  return {};
}

auto check_inputs(const shader_input_list& inputs, const VkPhysicalDeviceLimits& most)
    -> result<void> {
  for (const shader_input& input : inputs) {
    if (input.location < most.maxVertexInputAttributes) continue;
    return make_error(error_code::unsupported, "the vertex shader has more inputs than the device",
                      input.location + 1u, most.maxVertexInputAttributes);
  }
  return {};
}

}  // namespace

auto find_input_fixups(const vertex_fetch* fetch, const gpu& device) noexcept -> input_fixups {
  input_fixups fixups;
  if (fetch == nullptr) return fixups;
  for (const vertex_attribute& attribute : fetch->attributes) {
    if (attribute.register_index >= d3d9::vertex_register_count) continue;
    const vertex_format_choice choice = vertex_format_of(attribute.format, device);
    const auto bit = static_cast<std::uint16_t>(1u << attribute.register_index);
    if (choice.has_wrong_w) fixups.with_w_one |= bit;
    if (choice.is_unsigned) fixups.is_unsigned |= bit;
    if (choice.is_signed) fixups.is_signed |= bit;
  }
  return fixups;
}

auto bind_vertices(const draw_state<vulkan_backend>& state, const shader_variant& vertex_shader,
                   const gpu& device, VkBuffer zero, pipeline_key& key, vertex_bindings& bindings)
    -> result<void> {
  const VkPhysicalDeviceLimits& most = device.properties.limits;
  binding_builder builder{key, bindings, zero, device};
  key.instance_bindings = 0;
  key.divisors = {};
  key.attributes = {};
  key.attribute_count = 0;
  const shader_input_list inputs = inputs_of(vertex_shader);
  if (auto ok = check_inputs(inputs, most); !ok) return ok.why();
  for (const shader_input& input : inputs) {
    attribute_key& to = key.attributes[key.attribute_count++];
    to.location = input.location;
    const vertex_attribute* from = find_attribute(state.fetch, input.register_index);
    const auto* buffer = from != nullptr ? &state.vertex_buffers[from->slot] : nullptr;
    VkFormat format = VK_FORMAT_UNDEFINED;
    if (from != nullptr) {
      const auto fitted = fit_format(from->format, input);
      if (!fitted) return fitted.why();
      format = vertex_format_of(*fitted, device).format;
    }
    const bool is_fed = buffer != nullptr && buffer->buffer != nullptr &&
                        format != VK_FORMAT_UNDEFINED &&
                        buffer->offset_bytes < buffer->buffer_size_bytes;
    if (!is_fed) {
      to.binding = builder.of_zero();
      to.format = input.zero_format;
      continue;
    }
    if (auto ok = check_device(*from, *buffer, device); !ok) return ok.why();
    const attribute_place place = builder.of({*from, *buffer});
    to.binding = place.binding;
    to.format = format;
    to.offset_bytes = place.offset_bytes;
  }
  key.binding_count = static_cast<std::uint8_t>(bindings.count);
  if (bindings.count <= most.maxVertexInputBindings) return {};
  return make_error(error_code::unsupported, "the draw reads more vertex streams than the device",
                    bindings.count, most.maxVertexInputBindings);
}

auto rebind_vertices(const draw_state<vulkan_backend>& state, const gpu& device,
                     const pipeline_key& key, vertex_bindings& bindings) noexcept -> bool {
  if (key.instance_bindings != 0 || !bindings.shares_slots) return false;
  const VkDeviceSize most = device.properties.limits.maxVertexInputBindingStride;
  for (std::uint32_t i = 0; i < bindings.count; ++i) {
    if (bindings.records[i] == nullptr) return false;  // Its slot may have a buffer by now.
    const auto& now = state.vertex_buffers[bindings.slots[i]];
    const bool is_fed = now.buffer != nullptr && now.offset_bytes < now.buffer_size_bytes;
    if (!is_fed || now.stride_bytes > most) return false;
    if (!is_multiple(now.offset_bytes | now.stride_bytes, bindings.alignments[i])) return false;
    if (now.stride_bytes < bindings.ends[i] && now.stride_bytes != 0) return false;
  }
  for (std::uint32_t i = 0; i < bindings.count; ++i) {
    const auto& now = state.vertex_buffers[bindings.slots[i]];
    bindings.records[i] = now.buffer->record;
    bindings.buffers[i] = now.buffer->record->handle;
    bindings.offsets[i] = now.offset_bytes;
    bindings.strides[i] = bindings.steps[i] = now.stride_bytes;
  }
  return true;
}

auto shift_of(const vertex_bindings& bindings, const draw_call<vulkan_backend>& call) noexcept
    -> vertex_shift {
  const std::int64_t first = call.is_indexed ? std::int64_t{call.base_vertex} : call.first;
  vertex_shift shift;
  if (((bindings.misplaced & bindings.per_instance) | bindings.pinned) != 0) {
    shift.instances = call.first_instance;
  }
  if (first >= 0) {
    if ((bindings.misplaced & ~bindings.per_instance) != 0) shift.vertices = first;
    return shift;
  }
  std::int64_t back = -first;
  for (std::uint32_t i = 0; i < bindings.count; ++i) {
    const bool is_moved = bindings.records[i] != nullptr && bindings.steps[i] != 0 &&
                          (bindings.per_instance >> i & 1u) == 0;
    if (!is_moved) continue;
    back = std::min(back, static_cast<std::int64_t>(bindings.offsets[i] / bindings.steps[i]));
  }
  shift.vertices = -back;
  return shift;
}

void place_bindings(const vertex_bindings& bindings, const vertex_shift& shift, VkBuffer zero,
                    placed_bindings& placed) noexcept {
  for (std::uint32_t i = 0; i < bindings.count; ++i) {
    if ((bindings.misplaced >> i & 1u) != 0) continue;
    placed.buffers[i] = bindings.buffers[i];
    placed.offsets[i] = bindings.offsets[i];
    placed.strides[i] = bindings.strides[i];
    if (bindings.records[i] == nullptr) continue;
    const bool per_instance = (bindings.per_instance >> i & 1u) != 0;
    const std::int64_t elements = per_instance ? std::int64_t{shift.instances} : shift.vertices;
    // At most 2^32 elements of 2^32 bytes: modulo 2^64, as the sum is not negative.
    placed.offsets[i] += static_cast<std::uint64_t>(elements) * bindings.steps[i];
    if (placed.offsets[i] < bindings.records[i]->desc.size_bytes) continue;
    placed.buffers[i] = zero;
    placed.offsets[i] = placed.strides[i] = 0;
  }
}

}  // namespace aerogpu::vulkan
