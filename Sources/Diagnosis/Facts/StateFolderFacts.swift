/// Where the service remembers.
package struct StateFolderFacts: Hashable, Sendable {
  package var path: String
  /// Whether something can be written there, or the folder can be made.
  package var isWritable: Bool
  /// Bytes that this user may still write there; `nil`: not known.
  package var bytesFree: Int64?

  package init(path: String, isWritable: Bool, bytesFree: Int64?) {
    self.path = path
    self.isWritable = isWritable
    self.bytesFree = bytesFree
  }
}
