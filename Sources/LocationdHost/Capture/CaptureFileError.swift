/// Why a capture cannot be written.
package enum CaptureFileError: Error, Hashable, Sendable {
  /// A file with that name exists, which may be a recording.
  case exists(path: String)
  case cannotCreate(path: String, errno: Int32)
  /// The file accepts no more data; the `kept` bytes already in it stay readable.
  case cannotWrite(path: String, errno: Int32, kept: Int)
  /// The program that read standard output has gone.
  case readerGone
}
