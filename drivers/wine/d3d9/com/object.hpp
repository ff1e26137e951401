// SPDX-License-Identifier: MIT
/// \file What all objects of the API are: two counts of references, and their interfaces.
#pragma once

#include "drivers/wine/d3d9/api/unknown.hpp"

#include <atomic>
#include <utility>

namespace aerogpu::d3d9 {

/// The program's references and the device's own. An object ends when it has neither: what is bound
/// to a state lives on after the program's last Release, and a getter revives it.
class object {
 public:
  object() = default;
  object(const object&) = delete;
  auto operator=(const object&) -> object& = delete;

  /// AddRef.
  auto add_reference() noexcept -> ULONG {
    const auto before = references_.fetch_add(1);
    if (before == 0) {
      bind();
      on_first_reference();
      if (auto* const kept = keeps(); kept != nullptr) kept->AddRef();
    }
    return before + 1;
  }
  /// Release. One too many changes nothing.
  auto drop_reference() noexcept -> ULONG {
    auto before = references_.load();
    do {
      if (before == 0) return 0;
    } while (!references_.compare_exchange_weak(before, before - 1));
    if (before == 1) {
      auto* const kept = keeps();
      on_last_reference();
      unbind();
      // Last: it may end with this.
      if (kept != nullptr) kept->Release();
    }
    return before - 1;
  }
  [[nodiscard]] auto references() const noexcept -> ULONG { return references_.load(); }
  /// Whether more than the program's references hold it.
  [[nodiscard]] auto is_bound() const noexcept -> bool {
    return bindings_.load() > (references_.load() != 0 ? 1u : 0u);
  }

  void bind() noexcept { bindings_.fetch_add(1); }
  void unbind() noexcept {
    if (bindings_.fetch_sub(1) == 1) end();
  }

 protected:
  virtual ~object() = default;
  /// Whom the program's references keep alive: it gets one with the first, and gives it back after
  /// the last, when this may be gone already. A child's device.
  [[nodiscard]] virtual auto keeps() noexcept -> IUnknown* { return nullptr; }
  virtual void on_first_reference() noexcept {}
  virtual void on_last_reference() noexcept {}
  virtual void end() noexcept;

 private:
  std::atomic<ULONG> references_ = 0;
  std::atomic<ULONG> bindings_ = 0;
};

/// A binding: a reference that the program does not see.
template <class T>
class bound {
 public:
  bound() = default;
  explicit bound(T* to) noexcept : to_(to) {
    if (to_ != nullptr) to_->bind();
  }
  bound(const bound& other) noexcept : bound(other.to_) {}
  bound(bound&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
  auto operator=(bound other) noexcept -> bound& {
    std::swap(to_, other.to_);
    return *this;
  }
  ~bound() {
    if (to_ != nullptr) to_->unbind();
  }

  [[nodiscard]] auto get() const noexcept -> T* { return to_; }
  auto operator->() const noexcept -> T* { return to_; }
  auto operator*() const noexcept -> T& { return *to_; }
  explicit operator bool() const noexcept { return to_ != nullptr; }
  friend auto operator==(const bound& a, const bound& b) noexcept -> bool { return a.to_ == b.to_; }

 private:
  T* to_ = nullptr;
};

/// IUnknown of an object whose only table is `Interface`. `Self` has
/// `auto answers(const iid&) const noexcept -> bool` for all its names but IUnknown's.
template <class Self, class Interface>
class com_object : public Interface, public object {
 public:
  HRESULT APIENTRY QueryInterface(const iid& wanted, void** found) override {
    if (found == nullptr) return static_cast<HRESULT>(0x80004003u);  // E_POINTER
    *found = nullptr;
    auto& self = static_cast<Self&>(*this);
    if (!is_same(wanted, iid_unknown) && !self.answers(wanted)) return E_NOINTERFACE;
    self.AddRef();
    *found = static_cast<Interface*>(this);
    return S_OK;
  }
  ULONG APIENTRY AddRef() override { return add_reference(); }
  ULONG APIENTRY Release() override { return drop_reference(); }

 protected:
  ~com_object() override = default;
};

/// A getter's answer: the object with a reference more, or nullptr.
template <class Interface, class T>
void hand_out(Interface** to, T* one) noexcept {
  *to = one;
  if (one != nullptr) one->AddRef();
}

}  // namespace aerogpu::d3d9
