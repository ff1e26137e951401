// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/shader_store.hpp"

#include "spirv_bounds/cost.hpp"
#include "vulkan/device/debug_names.hpp"
#include "vulkan/modules/module_features.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// Whether two options give the same module; the others hold for the whole device.
auto is_same(const dxbc::compile_options& a, const dxbc::compile_options& b) noexcept -> bool {
  return a.extra_outputs == b.extra_outputs && a.draws_points == b.draws_points &&
         a.hull.domain == b.hull.domain && a.hull.partitioning == b.hull.partitioning &&
         a.hull.output_primitive == b.hull.output_primitive &&
         a.hull.input_control_points == b.hull.input_control_points &&
         a.hull.output_control_points == b.hull.output_control_points &&
         a.hull.output_elements == b.hull.output_elements &&
         a.hull.output_rows == b.hull.output_rows;
}

/// Which samplers a program declares, and as what.
void note_samplers(shader_code& code, const d3d9::program& program) noexcept {
  std::uint32_t declared = 0, shaped = 0;
  for (const d3d9::declaration& declaration : program.declarations) {
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

/// What a vertex shader hands on beside the fixed varyings. More than fit are refused with its
/// first variant.
void note_varyings(shader_code& code, const d3d9::program& program) noexcept {
  if (code.stage != shader_stage::vertex) return;
  if (const auto found = d3d9::collect_extra_varyings(program)) code.extra_varyings = *found;
}

/// Small numbers of a row of options as one word.
template <class... Numbers>
auto word_of(Numbers... numbers) noexcept -> std::uint64_t {
  static_assert((sizeof(Numbers) + ...) <= sizeof(std::uint64_t));
  std::uint64_t word = 0;
  ((word = word << (8 * sizeof(Numbers)) | static_cast<std::uint64_t>(numbers)), ...);
  return word;
}

void hash_options(keyed_hash& hash, const d3d9::translate_options& options) noexcept {
  hash.add(word_of(options.rules, options.wants_names, options.unwritten, options.clip_planes,
                   options.is_flat_shaded, options.is_point_sprite, options.fog));
  hash.add(word_of(options.fog_from, options.fogs_model_3, options.written_varyings,
                   options.draws_points));
  hash.add(word_of(options.inputs_with_w_one, options.unsigned_inputs, options.signed_inputs,
                   options.depth_samplers));
  hash.add(std::as_bytes(std::span{options.undeclared_samplers}));
  for (const d3d9::semantic& each : options.extra_varyings) {
    hash.add(word_of(each.what, each.index));
  }
}

void hash_options(keyed_hash& hash, const dxbc::compile_options& options) noexcept {
  const dxbc::tessellation_facts& hull = options.hull;
  hash.add(word_of(hull.domain, hull.partitioning, hull.output_primitive, hull.input_control_points,
                   hull.output_control_points, hull.output_elements, hull.output_rows,
                   options.draws_points));
  for (std::size_t i = 0; i < options.extra_outputs.size(); ++i) {
    const dxbc::interface_register& each = options.extra_outputs[i];
    if (each.mask != 0) hash.add(word_of(static_cast<std::uint8_t>(i), each.mask, each.components));
  }
}

/// What was found out before, good or bad.
auto outcome_of(const shader_variant& known) noexcept -> result<const shader_variant*> {
  if (known.why.code != error_code::none) return known.why;
  return &known;
}

/// The next attempt may end otherwise.
auto is_passing(const error& why) noexcept -> bool {
  return why.code == error_code::device_lost || why.code == error_code::out_of_memory;
}

auto limits_of(const backend_limits& bounds) noexcept -> dxbc::compiler_limits {
  dxbc::compiler_limits limits;
  limits.start_timeout_ms = limits.timeout_ms =
      static_cast<std::uint32_t>(bounds.shader_compile_ms);
  limits.deaths = static_cast<std::uint32_t>(bounds.shader_compiler_ends);
  limits.death_interval_ms = static_cast<std::uint32_t>(bounds.shader_compiler_rest_ms);
  limits.cache_bytes = bounds.shader_cache_bytes;
  return limits;
}

}  // namespace

template <class Options>
void variant_probe<Options>::hash_into(keyed_hash& hash) const noexcept {
  hash.add(code);
  hash_options(hash, options);
}
template struct variant_probe<d3d9::translate_options>;
template struct variant_probe<dxbc::compile_options>;

auto operator==(const variant_key& a, const d3d9_variant_probe& b) noexcept -> bool {
  return a.code == b.code && a.options == b.options;
}
auto operator==(const variant_key& a, const dxbc_variant_probe& b) noexcept -> bool {
  return a.code == b.code && is_same(a.compile, b.options);
}

void shader_code_probe::hash_into(keyed_hash& hash) const noexcept {
  hash.add(word_of(stage, language));
  hash.add(bytes);
}

shader_store::shader_store(const backend_options& options) noexcept
    : options_(options),
      variants_(options.hash_seed,
                {options.bounds.shader_variants, options.bounds.shader_variant_bytes},
                {this,
                 [](void* store, std::unique_ptr<shader_variant>& old) noexcept {
                   static_cast<shader_store*>(store)->retire(std::move(old));
                 }}),
      codes_(options.hash_seed, {options.bounds.idle_shaders, options.bounds.idle_shader_bytes},
             {this, [](void* store, std::unique_ptr<shader_code>& old) noexcept {
                static_cast<shader_store*>(store)->variants_.erase(old->variants);
              }}) {}

auto shader_store::base_options(const gpu& device) const noexcept -> d3d9::translate_options {
  d3d9::translate_options options;
  options.rules = options_.fast_shader_math ? d3d9::float_rules::fast : d3d9::float_rules::exact;
  options.wants_names = device.debug.set_name != nullptr;
  return options;
}

auto shader_store::base_compile_options(const gpu& device) const noexcept -> dxbc::compile_options {
  dxbc::compile_options options;
  options.demotes = device.features.demote_to_helper;
  options.wants_names = device.debug.set_name != nullptr;
  return options;
}

/// Null when there is no memory for one, or no library in this build.
auto shader_store::compiler() noexcept -> dxbc::shader_compiler* {
  if (compiler_ == nullptr) {
    compiler_ = dxbc::open_shader_compiler(
        {.in_process = options_.shader_compiler == shader_compiler_place::in_process,
         .program = options_.shader_compiler_program.c_str(),
         .cache_folder = options_.shader_cache_folder.c_str(),
         .limits = limits_of(options_.bounds)});
  }
  return compiler_.get();
}

auto shader_store::resolve_code(const shader_desc& desc) -> result<code_cache::entry*> {
  auto* const known = codes_.find(shader_code_probe{desc.stage, desc.language, desc.code});
  if (known != nullptr) return known;
  return add_code(desc);
}

auto shader_store::add_code(const shader_desc& desc) -> result<code_cache::entry*> {
  auto made = make_record<shader_code>();
  shader_code_key key{desc.stage, desc.language, {}};
  if (made == nullptr || !key.bytes.resize(desc.code.size())) return no_memory_for_record();
  std::ranges::copy(desc.code, key.bytes.begin());
  made->id = next_id_++;
  made->stage = desc.stage;
  made->language = desc.language;
  auto* const entry = codes_.insert(std::move(key), std::move(made), desc.code.size());
  if (entry == nullptr) return no_memory_for_record();
  shader_code& code = *entry->value;
  code.bytes = entry->key().bytes.view();
  if (desc.language != shader_language::d3d9_tokens) return entry;
  const auto parsed = d3d9::parse(code.bytes);
  if (parsed) {
    note_samplers(code, *parsed);
    note_varyings(code, *parsed);
  } else if (parsed.why().code == error_code::out_of_memory) {
    codes_.erase(*entry);
    return parsed.why();
  } else {
    code.why = parsed.why();
  }
  return entry;
}

/// Translated now, so that the guest hears here of what cannot run.
auto shader_store::first_variant(device_parts& device, shader_code& code) -> error {
  if (code.why.code != error_code::none) return code.why;
  error why = code.language == shader_language::d3d9_tokens
                  ? variant(device, code, base_options(*device.gpu)).why()
                  : variant(device, code, base_compile_options(*device.gpu)).why();
  if (why.code == error_code::none || is_passing(why)) return why;
  why.code = error_code::unsupported;
  code.why = why;
  return why;
}

auto shader_store::create(device_parts& device, const shader_desc& desc) -> result<shader_record*> {
  const auto found = resolve_code(desc);
  if (!found) return found.why();
  code_cache::entry& entry = **found;
  if (const error why = first_variant(device, *entry.value); why.code != error_code::none)
    return why;
  const auto added =
      add_record(shaders_, make_record<shader_record>(desc.name, &entry, entry.value.get()));
  if (!added) return added.why();
  codes_.pin(entry);
  return *added;
}

void shader_store::destroy(shader_record* shader) {
  codes_.unpin(*shader->entry);
  remove_record(shaders_, shader);
}

auto shader_store::variant(device_parts& device, shader_record& shader,
                           const d3d9::translate_options& options)
    -> result<const shader_variant*> {
  return variant(device, *shader.code, options);
}

auto shader_store::variant(device_parts& device, shader_record& shader,
                           const dxbc::compile_options& options) -> result<const shader_variant*> {
  return variant(device, *shader.code, options);
}

auto shader_store::variant(device_parts& device, shader_code& code,
                           const d3d9::translate_options& options)
    -> result<const shader_variant*> {
  const d3d9_variant_probe probe{code.id, options};
  if (const auto* const known = variants_.find(probe, code.variants))
    return outcome_of(*known->value);
  const variant_key key{code.id, options, {}, true};
  const auto program = d3d9::parse(code.bytes);
  if (!program) return program.why();  // Out of memory: these bytes were good before.
  ++translations_;
  auto translated = d3d9::translate(*program, options);
  if (!translated) return refuse_variant(code, key, translated.why());
  const auto cheap = spirv::check_cost(translated->words.view());
  if (!cheap) return refuse_variant(code, key, cheap.why());
  auto made = make_record<shader_variant>();
  if (made == nullptr) return no_memory_for_record();
  made->translated = *std::move(translated);
  return add_variant(device, code, key, std::move(made));
}

auto shader_store::variant(device_parts& device, shader_code& code,
                           const dxbc::compile_options& options) -> result<const shader_variant*> {
  const dxbc_variant_probe probe{code.id, options};
  if (const auto* const known = variants_.find(probe, code.variants))
    return outcome_of(*known->value);
  const variant_key key{code.id, {}, options, false};
  ++translations_;
  auto compiled = dxbc::compile(code.bytes, options, compiler());
  if (!compiled) return refuse_variant(code, key, compiled.why());
  auto made = make_record<shader_variant>();
  if (made == nullptr) return no_memory_for_record();
  made->compiled = *std::move(compiled);
  return add_variant(device, code, key, std::move(made));
}

auto shader_store::add_variant(device_parts& device, shader_code& code, const variant_key& key,
                               std::unique_ptr<shader_variant> made)
    -> result<const shader_variant*> {
  if (auto ok = check_features(made->spirv(), device.gpu->features); !ok) {
    return refuse_variant(code, key, ok.why());
  }
  const auto outputs = collect_outputs(made->spirv());
  if (!outputs) return refuse_variant(code, key, outputs.why());
  if (auto ok = check_outputs(*outputs, device.gpu->properties.limits); !ok) {
    return refuse_variant(code, key, ok.why());
  }
  made->outputs = *outputs;
  auto module = shader_module::create(device, made->spirv());
  if (!module) return module.why();
  made->module = *std::move(module);
  made->id = next_id_++;
  made->work = measure_work(made->spirv());
  set_name(*device.gpu, VK_OBJECT_TYPE_SHADER_MODULE, made->module.handle(), "shader ", code.id,
           " variant ", made->id);
  const std::uint64_t size_bytes = made->spirv().size_bytes();
  const shader_variant* const added = made.get();
  if (variants_.insert(key, std::move(made), size_bytes, &code.variants) == nullptr) {
    return no_memory_for_record();
  }
  ++modules_made_;
  return added;
}

/// Remembered like a module, so that a guest pays for it once. Returns `why`.
auto shader_store::refuse_variant(shader_code& code, const variant_key& key, const error& why)
    -> error {
  if (is_passing(why)) return why;
  if (auto refused = make_record<shader_variant>(); refused != nullptr) {
    refused->why = why;
    static_cast<void>(variants_.insert(key, std::move(refused), 0, &code.variants));
  }
  return why;
}

auto shader_store::rebuild(device_parts& device) -> result<void> {
  error why;
  variants_.for_each([&](const std::unique_ptr<shader_variant>& variant) {
    const bool is_refused = variant->why.code != error_code::none;
    if (why.code != error_code::none || is_refused) return;
    auto module = shader_module::create(device, variant->spirv());
    why = module.why();
    if (module) variant->module = *std::move(module);
  });
  if (why.code != error_code::none) return why;
  return {};
}

void shader_store::drop_modules() noexcept {
  variants_.for_each(
      [](const std::unique_ptr<shader_variant>& variant) { variant->module = shader_module{}; });
}

/// The draw that is being made may have found it: then it is good until the batch is done.
void shader_store::retire(std::unique_ptr<shader_variant> old) noexcept {
  device_parts* const device = old->module.device();
  old->module.discard();
  if (device != nullptr) retired_.add(std::move(old), device->work.submitted() + 1);
}

}  // namespace aerogpu::vulkan
