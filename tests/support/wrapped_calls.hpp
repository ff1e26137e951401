// SPDX-License-Identifier: MIT
/// \file A backend that hands its calls on to another with the same associated types.
#pragma once

#include "aerogpu/backend/backend.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace aerogpu::test {

/// A backend that wraps `Inner` and shares its object types.
template <class Outer, class Inner>
concept wraps_backend = std::same_as<typename Outer::buffer, typename Inner::buffer> &&
    std::same_as<typename Outer::texture, typename Inner::texture> &&
    std::same_as<typename Outer::texture_view, typename Inner::texture_view> &&
    std::same_as<typename Outer::shader, typename Inner::shader> &&
    std::same_as<typename Outer::input_layout, typename Inner::input_layout> &&
    std::same_as<typename Outer::sampler, typename Inner::sampler>;

template <class Inner, class Outer>
requires wraps_backend<Outer, Inner>
auto forward_clear(Inner& inner, const clear_call<Outer>& call) noexcept -> result<void> {
  const auto targets = std::bit_cast<target_set<Inner>>(call.targets);
  return inner.clear({targets, call.has_scissor, call.scissor, call.flags, call.color,
                      call.srgb_write, call.depth, call.stencil});
}

template <class Inner, class Outer>
requires wraps_backend<Outer, Inner>
auto forward_draw(Inner& inner, const draw_call<Outer>& call) noexcept -> result<void> {
  const auto state = std::bit_cast<draw_state<Inner>>(call.state);
  return inner.draw({state, call.changes, call.is_indexed, call.count, call.instance_count,
                     call.first, call.base_vertex, call.first_instance});
}

template <class Inner, class Outer>
requires wraps_backend<Outer, Inner>
auto forward_dispatch(Inner& inner, const dispatch_call<Outer>& call) noexcept -> result<void> {
  const auto state = std::bit_cast<draw_state<Inner>>(call.state);
  return inner.dispatch({state, call.changes, call.stage, call.x, call.y, call.z});
}

template <class Inner, class Outer>
requires wraps_backend<Outer, Inner>
auto forward_present(Inner& inner, const present_call<Outer>& call) noexcept -> result<void> {
  return inner.present({call.scanout_id, call.flags, call.texture, call.desc});
}

/// What kind of call a wrapper stands around.
enum class call_kind : std::uint8_t {
  create,
  destroy,   ///< Cannot fail.
  command,   ///< Belongs inside a submission.
  contents,  ///< May come outside.
  remark,    ///< Cannot fail, and changes nothing.
};

/// `annotate`, named nowhere unless `Inner` has it: a name that cannot be called is refused.
template <class Wrapper, class Inner>
class annotate_forwarding {};
template <class Wrapper, annotated_backend Inner>
class annotate_forwarding<Wrapper, Inner> {
 public:
  void annotate(std::string_view text) noexcept {
    auto& wrapper = static_cast<Wrapper&>(*this);
    wrapper.template around<call_kind::remark>([&] { wrapper.inner().annotate(text); });
  }
};

/// As `annotate_forwarding`.
template <class Wrapper, class Inner>
class whole_texture_forwarding {};
template <class Wrapper, whole_texture_backend Inner>
class whole_texture_forwarding<Wrapper, Inner> {
 public:
  auto read_whole_texture(typename Inner::texture& from, mutable_bytes out) noexcept
      -> result<void> {
    auto& wrapper = static_cast<Wrapper&>(*this);
    return wrapper.template around<call_kind::contents>(
        [&] { return wrapper.inner().read_whole_texture(from, out); });
  }
};

