import LinuxIO

/// A file of another program, read piece by piece. Its contents are untrusted.
final class PieceReader {
  private static let pieceSize = 65_536

  private let path: String
  private let remedy: String
  private let file: InputFile
  private var buffer = [UInt8](repeating: 0, count: pieceSize)
  private var isAtEnd = false
  /// The number of bytes read so far.
  private(set) var position = 0

  /// - Parameter remedy: what to do if the file cannot be read, for the message.
  init(_ path: String, remedy: String) throws(FailureMessage) {
    (self.path, self.remedy) = (path, remedy)
    do throws(InputFileError) {
      file = try InputFile(path: path)
    } catch {
      throw FailureMessage(error, path: path, remedy: remedy)
    }
  }

  /// Passes the next piece to `receive`, or calls `finish` at the end of the file; returns the result, or `nil` after
  /// the end.
  func next<Output, Failure>(
    _ receive: (Span<UInt8>) throws(Failure) -> Output, finish: () throws(Failure) -> Output,
    _ message: (Failure) -> FailureMessage
  ) throws(FailureMessage) -> Output? {
    guard !isAtEnd else { return nil }
    let count: Int
    do throws(SystemError) {
      count = try file.read(into: &buffer)
    } catch {
      throw FailureMessage(.system(error), path: path, remedy: remedy)
    }
    isAtEnd = count == 0
    position += count
    let bytes = buffer
    do throws(Failure) {
      if isAtEnd { return try finish() }
      return try receive(bytes.span.extracting(0..<count))
    } catch {
      throw message(error)
    }
  }
}
