#include "CFenceGrid.h"

#include <math.h>
#include <stdlib.h>

struct fence_entry {
  uint32_t cell, fence;
};

static const double cell_degrees = 0.01, meters_per_degree = 111320, radians = M_PI / 180;

static uint32_t row(double latitude) { return (uint32_t)floor((latitude + 90) / cell_degrees); }
static uint32_t column(double longitude) { return (uint32_t)floor((longitude + 180) / cell_degrees); }

static int compare(const void *a, const void *b) {
  const struct fence_entry *x = a, *y = b;
  return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : (x->fence > y->fence) - (x->fence < y->fence);
}

int CFenceGrid_build(struct fence_grid *grid, size_t count, const double *circles) {
  size_t room = 4 * count + 16;
  grid->fences = malloc(count * sizeof *grid->fences);
  grid->entries = malloc(room * sizeof *grid->entries);
  grid->count = count, grid->entry_count = 0;
  if (!grid->fences || !grid->entries) return -1;
  for (size_t i = 0; i < count; i++) {
    double latitude = circles[3 * i], longitude = circles[3 * i + 1], radius = circles[3 * i + 2];
    grid->fences[i] = (struct fence){(int32_t)lrint(latitude * 1e7), (int32_t)lrint(longitude * 1e7), (float)radius};
    double dy = radius / meters_per_degree, dx = dy / fmax(0.01, cos(latitude * radians));
    for (uint32_t r = row(latitude - dy); r <= row(latitude + dy); r++)
      for (uint32_t c = column(longitude - dx); c <= column(longitude + dx); c++) {
        if (grid->entry_count == room) {
          grid->entries = realloc(grid->entries, (room += room / 2) * sizeof *grid->entries);
          if (!grid->entries) return -1;
        }
        grid->entries[grid->entry_count++] = (struct fence_entry){r * 36000 + c, (uint32_t)i};
      }
  }
  qsort(grid->entries, grid->entry_count, sizeof *grid->entries, compare);
  return 0;
}

size_t CFenceGrid_count(const struct fence_grid *grid, double latitude, double longitude) {
  uint32_t cell = row(latitude) * 36000 + column(longitude);
  size_t low = 0, high = grid->entry_count, found = 0;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (grid->entries[middle].cell < cell) low = middle + 1;
    else high = middle;
  }
  double scale = cos(latitude * radians);
  for (; low < grid->entry_count && grid->entries[low].cell == cell; low++) {
    const struct fence *fence = &grid->fences[grid->entries[low].fence];
    double dy = (latitude - fence->latitude_e7 * 1e-7) * meters_per_degree;
    double dx = (longitude - fence->longitude_e7 * 1e-7) * meters_per_degree * scale;
    found += dx * dx + dy * dy <= (double)fence->radius * fence->radius;
  }
  return found;
}
