// Eight doubles: one AVX-512 register, or an array that the compiler maps to the registers available.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <array>
#include <cstdint>

namespace csim {

/// Comparisons give masks: bit k for lane k.
struct Eight {
  static constexpr int kLanes = 8;
#if defined(__AVX512F__)
  __m512d v;

  static Eight load(const double* a) {
    return {_mm512_loadu_pd(a)};
  }
  static Eight all(double a) {
    return {_mm512_set1_pd(a)};
  }
  void store(double* a) const {
    _mm512_storeu_pd(a, v);
  }
  friend Eight operator+(Eight a, Eight b) {
    return {_mm512_add_pd(a.v, b.v)};
  }
  friend Eight operator-(Eight a, Eight b) {
    return {_mm512_sub_pd(a.v, b.v)};
  }
  friend Eight operator*(Eight a, Eight b) {
    return {_mm512_mul_pd(a.v, b.v)};
  }
  friend Eight operator/(Eight a, Eight b) {
    return {_mm512_div_pd(a.v, b.v)};
  }
  friend Eight min(Eight a, Eight b) {
    return {_mm512_min_pd(a.v, b.v)};
  }
  friend Eight max(Eight a, Eight b) {
    return {_mm512_max_pd(a.v, b.v)};
  }
  friend Eight abs(Eight a) {
    return {_mm512_abs_pd(a.v)};
  }
  friend unsigned operator>(Eight a, Eight b) {
    return _mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ);
  }
  friend unsigned operator<=(Eight a, Eight b) {
    return _mm512_cmp_pd_mask(a.v, b.v, _CMP_LE_OQ);
  }
  /// a where the mask has a bit, else 0.
  friend Eight where(unsigned mask, Eight a) {
    return {_mm512_maskz_mov_pd(static_cast<__mmask8>(mask), a.v)};
  }
  /// Lane k takes lane index[k], 0..7.
  friend Eight permuted(Eight a, const std::array<std::uint8_t, 8>& index) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(index.data()));
    return {_mm512_permutexvar_pd(_mm512_cvtepu8_epi64(bytes), a.v)};
  }
  friend double smallest(Eight a) {
    return _mm512_reduce_min_pd(a.v);
  }
  friend double largest(Eight a) {
    return _mm512_reduce_max_pd(a.v);
  }
  friend double sum(Eight a) {
    return _mm512_reduce_add_pd(a.v);
  }
#else
  double v[kLanes];

  template <typename F>
  static Eight map(F&& f) {
    Eight r;
    for (int k = 0; k < kLanes; ++k) r.v[k] = f(k);
    return r;
  }
  template <typename F>
  static unsigned mask(F&& f) {
    unsigned bits = 0;
    for (int k = 0; k < kLanes; ++k) bits |= static_cast<unsigned>(f(k)) << k;
    return bits;
  }
  template <typename F>
  double reduce(F&& f) const {
    return f(f(f(v[0], v[4]), f(v[2], v[6])), f(f(v[1], v[5]), f(v[3], v[7])));
  }
  static Eight load(const double* a) {
    return map([&](int k) { return a[k]; });
  }
  static Eight all(double a) {
    return map([&](int) { return a; });
  }
  void store(double* a) const {
    for (int k = 0; k < kLanes; ++k) a[k] = v[k];
  }
  friend Eight operator+(const Eight& a, const Eight& b) {
    return map([&](int k) { return a.v[k] + b.v[k]; });
  }
  friend Eight operator-(const Eight& a, const Eight& b) {
    return map([&](int k) { return a.v[k] - b.v[k]; });
  }
  friend Eight operator*(const Eight& a, const Eight& b) {
    return map([&](int k) { return a.v[k] * b.v[k]; });
  }
  friend Eight operator/(const Eight& a, const Eight& b) {
    return map([&](int k) { return a.v[k] / b.v[k]; });
  }
  friend Eight min(const Eight& a, const Eight& b) {
    return map([&](int k) { return a.v[k] < b.v[k] ? a.v[k] : b.v[k]; });
  }
  friend Eight max(const Eight& a, const Eight& b) {
    return map([&](int k) { return a.v[k] > b.v[k] ? a.v[k] : b.v[k]; });
  }
  friend Eight abs(const Eight& a) {
    return map([&](int k) { return a.v[k] < 0.0 ? -a.v[k] : a.v[k]; });
  }
  friend unsigned operator>(const Eight& a, const Eight& b) {
    return mask([&](int k) { return a.v[k] > b.v[k]; });
  }
  friend unsigned operator<=(const Eight& a, const Eight& b) {
    return mask([&](int k) { return a.v[k] <= b.v[k]; });
  }
  friend Eight where(unsigned mask, const Eight& a) {
    return map([&](int k) { return (mask >> k & 1) != 0 ? a.v[k] : 0.0; });
  }
  friend Eight permuted(const Eight& a, const std::array<std::uint8_t, 8>& index) {
    return map([&](int k) { return a.v[index[k]]; });
  }
  friend double smallest(const Eight& a) {
    return a.reduce([](double x, double y) { return x < y ? x : y; });
  }
  friend double largest(const Eight& a) {
    return a.reduce([](double x, double y) { return x > y ? x : y; });
  }
  friend double sum(const Eight& a) {
    return a.reduce([](double x, double y) { return x + y; });
  }
#endif
};

/// Eight points, or vectors.
struct Eight3 {
  Eight x, y, z;
};

[[gnu::always_inline]] inline Eight dot(const Eight3& a, const Eight3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

}  // namespace csim
