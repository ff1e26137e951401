// SPDX-License-Identifier: MIT
/// \file Random calls of the Direct3D 9 user-mode driver's entries, on the whole stack below it.
///
/// Handles are good or NULL; numbers, sizes, flags and enumerators are whatever the input says.
/// What must hold all the same: the driver keeps its contract with the runtime, and the host
/// rejects nothing that it records (umd-d3d9.md T235).
#pragma once

#include "drivers/sim/runtime/d3d9/d3d9_adapter.hpp"
#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "tests/fuzz/runtime_machine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::fuzz {

/// One machine with one process and one device at a time, for one input.
class ddi_run {
 public:
  explicit ddi_run(input& in);
  ddi_run(const ddi_run&) = delete;
  auto operator=(const ddi_run&) -> ddi_run& = delete;

  /// Takes steps until the input or their number is used up, then ends everything.
  void run();
  /// What did not hold, a line each; empty when everything did. After `run`.
  [[nodiscard]] auto faults() const noexcept -> const std::string& { return faults_; }
  /// Calls that the driver answered with success: a run in which it refuses all tests nothing.
  [[nodiscard]] auto successes() const noexcept -> std::uint64_t { return successes_; }
  [[nodiscard]] auto submissions() const noexcept -> std::uint64_t { return submissions_; }

 private:
  struct resource {
    sim::ddi_resource names;
    std::vector<std::vector<std::byte>> memory;  ///< Of one in system memory.
    D3DDDIFORMAT format{};
  };

  void start_device();
  void end_device();
  void step();
  void note(HRESULT result) { successes_ += SUCCEEDED(result) ? 1u : 0u; }

  // --- what numbers are (ddi_run.cpp) ---
  [[nodiscard]] auto small() -> UINT;   ///< A coordinate, a count, an index.
  [[nodiscard]] auto number() -> UINT;  ///< Now and then anything.
  [[nodiscard]] auto real() -> FLOAT;   ///< Infinities and NaN among them.
  [[nodiscard]] auto area() -> RECT;
  [[nodiscard]] auto format() -> D3DDDIFORMAT;
  [[nodiscard]] auto any() -> HANDLE;  ///< A resource, or NULL.
  template <class T>
  [[nodiscard]] auto filled() -> T;  ///< A structure of floats.

  // --- calls (ddi_calls.cpp) ---
  void create_resource();
  void destroy_resource();
  void lock();
  void unlock();
  void set_state();
  void set_fixed_state();
  void set_binding();
  void set_stream();
  void set_targets();
  void set_constants();
  void shaders();
  void declarations();
  void draw();
  void draw_from_memory();
  void draw_patch();
  void clear();
  void copy();
  void fill();
  void state_sets();
  void queries();
  void present();
  void others();
  void plan_fault();

  input& in_;
  runtime_machine machine_;
  std::unique_ptr<sim::d3d9_adapter> adapter_;
  std::unique_ptr<sim::ddi_device> device_;

  std::vector<std::unique_ptr<resource>> resources_;
  std::vector<HANDLE> vertex_shaders_;
  std::vector<HANDLE> pixel_shaders_;
  std::vector<HANDLE> declarations_;
  std::vector<HANDLE> state_sets_;
  std::vector<HANDLE> queries_;
  bool is_recording_ = false;
  std::vector<std::byte> vertices_;  ///< The application's memory for draws.
  std::vector<std::byte> indices_;
  std::string faults_;
  std::uint64_t successes_ = 0;
  std::uint64_t submissions_ = 0;
};

}  // namespace aerogpu::fuzz
