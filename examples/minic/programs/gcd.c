/* The greatest common divisor of two numbers: printed, and the exit status. */
#include <stdio.h>
#include <stdlib.h>

int gcd(int a, int b) {
  while (b) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    dprintf(2, "two numbers are needed\n");
    return 1;
  }
  int result = gcd(atoi(argv[1]), atoi(argv[2]));
  printf("%d\n", result);
  return result;
}
