#ifndef MINIC_SYS_IOCTL_H
#define MINIC_SYS_IOCTL_H
int ioctl(int file, unsigned long request, ...);
#endif
