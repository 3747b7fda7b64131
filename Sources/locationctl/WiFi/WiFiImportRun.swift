import LinuxIO
import LocationIPC
import Positioning
import WireFormats

/// Sends access point positions to the service in batches, as fast as it accepts them.
final class WiFiImportRun {
  private let session: CommandSession
  private var paths: ArraySlice<String>
  private var file: AccessPointFile?
  private var waiting: ArraySlice<AccessPointPosition> = []
  /// The access points that opted out and have not been sent yet.
  private var leaving: ArraySlice<BSSID> = []
  private var sent = 0
  private let isShown = Redrawing.isPossible

  init(_ session: CommandSession, files: [String]) {
    self.session = session
    paths = files[...]
  }

  func execute() -> CommandStatus {
    defer { clear() }
    return session.perform(step(), endsWithOutput: false)
  }

  /// Sends the next batch, or ends.
  private func step() -> RequestStep {
    if isShown { StandardError.write(Array("\r\(sent) access points\u{1B}[K".utf8)) }
    do throws(FailureMessage) {
      while waiting.count < MessageLimits.placesAdded, let more = try next() { waiting += more }
    } catch {
      clear()
      // The batches that have already been sent stay imported.
      return .end(Diagnostics.report(error))
    }
    if !leaving.isEmpty {
      let part = Array(leaving.prefix(MessageLimits.placesAdded))
      leaving = leaving.dropFirst(part.count)
      return .send(.wifi(.leaveOut(part))) { [unowned self] in step() }
    }
    guard !waiting.isEmpty else { return finish() }
    let part = Array(waiting.prefix(MessageLimits.placesAdded))
    waiting = waiting.dropFirst(part.count)
    sent += part.count
    return .send(.wifi(.add(part))) { [unowned self] in step() }
  }

  /// The next batch, possibly empty; `nil` at the end of the last file.
  private func next() throws(FailureMessage) -> [AccessPointPosition]? {
    if let file {
      let places = try file.next()
      leaving += file.takeOptedOut()
      if let places { return places }
      for remark in file.remarks { Diagnostics.print(remark) }
      self.file = nil
    }
    guard let path = paths.popFirst() else { return nil }
    file = try AccessPointFile(path)
    return []
  }

  private func finish() -> RequestStep {
    clear()
    Diagnostics.print("\(CountedNoun.text(sent, "access point")) imported.")
    return .end(.done)
  }

  private func clear() { if isShown { StandardError.write(Array("\r\u{1B}[K".utf8)) } }
}
