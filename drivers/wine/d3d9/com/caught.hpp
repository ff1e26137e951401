// SPDX-License-Identifier: MIT
/// \file No exception leaves a method of the API.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <new>
#include <utility>

namespace aerogpu::d3d9 {

/// What `work` answers, or what the API says of its exception.
template <class Work>
[[nodiscard]] auto caught(Work&& work) noexcept -> HRESULT {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  } catch (...) {
    return E_FAIL;
  }
}

}  // namespace aerogpu::d3d9
