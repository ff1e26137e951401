/// \file Containers on a heap that can run out: all of the layer.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/hosted/heap_pointer.hpp"
#include "aerogpu/hosted/heap_queue.hpp"
