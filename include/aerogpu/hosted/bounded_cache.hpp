// SPDX-License-Identifier: MIT
/// \file A cache with bounds: a hash map that gives up what was used least recently.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/keyed_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace aerogpu {

/// Maps keys to values that can be made again. Keys compare with == and have
/// `hash_into(Hash&) const`; the seed keeps a guest from choosing keys that collide. When the
/// idle entries are more than the bounds allow, those used longest ago go, each through `Drop`,
/// which owns the value then: what the device may still use outlives its entry there. The entry
/// that was added last and pinned ones stay. Entries keep their address. Not thread-safe.
template <class Key, class Value, class Hash = keyed_hash>
class bounded_cache {
 public:
  /// What may be idle at once. `size_bytes` adds up what entries were said to take.
  struct bounds {
    std::uint64_t count = 0;
    std::uint64_t size_bytes = UINT64_MAX;
  };
  /// Called for each value that goes, while its entry is out of the cache.
  struct drop {
    void* owner = nullptr;
    void (*call)(void* owner, Value& value) noexcept = nullptr;
  };
  class group;

  class entry {
   public:
    Value value;
    [[nodiscard]] auto key() const noexcept -> const Key& { return key_; }

   private:
    friend bounded_cache;
    entry(Key&& key, Value&& made) noexcept : value(std::move(made)), key_(std::move(key)) {}

    Key key_;
    std::uint64_t hash_ = 0;
    std::uint64_t size_bytes_ = 0;
    std::uint32_t pins_ = 0;
    entry* next_in_bucket_ = nullptr;
    entry* newer_ = nullptr;
    entry* older_ = nullptr;
    group* group_ = nullptr;
    entry* next_in_group_ = nullptr;
    entry* previous_in_group_ = nullptr;
  };

  /// Entries that go together, in the order of their use as far as `find` saw the group. Stays
  /// where it is, and is empty at its end.
  class group {
   public:
    group() noexcept = default;
    group(const group&) = delete;
    auto operator=(const group&) -> group& = delete;
    ~group() { AEROGPU_CHECK(first_ == nullptr); }
    [[nodiscard]] auto empty() const noexcept -> bool { return first_ == nullptr; }

   private:
    friend bounded_cache;
    entry* first_ = nullptr;
  };

  bounded_cache(std::uint64_t seed, const bounds& most, const drop& gone) noexcept
      : seed_(seed), most_(most), drop_(gone) {}
  bounded_cache(const bounded_cache&) = delete;
  auto operator=(const bounded_cache&) -> bounded_cache& = delete;
  ~bounded_cache() { clear(); }

  /// The entry of `key`, now the one used last; null when there is none. A probe hashes as the key
  /// does that it equals.
  template <class Probe>
  [[nodiscard]] auto find(const Probe& key) noexcept -> entry* {
    if (buckets_.empty()) return nullptr;
    entry* at = buckets_[bucket_of(hash_of(key))];
    while (at != nullptr && !(at->key_ == key)) at = at->next_in_bucket_;
    if (at != nullptr) touch(*at);
    return at;
  }
  /// The same for a key whose entry can only be in `of`; quick for the one found there last.
  template <class Probe>
  [[nodiscard]] auto find(const Probe& key, group& of) noexcept -> entry* {
    entry* const first = of.first_;
    if (first == nullptr) return nullptr;
    if (first->key_ == key) {
      touch(*first);
      return first;
    }
    if (first->next_in_group_ == nullptr) return nullptr;
    entry* const found = find(key);
    if (found != nullptr) {
      leave_group(*found);
      join_group(*found, of);
    }
    return found;
  }

  /// Adds an entry, and lets others go for it. Null when the heap is exhausted: then nothing
  /// changed, and `value` is still the caller's. Precondition: there is no entry of `key`.
  [[nodiscard]] auto insert(Key key, Value&& value, std::uint64_t size_bytes = 0,
                            group* of = nullptr) noexcept -> entry* {
    if (!make_buckets()) return nullptr;
    auto* const made = new (std::nothrow) entry(std::move(key), std::move(value));
    if (made == nullptr) return nullptr;
    made->hash_ = hash_of(made->key_);
    made->size_bytes_ = size_bytes;
    link_bucket(*made);
    ++size_;
    become_idle(*made);
    if (of != nullptr) join_group(*made, *of);
    shrink();
    return made;
  }

  /// Keeps an entry until as many `unpin` come; it does not count for the bounds meanwhile.
  void pin(entry& kept) noexcept {
    if (kept.pins_++ == 0) stop_being_idle(kept);
  }
  /// The last one makes it idle, used just now.
  void unpin(entry& kept) noexcept {
    AEROGPU_CHECK(kept.pins_ != 0);
    if (--kept.pins_ != 0) return;
    become_idle(kept);
    shrink();
  }

