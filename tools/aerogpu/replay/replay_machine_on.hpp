// SPDX-License-Identifier: MIT
/// \file A machine with a device on one backend, for a replay. It takes the whole device: for the
/// one source of each backend.
#pragma once

#include "aerogpu/device/presented_image.hpp"
#include "tools/aerogpu/guest/guest_machine.hpp"
#include "tools/aerogpu/replay/replay_machine.hpp"
#include "tools/aerogpu/replay/state_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// `Backend` outlives it.
template <backend Backend>
class replay_machine_on final : public replay_machine {
 public:
  explicit replay_machine_on(Backend& backend) : machine_(backend) {}

  auto start(std::uint64_t buffer_bytes, std::string& why) -> bool override {
    return machine_.start(buffer_bytes, why);
  }
  auto submit(const guest_submission& work) -> bool override { return machine_.submit(work); }
  auto read(std::uint32_t offset) -> std::uint32_t override { return machine_.read(offset); }
  auto completed_fence() -> fence_value override { return machine_.completed_fence(); }
  auto host() -> guest_host& override { return machine_.host(); }

  auto has_presented() -> bool override { return has_presented_image(processor()); }
  auto read_presented(std::uint64_t limit_bytes, rgba8_image& image) -> result<void> override {
    return read_presented_image(processor(), limit_bytes, image);
  }
  auto read_texture(resource_handle texture, mutable_bytes out) -> result<void> override {
    return processor().read_texture(texture, out);
  }
  auto resources() -> std::vector<state_resource> override;
  auto state_of(context_id context) -> std::optional<context_state> override;

 private:
  [[nodiscard]] auto processor() -> auto& { return machine_.device().processor(); }

  guest_machine<Backend> machine_;
};

template <backend Backend>
auto replay_machine_on<Backend>::resources() -> std::vector<state_resource> {
  std::vector<state_resource> all;
  const auto add = [&](resource_handle handle, const named_resource<Backend>& named) {
    state_resource one{raw(handle), named.serial, named.kind, {}, {}};
    if (named.kind == resource_kind::reserved) return;
    if (named.kind == resource_kind::buffer) {
      one.buffer = named.buffer->desc;
    } else {
      one.texture = named.texture->desc;
    }
    all.push_back(one);
  };
  processor().tables().resources.for_each_name(add);
  return all;
}

template <backend Backend>
auto replay_machine_on<Backend>::state_of(context_id context) -> std::optional<context_state> {
  const auto* const found = processor().tables().pipeline.contexts.find(context);
  if (found == nullptr) return std::nullopt;
  return context_state{context,          found->fixed, found->d3d9,
                       found->constants, found->bound, resources()};
}

}  // namespace aerogpu::tool
