// SPDX-License-Identifier: MIT
/// \file What a golden case runs on: a host that executes streams for one guest.
#pragma once

#include "aerogpu/core/error.hpp"
#include "tests/conformance/processor/processor_path.hpp"
#include "tests/support/guest_memory_fakes.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace aerogpu::golden {

/// How the backend is configured.
enum class host_variant : std::uint8_t {
  plain,
  expanded_formats,  ///< 16-bit colour, BC and D24S8 by conversion, as on a device without them.
  bare_device,  ///< No geometry shaders, tessellation, null descriptors and numbers of vertices.
  fast_math,    ///< Products of Direct3D 9 shaders as IEEE has them.
  host_fog,  ///< Fog behind pixel shaders below ps_3_0, also where the guest does not ask for it.
};
inline constexpr std::size_t host_variant_count = 5;

/// What a device may lack, and pictures then lack, too.
struct host_features {
  bool wireframe = false;
  bool anisotropy = false;
};

/// A command processor on a backend, without its types: cases compile once for all backends.
class host {
 public:
  virtual ~host() = default;

  /// Runs a stream and waits for its completion. Returns why it failed.
  virtual auto run(const test::byte_vector& stream, std::uint32_t context,
                   const conformance::table_entries& entries) -> error = 0;
  [[nodiscard]] virtual auto memory() -> test::fake_memory& = 0;
  /// The presented texture, or null.
  [[nodiscard]] virtual auto presented() -> const texture_desc* = 0;
  /// Its mip 0 in its own format.
  [[nodiscard]] virtual auto read_presented(mutable_bytes out) -> bool = 0;
  /// Whether pixels come out. If not, pictures are not compared, and streams still have to be
  /// valid.
  [[nodiscard]] virtual auto renders() const -> bool = 0;
  [[nodiscard]] virtual auto features() -> host_features = 0;
  /// Complaints of the API's validation so far.
  [[nodiscard]] virtual auto validation_errors() -> std::uint64_t = 0;
  /// Objects of the backend that are left; asked for when the processor is gone.
  [[nodiscard]] virtual auto live_objects() -> std::uint64_t = 0;
  /// Forgets everything that the guest did.
  virtual void reset() = 0;
};

/// Defined by each program of goldens. Null fails the case: the machine cannot run the backend.
[[nodiscard]] auto make_host(host_variant variant) -> std::unique_ptr<host>;

}  // namespace aerogpu::golden
