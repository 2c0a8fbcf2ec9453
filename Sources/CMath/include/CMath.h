#pragma once
#include <math.h>
/* Scalar mathematics for targets that import no C library: Swift's own standard library has none of these. */
static inline double lapel_log10(double x) { return log10(x); }
static inline double lapel_pow10(double x) { return pow(10.0, x); }
static inline double lapel_sqrt(double x) { return sqrt(x); }
static inline double lapel_sin(double x) { return sin(x); }
static inline double lapel_cos(double x) { return cos(x); }
static inline double lapel_exp(double x) { return exp(x); }
static inline double lapel_tan(double x) { return tan(x); }
static inline float lapel_expf(float x) { return expf(x); }
static inline float lapel_log10f(float x) { return log10f(x); }
/* Level of a block in dBFS by AES17 and IEC 61606: a full-scale sine reads 0 (RMS + 3.01 dB); silence, an empty
   block and anything below read -120. `sum_of_squares_of_int16`: of the samples as they are, -32768...32767. */
static inline double lapel_dbfs(double sum_of_squares_of_int16, double count) {
    if (!(count > 0)) return -120.0;
    double rms = sqrt(2.0 * (sum_of_squares_of_int16 / (32768.0 * 32768.0) / count));
    return 20.0 * log10(rms > 1e-6 ? rms : 1e-6);
}
