// SPDX-License-Identifier: MIT
#include "tests/fuzz/ddi_run.hpp"

#include "drivers/sim/runtime/ddi/ddi_scope.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace aerogpu::fuzz {

namespace {

constexpr int most_steps = 160;
/// What a draw of `small` counts and strides can refer to, and more.
constexpr std::size_t vertex_memory_bytes = std::size_t{1} << 20;
constexpr std::size_t index_memory_bytes = std::size_t{1} << 16;

}  // namespace

ddi_run::ddi_run(input& in)
    : in_(in),
      machine_(in),
      adapter_(std::make_unique<sim::d3d9_adapter>(*machine_.process)),
      vertices_(vertex_memory_bytes),
      indices_(index_memory_bytes) {
  claim(adapter_->open() == S_OK, "the driver opens");
  for (std::size_t i = 0; i < vertices_.size(); ++i) vertices_[i] = std::byte(i * 37 >> 3);
  for (std::size_t i = 0; i < indices_.size(); ++i) indices_[i] = std::byte(i % 2 == 0 ? i / 2 : 0);
  start_device();
}

void ddi_run::run() {
  for (int i = 0; i < most_steps && !in_.empty(); ++i) step();
  end_device();
  faults_ += machine_.rejections();
  machine_.runtime.faults.stop();
  if (adapter_->close() != S_OK) faults_ += "CloseAdapter failed\n";
  adapter_.reset();
  faults_ += machine_.end();
}

void ddi_run::start_device() {
  device_ = std::make_unique<sim::ddi_device>(adapter_->ddi);
  if (device_->create() != S_OK) device_.reset();
}

/// What the driver owns goes with it; the runtime finds what is left.
void ddi_run::end_device() {
  if (device_ == nullptr) return;
  machine_.runtime.faults.stop();
  while (!resources_.empty()) {
    note(device_->destroy_resource(resources_.back()->names));
    resources_.pop_back();
  }
  submissions_ += device_->submissions();
  note(device_->destroy());
  device_.reset();
  for (auto* const list :
       {&vertex_shaders_, &pixel_shaders_, &declarations_, &state_sets_, &queries_}) {
    list->clear();
  }
  is_recording_ = false;
}

void ddi_run::step() {
  if (device_ == nullptr) return start_device();
  using call = void (ddi_run::*)();
  static constexpr std::array<call, 32> calls{&ddi_run::create_resource,
                                              &ddi_run::create_resource,
                                              &ddi_run::create_resource,
                                              &ddi_run::destroy_resource,
                                              &ddi_run::lock,
                                              &ddi_run::lock,
                                              &ddi_run::unlock,
                                              &ddi_run::set_state,
                                              &ddi_run::set_state,
                                              &ddi_run::set_fixed_state,
                                              &ddi_run::set_fixed_state,
                                              &ddi_run::set_binding,
                                              &ddi_run::set_binding,
                                              &ddi_run::set_stream,
                                              &ddi_run::set_stream,
                                              &ddi_run::set_targets,
                                              &ddi_run::set_targets,
                                              &ddi_run::set_constants,
                                              &ddi_run::shaders,
                                              &ddi_run::declarations,
                                              &ddi_run::declarations,
                                              &ddi_run::draw,
                                              &ddi_run::draw,
                                              &ddi_run::draw_from_memory,
                                              &ddi_run::draw_patch,
                                              &ddi_run::clear,
                                              &ddi_run::copy,
                                              &ddi_run::fill,
                                              &ddi_run::state_sets,
                                              &ddi_run::queries,
                                              &ddi_run::present,
                                              &ddi_run::others};
  const auto chosen = in_.u8();
  if (chosen == 0xFF) return plan_fault();
  if (chosen == 0xFE) return end_device();
  (this->*calls[chosen % calls.size()])();
}

auto ddi_run::small() -> UINT {
  const auto bits = in_.u8();
  return (bits & 0x80) != 0 ? bits & 3u : bits & 0x7Fu;
}

auto ddi_run::number() -> UINT {
  static constexpr std::array<UINT, 8> edges{0,          1,          0x7FFFFFFF, 0x80000000,
                                             0xFFFFFFFF, 0xFFFFFFFE, 0x10000,    0x3FFFFFFF};
  const auto bits = in_.u8();
  if (bits < 0xE0) return bits;
  return bits < 0xF0 ? edges[bits % edges.size()] : in_.u32();
}

auto ddi_run::real() -> FLOAT {
  static constexpr std::array<FLOAT, 8> edges{0.0F,
                                              1.0F,
                                              -1.0F,
                                              std::numeric_limits<FLOAT>::infinity(),
                                              -std::numeric_limits<FLOAT>::infinity(),
                                              std::numeric_limits<FLOAT>::quiet_NaN(),
                                              std::numeric_limits<FLOAT>::max(),
                                              std::numeric_limits<FLOAT>::denorm_min()};
  const auto bits = in_.u8();
  return bits < 0xF0 ? static_cast<FLOAT>(static_cast<std::int8_t>(bits)) / 8
                     : edges[bits % edges.size()];
}

auto ddi_run::area() -> RECT {
  const auto left = static_cast<LONG>(number());
  const auto top = static_cast<LONG>(number());
  if (in_.u8() % 4 == 0)
    return {left, top, static_cast<LONG>(number()), static_cast<LONG>(small())};
  return {0, 0, static_cast<LONG>(small()), static_cast<LONG>(small())};
}

auto ddi_run::format() -> D3DDDIFORMAT {
  static constexpr std::array<int, 16> known{
      D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_R5G6B5,
      D3DFMT_A1R5G5B5, D3DFMT_X1R5G5B5, D3DFMT_A8B8G8R8, D3DFMT_DXT1,
      D3DFMT_DXT3,     D3DFMT_DXT5,     D3DFMT_D24S8,    D3DFMT_D16,
      D3DFMT_D24X8,    D3DFMT_A8,       D3DFMT_L8,       D3DFMT_A16B16G16R16F};
  const auto bits = in_.u8();
  return static_cast<D3DDDIFORMAT>(bits < 0xF8 ? known[bits % known.size()]
                                               : static_cast<int>(in_.u16()));
}

auto ddi_run::any() -> HANDLE {
  const auto bits = in_.u8();
  if (resources_.empty() || bits >= 0xF0) return nullptr;
  return resources_[bits % resources_.size()]->names.driver;
}

}  // namespace aerogpu::fuzz
