/// Cuts what gpsd sends into lines, and tells where its JSON ends and a receiver's bytes begin.
package struct GPSDLines: Sendable {
  /// gpsd cuts its own objects there, line end included (gpsd_json(5)); whoever sends more is no gpsd.
  package static let maximumLine = 10_240

  /// Lines that were longer and are left out.
  package private(set) var overlong = 0
  private var pending: [UInt8] = []
  private var isSkipping = false

  package init() {}

  /// Takes bytes; calls `body` with each line, without its end, until it says that what follows is no line any more.
  /// Returns where that is; `bytes.count` where all were taken.
  package mutating func take(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8]) -> Bool) -> Int {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      append(bytes[start..<end])
      start = end + 1
      var line: [UInt8] = []
      swap(&line, &pending)
      let isWhole = !isSkipping
      isSkipping = false
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if isWhole, !line.isEmpty, !body(line) { return start }
    }
    append(bytes[start...])
    return bytes.endIndex
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !isSkipping else { return }
    guard pending.count + bytes.count <= Self.maximumLine else {
      overlong += 1
      isSkipping = true
      pending.removeAll(keepingCapacity: true)
      return
    }
    pending += bytes
  }
}
