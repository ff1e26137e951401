// SPDX-License-Identifier: MIT
/// \file A program of random calls of Direct3D 9.
///
/// `comparable` calls mean the same everywhere: the picture that they leave can be compared with
/// another Direct3D's. In `wild` ones numbers, flags and enumerators are now and then anything;
/// pointers and sizes of memory stay true.
#pragma once

#include "tests/drivers/d3d9/random/api.hpp"
#include "tests/drivers/d3d9/random/choices.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace aerogpu::test {

struct texture_coordinates {
  float u, v;
};

enum class program_kind : std::uint8_t { comparable, wild };

class random_program {
 public:
  /// Of the back buffer, and of every target.
  static constexpr UINT width = 64, height = 64;
  /// Of textures, that are used.
  static constexpr DWORD stages = 4;

  /// Of a device in that window.
  [[nodiscard]] static auto parameters(HWND window) -> D3DPRESENT_PARAMETERS;

  /// `window`: what the device draws into. A comparable program's device is new.
  random_program(d3d9_device& device, HWND window, choices& from, program_kind kind);
  ~random_program();
  random_program(const random_program&) = delete;
  auto operator=(const random_program&) -> random_program& = delete;

  /// So many calls, or fewer when the choices end.
  void run(unsigned steps);
  /// Calls that succeeded: a program of which everything is refused shows nothing.
  [[nodiscard]] auto successes() const noexcept -> std::uint64_t { return successes_; }

 private:
  struct release {
    template <class T>
    void operator()(T* object) const {
      object->Release();
    }
  };
  template <class T>
  using held = std::unique_ptr<T, release>;
  template <class T>
  using objects = std::array<held<T>, 6>;

  void step();
  void start();
  /// What a wild program gives now and then in place of `usual`.
  [[nodiscard]] auto any_or(std::uint32_t usual) -> std::uint32_t;
  template <class T>
  [[nodiscard]] auto one_of(std::span<const T> list) -> T;
  [[nodiscard]] auto real(float least, float most) -> float;
  [[nodiscard]] auto color() -> D3DCOLOR { return choose_.u32() | 0xFF000000u; }
  [[nodiscard]] auto area() -> RECT;
  [[nodiscard]] auto is_wild() const -> bool { return kind_ == program_kind::wild; }
  template <class T>
  [[nodiscard]] auto some(objects<T>& from) -> T*;
  void note(HRESULT result) { successes_ += result >= 0 ? 1u : 0u; }

  // --- states (random_states.cpp) ---
  void set_render_state();
  void set_stage_state();
  void set_sampler_state();
  [[nodiscard]] auto matrix() -> D3DMATRIX;
  void set_transform();
  void set_light();
  void set_clip_plane();
  void set_coordinates();
  void pass_coordinates_on();
  void set_viewport();
  void use_block();
  [[nodiscard]] auto shader_words(std::span<const DWORD> words) -> std::vector<DWORD>;
  void set_shaders();
  // --- resources (random_resources.cpp) ---
  void make_texture();
  void make_cube();
  void change_texture();
  void write_noise(d3d9_texture& texture, UINT level);
  void write_rows(const D3DLOCKED_RECT& to, const D3DSURFACE_DESC& about);
  void make_target();
  void choose_target();
  void bind_texture();
  void make_buffers();
  void copy();
  void fill();
  // --- draws (random_draws.cpp) ---
  struct space_vertex;
  void settle_for_space();
  void fill_space(std::span<space_vertex> vertices);
  void clear();
  void draw_on_screen();
  void draw_in_space();
  void draw_buffers();
  void draw_points();
  void draw_blended();
  // --- wild ones alone (random_wild.cpp) ---
  void make_anything();
  void lock_anything();
  void ask_anything();
  void present_anything();

  d3d9_device& device_;
  HWND window_;
  choices& choose_;
  program_kind kind_;
  std::uint64_t successes_ = 0;
  bool is_recording_ = false;
  held<d3d9_surface> back_buffer_;
  objects<d3d9_texture> textures_;
  objects<d3d9_cube> cubes_;
  objects<d3d9_texture> targets_;
  objects<d3d9_vertices> vertices_;
  objects<d3d9_indices> indices_;
  objects<d3d9_block> blocks_;
  objects<d3d9_surface> surfaces_;
  objects<d3d9_query> queries_;
  std::vector<std::byte> memory_;  ///< Of draws from the program's memory.
};

template <class T>
auto random_program::one_of(std::span<const T> list) -> T {
  return list[choose_.below(static_cast<std::uint32_t>(list.size()))];
}

template <class T>
auto random_program::some(objects<T>& from) -> T* {
  return from[choose_.below(static_cast<std::uint32_t>(from.size()))].get();
}

}  // namespace aerogpu::test
