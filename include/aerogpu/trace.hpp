// SPDX-License-Identifier: MIT
/// \file The whole trace layer: recorded submissions, in and out.
#pragma once

#include "aerogpu/trace/blob_index.hpp"
#include "aerogpu/trace/errors.hpp"
#include "aerogpu/trace/file_sink.hpp"
#include "aerogpu/trace/format.hpp"
#include "aerogpu/trace/reader.hpp"
#include "aerogpu/trace/recorder.hpp"
#include "aerogpu/trace/records.hpp"
#include "aerogpu/trace/recover.hpp"
#include "aerogpu/trace/sink.hpp"
#include "aerogpu/trace/submission.hpp"
#include "aerogpu/trace/toc.hpp"
#include "aerogpu/trace/writer.hpp"
