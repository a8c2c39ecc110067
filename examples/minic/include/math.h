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
double fabs(double x);
double fmod(double x, double y);
float sqrtf(float x);
float fabsf(float x);
#define M_PI 3.14159265358979323846
#endif
