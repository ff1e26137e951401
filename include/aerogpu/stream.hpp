// SPDX-License-Identifier: MIT
/// \file The stream layer: packet table, reader, writer, validator and dump.
#pragma once

#include "aerogpu/stream/checked_packet.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/dump.hpp"
#include "aerogpu/stream/error_text.hpp"
#include "aerogpu/stream/generate.hpp"
#include "aerogpu/stream/input_layout_blob.hpp"
#include "aerogpu/stream/packet.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/packet_needs.hpp"
#include "aerogpu/stream/packet_table.hpp"
#include "aerogpu/stream/reader.hpp"
#include "aerogpu/stream/resolve.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/stage.hpp"
#include "aerogpu/stream/text/packets_markdown.hpp"
#include "aerogpu/stream/validate.hpp"
#include "aerogpu/stream/writer.hpp"