  /// Lets an entry go, pinned or not.
  void erase(entry& old) noexcept {
    unlink(old);
    drop_.call(drop_.owner, old.value);
    delete &old;
  }
  void erase(group& all) noexcept {
    while (all.first_ != nullptr) erase(*all.first_);
  }
  void clear() noexcept {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      while (buckets_[i] != nullptr) erase(*buckets_[i]);
    }
  }
  /// Calls `visit(value)` for each entry, in no particular order.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (entry* at : buckets_) {
      for (; at != nullptr; at = at->next_in_bucket_) visit(at->value);
    }
  }

  /// Of all entries.
  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }
  /// Of those that are not pinned.
  [[nodiscard]] auto idle_bytes() const noexcept -> std::uint64_t { return idle_bytes_; }

 private:
  static constexpr std::size_t first_buckets = 16;

  template <class Probe>
  [[nodiscard]] auto hash_of(const Probe& key) const noexcept -> std::uint64_t {
    Hash hash{seed_};
    key.hash_into(hash);
    return hash.finish();
  }
  [[nodiscard]] auto bucket_of(std::uint64_t hash) const noexcept -> std::size_t {
    return static_cast<std::size_t>(hash) & (buckets_.size() - 1);
  }

  /// Doubles the buckets when there are as many entries; where the heap has no more, the chains
  /// grow instead. False without any.
  [[nodiscard]] auto make_buckets() noexcept -> bool {
    if (size_ < buckets_.size()) return true;
    heap_array<entry*> larger;
    if (!larger.resize(buckets_.empty() ? first_buckets : buckets_.size() * 2)) {
      return !buckets_.empty();
    }
    std::swap(buckets_, larger);
    for (entry* at : larger) {
      while (at != nullptr) link_bucket(*std::exchange(at, at->next_in_bucket_));
    }
    return true;
  }
  void link_bucket(entry& made) noexcept {
    entry*& first = buckets_[bucket_of(made.hash_)];
    made.next_in_bucket_ = std::exchange(first, &made);
  }
  void unlink(entry& old) noexcept {
    entry** at = &buckets_[bucket_of(old.hash_)];
    while (*at != &old) at = &(*at)->next_in_bucket_;
    *at = old.next_in_bucket_;
    --size_;
    if (old.pins_ == 0) stop_being_idle(old);
    if (old.group_ != nullptr) leave_group(old);
  }

  void touch(entry& used) noexcept {
    if (newest_ == &used || used.pins_ != 0) return;
    unlink_use(used);
    link_use(used);
  }
  void become_idle(entry& idle) noexcept {
    link_use(idle);
    ++idle_;
    idle_bytes_ += idle.size_bytes_;
  }
  void stop_being_idle(entry& used) noexcept {
    unlink_use(used);
    --idle_;
    idle_bytes_ -= used.size_bytes_;
  }
  void link_use(entry& used) noexcept {
    used.newer_ = nullptr;
    used.older_ = std::exchange(newest_, &used);
    (used.older_ != nullptr ? used.older_->newer_ : oldest_) = &used;
  }
  void unlink_use(entry& used) noexcept {
    (used.newer_ != nullptr ? used.newer_->older_ : newest_) = used.older_;
    (used.older_ != nullptr ? used.older_->newer_ : oldest_) = used.newer_;
  }
  void shrink() noexcept {
    while (oldest_ != newest_ && (idle_ > most_.count || idle_bytes_ > most_.size_bytes)) {
      erase(*oldest_);
    }
  }

  void join_group(entry& joined, group& of) noexcept {
    joined.group_ = &of;
    joined.previous_in_group_ = nullptr;
    joined.next_in_group_ = std::exchange(of.first_, &joined);
    if (joined.next_in_group_ != nullptr) joined.next_in_group_->previous_in_group_ = &joined;
  }
  void leave_group(entry& old) noexcept {
    entry*& before = old.previous_in_group_ != nullptr ? old.previous_in_group_->next_in_group_
                                                       : old.group_->first_;
    before = old.next_in_group_;
    if (old.next_in_group_ != nullptr) {
      old.next_in_group_->previous_in_group_ = old.previous_in_group_;
    }
    old.group_ = nullptr;
  }

  std::uint64_t seed_;
  bounds most_;
  drop drop_;
  heap_array<entry*> buckets_;
  std::size_t size_ = 0;
  std::size_t idle_ = 0;
  std::uint64_t idle_bytes_ = 0;
  entry* newest_ = nullptr;
  entry* oldest_ = nullptr;
};

}  // namespace aerogpu
