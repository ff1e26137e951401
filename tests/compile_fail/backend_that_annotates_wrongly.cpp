// SPDX-License-Identifier: MIT
// An optional operation with another argument is told.
// says: the backend's annotate is not: void annotate(std::string_view) noexcept
#include "aerogpu/processor/command_processor.hpp"
#include "null/null_backend.hpp"

struct annotating_backend : aerogpu::null_backend {
  using aerogpu::null_backend::null_backend;
  auto clear(const aerogpu::clear_call<annotating_backend>&) noexcept -> aerogpu::result<void>;
  auto draw(const aerogpu::draw_call<annotating_backend>&) noexcept -> aerogpu::result<void>;
  auto dispatch(const aerogpu::dispatch_call<annotating_backend>&) noexcept
      -> aerogpu::result<void>;
  auto present(const aerogpu::present_call<annotating_backend>&) noexcept -> aerogpu::result<void>;
#ifdef WRONG
  void annotate(const char*) noexcept;
#else
  void annotate(std::string_view) noexcept;
#endif
};

template class aerogpu::command_processor<annotating_backend>;
