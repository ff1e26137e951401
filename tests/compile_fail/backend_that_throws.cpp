// SPDX-License-Identifier: MIT
// An operation that may throw is refused, because emulators build without exceptions.
// says (gcc): throwing_backend::flush()' is not 'noexcept'
// says (clang): 'b.flush()' may throw an exception
#include "null/null_backend.hpp"

struct throwing_backend : aerogpu::null_backend {
  using aerogpu::null_backend::null_backend;
  auto clear(const aerogpu::clear_call<throwing_backend>&) noexcept -> aerogpu::result<void>;
  auto draw(const aerogpu::draw_call<throwing_backend>&) noexcept -> aerogpu::result<void>;
  auto dispatch(const aerogpu::dispatch_call<throwing_backend>&) noexcept -> aerogpu::result<void>;
  auto present(const aerogpu::present_call<throwing_backend>&) noexcept -> aerogpu::result<void>;
#ifdef WRONG
  auto flush() -> aerogpu::result<void>;
#endif
};

static_assert(aerogpu::backend<throwing_backend>);
