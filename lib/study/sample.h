// Random values of a study: a function of seed, key and place alone, the same on every machine.
#pragma once

#include <string>
#include <vector>

namespace csim {

/// u in (0, 1): (n + 1/2)/2^64, n the first 8 bytes (big endian) of the SHA-256 of `text`.
[[nodiscard]] double uniform_draw(const std::string& text);

/// Draws i = 0 .. count - 1 of a key: uniform_draw("SEED KEY i").
[[nodiscard]] std::vector<double> random_draws(long seed, const std::string& key, int count);

/// The same, one in each of `count` equal parts of (0, 1): (place_i + u_i)/count; place_i is the i-th of the
/// numbers 0 .. count - 1 when they are sorted by the digests of "SEED KEY n place", n the number.
[[nodiscard]] std::vector<double> latin_hypercube_draws(long seed, const std::string& key, int count);

/// The quantile function of the standard normal distribution, 0 < u < 1. Wichura (1988), algorithm AS 241
/// (PPND16), relative error about 1e-16.
[[nodiscard]] double normal_quantile(double u);

/// The value rounded to 12 significant decimal digits.
[[nodiscard]] double rounded_to_12_digits(double value);

}  // namespace csim
