package import Fleet
import LinuxIO
import WireFormats

/// The events of an outbox: records of one sector each, in order, beside the segments with the positions.
///
/// ```
/// 0   checksum: CRC-32C over bytes 4…511
/// 4   format: 1
/// 8   place
/// 16  length of the event, two bytes, and the event
/// ```
struct FleetEventFile: ~Copyable {
  static let name = "events"
  /// The most events that wait. More events than this in an outbox that is never emptied are refused.
  static let mostEvents = 4096
  private static let size = FleetSector.size
  private static let format: UInt32 = 1
  /// Sectors that are allocated at once.
  private static let step = 8

  private let folder: String
  private let box: UInt32
  private var file: SectorFile?
  private var count = 0
  /// The events that wait, oldest first.
  private(set) var records: [FleetRecord]

  /// Opens the file in a folder; events up to `cursor` are acknowledged.
  init(in folder: String, box: UInt32, after cursor: FleetPlace) throws(SystemError) {
    let most = 2 * Self.mostEvents * Self.size
    let bytes = try StateFile.read("\(folder)/\(Self.name)", maximumSize: most) ?? []
    self.init(folder, box, Self.records(in: bytes, box: box).filter { $0.place > cursor })
  }

  private init(_ folder: String, _ box: UInt32, _ records: [FleetRecord]) {
    self.folder = folder
    self.box = box
    self.records = records
  }

  /// Adds an event, which is on disk when this returns; `false`: too many are waiting.
  mutating func append(_ record: FleetRecord) throws(SystemError) -> Bool {
    guard case .event(let event) = record.content, records.count < Self.mostEvents else { return false }
    guard let sector = Self.sector(record.place, event) else { return false }
    if file == nil || (count + 1) * Self.size > file?.length ?? 0 { try rebuild(room: records.count + Self.step) }
    try file?.write(sector.span, at: count * Self.size)
    try file?.synchronize()
    count += 1
    records.append(record)
    return true
  }

  /// Forgets the events up to a place; they leave the disk when the file is next written.
  mutating func drop(upTo place: FleetPlace) {
    guard let first = records.first, first.place <= place else { return }
    records.removeAll { $0.place <= place }
  }

  /// Writes the waiting events to a new file with room for more.
  private mutating func rebuild(room: Int) throws(SystemError) {
    let sectors = records.compactMap { record -> [UInt8]? in
      guard case .event(let event) = record.content else { return nil }
      return Self.sector(record.place, event)
    }
    file = try FleetSector.file(Self.name, in: folder, room: room, sectors)
    count = sectors.count
  }

  /// The intact records in the file's bytes, in order.
  static func records(in bytes: [UInt8], box: UInt32) -> [FleetRecord] {
    var records: [FleetRecord] = []
    for sector in FleetSector.intact(in: bytes, format: format) {
      let span = sector.span
      let place = FleetPlace(rawValue: span.integer(at: 8, as: UInt64.self))
      let length = Int(span.integer(at: 16, as: UInt16.self))
      guard place.event != nil, place.rawValue & FleetMessage.stateBit == 0, length <= FleetEvent.longestEvent,
        let event = FleetEvent(bytes: sector[18..<18 + length]), records.last.map({ $0.place < place }) ?? true
      else { continue }
      records.append(FleetRecord(place: place, box: box, content: .event(event)))
    }
    return records
  }

  private static func sector(_ place: FleetPlace, _ event: FleetEvent) -> [UInt8]? {
    let content = event.bytes
    guard content.count <= FleetEvent.longestEvent else { return nil }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: place.rawValue)
    bytes.append(littleEndian: UInt16(content.count))
    return FleetSector.sealed(format: format, bytes + content)
  }
}

/// Decoding of the events' file, for fuzzing and tests.
package enum FleetEventSectors {
  package static func records(in bytes: [UInt8]) -> [FleetRecord] { FleetEventFile.records(in: bytes, box: 1) }
}
