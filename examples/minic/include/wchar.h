#ifndef MINIC_WCHAR_H
#define MINIC_WCHAR_H
#include <stddef.h>
#include <stdio.h>
#endif
