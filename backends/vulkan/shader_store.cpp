#include "vulkan/shader_store.hpp"

#include "vulkan/debug_names.hpp"
#include "vulkan/hash.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// Programs without a handle that are kept, because guests create the same shaders again.
constexpr std::size_t most_idle_codes = 256;

/// Whether two options give the same module; the others hold for the whole device.
auto is_same(const dxbc::compile_options& a, const dxbc::compile_options& b) noexcept -> bool {
  return a.extra_outputs == b.extra_outputs && a.draws_points == b.draws_points &&
         a.hull.domain == b.hull.domain && a.hull.partitioning == b.hull.partitioning &&
         a.hull.output_primitive == b.hull.output_primitive &&
         a.hull.input_control_points == b.hull.input_control_points &&
         a.hull.output_control_points == b.hull.output_control_points;
}

/// Which samplers a program declares, and as what.
void note_samplers(shader_code& code) noexcept {
  std::uint32_t declared = 0, shaped = 0;
  for (const d3d9::declaration& declaration : code.program.declarations) {
    if (declaration.reg.type != d3d9::register_type::sampler) continue;
    const std::uint32_t bit = 1u << (declaration.reg.number & 15u);
    declared |= bit;
    const bool is_flat = declaration.texture != d3d9::texture_type::cube &&
                         declaration.texture != d3d9::texture_type::volume;
    if (!is_flat) shaped |= bit;
  }
  code.undeclared_samplers = static_cast<std::uint16_t>(~declared);
  code.flat_samplers = static_cast<std::uint16_t>(~shaped);
}

auto words_of(const shader_variant& variant) noexcept -> std::span<const std::uint32_t> {
  return variant.compiled.words.empty() ? std::span<const std::uint32_t>{variant.translated.words}
                                        : std::span<const std::uint32_t>{variant.compiled.words};
}

}  // namespace

auto shader_store::base_options() const noexcept -> d3d9::translate_options {
  d3d9::translate_options options;
  options.rules = fast_math_ ? d3d9::float_rules::fast : d3d9::float_rules::exact;
  options.wants_names = device_->gpu->debug.set_name != nullptr;
  return options;
}

auto shader_store::base_compile_options() const noexcept -> dxbc::compile_options {
  dxbc::compile_options options;
  options.demotes = device_->gpu->features.demote_to_helper;
  options.wants_names = device_->gpu->debug.set_name != nullptr;
  return options;
}

auto shader_store::find(const shader_desc& desc, std::uint64_t hash) noexcept -> shader_code* {
  const auto [first, last] = codes_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    shader_code& code = *at->second;
    if (code.stage == desc.stage && code.language == desc.language &&
        std::ranges::equal(code.bytes, desc.code)) {
      return &code;
    }
  }
  return nullptr;
}

auto shader_store::add_code(const shader_desc& desc, std::uint64_t hash) -> shader_code* {
  auto made = std::make_unique<shader_code>();
  made->hash = hash;
  made->stage = desc.stage;
  made->language = desc.language;
  made->bytes.assign(desc.code.begin(), desc.code.end());
  shader_code* const code = made.get();
  codes_.emplace(hash, std::move(made));
  if (desc.language != shader_language::d3d9_tokens) return code;
  auto parsed = d3d9::parse(code->bytes);
  if (parsed) {
    code->program = *std::move(parsed);
    note_samplers(*code);
  } else {
    code->why = parsed.why();
  }
  return code;
}

auto shader_store::create(const shader_desc& desc) -> result<shader_record*> {
  const std::uint64_t hash = hash_bytes(desc.code);
  shader_code* code = find(desc, hash);
  if (code == nullptr) code = add_code(desc, hash);
  auto record = make_record<shader_record>(desc.name, code);
  if (record == nullptr) return no_memory_for_record();
  // Translated now, so that the guest hears here of what cannot run.
  error why = code->why;
  if (why.code == error_code::none) {
    const auto first = desc.language == shader_language::d3d9_tokens
                           ? variant(*record, base_options()).why()
                           : variant(*record, base_compile_options()).why();
    why = first;
    if (why.code != error_code::none && why.code != error_code::device_lost &&
        why.code != error_code::out_of_memory) {
      code->why = why;
    }
  }
  if (why.code != error_code::none) {
    drop_idle_codes();
    const bool is_ours =
        why.code == error_code::device_lost || why.code == error_code::out_of_memory;
    if (!is_ours) why.code = error_code::unsupported;
    return why;
  }
  const auto added = add_record(shaders_, std::move(record));
  if (!added) return added.why();
  ++code->users;
  return *added;
}

