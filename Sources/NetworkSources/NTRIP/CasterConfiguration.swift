/// What a client of a caster needs: the address, the account, and when the caster gets a position.
package struct CasterConfiguration: Hashable, Sendable {
  /// When a caster gets the position of this machine.
  package enum PositionPolicy: Hashable, Sendable {
    /// If the mount point needs it.
    case automatic
    case never
    /// Always, at this interval.
    case every(Duration)
  }

  /// The version of the protocol.
  package enum Version: Hashable, Sendable {
    /// Version 2; version 1 for a caster that closes the connection without an answer.
    case automatic
    /// RTCM 10410.0.
    case one
    /// RTCM 10410.1.
    case two
  }

  package var address: CasterAddress
  package var credentials: CasterCredentials?
  package var positions: PositionPolicy
  package var version: Version
  /// Whether the list of mount points says that this one needs a position; `nil`: unknown.
  package var mountNeedsPosition: Bool?

  package init(
    address: CasterAddress, credentials: CasterCredentials? = nil, positions: PositionPolicy = .automatic,
    version: Version = .automatic, mountNeedsPosition: Bool? = nil
  ) {
    self.address = address
    self.credentials = credentials
    self.positions = positions
    self.version = version
    self.mountNeedsPosition = mountNeedsPosition
  }
}

/// The file of a caster, which only root and the service can read: lines of `url=`, `user=`, `password=`, `gga=`, `version=`.
extension CasterConfiguration {
  /// Maximum size of the file, bytes.
  package static let longestFile = 8192
  /// The interval of positions, seconds.
  package static let intervals = 1...3600

  /// Why a file is not valid, with the number of the line. Never contains a value, because that may be a password.
  package enum Problem: Error, Hashable, Sendable {
    case tooLong
    case notText
    case noKey(line: Int)
    case unknownKey(line: Int)
    case repeatedKey(String, line: Int)
    case badValue(String, line: Int)
    case address(NetworkSourceError)
    case missingAddress
    /// A password without a user name.
    case missingUser
    case badCredentials

    package var sentence: String {
      switch self {
      case .tooLong: "The file is longer than \(longestFile) bytes: it should have up to five lines."
      case .notText: "The file is not UTF-8 text: write it again with a text editor."
      case .noKey(let line): "Line \(line) has no '=': write a line such as 'user=NAME'."
      case .unknownKey(let line): "Line \(line) has an unknown key: write url=, user=, password=, gga= or version=."
      case .repeatedKey(let key, let line): "Line \(line) repeats '\(key)': write it once."
      case .badValue("gga", let line):
        "Line \(line): the value of 'gga' is invalid: write auto, never or a number of seconds from "
          + "\(intervals.lowerBound) to \(intervals.upperBound)."
      case .badValue(let key, let line): "Line \(line): the value of '\(key)' is invalid: write auto, 1 or 2."
      case .address(let error): error.sentence
      case .missingAddress: "The file has no 'url=': write a line such as url=ntrips://caster.example.org:443/MOUNT."
      case .missingUser: "The file has a password and no user name: write 'user=NAME'."
      case .badCredentials:
        "The user name or the password is longer than \(CasterCredentials.longest) bytes or contains a character that casters do "
          + "not accept: correct it."
      }
    }
  }

  package init(parsing bytes: [UInt8]) throws(Problem) {
    guard bytes.count <= Self.longestFile else { throw .tooLong }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
    var values: [Substring: Substring] = [:]
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
      number += 1
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let equals = line.firstIndex(of: "=") else { throw .noKey(line: number) }
      let (key, value) = (line[..<equals], line[line.index(after: equals)...])
      guard ["url", "user", "password", "gga", "version"].contains(where: { $0 == key }) else {
        throw .unknownKey(line: number)
      }
      guard values[key] == nil else { throw .repeatedKey(String(key), line: number) }
      values[key] = value
      switch key {
      case "gga": guard Self.positions(value) != nil else { throw .badValue("gga", line: number) }
      case "version": guard Self.version(value) != nil else { throw .badValue("version", line: number) }
      default: break
      }
    }
    guard let url = values["url"], !url.isEmpty else { throw .missingAddress }
    let address: CasterAddress
    do throws(NetworkSourceError) {
      address = try CasterAddress(parsing: String(url))
    } catch {
      throw .address(error)
    }
    self.init(address: address)
    switch (values["user"] ?? "", values["password"] ?? "") {
    case ("", ""): break
    case ("", _): throw .missingUser
    case (let user, let password):
      guard let account = CasterCredentials(user: String(user), password: String(password)) else {
        throw .badCredentials
      }
      credentials = account
    }
    positions = values["gga"].flatMap { Self.positions($0) } ?? .automatic
    version = values["version"].flatMap { Self.version($0) } ?? .automatic
  }

  private static func positions(_ text: Substring) -> PositionPolicy? {
    switch text {
    case "auto": return .automatic
    case "never": return .never
    default:
      guard text.utf8.count <= 4, let seconds = Int(text), intervals.contains(seconds) else { return nil }
      return .every(.seconds(seconds))
    }
  }

  private static func version(_ text: Substring) -> Version? {
    switch text {
    case "auto": .automatic
    case "1": .one
    case "2": .two
    default: nil
    }
  }
}
