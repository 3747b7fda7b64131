import GNSSReceiver
import Geodesy
package import LocationIPC

/// One device while it is present: the state of its port, and the receiver session on it.
struct ReceiverLink {
  /// The state of the port. The session lives exactly while the port is open.
  enum Port {
    case closed
    case opening
    /// Another process of this software holds it; the host reports when it is free.
    case waiting(holder: Int32?)
    case open(OpenReceiver)
    /// It could not be opened, or it closed itself; `retryAt`: when it is tried again, `nil`: never.
    case failed(OpenProblem, retryAt: Instant?)
    /// It delivers no more data: the end of a replay.
    case ended(problem: String?)
  }

  let id: LinkID
  var detectedDevice: DetectedDevice
  var port = Port.closed {
    didSet {
      if case .open(let before) = oldValue { savedConfiguration = before.session.pendingRestore ?? savedConfiguration }
      switch port {
      case .open: openProblem = nil
      case .failed(let problem, _): (openProblem, releaseEnd) = (problem, nil)
      case .closed, .opening, .waiting, .ended: releaseEnd = nil
      }
    }
  }
  /// Why the last attempt to open the port failed; it remains the answer to a request while the next attempt lasts.
  private(set) var openProblem: OpenProblem?
  /// Whether the latest complete epoch since the port was opened has a fix.
  var hasFix = false
  /// The satellites that the receiver listed last since the port was opened.
  var skyList: SkyList?
  /// The satellites of the latest update.
  var satellites: (used: Int?, inView: Int?) = (nil, nil)
  /// What the receiver reported about itself, kept across reopening.
  var identity = ReceiverIdentity()
  var state: LinkState?
  /// Set once all baud rates were tried and no data was received.
  var receivedNothing: FailedProbe?
  /// Attempts in a row that failed or ended at once; they delay the next ones.
  var failures = 0

  /// The settings that were changed in the receiver and not restored, because its port was lost.
  var savedConfiguration: SavedReceiverConfiguration?
  /// The configuration that the receiver was last asked for.
  var requestedConfiguration: ReceiverConfigurationRequest?
  /// Set while the receiver's settings are restored, before its port is closed: when that is given up.
  var releaseEnd: Instant?

  /// Set while the port, which has never been open, does not exist: when requests no longer wait for it.
  var absenceEnd: Instant?

  /// Whether the port has ever been open: then a missing port was unplugged, and the service waits for it.
  var hasBeenOpen = false

  /// The result of a baud rate probe without success.
  struct FailedProbe: Hashable {
    var bytes: Int
    var speeds: [Int]
  }

  init(id: LinkID, detectedDevice: DetectedDevice) {
    self.id = id
    self.detectedDevice = detectedDevice
  }

  /// Whether it may be opened at all: an adapter only once it is trusted, and no device that is being handed over to gpsd.
  var isUsable: Bool { isTrusted && !detectedDevice.isLeaving }

  private var isTrusted: Bool {
    switch detectedDevice.kind {
    case .receiver, .trusted: true
    case .adapter: false
    }
  }

  /// Whether its port is open or being opened.
  var holdsPort: Bool {
    switch port {
    case .opening, .open: true
    case .closed, .waiting, .failed, .ended: false
    }
  }

  /// Whether a position may still come from it.
  var isPromising: Bool {
    guard isTrusted else { return false }
    // It will be reached through gpsd.
    guard !detectedDevice.isLeaving else { return true }
    return switch port {
    case .closed, .opening, .waiting: true
    case .open: receivedNothing == nil
    // A port that is gone, or never existed, is looked for again, but counts only when it is back.
    case .failed(.cannotOpen(.doesNotExist), _): false
    case .failed(_, let retryAt): retryAt != nil && !hasBeenOpen
    case .ended: false
    }
  }

  /// When its session must be woken, or its port opened again.
  var nextDeadline: Instant? {
    switch port {
    case .closed, .opening, .waiting, .ended: absenceEnd
    case .open(let receiver): Instant.earlier(receiver.nextDeadline, releaseEnd)
    case .failed(_, let retryAt): Instant.earlier(retryAt, absenceEnd)
    }
  }

  /// The same without copying the link out of its array.
  mutating func earliestDeadline() -> Instant? { nextDeadline }

  /// Runs `body` on the session, if the port is open.
  func withSession(_ body: (inout ReceiverSession) -> [ReceiverSession.Action]) -> [ReceiverSession.Action] {
    guard case .open(let receiver) = port else { return [] }
    return body(&receiver.session)
  }

  /// How many of the receiver's settings must still be restored.
  var pendingRestoreCount: Int {
    guard case .open(let receiver) = port else { return 0 }
    return receiver.session.pendingRestore?.count ?? 0
  }

  /// Until when the receiver's next bytes may stay unread; `nil`: they must be read at once.
  func rest(at now: Instant) -> Instant? {
    guard case .open(let receiver) = port else { return nil }
    return receiver.session.rest(at: now)
  }

  /// Whether another process holds the port.
  var isWaitingForOthers: Bool {
    switch port {
    case .waiting, .failed(.inUse, _): true
    case .closed, .opening, .open, .failed, .ended: false
    }
  }

  /// Whether it will never deliver data again.
  var isOver: Bool { if case .ended = port { true } else { false } }

  /// The device as a client sees it.
  var description: DeviceDescription {
    var device = DeviceDescription(
      id: detectedDevice.id, path: detectedDevice.path, kind: detectedDevice.kind, state: deviceState)
    device.usbVendorID = detectedDevice.usbVendorID
    device.usbProductID = detectedDevice.usbProductID
    device.product = detectedDevice.product
    device.name = detectedDevice.name
    device.chip = identity.modelName
    device.firmware = identity.firmware
    device.protocolName =
      switch (identity.speaksNMEA, identity.speaksUBX) {
      case (true, true): "nmea+ubx"
      case (true, false): "nmea"
      case (false, true): "ubx"
      case (false, false): nil
      }
    if case .open(let receiver) = port, detectedDevice.showsBaud { device.baud = receiver.session.speed }
    device.owner = detectedDevice.gpsd != nil ? .gpsd : detectedDevice.isOwned ? .locationd : nil
    return device
  }

  private var deviceState: DeviceState {
    guard isTrusted else { return .untrusted }
    switch port {
    case .closed, .ended: return .closed
    case .opening: return .opening
    case .waiting, .failed(.inUse, _), .failed(.lockedByOwn, _): return .busy
    case .failed(.permissionDenied, _): return .denied
    case .failed(.cannotOpen, _): return .closed
    case .open:
      if receivedNothing != nil { return .silent }
      switch state {
      case .probing?, nil: return .hunting
      case .silent?: return .silent
      case .talking?: return hasFix ? .fixing : .identified
      }
    }
  }
}

/// Identifies one device within the core while it is present.
package struct LinkID: Hashable, Sendable {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// The session of an open port, as an object: it is large and gets input every few bytes, so that moving it in and out of its link
/// would cost more than its work.
final class OpenReceiver {
  var session: ReceiverSession

  init(_ session: ReceiverSession) { self.session = session }

  /// When the session must be woken.
  var nextDeadline: Instant? { session.earliestDeadline() }
}

/// Why a device could not be opened, as far as that decides what happens next.
package enum OpenProblem: Hashable, Sendable {
  /// Another process of this software holds it; the host reports when it is free (`portFreed`).
  case lockedByOwn(pid: Int32?)
  /// Another program holds it.
  case inUse(PortHolder)
  /// This user has no permission.
  case permissionDenied(group: String?)
  /// It cannot be a receiver, or the system refused to open it.
  case cannotOpen(OpenFailure)
}
