// SPDX-License-Identifier: MIT
/// \file The submission ring and the fence page, both halves.
#pragma once

#include "aerogpu/ring/fence_page.hpp"
#include "aerogpu/ring/ring_consumer.hpp"
#include "aerogpu/ring/ring_layout.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "aerogpu/ring/shared_words.hpp"
#include "aerogpu/ring/submission_fetch.hpp"
#include "aerogpu/ring/submit_desc.hpp"