void shader_store::destroy(shader_record* shader) {
  shader_code& code = *shader->code;
  --code.users;
  code.last_use = ++uses_;
  remove_record(shaders_, shader);
  drop_idle_codes();
}

void shader_store::drop_idle_codes() {
  const auto is_idle = [](const auto& entry) { return entry.second->users == 0; };
  const auto idle = static_cast<std::size_t>(std::ranges::count_if(codes_, is_idle));
  if (idle <= most_idle_codes) return;
  auto oldest = codes_.end();
  for (auto at = codes_.begin(); at != codes_.end(); ++at) {
    if (is_idle(*at) &&
        (oldest == codes_.end() || at->second->last_use < oldest->second->last_use)) {
      oldest = at;
    }
  }
  for (const auto& variant : oldest->second->variants) {
    discard_module(*variant);
    removed_.push_back(variant->id);
  }
  codes_.erase(oldest);
}

auto shader_store::variant(shader_record& shader, const d3d9::translate_options& options)
    -> result<const shader_variant*> {
  shader_code& code = *shader.code;
  for (const auto& known : code.variants) {
    if (known->options == options) return known.get();
  }
  auto translated = d3d9::translate(code.program, options);
  if (!translated) return translated.why();
  auto made = std::make_unique<shader_variant>();
  made->options = options;
  made->translated = *std::move(translated);
  return add_variant(code, std::move(made));
}

auto shader_store::variant(shader_record& shader, const dxbc::compile_options& options)
    -> result<const shader_variant*> {
  shader_code& code = *shader.code;
  for (const auto& known : code.variants) {
    if (is_same(known->compile, options)) return known.get();
  }
  auto compiled = dxbc::compile(code.bytes, options);
  if (!compiled) return compiled.why();
  auto made = std::make_unique<shader_variant>();
  made->compile = options;
  made->compiled = *std::move(compiled);
  return add_variant(code, std::move(made));
}

auto shader_store::add_variant(shader_code& code, std::unique_ptr<shader_variant> made)
    -> result<const shader_variant*> {
  if (auto module = create_module(*made); !module) return module.why();
  made->id = next_id_++;
  set_name(*device_->gpu, VK_OBJECT_TYPE_SHADER_MODULE, made->module, "shader ", code.hash,
           " variant ", made->id);
  code.variants.push_back(std::move(made));
  ++modules_made_;
  return code.variants.back().get();
}

auto shader_store::create_module(shader_variant& variant) -> result<void> {
  const auto words = words_of(variant);
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  const auto created =
      device_->vk().vkCreateShaderModule(device_->gpu->handle, &info, nullptr, &variant.module);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a shader module fails");
  return {};
}

auto shader_store::take_removed() noexcept -> std::vector<std::uint32_t> {
  return std::exchange(removed_, {});
}

auto shader_store::rebuild() -> result<void> {
  for (const auto& entry : codes_) {
    for (const auto& variant : entry.second->variants) {
      if (auto made = create_module(*variant); !made) return made.why();
    }
  }
  return {};
}

void shader_store::destroy_objects() {
  for (const auto& entry : codes_) {
    for (const auto& variant : entry.second->variants) {
      discard_module(*variant);
    }
  }
}

/// Without a device there is nothing to destroy.
void shader_store::discard_module(shader_variant& variant) {
  if (variant.module == VK_NULL_HANDLE) return;
  device_->work.discard(VK_OBJECT_TYPE_SHADER_MODULE, variant.module);
  variant.module = VK_NULL_HANDLE;
}

}  // namespace aerogpu::vulkan
