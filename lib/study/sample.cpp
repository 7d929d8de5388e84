#include "study/sample.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>

#include "core/number_format.h"
#include "core/sha256.h"

namespace csim {
namespace {

std::string draw_text(long seed, const std::string& key, int i) {
  return std::to_string(seed) + " " + key + " " + std::to_string(i);
}

/// c_0 + c_1 x + c_2 x^2 + ..
double polynomial(std::span<const double> c, double x) {
  double sum = 0.0;
  for (std::size_t i = c.size(); i-- > 0;) sum = sum * x + c[i];
  return sum;
}

}  // namespace

double uniform_draw(const std::string& text) {
  const std::uint64_t n = std::stoull(sha256_hex(text).substr(0, 16), nullptr, 16);
  // The sum is rounded once, in extended precision; 2^64 - 1/2 stays below 1 in a double.
  const auto u = static_cast<double>((static_cast<long double>(n) + 0.5L) / 18446744073709551616.0L);
  return std::min(u, 1.0 - 0x1p-53);
}

std::vector<double> random_draws(long seed, const std::string& key, int count) {
  std::vector<double> draws;
  for (int i = 0; i < count; ++i) draws.push_back(uniform_draw(draw_text(seed, key, i)));
  return draws;
}

std::vector<double> latin_hypercube_draws(long seed, const std::string& key, int count) {
  std::vector<std::string> digests;
  for (int i = 0; i < count; ++i) digests.push_back(sha256_hex(draw_text(seed, key, i) + " place"));
  std::vector<int> places(static_cast<std::size_t>(count));
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin(), places.end(), [&](int a, int b) { return digests[a] < digests[b]; });
  std::vector<double> draws = random_draws(seed, key, count);
  for (std::size_t i = 0; i < draws.size(); ++i) draws[i] = (places[i] + draws[i]) / count;
  return draws;
}

double normal_quantile(double u) {
  constexpr double kA[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                           1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                           3.3430575583588128105e+4, 2.5090809287301226727e+3};
  constexpr double kB[] = {1.0,
                           4.2313330701600911252e+1,
                           6.8718700749205790830e+2,
                           5.3941960214247511077e+3,
                           2.1213794301586595867e+4,
                           3.9307895800092710610e+4,
                           2.8729085735721942674e+4,
                           5.2264952788528545610e+3};
  constexpr double kC[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                           3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                           2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double kD[] = {1.0,
                           2.05319162663775882187e0,
                           1.67638483018380384940e0,
                           6.89767334985100004550e-1,
                           1.48103976427480074590e-1,
                           1.51986665636164571966e-2,
                           5.47593808499534494600e-4,
                           1.05075007164441684324e-9};
  constexpr double kE[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                           2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double kF[] = {1.0,
                           5.99832206555887937690e-1,
                           1.36929880922735805310e-1,
                           1.48753612908506148525e-2,
                           7.86869131145613259100e-4,
                           1.84631831751005468180e-5,
                           1.42151175831644588870e-7,
                           2.04426310338993978564e-15};
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kA, r) / polynomial(kB, r);
  }
  const double r = std::sqrt(-std::log(q < 0.0 ? u : 1.0 - u));
  const double tail = r <= 5.0 ? polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6)
                               : polynomial(kE, r - 5.0) / polynomial(kF, r - 5.0);
  return q < 0.0 ? -tail : tail;
}

double rounded_to_12_digits(double value) {
  return std::strtod(format_text("%.11e", value).c_str(), nullptr);
}

}  // namespace csim
