package import Geodesy
package import LocationPolicy
package import Positioning

/// Why a request has failed: always the cause, with what a person needs to mend it.
package enum LocationFailure: Error, Hashable, Sendable {
  /// No receiver, and nothing that could be one.
  case noSource
  /// No receiver; and of the access points that the radio hears, so many, none is known to be anywhere.
  case noKnownAccessPoint(heard: Int)
  /// The radio for Wi-Fi, which is the only source, tells nothing.
  case radio(RadioProblem)
  /// No gpsd answers at the address that was named.
  case noGPSD(address: String)
  /// The gpsd at that address has no receiver.
  case noReceiverAtGPSD(address: String)
  /// No receiver, but general serial adapters that could be one if trusted.
  case untrustedAdapters([UntrustedAdapter])
  /// The device may not be opened by this user. `group` owns it.
  case permissionDenied(path: String, group: String?)
  /// Someone else has the port open.
  case portInUse(path: String, holder: PortHolder)
  /// The path cannot be a receiver, or cannot be opened; `errno` of the operation, in words.
  case cannotOpen(path: String, reason: OpenFailure)
  /// The port is open and not one valid frame was heard at any of these speeds.
  case nothingHeard(path: String, bytesSeen: Int, speeds: [Int])
  /// Nothing was understood by the deadline, and not all speeds had been tried.
  case nothingHeardYet(path: String, bytesSeen: Int)
  /// The receiver talks and hears no satellite at all.
  case noSatellites(path: String)
  /// The receiver talks and hears satellites, but there was no fix by the deadline.
  case noFixYet(path: String, satellitesInView: Int?)
  /// Fixes came, but none with the accuracy that the request requires; the smallest 68 % radius at the end.
  case notAccurateEnough(path: String, best: Meters)
  /// Fixes came, but none in time that was new, moving and plausible.
  case noUsableFix(path: String, suspicion: String)
  /// The source ended before a fix: a replay's end, an unplugged receiver.
  case sourceEnded(path: String)
  /// The recording is damaged where it was being played; `reason` is a clause in words.
  case badRecording(path: String, reason: String)
  /// The selector of a `trust`, `forget` or `setOwner` names no device that is there.
  case unknownDevice(selector: String, known: [String])
  /// The service has as many requests under way as it takes.
  case tooManyRequests(limit: Int)
  /// The state folder cannot be written.
  case cannotStore(path: String, errno: Int32)
  /// What is known of access points cannot be read or kept; `reason` is a clause in words.
  case placesNotKept(path: String, reason: String, StorageCause)
  /// What was decided of who may know holds, but is not on the disk yet; `reason` is a clause in words, `cause` what is to be done
  /// depends on.
  case notKept(path: String, reason: String, StorageCause)
  /// The device's owner was chosen, and gpsd has not done its part; it holds as soon as gpsd does.
  case notHandedOver(path: String, to: DeviceOwner, HandoverProblem)
  /// The service behind that socket has gone and was not back by the deadline.
  case serviceLost(path: String)
  /// A service is behind that socket, and accepted no connection by the deadline: as many wait as may.
  case serviceBusy(path: String)
  /// A service accepted the connection and did not answer by the deadline.
  case serviceSilent(path: String)
  /// The service has let this client go.
  case serviceRefused(Refusal)
  /// What answers at the socket says what is no message; `reason` is a clause in words.
  case serviceUnreadable(reason: String)
  /// Something of the logs.
  case log(LogFailure)
  /// Something of what is monitored.
  case monitoring(MonitoringFailure)
  /// The client may not know, or may not do that. `identity`: whose it is to the service.
  case notAuthorized(AuthorizationDenial, identity: ClientIdentity?)
}

/// A general serial adapter that waits to be trusted.
package struct UntrustedAdapter: Hashable, Sendable {
  /// What `devices trust` takes.
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

/// Who has a port, as far as this user may know.
package enum PortHolder: Hashable, Sendable {
  /// A process that /proc names.
  case process(pid: Int32, name: String)
  /// Signs of a program that is known to take ports: gpsd, ModemManager.
  case likely(service: String)
  /// The kernel's or a login console.
  case console(tty: String)
  /// Another process of this software held it until the deadline.
  case ownLock(pid: Int32?)
  /// Nothing is known; the command that shows it to root is in the message.
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
}

/// Why gpsd has not let a receiver go, or not taken it up.
package enum HandoverProblem: Hashable, Sendable {
  /// The service may not use gpsd's control socket.
  case denied(socket: String)
  /// Nobody listens at that control socket.
  case noSocket(String)
  /// gpsd was asked, and has not done it.
  case refused
  /// gpsd did not answer, or not so that it could be understood.
  case noAnswer
  /// That gpsd is on another machine.
  case elsewhere(gpsd: String)
  /// The service was told to mind no gpsd.
  case unminded
}
