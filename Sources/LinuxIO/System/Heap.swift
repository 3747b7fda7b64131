internal import CLinux

/// The memory that this process has from the kernel.
package enum Heap {
  /// Gives back what nobody uses any more. After a peak the C library keeps it otherwise; it takes some milliseconds.
  package static func trim() { clinux_heap_trim() }
}
