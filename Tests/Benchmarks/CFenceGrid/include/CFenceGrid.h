#pragma once
#include <stddef.h>
#include <stdint.h>

// What one would write in an hour: circles in a table sorted by cells of 0.01 degrees. Knows neither poles nor date line.
struct fence {
  int32_t latitude_e7, longitude_e7;
  float radius;
};
struct fence_grid {
  struct fence *fences;
  struct fence_entry *entries;
  size_t count, entry_count;
};

int CFenceGrid_build(struct fence_grid *grid, size_t count, const double *degrees_and_meters);
// How many circles a place lies in.
size_t CFenceGrid_count(const struct fence_grid *grid, double latitude, double longitude);
