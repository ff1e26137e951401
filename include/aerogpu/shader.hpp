// SPDX-License-Identifier: MIT
/// \file Direct3D 9 and DXBC byte code, as far as a host checks it: all of the layer.
#pragma once

#include "aerogpu/shader/d3d9_bytecode.hpp"
#include "aerogpu/shader/d3d9_opcodes.hpp"
#include "aerogpu/shader/d3d9_tokens.hpp"
#include "aerogpu/shader/dxbc_container.hpp"
#include "aerogpu/shader/shader_inputs.hpp"
#include "aerogpu/shader/shader_language.hpp"
#include "aerogpu/shader/shader_program.hpp"
#include "aerogpu/shader/shader_signature.hpp"
#include "aerogpu/shader/sm4_program.hpp"
