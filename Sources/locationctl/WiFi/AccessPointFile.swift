import LinuxIO
import Positioning
import WireFormats

/// A file with the positions of access points: a table or a tile. It comes from third parties, so its contents are untrusted.
final class AccessPointFile {
  /// The size of one read, bytes.
  private static let chunk = 65_536
  private static let remedy = "use WiGLE's CSV, CSV with the columns bssid, latitude and longitude, or a tile"

  private let path: String
  private let file: InputFile
  private let isTile: Bool
  private var reader = AccessPointTableReader()
  private var averager = AccessPointAverager()
  private var buffer = [UInt8](repeating: 0, count: chunk)
  private var isAtEnd = false

  init(_ path: String) throws(FailureMessage) {
    self.path = path
    isTile = path.hasSuffix(".tile")
    do throws(InputFileError) {
      file = try InputFile(path: path)
    } catch {
      throw FailureMessage(error, path: path, remedy: Self.remedy)
    }
  }

  /// Warnings to print about the file after it was read.
  var remarks: [String] {
    var remarks: [String] = []
    let name = TerminalText.sanitized(path)
    if reader.unreadable > 0, let line = reader.firstUnreadable {
      let lines =
        reader.unreadable == 1 ? "1 line is unreadable and was" : "\(reader.unreadable) lines are unreadable and were"
      remarks.append(
        "\(name): \(lines) left out; the first is line \(line).")
    }
    if reader.leftOut > 0 {
      remarks.append(
        "\(name): \(reader.leftOut) \(reader.leftOut == 1 ? "row" : "rows") left out: networks whose names contain "
          + "_nomap or _optout, entries that are not Wi-Fi, and entries without a position.")
    }
    return remarks
  }

  /// Returns the access points that have been read since the last call and whose names opt out (`_nomap`, `_optout`).
  func takeOptedOut() -> [BSSID] {
    defer { reader.optedOut = [] }
    return reader.optedOut.sorted()
  }

  /// The next positions of access points, possibly an empty list; `nil` at the end of the file.
  func next() throws(FailureMessage) -> [AccessPointPosition]? {
    guard !isAtEnd else { return nil }
    return isTile ? try tile() : try rows()
  }

  private func rows() throws(FailureMessage) -> [AccessPointPosition] {
    let count = try read()
    isAtEnd = count == 0
    var places: [AccessPointPosition] = []
    let bytes = buffer
    do throws(AccessPointTableError) {
      if isAtEnd {
        try reader.finish { row in averager.add(row) { places.append($0) } }
        averager.finish { places.append($0) }
      } else {
        try reader.push(bytes.span.extracting(0..<count)) { row in averager.add(row) { places.append($0) } }
      }
    } catch {
      throw FailureMessage(error, path: path, remedy: Self.remedy)
    }
    for bssid in reader.optedOut { averager.forget(bssid) }
    return places
  }

  private func tile() throws(FailureMessage) -> [AccessPointPosition] {
    isAtEnd = true
    var bytes: [UInt8] = []
    while bytes.count <= AccessPointTile.maximumSize {
      let count = try read()
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    do throws(TileError) {
      return try AccessPointTile(bytes).places()
    } catch {
      throw FailureMessage(
        "\(TerminalText.sanitized(path)) is not a tile, or is damaged: fetch it again, or \(Self.remedy).", .badInput)
    }
  }

  private func read() throws(FailureMessage) -> Int {
    do throws(SystemError) {
      return try file.read(into: &buffer)
    } catch {
      throw FailureMessage(.system(error), path: path, remedy: Self.remedy)
    }
  }
}
