import GNSSReceiver
import Geodesy
import LocationIPC

/// One device while it is there: what its port is doing, and the receiver session behind it.
struct ReceiverLink {
  /// What the port is doing. The session lives exactly while the port is open.
  enum Port {
    case closed
    case opening
    /// Another process of this software has it; the host tells when it is free.
    case waiting(holder: Int32?)
    case open(OpenReceiver)
    /// It could not be opened, or it went away; tried again then, or never.
    case failed(OpenProblem, retryAt: Instant?)
    /// It has no more to say: the end of a replay.
    case ended(problem: String?)
  }

  let id: LinkID
  var sighting: DeviceSighting
  var port = Port.closed {
    didSet {
      if case .open(let before) = oldValue { inherited = before.session.inheritance ?? inherited }
      if case .open = port {} else { releaseEnd = nil }
    }
  }
  /// Whether the latest complete epoch since the port was opened has a fix.
  var hasFix = false
  /// The satellites that the receiver listed last since the port was opened.
  var skyList: SkyList?
  /// What the receiver said of itself, kept across reopening.
  var identity = ReceiverIdentity()
  var state: LinkState?
  /// Set once all speeds were tried in vain.
  var heardNothing: SilentHunt?
  /// Openings in a row that failed or ended at once; slows the next ones down.
  var failures = 0

  /// What was changed in the receiver and not put back, as its port was lost.
  var inherited: InheritedSettings?
  /// What the receiver was told that is wanted of it.
  var wish: ReceiverWish?
  /// Set while the receiver is put back, before its port is closed: when that is given up.
  var releaseEnd: Instant?

  /// Whether the port has ever been open: then what is missing has been unplugged, and is waited for.
  var hasBeenOpen = false

  /// What a hunt in vain has seen.
  struct SilentHunt: Hashable {
    var bytes: Int
    var speeds: [Int]
  }

  init(id: LinkID, sighting: DeviceSighting) {
    self.id = id
    self.sighting = sighting
  }

  /// Whether it is to be opened at all: an adapter only once it is trusted, and none that is on its way to gpsd.
  var isUsable: Bool { isTrusted && !sighting.isLeaving }

  private var isTrusted: Bool {
    switch sighting.kind {
    case .receiver, .trusted: true
    case .adapter: false
    }
  }

  /// Whether its port is open, or being opened.
  var holdsPort: Bool {
    switch port {
    case .opening, .open: true
    case .closed, .waiting, .failed, .ended: false
    }
  }

  /// Whether a position may still come from it.
  var isPromising: Bool {
    guard isTrusted else { return false }
    // gpsd will be the way to it.
    guard !sighting.isLeaving else { return true }
    return switch port {
    case .closed, .opening, .waiting: true
    case .open: heardNothing == nil
    // A port that has gone, or never was, is looked for again, and counted on only when it is back.
    case .failed(.cannotOpen(.doesNotExist), _): false
    case .failed(_, let retryAt): retryAt != nil && !hasBeenOpen
    case .ended: false
    }
  }

  /// When its session or its next opening wants to be woken.
  var nextDeadline: Instant? {
    switch port {
    case .closed, .opening, .waiting, .ended: nil
    case .open(let receiver): ServiceCore.earlier(receiver.nextDeadline, releaseEnd)
    case .failed(_, let retryAt): retryAt
    }
  }

  /// The same without copying the link out of its array.
  mutating func earliestDeadline() -> Instant? { nextDeadline }

  /// Feeds the session.
  func withSession(_ body: (inout ReceiverSession) -> [ReceiverSession.Action]) -> [ReceiverSession.Action] {
    guard case .open(let receiver) = port else { return [] }
    return body(&receiver.session)
  }

  /// Settings of the receiver that are to be put back.
  var settingsOwed: Int {
    guard case .open(let receiver) = port else { return 0 }
    return receiver.session.inheritance?.count ?? 0
  }

  /// Until when the session lets bytes lie.
  func rest(at now: Instant) -> Instant? {
    guard case .open(let receiver) = port else { return nil }
    return receiver.session.rest(at: now)
  }

  /// Whether somebody else has the port.
  var isWaitingForOthers: Bool {
    switch port {
    case .waiting, .failed(.inUse, _): true
    case .closed, .opening, .open, .failed, .ended: false
    }
  }

  /// Whether it will never say anything again.
  var isOver: Bool { if case .ended = port { true } else { false } }

  /// Openings in vain after which a port that never worked is given up.
  private static let patience = 5

  /// It could not be opened, or it has closed itself: tried again after a quarter of a second, doubling up to one, so that
  /// a receiver is heard again within two seconds of being plugged in. One that is there and never worked is given up.
  mutating func failedToOpen(_ problem: OpenProblem, at now: Instant) {
    let isMissing = problem == .cannotOpen(.doesNotExist) || problem == .cannotOpen(.vanished)
    let isGivenUp = failures >= Self.patience && !(isMissing && hasBeenOpen) && problem != .cannotOpen(.doesNotExist)
    let delay: Duration = .milliseconds(250 << min(failures, 2))
    port = .failed(problem, retryAt: isGivenUp ? nil : now + delay)
    failures += 1
    state = nil
  }

  /// As a client sees it.
  var description: DeviceDescription {
    var device = DeviceDescription(id: sighting.id, path: sighting.path, kind: sighting.kind, state: deviceState)
    device.usbVendorID = sighting.usbVendorID
    device.usbProductID = sighting.usbProductID
    device.product = sighting.product
    device.chip = identity.model
    device.firmware = identity.firmware
    device.protocolName =
      switch (identity.speaksNMEA, identity.speaksUBX) {
      case (true, true): "nmea+ubx"
      case (true, false): "nmea"
      case (false, true): "ubx"
      case (false, false): nil
      }
    if case .open(let receiver) = port, sighting.hasLineSpeed { device.baud = receiver.session.speed }
    device.owner = sighting.gpsd != nil ? .gpsd : sighting.isOwned ? .locationd : nil
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
      if heardNothing != nil { return .silent }
      switch state {
      case .hunting?, nil: return .hunting
      case .silent?: return .silent
      case .talking?: return hasFix ? .fixing : .identified
      }
    }
  }
}
