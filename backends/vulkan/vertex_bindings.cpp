#include "vulkan/vertex_bindings.hpp"

#include "vulkan/state_map.hpp"

#include <bit>

namespace aerogpu::vulkan {

namespace {

/// One input of a vertex shader.
struct shader_input {
  std::uint8_t register_index;
  std::uint8_t location;
  VkFormat zero_format;                       ///< Of an input that nothing feeds.
  vertex_type word_type = vertex_type::none;  ///< Type of 32 bits that it reads; none = any.
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
  if (input.word_type == vertex_type::none || word_type_of(format.type) == input.word_type) {
    return format;
  }
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

/// D3D9 inputs without an element are all zero; those of SM4+ have w = 1 (host.md 3.3).
auto inputs_of(const shader_variant& shader) noexcept -> shader_input_list {
  shader_input_list inputs;
  if (shader.compiled.words.empty()) {
    const auto& locations = shader.translated.input_locations;
    for (std::uint8_t i = 0; i < locations.size(); ++i) {
      if (locations[i] == d3d9::no_location) continue;
      AEROGPU_CHECK(inputs.push_back({i, locations[i], VK_FORMAT_R32G32B32A32_SFLOAT}));
    }
    return inputs;
  }
  for (std::uint8_t i = 0; i < shader.compiled.inputs.size(); ++i) {
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

constexpr std::uint8_t no_binding = 0xFF;

/// Collects bindings: one for each slot in use, and one for zeros.
class binding_builder {
 public:
  binding_builder(pipeline_key& key, vertex_bindings& bindings, VkBuffer zero,
                  bool has_zero_divisor) noexcept
      : key_(key), bindings_(bindings), zero_(zero), has_zero_divisor_(has_zero_divisor) {
    slots_.fill(no_binding);
    bindings_.count = 0;
  }

  [[nodiscard]] auto of_zero() noexcept -> std::uint8_t {
    if (zero_binding_ == no_binding) zero_binding_ = add(nullptr, zero_, 0, 0);
    return zero_binding_;
  }

  [[nodiscard]] auto of_slot(const vertex_attribute& attribute,
                             const vertex_buffer_ref<vulkan_backend>& buffer) noexcept
      -> std::uint8_t {
    std::uint8_t& binding = slots_[attribute.slot];
    if (binding != no_binding) return binding;
    // Without a divisor of 0, a stride of 0 gives all instances the element of instance 0.
    const bool is_pinned = attribute.per_instance && attribute.step_rate == 0 && !has_zero_divisor_;
    binding = add(buffer.buffer->record, buffer.buffer->record->handle, buffer.offset_bytes,
                  is_pinned ? 0 : buffer.stride_bytes);
    bindings_.slots[binding] = static_cast<std::uint8_t>(attribute.slot);
    if (attribute.per_instance) {
      key_.instance_bindings |= 1u << binding;
      key_.divisors[binding] = is_pinned ? 1 : attribute.step_rate;
    }
    return binding;
  }

 private:
  auto add(buffer_record* record, VkBuffer handle, VkDeviceSize offset,
           VkDeviceSize stride) noexcept -> std::uint8_t {
    const std::uint32_t i = bindings_.count++;
    bindings_.records[i] = record;
    bindings_.buffers[i] = handle;
    bindings_.offsets[i] = offset;
    bindings_.strides[i] = stride;
    return static_cast<std::uint8_t>(i);
  }

  pipeline_key& key_;
  vertex_bindings& bindings_;
  VkBuffer zero_;
  bool has_zero_divisor_;
  std::uint8_t zero_binding_ = no_binding;
  std::array<std::uint8_t, vertex_buffer_slots> slots_{};
};

auto check_device(const vertex_attribute& attribute,
                  const vertex_buffer_ref<vulkan_backend>& buffer, const gpu& device)
    -> result<void> {
  const VkPhysicalDeviceLimits& most = device.properties.limits;
  if (buffer.stride_bytes > most.maxVertexInputBindingStride) {
    return make_error(error_code::unsupported, "the vertex stride is above the device's limit",
                      buffer.stride_bytes, most.maxVertexInputBindingStride);
  }
  if (attribute.offset_bytes > most.maxVertexInputAttributeOffset) {
    return make_error(error_code::unsupported, "the element offset is above the device's limit",
                      attribute.offset_bytes, most.maxVertexInputAttributeOffset);
  }
  if (attribute.per_instance && attribute.step_rate > 1 && !device.features.instance_divisor) {
    return make_error(error_code::unsupported, "the device lacks instance step rates above 1",
                      attribute.step_rate, 1);
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
  binding_builder builder{key, bindings, zero, device.features.instance_divisor_zero};
  key.instance_bindings = 0;
  key.divisors = {};
  key.attributes = {};
  key.attribute_count = 0;
  for (const shader_input& input : inputs_of(vertex_shader)) {
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
    to.binding = builder.of_slot(*from, *buffer);
    to.format = format;
    to.offset_bytes = from->offset_bytes;
  }
  key.binding_count = static_cast<std::uint8_t>(bindings.count);
  return {};
}

auto rebind_vertices(const draw_state<vulkan_backend>& state, const gpu& device,
                     const pipeline_key& key, vertex_bindings& bindings) noexcept -> bool {
  if (key.instance_bindings != 0) return false;
  const VkDeviceSize most = device.properties.limits.maxVertexInputBindingStride;
  for (std::uint32_t i = 0; i < bindings.count; ++i) {
    if (bindings.records[i] == nullptr) return false;  // Its slot may have a buffer by now.
    const auto& now = state.vertex_buffers[bindings.slots[i]];
    const bool is_fed = now.buffer != nullptr && now.offset_bytes < now.buffer_size_bytes;
    if (!is_fed || now.stride_bytes > most) return false;
  }
  for (std::uint32_t i = 0; i < bindings.count; ++i) {
    const auto& now = state.vertex_buffers[bindings.slots[i]];
    bindings.records[i] = now.buffer->record;
    bindings.buffers[i] = now.buffer->record->handle;
    bindings.offsets[i] = now.offset_bytes;
    bindings.strides[i] = now.stride_bytes;
  }
  return true;
}

}  // namespace aerogpu::vulkan