/// Hands on to `Inner` what is no submission, each call through `around<kind>(call)` of `Derived`,
/// which makes it; what is optional, exactly where `Inner` has it. `Derived` also has `inner()`,
/// and the submissions with their completions.
template <class Derived, backend Inner>
class wrapped_backend : public annotate_forwarding<wrapped_backend<Derived, Inner>, Inner>,
                        public whole_texture_forwarding<wrapped_backend<Derived, Inner>, Inner> {
  friend annotate_forwarding<wrapped_backend, Inner>;
  friend whole_texture_forwarding<wrapped_backend, Inner>;

 public:
  using buffer = typename Inner::buffer;
  using texture = typename Inner::texture;
  using texture_view = typename Inner::texture_view;
  using shader = typename Inner::shader;
  using input_layout = typename Inner::input_layout;
  using sampler = typename Inner::sampler;

  auto memory_bytes(const buffer_desc& d) const noexcept -> std::uint64_t {
    return derived().inner().memory_bytes(d);
  }
  auto memory_bytes(const texture_desc& d) const noexcept -> std::uint64_t {
    return derived().inner().memory_bytes(d);
  }
  auto create_buffer(const buffer_desc& d) noexcept -> result<buffer> {
    return around<call_kind::create>([&] { return inner().create_buffer(d); });
  }
  auto create_texture(const texture_desc& d) noexcept -> result<texture> {
    return around<call_kind::create>([&] { return inner().create_texture(d); });
  }
  auto create_texture_view(texture& of, const texture_view_desc& d) noexcept
      -> result<texture_view> {
    return around<call_kind::create>([&] { return inner().create_texture_view(of, d); });
  }
  auto create_shader(const shader_desc& d) noexcept -> result<shader> {
    return around<call_kind::create>([&] { return inner().create_shader(d); });
  }
  auto create_input_layout(const input_layout_desc& d) noexcept -> result<input_layout> {
    return around<call_kind::create>([&] { return inner().create_input_layout(d); });
  }
  auto create_sampler(const sampler_desc& d) noexcept -> result<sampler> {
    return around<call_kind::create>([&] { return inner().create_sampler(d); });
  }
  void destroy(buffer&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(texture&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(texture_view&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(shader&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(input_layout&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(sampler&& object) noexcept { destroy_object(std::move(object)); }

  auto stage(std::size_t size) noexcept -> result<mutable_bytes> {
    return around<call_kind::command>([&] { return inner().stage(size); });
  }
  auto upload_buffer(buffer& to, std::uint64_t offset, const_bytes bytes) noexcept -> result<void> {
    return around<call_kind::command>([&] { return inner().upload_buffer(to, offset, bytes); });
  }
  auto upload_texture(texture& to, const texture_rows& rows, const_bytes bytes) noexcept
      -> result<void> {
    return around<call_kind::command>([&] { return inner().upload_texture(to, rows, bytes); });
  }
  auto copy_buffer(buffer& to, std::uint64_t to_offset, buffer& from, std::uint64_t from_offset,
                   std::uint64_t size) noexcept -> result<void> {
    return around<call_kind::command>(
        [&] { return inner().copy_buffer(to, to_offset, from, from_offset, size); });
  }
  auto copy_texture(texture& to, texture& from, const texture_copy& copy) noexcept -> result<void> {
    return around<call_kind::command>([&] { return inner().copy_texture(to, from, copy); });
  }
  auto read_back_buffer(buffer& from, std::uint64_t offset, const guest_rows& to) noexcept
      -> result<void> {
    return around<call_kind::command>([&] { return inner().read_back_buffer(from, offset, to); });
  }
  auto read_back_texture(texture& from, const texture_rows& rows, const guest_rows& to) noexcept
      -> result<void> {
    return around<call_kind::command>([&] { return inner().read_back_texture(from, rows, to); });
  }

  auto clear(const clear_call<Derived>& call) noexcept -> result<void> {
    return around<call_kind::command>([&] { return forward_clear(inner(), call); });
  }
  auto draw(const draw_call<Derived>& call) noexcept -> result<void> {
    return around<call_kind::command>([&] { return forward_draw(inner(), call); });
  }
  auto dispatch(const dispatch_call<Derived>& call) noexcept -> result<void> {
    return around<call_kind::command>([&] { return forward_dispatch(inner(), call); });
  }
  auto present(const present_call<Derived>& call) noexcept -> result<void> {
    return around<call_kind::command>([&] { return forward_present(inner(), call); });
  }
  auto flush() noexcept -> result<void> {
    return around<call_kind::command>([&] { return inner().flush(); });
  }

  auto read_buffer(buffer& from, std::uint64_t offset, mutable_bytes out) noexcept -> result<void> {
    return around<call_kind::contents>([&] { return inner().read_buffer(from, offset, out); });
  }
  auto write_buffer(buffer& to, std::uint64_t offset, const_bytes in) noexcept -> result<void> {
    return around<call_kind::contents>([&] { return inner().write_buffer(to, offset, in); });
  }
  auto read_texture(texture& from, subresource where, mutable_bytes out) noexcept -> result<void> {
    return around<call_kind::contents>([&] { return inner().read_texture(from, where, out); });
  }
  auto write_texture(texture& to, subresource where, const_bytes in) noexcept -> result<void> {
    return around<call_kind::contents>([&] { return inner().write_texture(to, where, in); });
  }

 private:
  auto derived() const noexcept -> const Derived& { return static_cast<const Derived&>(*this); }
  auto inner() noexcept -> Inner& { return static_cast<Derived&>(*this).inner(); }
  template <call_kind Kind, class Call>
  auto around(Call&& call) noexcept -> decltype(call()) {
    return static_cast<Derived&>(*this).template around<Kind>(std::forward<Call>(call));
  }
  template <class Object>
  void destroy_object(Object&& object) noexcept {
    around<call_kind::destroy>([&] { inner().destroy(std::move(object)); });
  }
};

}  // namespace aerogpu::test
