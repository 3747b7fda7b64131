/// Why stored data cannot be read or written.
package enum StorageCause: Hashable, Sendable, CaseIterable {
  case other
  /// The file system is full, or the quota or the size limit is reached.
  case noRoom
  /// The file system is read-only.
  case readOnly
  /// This user has no permission.
  case denied
  /// The disk reports errors.
  case diskError
  /// The stored data is corrupt.
  case damaged
  /// A later version wrote it.
  case laterVersion
  /// Other processes use it; a retry may succeed.
  case busy
}
