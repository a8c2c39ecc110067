#ifndef MINIC_MATH_H
#define MINIC_MATH_H
#define HUGE_VAL 1e999
#define HUGE_VALF 1e999F
#define INFINITY HUGE_VALF
#define NAN (INFINITY - INFINITY)
#define isnan(x) ((x) != (x))
#define isinf(x) ((x) == INFINITY || (x) == -INFINITY)
#define isfinite(x) ((x) - (x) == 0)
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double cbrt(double x);
double hypot(double x, double y);
double ldexp(double x, int n);
double frexp(double x, int *n);
double modf(double x, double *whole);
double round(double x);
long lround(double x);
double copysign(double x, double y);
double remainder(double x, double y);
double nextafter(double x, double y);
double exp2(double x);
double expm1(double x);
double log2(double x);
double log1p(double x);
double exp(double x);
double log(double x);
double log10(double x);
double pow(double x, double y);
double sqrt(double x);
double floor(double x);
double ceil(double x);
double trunc(double x);
double rint(double x);
double nearbyint(double x);
double fabs(double x);
double fmod(double x, double y);
double fmin(double x, double y);
double fmax(double x, double y);
float sqrtf(float x);
float floorf(float x);
float ceilf(float x);
float truncf(float x);
float rintf(float x);
float nearbyintf(float x);
float fabsf(float x);
float fminf(float x, float y);
float fmaxf(float x, float y);
#define M_PI 3.14159265358979323846
#endif
