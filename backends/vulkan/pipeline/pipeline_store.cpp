// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/pipeline_store.hpp"

#include "vulkan/memory/memory_headroom.hpp"
#include "vulkan/memory/record_list.hpp"

#include <span>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// Vulkan does not say what a pipeline takes. llvmpipe takes 270 KB for the smallest.
auto estimate(std::span<const shader_variant* const> stages) noexcept -> std::uint64_t {
  constexpr std::uint64_t base_bytes = 128u << 10;
  constexpr std::uint64_t bytes_for_each_of_spirv = 16;
  std::uint64_t spirv_bytes = 0;
  for (const shader_variant* const stage : stages) {
    if (stage != nullptr) spirv_bytes += stage->spirv().size_bytes();
  }
  return base_bytes + spirv_bytes * bytes_for_each_of_spirv;
}

}  // namespace

pipeline_store::pipeline_store(device_parts& device, slow_shaders& slow,
                               const backend_options& options) noexcept
    : device_(device),
      slow_(slow),
      options_(options),
      pipelines_(options.hash_seed,
                 {options.bounds.graphics_pipelines, options.bounds.pipeline_bytes},
                 {this, discard}),
      compute_(options.hash_seed, {options.bounds.compute_pipelines, options.bounds.pipeline_bytes},
               {this, discard}) {}

void pipeline_store::discard(void* store, known_pipeline& old) noexcept {
  if (old.handle == VK_NULL_HANDLE) return;
  static_cast<pipeline_store*>(store)->device_.work.discard_sized(VK_OBJECT_TYPE_PIPELINE,
                                                                  old.handle, old.size_bytes);
}

pipeline_store::~pipeline_store() {
  if (device_.compiler != nullptr && !device_.is_compiling()) device_.compiler->save_cache();
}

auto pipeline_store::initialize() -> result<void> {
  auto opened = pipeline_compiler::create(*device_.gpu, options_.pipeline_cache_file);
  if (!opened) return opened.why();
  device_.compiler = *std::move(opened);
  return {};
}

auto pipeline_store::resolve(const pipeline_key& key, const stage_variants& stages,
                             const pipeline_layout& layout) -> result<VkPipeline> {
  if (const auto* const known = pipelines_.find(key)) return known->value.outcome();
  stage_modules modules{};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i] != nullptr) modules[i] = stages[i]->module.handle();
  }
  device_.compiler->recipe().describe(key, modules, layout.handle);
  const auto made = compile({key.shaders});
  if (!made) return refuse(pipelines_, key, made.why());
  return keep(pipelines_, key, {*made, estimate(stages), {}});
}

auto pipeline_store::resolve_compute(const shader_variant& shader, const pipeline_layout& layout)
    -> result<VkPipeline> {
  const compute_key key{shader.id, layout.id};
  if (const auto* const known = compute_.find(key)) return known->value.outcome();
  device_.compiler->recipe().describe_compute(shader.module.handle(), layout.handle);
  const auto made = compile({{shader.id}});
  if (!made) return refuse(compute_, key, made.why());
  return keep(compute_, key, {*made, estimate(std::array{&shader}), {}});
}

template <class Cache, class Key>
auto pipeline_store::keep(Cache& in, const Key& key, known_pipeline made) -> result<VkPipeline> {
  ++made_;
  auto counted =
      device_.compiler->count_cached(made.size_bytes, options_.bounds.driver_cache_bytes);
  if (!counted) {
    discard(this, made);
    return counted.why();
  }
  const VkPipeline handle = made.handle;
  if (in.insert(key, std::move(made), made.size_bytes) != nullptr) return handle;
  discard(this, made);
  return no_memory_for_record();
}

/// What says nothing about the pipeline is not remembered: memory, a lost device, and shaders that
/// may be tried again later. Returns `why`.
template <class Cache, class Key>
auto pipeline_store::refuse(Cache& in, const Key& key, const error& why) -> error {
  const bool is_passing = why.code == error_code::out_of_memory ||
                          why.code == error_code::device_lost ||
                          why.code == error_code::unsupported;
  if (!is_passing) static_cast<void>(in.insert(key, {VK_NULL_HANDLE, 0, why}));
  return why;
}

auto pipeline_store::compile(const shader_ids& shaders) -> result<VkPipeline> {
  if (auto free = slow_.check(shaders); !free) return free.why();
  const std::uint64_t headroom_bytes = options_.bounds.driver_headroom_bytes;
  if (!has_memory_left(headroom_bytes)) {
    return make_error(error_code::out_of_memory,
                      "the process has too little memory left for the driver's compiler", 0,
                      headroom_bytes);
  }
  const std::chrono::milliseconds limit{options_.bounds.pipeline_compile_ms};
  const auto made = device_.compiler->compile(limit);
  if (!made) {
    if (device_.is_compiling()) slow_.add(shaders);
    return made.why();
  }
  device_.work.note_created();
  return *made;
}

}  // namespace aerogpu::vulkan
