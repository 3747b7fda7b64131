/// Why what is kept cannot be read or written.
package enum StorageCause: Hashable, Sendable, CaseIterable {
  case other
  /// The file system, the quota or the allowed size is used up.
  case noRoom
  /// The file system is read-only.
  case readOnly
  /// This user may not.
  case denied
  /// The disk reports errors.
  case diskError
  /// What is there is not what was written.
  case damaged
  /// A later version wrote it.
  case laterVersion
  /// Others are at it; it may work in a moment.
  case busy
}
