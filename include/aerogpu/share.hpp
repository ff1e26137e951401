// SPDX-License-Identifier: MIT
/// \file Shared surfaces: the guest's tokens and the host's registry.
#pragma once

#include "aerogpu/share/release_stream.hpp"
#include "aerogpu/share/share_registry.hpp"
#include "aerogpu/share/token_lifetime.hpp"
#include "aerogpu/share/token_source.hpp"
