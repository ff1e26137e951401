// SPDX-License-Identifier: MIT
/// \file The JSON library without exceptions, members in the order they were added.
#pragma once

#ifndef JSON_NOEXCEPTION
#define JSON_NOEXCEPTION
#endif
#include <nlohmann/json.hpp>

namespace aerogpu::tool {

using json = nlohmann::ordered_json;

}  // namespace aerogpu::tool
