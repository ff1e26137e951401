// SPDX-License-Identifier: MIT
/// \file A guest on a Vulkan backend whose calls can fail: one scene that uses all of the backend.
#pragma once

#include "tests/conformance/processor/processor_path.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/stream_builder.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"
#include "tests/vulkan_faults/call_faults.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace aerogpu::test {

/// Options of the backends here: no layers, because they are opened by the hundred.
[[nodiscard]] auto fault_options() -> vulkan::backend_options;
/// A backend, or the end of the program: a test that cannot run must not pass.
[[nodiscard]] auto open_faulty_backend(const vulkan::backend_options& options)
    -> std::unique_ptr<vulkan::vulkan_backend>;
/// Loads Vulkan, so that calls can be hooked.
void load_vulkan();

/// Submissions that create, upload, draw, copy, read back, present and destroy.
class faulty_guest {
 public:
  explicit faulty_guest(vulkan::vulkan_backend& on);

  /// The whole scene: three submissions, waited for one by one. False when any of them failed.
  auto run_scene() -> bool;
  /// One submission, waited for.
  auto run(const stream_builder& stream) -> error;
  /// One submission, not waited for.
  auto submit(const stream_builder& stream) -> error;
  /// Waits, and checks that everything was reported, in order.
  void finish() { path_.finish(); }
  /// A ring reset, and the device's memory given back.
  void reset();

  /// Objects that last; some lie in guest memory, the others are filled by `upload_again`.
  [[nodiscard]] static auto objects() -> stream_builder;
  [[nodiscard]] static auto upload_again() -> stream_builder;
  /// Draws and presents with all of them, and copies the picture to guest memory.
  [[nodiscard]] static auto picture() -> stream_builder;
  [[nodiscard]] static auto read_picture() -> stream_builder;
  /// A stream without its header, to go on with in another one.
  [[nodiscard]] static auto packets_of(const stream_builder& stream) -> byte_vector;
  /// A pixel shader; no two numbers give the same.
  [[nodiscard]] static auto numbered_shader(std::uint32_t number) -> byte_vector;
  /// Streams for a guest that has no allocations.
  [[nodiscard]] static auto without_memory() -> stream_builder;
  [[nodiscard]] static auto without_memory_again() -> stream_builder;
  /// Draws to what `without_memory` made.
  [[nodiscard]] static auto drawing_without_memory() -> stream_builder;
  /// What the scene wrote into guest memory.
  [[nodiscard]] auto written() -> byte_vector;
  void forget_written();
  [[nodiscard]] auto path() -> conformance::direct_path<vulkan::vulkan_backend>& { return path_; }

 private:
  vulkan::vulkan_backend& backend_;
  fake_memory memory_;
  conformance::direct_path<vulkan::vulkan_backend> path_;
};

}  // namespace aerogpu::test
