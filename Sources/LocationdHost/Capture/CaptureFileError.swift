/// Why a capture cannot be written.
package enum CaptureFileError: Error, Hashable, Sendable {
  /// There is a file of that name, which may be a recording.
  case exists(path: String)
  case cannotCreate(path: String, errno: Int32)
  /// The file takes no more; what is in it, so many bytes, stays readable.
  case cannotWrite(path: String, errno: Int32, kept: Int)
  /// Whoever read standard output has gone.
  case readerGone
}
