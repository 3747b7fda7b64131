package import GNSSReceiver
package import Geodesy
package import LocationIPC

extension ServiceCore {
  /// What the core is told; bytes come by `receive`.
  package enum Input: Hashable, Sendable {
    /// A device is there, or is known better than before (the same ID).
    case deviceAppeared(DeviceSighting)
    /// A device has gone from this path; it may be back under another already.
    case deviceVanished(id: String, path: String)
    /// What to say where there is no device at all.
    case sourceless(LocationFailure)
    /// The devices that were there at the start have all been told.
    case inventoryComplete
    /// The port is open; its present speed, where it has one.
    case opened(LinkID, baud: Int?)
    case openFailed(LinkID, OpenProblem)
    /// What held the port has let go of it: worth another try.
    case portFreed(LinkID)
    /// The port has closed itself: end of file, an error.
    case closed(LinkID)
    /// The source has no more to say, ever; `problem`: what is wrong with the recording at that place.
    case ended(LinkID, problem: String?)
    case request(ClientID, ClientRequest)
    /// Whether somebody looks at what a client shows; where nothing is said of it somebody does.
    case presence(ClientID, isInBackground: Bool)
    /// The client has gone, its requests with it.
    case clientGone(ClientID)
    /// What was kept of a receiver, answer to `.recall`.
    case recalled(LinkID, AssistanceData?)
    /// What is to be put back in a receiver, answer to `.recallSettings`.
    case settingsRecalled(LinkID, InheritedSettings?)
    /// Trust was, or was not, written down.
    case trustChanged(ClientID, RequestID, LocationFailure?)
    /// The device is its new owner's, or is not.
    case ownerSet(ClientID, RequestID, LocationFailure?)
    /// A radio for Wi-Fi is there, or none any more.
    case wifiChanged(isThere: Bool)
    /// What was heard has been looked up; also when there was nothing.
    case scanned(WiFiScan)
    /// What other processes have remembered since: asked for when one of them has let go of a port that was waited for.
    case remembered(ServiceMemory)
    /// Whether positions are to be noticed, whoever asked for them.
    case notices(Bool)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    // Indirect is what is large: actions are handed on by copies, and nearly all of them are small.
    indirect case open(LinkID, DeviceSighting)
    case close(LinkID)
    case setSpeed(LinkID, baud: Int)
    case write(LinkID, [UInt8])
    case send(ClientID, ServiceEvent)
    /// Write down, or strike out, that a device is trusted; answered by `.trustChanged`.
    case changeTrust(ClientID, RequestID, deviceID: String, isTrusted: Bool)
    /// Write down who is to have a device, and see to it that it is so; answered by `.ownerSet`.
    indirect case setOwner(ClientID, RequestID, DeviceSighting, DeviceOwner)
    /// Fetch what is kept of a receiver; answered by `.recalled`.
    case recall(LinkID, ReceiverKey)
    /// Keep what a receiver knows, in place of what was kept of it.
    case keep(AssistanceData)
    /// Fetch what is to be put back in a receiver from before; answered by `.settingsRecalled`.
    case recallSettings(LinkID, ReceiverKey)
    /// Keep what is to be put back in a receiver, before what follows is written to it; `nil`: nothing any more.
    case keepSettings(ReceiverKey, InheritedSettings?)
    /// A receiver has so many settings still that it should not, and its port is closed.
    case leftChanged(path: String, settings: Int)
    /// Tell what the radio hears, from now on; `nil`: nobody wants it. Answered by `.scanned` soon, and after every scan.
    case listenToWiFi(WiFiWish?)
    /// Where the machine was by satellites: what was heard there was heard there.
    indirect case learnPlaces(PositionFix)
    /// Where the machine is, for whoever watches regions, visits and significant changes.
    indirect case notice(NoticedFix)
    /// The memory has changed and is worth keeping, at the latest when the service ends.
    case remember
  }

  /// What the core must know before anything has happened.
  package struct Settings: Sendable {
    /// The latest day that is certain to be past; `nil` for a replay of an old log.
    package var eraFloor: CalendarDate?
    /// The machine's clock at `startedAt`; `nil`: not to be trusted.
    package var wallClock: GNSSTime?
    package var startedAt: Instant
    /// How far `wallClock` may be off; `nil`: nobody sets it, and a receiver is not told by it.
    package var wallClockError: Duration?
    /// Names this run of the machine, from power-on to power-off; `nil`: not known.
    package var bootID: String?
    /// What was remembered.
    package var memory: ServiceMemory
    /// The source of this service, as `--source` names it without a speed: kept beside its fixes.
    package var source: String?
    /// The source that somebody has named: a fix that another one gave, and that was remembered, answers nothing. `nil`: none was.
    package var namedSource: NamedSource?

    package init(eraFloor: CalendarDate?, wallClock: GNSSTime?, startedAt: Instant, memory: ServiceMemory) {
      self.eraFloor = eraFloor
      self.wallClock = wallClock
      self.startedAt = startedAt
      self.memory = memory
    }
  }
}
