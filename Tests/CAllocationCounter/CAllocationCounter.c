#include "CAllocationCounter.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

// glibc keeps its allocator under these names for those who replace the usual ones (glibc manual, "Replacing malloc").
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Initial-exec: the other models may allocate on first use.
static __thread bool isCounting __attribute__((tls_model("initial-exec")));
static __thread uint64_t count __attribute__((tls_model("initial-exec")));

static inline void note(void) {
  if (isCounting) ++count;
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  note();
  return __libc_calloc(items, size);
}

void *realloc(void *block, size_t size) {
  note();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  note();
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *block = memory;
  return 0;
}

bool CAllocationCounter_isAvailable(void) { return true; }

void CAllocationCounter_start(void) {
  count = 0;
  isCounting = true;
}

uint64_t CAllocationCounter_stop(void) {
  isCounting = false;
  return count;
}

#else

bool CAllocationCounter_isAvailable(void) { return false; }
void CAllocationCounter_start(void) {}
uint64_t CAllocationCounter_stop(void) { return 0; }

#endif

uint64_t CAllocationCounter_heap(void) {
#ifdef __GLIBC__
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
#else
  return 0;
#endif
}
