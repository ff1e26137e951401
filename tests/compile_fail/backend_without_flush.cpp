// SPDX-License-Identifier: MIT
// A backend that lacks one operation is refused, and the operation is named.
// says (gcc): the required expression 'b.flush()' is invalid
// says (clang): 'b.flush()' would be invalid
#include "null/null_backend.hpp"

struct incomplete_backend : aerogpu::null_backend {
  using aerogpu::null_backend::null_backend;
  auto clear(const aerogpu::clear_call<incomplete_backend>&) noexcept -> aerogpu::result<void>;
  auto draw(const aerogpu::draw_call<incomplete_backend>&) noexcept -> aerogpu::result<void>;
  auto dispatch(const aerogpu::dispatch_call<incomplete_backend>&) noexcept
      -> aerogpu::result<void>;
  auto present(const aerogpu::present_call<incomplete_backend>&) noexcept -> aerogpu::result<void>;
#ifdef WRONG
  void flush() = delete;
#endif
};

static_assert(aerogpu::backend<incomplete_backend>);
