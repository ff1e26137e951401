// SPDX-License-Identifier: MIT
// A backend whose object types are the same is refused: `destroy` could not tell them apart.
// says (gcc): are_distinct
// says (clang): are_distinct
#include "aerogpu/backend/backend.hpp"

struct buffer {};
struct texture {};
struct texture_view {};
struct shader {};
struct input_layout {};
struct sampler {};

struct objects {
  using buffer = ::buffer;
  using texture = ::texture;
  using texture_view = ::texture_view;
  using shader = ::shader;
  using input_layout = ::input_layout;
#ifdef WRONG
  using sampler = ::shader;
#else
  using sampler = ::sampler;
#endif
};

static_assert(aerogpu::detail::backend_objects<objects>);
