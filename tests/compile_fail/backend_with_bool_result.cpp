// SPDX-License-Identifier: MIT
// An operation that answers with something else than a result is refused.
// says (gcc): 'b.upload_buffer(buffer, n, in)' does not satisfy return-type-requirement
// says (clang): type constraint 'std::same_as<_Bool, result<void> >' was not satisfied
#include "null/null_backend.hpp"

struct boolean_backend : aerogpu::null_backend {
  using aerogpu::null_backend::null_backend;
  auto clear(const aerogpu::clear_call<boolean_backend>&) noexcept -> aerogpu::result<void>;
  auto draw(const aerogpu::draw_call<boolean_backend>&) noexcept -> aerogpu::result<void>;
  auto dispatch(const aerogpu::dispatch_call<boolean_backend>&) noexcept -> aerogpu::result<void>;
  auto present(const aerogpu::present_call<boolean_backend>&) noexcept -> aerogpu::result<void>;
#ifdef WRONG
  auto upload_buffer(buffer&, std::uint64_t, aerogpu::const_bytes) noexcept -> bool;
#endif
};

static_assert(aerogpu::backend<boolean_backend>);
