package import Geodesy
package import LocationPolicy

/// One record of an outbox: what is sent, and the number under which it is sent, every time.
package struct FleetRecord: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case fix(PositionFix)
    case event(FleetEvent)
  }

  /// Its place in the outbox: grows from record to record, and is never used again for another.
  package var place: FleetPlace
  /// A random number of the segment or of the outbox, so that two outboxes never give the same identifier.
  package var box: UInt32
  package var content: Content

  package init(place: FleetPlace, box: UInt32, content: Content) {
    (self.place, self.box, self.content) = (place, box, content)
  }

  /// The identifier in messages: the same when the record is sent again.
  package var identifier: String {
    let hex = String(box, radix: 16)
    return String(repeating: "0", count: 8 - hex.utf8.count) + hex + "-" + String(place.rawValue, radix: 16)
  }

  /// When it was true.
  package var time: GNSSTime {
    switch content {
    case .fix(let fix): fix.time
    case .event(let event): event.time
    }
  }

  package var isEvent: Bool { if case .event = content { true } else { false } }
}

/// A place in an outbox: the segment, the block in its file, and the entry in the block.
package struct FleetPlace: Hashable, Comparable, Sendable {
  /// 31 bits of the segment's number, 20 of the block, 12 of the slot.
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Entries of a block follow the events that happened before it.
  private static let firstEntry: UInt64 = 1 << 11

  /// - Parameters:
  ///   - segment: 0…2³¹ − 1.
  ///   - block: 0…2²⁰ − 1.
  ///   - entry: 0…2047.
  package init(segment: Int, block: Int, entry: Int) {
    rawValue = Self.start(segment, block) | Self.firstEntry | UInt64(entry)
  }

  /// The place of an event between the end of the previous block and `block`; `number`: 0…2047.
  package init(segment: Int, before block: Int, event number: Int) {
    rawValue = Self.start(segment, block) | UInt64(number)
  }

  private static func start(_ segment: Int, _ block: Int) -> UInt64 {
    UInt64(segment & 0x7FFF_FFFF) << 32 | UInt64(block & 0xF_FFFF) << 12
  }

  package var segment: Int { Int(rawValue >> 32) }
  package var block: Int { Int(rawValue >> 12 & 0xF_FFFF) }
  /// The entry in the block; `nil`: it is an event's place.
  package var entry: Int? { rawValue & Self.firstEntry == 0 ? nil : Int(rawValue & (Self.firstEntry - 1)) }
  /// The number of the event at this place; `nil`: it is an entry's.
  package var event: Int? { rawValue & Self.firstEntry == 0 ? Int(rawValue & (Self.firstEntry - 1)) : nil }

  /// Before everything.
  package static let start = FleetPlace(rawValue: 0)
  package static func < (a: FleetPlace, b: FleetPlace) -> Bool { a.rawValue < b.rawValue }
}

/// What happened, with the position at that time.
package enum FleetEvent: Hashable, Sendable {
  /// A region was entered or left.
  case crossing(FleetCrossing)
  case visit(Visit)

  package var time: GNSSTime {
    switch self {
    case .crossing(let crossing): crossing.time
    case .visit(let visit): visit.departure ?? visit.arrival ?? GNSSTime(nanosecondsSince1970: 0)
    }
  }
}

/// The crossing of a region's border.
package struct FleetCrossing: Hashable, Sendable {
  package var region: String
  package var isEntry: Bool
  /// When the border was crossed.
  package var time: GNSSTime
  /// When the region was added, which stays the same; zero: not known.
  package var addedAt: GNSSTime
  package var coordinate: Coordinate
  /// Meters, > 0.
  package var radius68: Meters

  /// The longest name that is sent, bytes.
  package static let longestName = 200

  package init(
    region: String, isEntry: Bool, time: GNSSTime, addedAt: GNSSTime, coordinate: Coordinate, radius68: Meters
  ) {
    (self.region, self.isEntry, self.time, self.addedAt) = (region, isEntry, time, addedAt)
    (self.coordinate, self.radius68) = (coordinate, radius68)
  }

  /// A short identifier of the region that is stable across restarts: FNV-1a over its name and its time.
  package var regionID: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in region.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for index in 0..<8 {
      hash = (hash ^ UInt64(truncatingIfNeeded: addedAt.nanosecondsSince1970 >> (8 * index)) & 0xFF) &* 0x100_0000_01B3
    }
    return String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
  }
}

/// What is known of the machine when a position is sent.
package struct FleetContext: Hashable, Sendable {
  /// OwnTracks' `t`: why the position is sent.
  package enum Reason: String, Hashable, Sendable {
    case timer = "t"
    /// `locationctl fleet send`.
    case user = "u"
    /// The server's command `reportLocation`.
    case response = "r"
  }

  /// OwnTracks' `bs`.
  package enum Battery: Int, Hashable, Sendable { case unknown = 0, unplugged = 1, charging = 2, full = 3 }

  package var reason: Reason?
  /// Percent, 0…100.
  package var battery: Int?
  package var batteryState: Battery?
  /// The watched regions that the position is inside of: names, and the same regions' identifiers.
  package var regions: [(name: String, id: String)] { zip(names, ids).map { ($0, $1) } }
  private var names: [String] = []
  private var ids: [String] = []

  package init() {}

  package mutating func enter(_ name: String, id: String) {
    names.append(name)
    ids.append(id)
  }
}
