#pragma once
#include <stdbool.h>
#include <stdint.h>

// Counts what the calling thread takes from the heap. Other threads do not disturb it.

/// Whether anything is counted: not under a sanitizer, which brings an allocator of its own.
bool CAllocationCounter_isAvailable(void);

/// What all threads have taken of the heap and not given back, bytes, with what the allocator needs for it.
uint64_t CAllocationCounter_heap(void);

/// Begins to count from zero.
void CAllocationCounter_start(void);

/// Stops, and tells how many blocks were taken or resized since the start.
uint64_t CAllocationCounter_stop(void);
