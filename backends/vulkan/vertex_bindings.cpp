#include "vulkan/vertex_bindings.hpp"

#include "vulkan/state_map.hpp"

#include <bit>

namespace aerogpu::vulkan {

namespace {

/// One input of a vertex shader.
struct shader_input {
  std::uint8_t register_index;
  std::uint8_t location;
  VkFormat zero_format;  ///< Of an input that nothing feeds.
};
using shader_input_list = fixed_vector<shader_input, vertex_input_limit>;

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
    const VkFormat zero = input.components == dxbc::component_class::floating ? VK_FORMAT_R32_SFLOAT
                          : input.components == dxbc::component_class::signed_integer
                              ? VK_FORMAT_R32_SINT
                              : VK_FORMAT_R32_UINT;
    AEROGPU_CHECK(inputs.push_back({i, i, zero}));
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
  binding_builder(pipeline_key& key, vertex_bindings& bindings, VkBuffer zero) noexcept
      : key_(key), bindings_(bindings), zero_(zero) {
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
    const bool is_constant = attribute.per_instance && attribute.step_rate == 0;
    binding = add(buffer.buffer->record, buffer.buffer->record->handle, buffer.offset_bytes,
                  is_constant ? 0 : buffer.stride_bytes);
    if (attribute.per_instance) {
      key_.instance_bindings |= 1u << binding;
      key_.divisors[binding] = is_constant ? 1 : attribute.step_rate;
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
  binding_builder builder{key, bindings, zero};
  key.instance_bindings = 0;
  key.divisors = {};
  key.attributes = {};
  key.attribute_count = 0;
  for (const shader_input& input : inputs_of(vertex_shader)) {
    attribute_key& to = key.attributes[key.attribute_count++];
    to.location = input.location;
    const vertex_attribute* from = find_attribute(state.fetch, input.register_index);
    const auto* buffer = from != nullptr ? &state.vertex_buffers[from->slot] : nullptr;
    const auto format =
        from != nullptr ? vertex_format_of(from->format, device).format : VK_FORMAT_UNDEFINED;
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

}  // namespace aerogpu::vulkan
