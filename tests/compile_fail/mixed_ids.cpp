// SPDX-License-Identifier: MIT
// Ids of different things do not mix, nor do they come from bare numbers.
// says: gpa
// says: alloc_id
#include "aerogpu/core/ids.hpp"

[[maybe_unused]] void reads_at(aerogpu::gpa) {}

#ifdef WRONG
void mixes() {
  reads_at(aerogpu::alloc_id{1});
}
#endif
