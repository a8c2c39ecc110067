#ifndef MINIC_MATH_H
#define MINIC_MATH_H
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
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
