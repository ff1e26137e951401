// SPDX-License-Identifier: MIT
/// \file The live objects of one kind, so that a device that ends can end them: an intrusive list.
#pragma once

#include <cstddef>

namespace aerogpu::umd {

template <class T>
class object_list;

/// What an object derives from to be in a list. It is in one at a time.
template <class T>
class listed {
 private:
  friend class object_list<T>;

  T* next_ = nullptr;
  T* previous_ = nullptr;
};

/// Owns nothing. The device's mutex guards it.
template <class T>
class object_list {
 public:
  void insert(T& made) noexcept {
    made.listed<T>::previous_ = nullptr;
    made.listed<T>::next_ = first_;
    if (first_ != nullptr) first_->listed<T>::previous_ = &made;
    first_ = &made;
    ++size_;
  }
  void remove(T& gone) noexcept {
    T*& next = gone.listed<T>::next_;
    T*& previous = gone.listed<T>::previous_;
    (previous != nullptr ? previous->listed<T>::next_ : first_) = next;
    if (next != nullptr) next->listed<T>::previous_ = previous;
    next = nullptr;
    previous = nullptr;
    --size_;
  }
  [[nodiscard]] auto first() const noexcept -> T* { return first_; }
  /// The one behind `of`; null behind the last.
  [[nodiscard]] static auto after(const T& of) noexcept -> T* { return of.listed<T>::next_; }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }

 private:
  T* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace aerogpu::umd
