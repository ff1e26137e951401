// SPDX-License-Identifier: MIT
/// \file One description of a structure that both saves and loads it.
///
/// A structure is described by `exchange(archive, structure)`, which names each member once. The
/// same description writes to a `save_archive` and reads from a `load_archive`; what it requires is
/// checked when loading only.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace aerogpu {

class save_archive {
 public:
  static constexpr bool is_loading = false;

  explicit save_archive(snapshot_writer& out) noexcept : out_(out) {}

  template <snapshot_scalar T>
  void field(const T& value) noexcept {
    out_.put(value);
  }
  template <class E>
  requires std::is_enum_v<E>
  void field(const E& value, E) noexcept { out_.put(value); }
  void put(const_bytes bytes) noexcept { out_.put_bytes(bytes); }
  auto require(bool, const char*) noexcept -> bool { return is_good(); }
  [[nodiscard]] auto is_good() const noexcept -> bool {
    return out_.why().code == error_code::none;
  }
  /// A count that was kept below `limit`; the same when loading.
  [[nodiscard]] auto count(std::size_t value, std::uint64_t, std::uint64_t = 1) noexcept
      -> std::uint32_t {
    out_.put(static_cast<std::uint32_t>(value));
    return is_good() ? static_cast<std::uint32_t>(value) : 0;
  }
  void fail(const error& why) noexcept { out_.fail(why); }

 private:
  snapshot_writer& out_;
};

class load_archive {
 public:
  static constexpr bool is_loading = true;

  explicit load_archive(snapshot_reader& in) noexcept : in_(in) {}

  template <snapshot_scalar T>
  void field(T& value) noexcept {
    value = in_.take<T>();
  }
  /// An enumerator at or below `last`.
  template <class E>
  requires std::is_enum_v<E>
  void field(E& value, E last) noexcept { value = in_.take_enum(last); }
  /// Bytes of the snapshot; none after a failure.
  [[nodiscard]] auto take(std::uint64_t size_bytes) noexcept -> const_bytes {
    return in_.take_bytes(size_bytes);
  }
  auto require(bool claim, const char* what) noexcept -> bool { return in_.require(claim, what); }
  [[nodiscard]] auto is_good() const noexcept -> bool { return in_.is_good(); }
  /// The saved count, at most `limit`, of elements that take `element_bytes` or more each.
  [[nodiscard]] auto count(std::size_t, std::uint64_t limit,
                           std::uint64_t element_bytes = 1) noexcept -> std::uint32_t {
    return in_.take_count(limit, element_bytes);
  }
  void fail(const error& why) noexcept { in_.fail(why); }

 private:
  snapshot_reader& in_;
};

}  // namespace aerogpu
