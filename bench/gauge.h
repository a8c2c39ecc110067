/* gauge.h: time and memory of a replay. */
#ifndef GAUGE_H
#define GAUGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Processor time in nanoseconds. */
double gauge_time(void);

/* Resident memory now, which the peak starts from again; the peak since then.
** In KiB, -1 where the system does not tell. */
long gauge_base(void);
long gauge_peak(void);

/* Of n numbers, which are sorted for it. */
double gauge_best(double *a, int n);
double gauge_median(double *a, int n);

#ifdef __cplusplus
}
#endif

#endif
