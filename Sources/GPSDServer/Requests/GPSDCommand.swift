/// A request of a client of gpsd's protocol (gpsd_json(5), "CORE SOCKET PROTOCOL").
package enum GPSDCommand: Hashable, Sendable {
  /// `?VERSION;`
  case version
  /// `?DEVICES;`
  case devices
  /// `?DEVICE;`
  case device
  /// `?DEVICE={…};`
  case configureDevice(GPSDDeviceRequest)
  /// `?POLL;`
  case poll
  /// `?WATCH;`: only the answer, no change.
  case watchState
  /// `?WATCH={…};`
  case watch(GPSDWatchRequest)
  /// `?WATCH=` or `?DEVICE=` with an object that cannot be read.
  case invalid(GPSDCommandName, GPSDObjectProblem)
  /// Anything else; the first characters of the text.
  case unrecognized(String)
}

/// The requests that have an object.
package enum GPSDCommandName: String, Hashable, Sendable {
  case watch = "WATCH"
  case device = "DEVICE"
}

/// The object of `?WATCH=`. A property is `nil` if the object does not have that member.
package struct GPSDWatchRequest: Hashable, Sendable {
  package var enable: Bool?
  package var json: Bool?
  package var nmea: Bool?
  /// 0, 1 or 2.
  package var raw: Int?
  package var scaled: Bool?
  package var timing: Bool?
  package var split24: Bool?
  package var pps: Bool?
  package var device: String?

  package init() {}
}

/// The object of `?DEVICE=`: only what decides the answer, because no client may change a receiver.
package struct GPSDDeviceRequest: Hashable, Sendable {
  package var path: String?
  /// Whether it contains bytes for the receiver.
  package var sendsBytes = false

  package init() {}
}

/// Why an object of a request cannot be read.
package enum GPSDObjectProblem: String, Error, Hashable, Sendable {
  case syntax = "the object is not JSON"
  case tooDeep = "objects are nested too deep"
  case tooManyKeys = "too many keys"
  case wrongType = "a value has the wrong type"
  case truncated = "the object does not end"
}

/// What a client watches. A request changes only a part of it.
package struct GPSDWatchPolicy: Hashable, Sendable {
  package var isOn = false
  package var json = false
  package var nmea = false
  /// 1: text as it is and binary frames in hexadecimal; 2: all bytes as they are.
  package var raw = 0
  package var scaled = false
  package var timing = false
  package var split24 = false
  package var pps = false
  /// Only this receiver; `nil`: all.
  package var device: String?

  package init() {}

  /// The policy after a request, with gpsd's rules for what is missing (`json_watch_read` in gpsd's shared_json.c): `enable` means
  /// true; json, nmea and raw keep their value; the rest is reset.
  package func applying(_ request: GPSDWatchRequest) -> GPSDWatchPolicy {
    var policy = self
    policy.isOn = request.enable ?? true
    policy.json = request.json ?? json
    policy.nmea = request.nmea ?? nmea
    policy.raw = request.raw ?? raw
    policy.scaled = request.scaled ?? false
    policy.timing = request.timing ?? false
    policy.split24 = request.split24 ?? false
    policy.pps = request.pps ?? false
    policy.device = request.device.flatMap { $0.isEmpty ? nil : $0 }
    return policy
  }
}
