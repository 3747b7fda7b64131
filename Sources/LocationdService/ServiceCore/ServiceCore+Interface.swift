package import GNSSReceiver
package import Geodesy
package import LocationIPC
package import LocationPolicy

extension ServiceCore {
  /// Input of the core; bytes arrive through `receive`.
  package enum Input: Hashable, Sendable {
    /// A device is present, or more is known about it than before (the same ID).
    case deviceAppeared(DetectedDevice)
    /// A device is gone from this path; it may already be back at another.
    case deviceVanished(id: String, path: String)
    /// The failure to report if there is no device at all.
    case sourceless(LocationFailure)
    /// All devices that were present at startup have been reported.
    case inventoryComplete
    /// The port is open; `baud`: its current baud rate, if it has one.
    case opened(LinkID, baud: Int?)
    case openFailed(LinkID, OpenProblem)
    /// The process that held the port has released it: opening is worth another try.
    case portFreed(LinkID)
    /// The port has closed itself, after an end of file or an error.
    case closed(LinkID)
    /// The source has ended for good; `problem`: what is wrong with the recording at that place.
    case ended(LinkID, problem: String?)
    case request(ClientID, ClientRequest)
    /// Whether a client is in the background; without this input it is in the foreground.
    case presence(ClientID, isInBackground: Bool)
    /// The client is gone, and its requests with it.
    case clientGone(ClientID)
    /// The saved data of a receiver; answers `.recall`.
    case recalled(LinkID, AssistanceData?)
    /// The settings to restore in a receiver; answers `.recallSettings`.
    case settingsRecalled(LinkID, SavedReceiverConfiguration?)
    /// The change of trust was saved, or failed.
    case trustChanged(ClientID, RequestID, LocationFailure?)
    /// The device has its new owner, or the change failed.
    case ownerSet(ClientID, RequestID, LocationFailure?)
    /// A Wi-Fi radio is present, or no longer.
    case wifiChanged(isThere: Bool)
    /// The result of a scan, after its access points were looked up; also if there were none.
    case scanned(WiFiScan)
    /// What other processes have remembered in the meantime: requested when one of them has released a port that was waited for.
    case remembered(ServiceMemory)
    /// The named receivers or their order have changed.
    case prefer(ReceiverPreferences)
    /// Which receivers get corrections; `nil`: none are configured.
    case useCorrections(CorrectionUse?)
    /// Whether monitoring needs positions, whichever client requested them.
    case setMonitoringFeed(Bool)
    /// Whether the machine's clocks get the receivers' time: then the receivers of this machine stay open.
    case setTiming(Bool)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell must execute.
  package enum Action: Hashable, Sendable {
    // Large payloads are indirect: actions are passed on by copying, and nearly all of them are small.
    indirect case open(LinkID, DetectedDevice)
    case close(LinkID)
    case setSpeed(LinkID, baud: Int)
    case write(LinkID, [UInt8])
    case send(ClientID, ServiceEvent)
    /// Save or delete the trust in a device; answered by `.trustChanged`.
    case changeTrust(ClientID, RequestID, deviceID: String, isTrusted: Bool)
    /// Save the owner of a device and hand the device over; answered by `.ownerSet`.
    indirect case setOwner(ClientID, RequestID, DetectedDevice, DeviceOwner)
    /// Load the saved data of a receiver; answered by `.recalled`.
    case recall(LinkID, ReceiverKey)
    /// Save the aiding data of a receiver, in place of the data saved before.
    case keep(AssistanceData)
    /// Load the earlier settings to restore in a receiver; answered by `.settingsRecalled`.
    case recallSettings(LinkID, ReceiverKey)
    /// Save the settings to restore in a receiver, before the actions that follow change it; `nil`: there are none.
    case keepSettings(ReceiverKey, SavedReceiverConfiguration?)
    /// A receiver's port was closed with this many settings not restored.
    case leftChanged(path: String, settings: Int)
    /// Report Wi-Fi scans from now on; `nil`: they are not needed. Answered by `.scanned` soon, and after every scan.
    case listenToWiFi(WiFiRequirement?)
    /// The machine's position by satellites, from which the positions of the access points received there are learned.
    indirect case learnPlaces(PositionFix)
    /// The machine's position, for the monitoring of regions, visits and significant changes.
    indirect case monitoringFix(MonitoringFix)
    /// A report of a receiver of this machine for the machine's clocks; only while `.setTiming` is on.
    indirect case timed(LinkID, TimingReport)
    /// The memory has changed and should be saved, at the latest when the service ends.
    case remember
  }

  /// What the core must know at startup.
  package struct Settings: Sendable {
    /// The latest date that is certainly past; `nil` for a replay of an old log.
    package var eraFloor: CalendarDate?
    /// The machine's clock at `startedAt`; `nil`: it cannot be trusted.
    package var wallClock: GNSSTime?
    package var startedAt: Instant
    /// The largest error of `wallClock`; `nil`: nothing synchronizes it, and it is used as aiding data only if a receiver has
    /// confirmed it since power-on.
    package var wallClockError: Duration?
    /// Identifies this run of the machine, from power-on to power-off; `nil`: unknown.
    package var bootID: String?
    /// Whether a receiver that is plugged in becomes a source. If not, requests do not wait for one (`OneShot.enumerationTime`).
    package var expectsReceivers = true
    /// The named receivers and their order.
    package var preferences = ReceiverPreferences()
    /// The memory of earlier runs.
    package var memory: ServiceMemory
    /// The source of this service, as `--source` names it without a baud rate; saved with its fixes.
    package var source: String?
    /// The source that the user has named: a remembered fix of another source does not answer requests. `nil`: no
    /// source was named.
    package var namedSource: NamedSource?

    package init(eraFloor: CalendarDate?, wallClock: GNSSTime?, startedAt: Instant, memory: ServiceMemory) {
      self.eraFloor = eraFloor
      self.wallClock = wallClock
      self.startedAt = startedAt
      self.memory = memory
    }
  }
}
