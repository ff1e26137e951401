// SPDX-License-Identifier: MIT
/// \file Indexed draws of several instances: the host repeats nothing, so that vertices are
/// repeated on the CPU (SetStreamSourceFreq; umd-d3d9.md 2.10.6).
#pragma once

#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/element_reader.hpp"

#include <cstdint>

namespace aerogpu::umd {

class binding_override;
class device;

/// What the frequencies of the streams that the declaration reads ask for.
struct instancing {
  std::uint32_t count = 1;         ///< Instances.
  std::uint32_t data_streams = 0;  ///< Bit n = stream n advances once in so many instances.

  [[nodiscard]] auto is_on() const noexcept -> bool { return count != 1 || data_streams != 0; }
};
/// D3DERR_INVALIDCALL for frequencies that do not go together, and for several instances without a
/// vertex shader of the application.
[[nodiscard]] auto find_instancing(const device& on, instancing& out) noexcept -> HRESULT;

/// An indexed draw whose every used stream holds the vertices of all instances, one instance behind
/// another.
class instanced_draw {
 public:
  instanced_draw(device& on, const draw_call& call, const instancing& how) noexcept
      : device_(on), call_(call), how_(how) {}

  /// Finds the vertices by the indices themselves, and that all are there. D3DERR_INVALIDCALL,
  /// E_INVALIDARG for more than 2 GiB, errors of locks.
  [[nodiscard]] auto check() noexcept -> HRESULT;
  /// Lists are one draw, strips and fans one for each instance. E_OUTOFMEMORY, errors of sending;
  /// what was bound is bound afterwards. Precondition: `check` said S_OK.
  [[nodiscard]] auto send() noexcept -> HRESULT;

 private:
  [[nodiscard]] auto check_stream(std::uint32_t stream) const noexcept -> HRESULT;
  [[nodiscard]] auto divisor_of(std::uint32_t stream) const noexcept -> std::uint32_t;
  void expand(std::uint32_t stream, const element_source& from, mutable_bytes out) const noexcept;
  [[nodiscard]] auto place_stream(binding_override& bindings, std::uint32_t stream) noexcept
      -> HRESULT;
  [[nodiscard]] auto place_indices(binding_override& bindings) noexcept -> HRESULT;
  [[nodiscard]] auto send_list(binding_override& bindings) noexcept -> HRESULT;
  [[nodiscard]] auto send_strips(binding_override& bindings) noexcept -> HRESULT;

  device& device_;
  draw_call call_;
  instancing how_;
  std::uint64_t elements_ = 0;  ///< Indices of one instance.
  std::uint32_t least_index_ = 0;
  vertex_range vertices_;  ///< Of one instance, in the streams that advance by vertices.
};

}  // namespace aerogpu::umd
