/* measure.h: time and memory of a replay. */
#ifndef MEASURE_H
#define MEASURE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Processor time in nanoseconds. */
double measure_time(void);

/* Resets the peak of resident memory and returns what is resident; the peak
** since then.  In KiB, -1 if the system does not tell. */
long measure_base(void);
long measure_peak(void);

/* The smallest and the median of n numbers, which are sorted in place. */
double measure_best(double *a, int n);
double measure_median(double *a, int n);

#ifdef __cplusplus
}
#endif

#endif
