// SPDX-License-Identifier: MIT
// A result that nobody looks at is a warning, and so an error here.
// says: nodiscard
#include "null/null_backend.hpp"

void looks(aerogpu::null_backend& backend) {
#ifdef WRONG
  backend.flush();
#else
  static_cast<void>(backend.flush());
#endif
}
