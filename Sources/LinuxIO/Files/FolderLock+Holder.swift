/// Who has a lock.
extension FolderLock {
  /// The process that has the lock of a folder, as the kernel lists it; `nil` where it does not tell.
  package static func holder(of path: String) -> Int32? {
    (try? FileStatus.of(path)).flatMap { KernelLocks.holder(of: $0) }
  }
}
