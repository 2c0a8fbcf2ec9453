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
