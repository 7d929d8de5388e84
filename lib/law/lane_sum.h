// Sums of columns in an order that the source fixes: eight running sums that the compiler keeps in vector
// registers.
#pragma once

namespace csim {

class LaneSum {
 public:
  static constexpr int kLanes = 8;

  void add(const double* x, int n) {
    int i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) lane_[lane] += x[i + lane];
    }
    for (int lane = 0; i < n; ++i, ++lane) lane_[lane] += x[i];
  }

  void add_products(const double* x, const double* y, int n) {
    int i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) lane_[lane] += x[i + lane] * y[i + lane];
    }
    for (int lane = 0; i < n; ++i, ++lane) lane_[lane] += x[i] * y[i];
  }

  [[nodiscard]] double total() const {
    return ((lane_[0] + lane_[4]) + (lane_[2] + lane_[6])) + ((lane_[1] + lane_[5]) + (lane_[3] + lane_[7]));
  }

 private:
  double lane_[kLanes] = {};
};

/// x . y over n entries.
inline double dot(const double* x, const double* y, int n) {
  LaneSum sum;
  sum.add_products(x, y, n);
  return sum.total();
}

}  // namespace csim
