package import Geodesy
import WireFormats

/// A mount point in a caster's list: a line `STR;…` of a source table (RTCM 10410.1, 5.1).
package struct MountPoint: Hashable, Sendable {
  /// Which signals of a satellite the corrections are for.
  package enum Carrier: Int, Hashable, Sendable {
    /// No carrier phase: DGPS.
    case none = 0
    /// One frequency.
    case l1 = 1
    /// Two or more frequencies.
    case l1AndL2 = 2
  }

  package enum Authentication: Hashable, Sendable {
    case none
    case basic
    case digest
  }

  package var name: String
  /// Usually the nearest town.
  package var identifier: String
  /// `RTCM 3.2`.
  package var format: String
  /// The messages and their intervals: `1005(10),1074(1)`.
  package var messages: String
  package var carrier: Carrier?
  /// `GPS+GLO+GAL`.
  package var systems: String
  package var network: String
  /// Three letters.
  package var country: String
  /// The place of the station; `nil`: the table has none, or 0° 0°.
  package var coordinate: Coordinate?
  /// Whether the caster needs the client's position before it sends corrections.
  package var needsPosition: Bool?
  /// Whether the corrections are computed from several stations.
  package var isNetworkSolution: Bool?
  package var generator: String
  package var compression: String
  package var authentication: Authentication?
  package var hasFee: Bool?
  package var bitsPerSecond: Int?

  /// The longest text of a field that is kept, bytes.
  package static let longestText = 128
  /// The number of fields of a line; further ones are not used.
  private static let fieldCount = 19

  /// Whether the corrections are RTCM 3, which alone is passed to receivers.
  package var isRTCM3: Bool {
    let letters = format.utf8.filter { $0 != 0x20 && $0 != UInt8(ascii: "_") }.map { ASCII.lowercased($0) }
    return letters.starts(with: "rtcm3".utf8)
  }

  /// Reads the fields of a line after `STR;`; `nil` if it has no name, or too few fields to be one.
  init?(_ line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: ";"), maxSplits: Self.fieldCount, omittingEmptySubsequences: false)
    // The shortest lines in use end after the position.
    guard fields.count >= 10 else { return nil }
    func text(_ index: Int) -> String {
      guard index < fields.count else { return "" }
      return ASCII.text(Self.trimmed(fields[index]), limit: Self.longestText, keepsUTF8: index > 0)
    }
    func flag(_ index: Int, _ no: Character, _ yes: Character) -> Bool? {
      switch text(index) {
      case String(no): false
      case String(yes): true
      default: nil
      }
    }
    func number(_ index: Int) -> Double? { CSVFields.number(Self.trimmed(fields[index])) }

    name = text(0)
    guard !name.isEmpty else { return nil }
    identifier = text(1)
    format = text(2)
    messages = text(3)
    carrier = Int(text(4)).flatMap { Carrier(rawValue: $0) }
    systems = text(5)
    network = text(6)
    country = text(7)
    if let latitude = number(8), let longitude = number(9), latitude != 0 || longitude != 0 {
      // Some casters count longitudes to 360° east.
      coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
    }
    needsPosition = flag(10, "0", "1")
    isNetworkSolution = flag(11, "0", "1")
    generator = text(12)
    compression = text(13)
    authentication =
      switch text(14) {
      case "N": Authentication.none
      case "B": .basic
      case "D": .digest
      default: nil
      }
    hasFee = flag(15, "N", "Y")
    bitsPerSecond = Int(text(16)).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var field = field.drop(while: CSVFields.isBlank)
    while let last = field.last, CSVFields.isBlank(last) || last == UInt8(ascii: "\r") { field.removeLast() }
    return field
  }
}

extension MountPoint {
  /// The mount points with their distances from `position`, the nearest first; those without a place last. All are in their order if the
  /// position is unknown (`nil`).
  package static func sorted(
    _ mounts: [MountPoint], near position: Coordinate?
  ) -> [(mount: MountPoint, distance: Meters?)] {
    let rows = mounts.map { mount -> (mount: MountPoint, distance: Meters?) in
      let distance = position.flatMap { here in
        mount.coordinate.map { Geodesic.inverse(from: here, to: $0).distance }
      }
      return (mount, distance)
    }
    // `sorted` keeps the order of equal elements.
    return rows.sorted { ($0.distance?.value ?? .infinity) < ($1.distance?.value ?? .infinity) }
  }
}
