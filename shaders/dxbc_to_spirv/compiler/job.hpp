// SPDX-License-Identifier: MIT
/// \file One program to compile with all that its module depends on, as bytes: what the process is
/// sent, and the key of the cache.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/stream/stage.hpp"
#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/compiler/limits.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::dxbc {

/// Precedes `binding_count` rows and then the container.
struct job_header {
  std::uint8_t stage;  ///< `shader_stage`
  std::uint8_t flags;  ///< `job_flag`
  std::uint8_t partitioning;
  std::uint8_t output_primitive;
  std::uint32_t binding_count;
  std::uint32_t container_bytes;
};
static_assert(sizeof(job_header) == 12);

enum job_flag : std::uint8_t { job_demotes = 1, job_wants_names = 2, job_all_flags = 3 };

struct job_binding {
  std::uint32_t kind;  ///< `binding_kind`
  std::uint32_t register_index;
  std::uint32_t set;
  std::uint32_t slot;
};
static_assert(sizeof(job_binding) == 16);

/// A job whose sizes and enumerators were checked. Points into the bytes that it was parsed from.
class compile_job {
 public:
  /// Errors: invalid_parameter.
  [[nodiscard]] static auto parse(const_bytes bytes) noexcept -> result<compile_job>;

  [[nodiscard]] auto stage() const noexcept -> shader_stage {
    return static_cast<shader_stage>(header_.stage);
  }
  [[nodiscard]] auto has(job_flag flag) const noexcept -> bool {
    return (header_.flags & flag) != 0;
  }
  /// Of the hull shader in front of a domain shader; 0 when it is not known.
  [[nodiscard]] auto partitioning() const noexcept -> std::uint8_t { return header_.partitioning; }
  [[nodiscard]] auto output_primitive() const noexcept -> std::uint8_t {
    return header_.output_primitive;
  }
  [[nodiscard]] auto binding_count() const noexcept -> std::uint32_t {
    return header_.binding_count;
  }
  /// Precondition: index < binding_count()
  [[nodiscard]] auto binding(std::uint32_t index) const noexcept -> job_binding {
    return load<job_binding>(bindings_.data() + index * sizeof(job_binding));
  }
  [[nodiscard]] auto container() const noexcept -> const_bytes { return container_; }

 private:
  job_header header_{};
  const_bytes bindings_;
  const_bytes container_;
};

/// Errors: unsupported for what is beyond the limits; out_of_memory.
[[nodiscard]] auto write_job(const_bytes container, const compiled& facts,
                             const compile_options& options) noexcept
    -> result<heap_array<std::byte>>;

}  // namespace aerogpu::dxbc
