// Doubles at cache-line alignment, for kernels that load whole registers.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace csim {

/// An array that only grows; growing loses the content, and new entries are not initialised.
class AlignedBuffer {
 public:
  static constexpr std::size_t kAlignment = 64;

  [[nodiscard]] double* data() { return data_.get(); }
  [[nodiscard]] const double* data() const { return data_.get(); }

  /// Room for `size` doubles; a quarter more when it must grow, as contact patterns grow in small steps.
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    data_.reset();
    capacity_ = size + size / 4;
    data_.reset(
        static_cast<double*>(::operator new (capacity_ * sizeof(double), std::align_val_t{kAlignment})));
  }

 private:
  struct Delete {
    void operator()(double* data) const { ::operator delete (data, std::align_val_t{kAlignment}); }
  };

  std::unique_ptr<double[], Delete> data_;
  std::size_t capacity_ = 0;
};

}  // namespace csim
