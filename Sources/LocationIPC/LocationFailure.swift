package import FleetDestinations
package import Geodesy
package import LocationPolicy
package import Positioning

/// Why a request has failed: always the cause, with what a person needs to fix it.
package enum LocationFailure: Error, Hashable, Sendable {
  /// No receiver, and nothing that could be one.
  case noSource
  /// No receiver; and the positions of all received access points, `received` in number, are unknown.
  case noKnownAccessPoint(received: Int)
  /// The Wi-Fi radio, which is the only source, provides nothing.
  case radio(RadioProblem)
  /// No gpsd answers at the given address.
  case noGPSD(address: String)
  /// The gpsd at that address has no receiver.
  case noReceiverAtGPSD(address: String)
  /// No receiver, but general serial adapters that could be one if trusted.
  case untrustedAdapters([UntrustedAdapter])
  /// This user may not open the device. `group` owns it.
  case permissionDenied(path: String, group: String?)
  /// Another process has the port open.
  case portInUse(path: String, holder: PortHolder)
  /// The path cannot be a receiver, or cannot be opened.
  case cannotOpen(path: String, reason: OpenFailure)
  /// The port is open, and no valid frame was received at any of these baud rates.
  case nothingReceived(path: String, bytesSeen: Int, speeds: [Int])
  /// No valid frame was received by the deadline, and not all baud rates had been tried.
  case nothingReceivedYet(path: String, bytesSeen: Int)
  /// The receiver sends data, but receives no satellite.
  case noSatellites(path: String)
  /// The receiver sends data and receives satellites, but had no fix by the deadline.
  case noFixYet(path: String, satellitesInView: Int?)
  /// Fixes arrived, but none with the accuracy that the request requires; the smallest 68 % radius at the end.
  case notAccurateEnough(path: String, best: Meters)
  /// Fixes arrived, but none by the deadline that was usable. `qualityFlag`: the last one's, such as `frozen`, or `too old`.
  case noUsableFix(path: String, qualityFlag: String)
  /// The source ended before a fix: a replay's end, an unplugged receiver.
  case sourceEnded(path: String)
  /// The recording is damaged at the current position; `reason` is a clause in words.
  case badRecording(path: String, reason: String)
  /// The selector of a `trust`, `forget` or `setOwner` request names no present device.
  case unknownDevice(selector: String, known: [String])
  /// The number of pending requests has reached `limit`.
  case tooManyRequests(limit: Int)
  /// The state folder cannot be written.
  case cannotStore(path: String, errno: Int32)
  /// The access point database cannot be read or written; `reason` is a clause in words.
  case placesNotKept(path: String, reason: String, StorageCause)
  /// An access decision is in effect, but is not on the disk yet; `reason` is a clause in words, `cause` determines the remedy.
  case notKept(path: String, reason: String, StorageCause)
  /// The device's owner was chosen, but gpsd has not complied; the choice takes effect when it does.
  case notHandedOver(path: String, to: DeviceOwner, HandoverProblem)
  /// The service behind that socket ended, and was not back by the deadline.
  case serviceLost(path: String)
  /// A service is behind that socket, but accepted no connection by the deadline: its backlog is full.
  case serviceBusy(path: String)
  /// A service accepted the connection and did not answer by the deadline.
  case serviceSilent(path: String)
  /// The service has disconnected this client.
  case serviceRefused(DisconnectReason)
  /// The peer at the socket sends invalid messages; `reason` is a clause in words.
  case serviceUnreadable(reason: String)
  /// A failure of a log request.
  case log(LogFailure)
  /// A failure of a monitoring request.
  case monitoring(MonitoringFailure)
  /// A failure of a request about destinations.
  case fleet(FleetFailure)
  /// A failure of a query for places.
  case places(PlacesFailure)
  /// Updates are not deferred, or no longer.
  case deferral(DeferralFailure)
  /// The client has no access, or may not do that. `identity`: its identity to the service.
  case notAuthorized(AuthorizationDenial, identity: ClientIdentity?)
}

/// A general serial adapter that waits to be trusted.
package struct UntrustedAdapter: Hashable, Sendable {
  /// The argument for `devices trust`.
  package var id: String
  package var path: String
  /// Product name or chip, sanitized.
  package var name: String?
  package init(id: String, path: String, name: String?) {
    self.id = id
    self.path = path
    self.name = name
  }
}

/// The process that has a port open, as far as this user can see.
package enum PortHolder: Hashable, Sendable {
  /// A process listed in /proc.
  case process(pid: Int32, name: String)
  /// Signs of a program known to open ports: gpsd, ModemManager.
  case likely(service: String)
  /// The kernel's or a login console.
  case console(tty: String)
  /// Another process of this software held it until the deadline.
  case ownLock(pid: Int32?)
  /// Unknown; the message contains the command that shows it to root.
  case unknown
}

/// Why a path cannot be opened as a receiver.
package enum OpenFailure: Hashable, Sendable {
  case doesNotExist
  case isDirectory
  case isRegularFile
  case isFIFO
  case isNotSerialPort
  case vanished
  case system(operation: String, errno: Int32)
  /// A receiver in a network.
  case notConnected(NetworkFailure)
}

/// Why there is no connection to a receiver in a network.
package enum NetworkFailure: UInt8, Hashable, Sendable, CaseIterable {
  /// The host name does not resolve.
  case noSuchHost = 0
  /// The other side refuses the connection, there is no network, or the address is not one of this machine.
  case unreachable = 1
  /// The certificate of the other side is not trusted.
  case notTrusted = 2
  /// The connection was not made in time.
  case tooLate = 3
  /// The other side closed the connection.
  case closed = 4
  /// The other side sent nothing.
  case silent = 5
}

/// Why gpsd has not released a receiver, or not added it.
package enum HandoverProblem: Hashable, Sendable {
  /// The service has no access to gpsd's control socket.
  case denied(socket: String)
  /// No process listens at that control socket.
  case noSocket(String)
  /// gpsd received the request, and has not complied.
  case refused
  /// gpsd did not answer, or sent an invalid answer.
  case noAnswer
  /// That gpsd runs on another machine.
  case elsewhere(gpsd: String)
  /// The service is configured to ignore gpsd.
  case unminded
}
