// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/job.hpp"

#include <utility>

namespace aerogpu::dxbc {
namespace {

static_assert(max_job_bindings == range_of(register_file::constant_buffer).count +
                                      range_of(register_file::resource).count +
                                      range_of(register_file::sampler).count +
                                      range_of(register_file::uav).count);
constexpr std::uint8_t most_partitioning = 4;
constexpr std::uint8_t most_output_primitive = 4;

auto has_legal_enumerators(const job_header& header) noexcept -> bool {
  return header.stage < shader_stage_count && (header.flags & ~job_all_flags) == 0 &&
         header.partitioning <= most_partitioning &&
         header.output_primitive <= most_output_primitive;
}

auto malformed(const char* what, std::uint64_t value, std::uint64_t limit = 0) noexcept -> error {
  return make_error(error_code::invalid_parameter, what, value, limit);
}

}  // namespace

auto compile_job::parse(const_bytes bytes) noexcept -> result<compile_job> {
  if (bytes.size() < sizeof(job_header)) return malformed("a job ends in its header", bytes.size());
  compile_job job;
  job.header_ = load<job_header>(bytes.data());
  if (!has_legal_enumerators(job.header_)) return malformed("a job has an unknown enumerator", 0);
  if (job.header_.binding_count > max_job_bindings)
    return malformed("a job has too many bindings", job.header_.binding_count, max_job_bindings);
  bytes = bytes.subspan(sizeof(job_header));
  const std::size_t binding_bytes = job.header_.binding_count * sizeof(job_binding);
  if (bytes.size() < binding_bytes) return malformed("a job ends in its bindings", bytes.size());
  job.bindings_ = bytes.first(binding_bytes);
  job.container_ = bytes.subspan(binding_bytes);
  if (job.container_.size() != job.header_.container_bytes ||
      job.container_.size() > max_container_bytes)
    return malformed("a job has a container of another size", job.container_.size(),
                     job.header_.container_bytes);
  for (std::uint32_t i = 0; i < job.binding_count(); ++i) {
    if (job.binding(i).kind > static_cast<std::uint32_t>(binding_kind::uav_buffer))
      return malformed("a job has a binding of an unknown kind", job.binding(i).kind);
  }
  return job;
}

auto write_job(const_bytes container, const compiled& facts,
               const compile_options& options) noexcept -> result<heap_array<std::byte>> {
  if (container.size() > max_container_bytes)
    return make_error(error_code::unsupported, "the program is too long for the shader compiler",
                      container.size(), max_container_bytes);
  if (facts.bindings.size() > max_job_bindings)
    return make_error(error_code::unsupported, "the program has too many bindings",
                      facts.bindings.size(), max_job_bindings);
  const bool knows_hull = facts.stage == shader_stage::domain && options.hull.partitioning != 0;
  const job_header header{
      .stage = static_cast<std::uint8_t>(facts.stage),
      .flags = static_cast<std::uint8_t>((options.demotes ? job_demotes : 0) |
                                         (options.wants_names ? job_wants_names : 0)),
      .partitioning = knows_hull ? options.hull.partitioning : std::uint8_t{0},
      .output_primitive = knows_hull ? options.hull.output_primitive : std::uint8_t{0},
      .binding_count = static_cast<std::uint32_t>(facts.bindings.size()),
      .container_bytes = static_cast<std::uint32_t>(container.size())};
  heap_array<std::byte> bytes;
  const std::size_t binding_bytes = facts.bindings.size() * sizeof(job_binding);
  if (!bytes.resize(sizeof header + binding_bytes + container.size()))
    return make_error(error_code::out_of_memory, "no memory for a request to the shader compiler");
  std::byte* at = bytes.begin();
  store(at, header);
  at += sizeof header;
  for (const binding& from : facts.bindings) {
    store(at, job_binding{.kind = static_cast<std::uint32_t>(from.kind),
                          .register_index = from.register_index,
                          .set = from.set,
                          .slot = from.slot});
    at += sizeof(job_binding);
  }
  copy_bytes({at, container.size()}, container);
  return bytes;
}

}  // namespace aerogpu::dxbc
