/* measure.h: time and memory of a replay. */
#ifndef MEASURE_H
#define MEASURE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Processor time in nanoseconds. */
double measure_time(void);

/* Resident memory now, which the peak starts from again; the peak since then.
** In KiB, -1 where the system does not tell. */
long measure_base(void);
long measure_peak(void);

/* Of n numbers, which are sorted for it. */
double measure_best(double *a, int n);
double measure_median(double *a, int n);

#ifdef __cplusplus
}
#endif

#endif
