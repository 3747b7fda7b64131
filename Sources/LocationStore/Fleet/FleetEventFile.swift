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
/// 504 number of the event where it was stored before; 0: it has none
/// ```
struct FleetEventFile: ~Copyable {
  static let name = "events"
  /// The most events that wait. More events than this in an outbox that is never emptied are refused.
  static let mostEvents = 4096
  private static let size = FleetSector.size
  private static let format: UInt32 = 1
  /// Sectors that are allocated at once.
  private static let step = 8
  private static let numberOffset = 504

  private let folder: String
  private let box: UInt32
  private var file: SectorFile?
  private var count = 0
  /// The events that wait, oldest first.
  private(set) var records: [FleetRecord]
  /// The numbers of those that have one.
  private var numbers: [FleetPlace: UInt64]
  /// The number of the last event, also if it was acknowledged; 0: none.
  private(set) var lastNumber: UInt64

  /// Opens the file in a folder; events up to `cursor` are acknowledged.
  init(in folder: String, box: UInt32, after cursor: FleetPlace) throws(SystemError) {
    let most = 2 * Self.mostEvents * Self.size
    let bytes = try StateFile.read("\(folder)/\(Self.name)", maximumSize: most) ?? []
    self.init(folder, box, Self.content(of: bytes, box: box), cursor)
  }

  private init(
    _ folder: String, _ box: UInt32, _ content: [(record: FleetRecord, number: UInt64)], _ cursor: FleetPlace
  ) {
    self.folder = folder
    self.box = box
    let waiting = content.filter { $0.record.place > cursor }
    records = waiting.map(\.record)
    numbers = Dictionary(waiting.map { ($0.record.place, $0.number) }) { $1 }
    lastNumber = content.last { $0.number != 0 }?.number ?? 0
  }

  /// Adds an event, which is on disk when this returns; `false`: too many are waiting.
  mutating func append(_ record: FleetRecord, number: UInt64) throws(SystemError) -> Bool {
    guard case .event(let event) = record.content, records.count < Self.mostEvents else { return false }
    guard let sector = Self.sector(record.place, event, number) else { return false }
    if file == nil || (count + 1) * Self.size > file?.length ?? 0 {
      // With the new one, so that the file is never without the last number.
      try rebuild(room: records.count + Self.step, adding: sector)
    } else {
      try file?.write(sector.span, at: count * Self.size)
      try file?.synchronize()
      count += 1
    }
    records.append(record)
    if number != 0 { (numbers[record.place], lastNumber) = (number, number) }
    return true
  }

  /// Forgets the events up to a place; they leave the disk when the file is next written.
  mutating func drop(upTo place: FleetPlace) {
    guard let first = records.first, first.place <= place else { return }
    records.removeAll { $0.place <= place }
    numbers = numbers.filter { $0.key > place }
  }

  /// Writes the waiting events, and one more, to a new file with room for more.
  private mutating func rebuild(room: Int, adding last: [UInt8]) throws(SystemError) {
    let waiting = records.compactMap { record -> [UInt8]? in
      guard case .event(let event) = record.content else { return nil }
      return Self.sector(record.place, event, numbers[record.place] ?? 0)
    }
    file = try FleetSector.file(Self.name, in: folder, room: room, waiting + [last])
    count = waiting.count + 1
  }

  /// The intact records in the file's bytes, in order.
  static func records(in bytes: [UInt8], box: UInt32) -> [FleetRecord] { content(of: bytes, box: box).map(\.record) }

  private static func content(of bytes: [UInt8], box: UInt32) -> [(record: FleetRecord, number: UInt64)] {
    var content: [(record: FleetRecord, number: UInt64)] = []
    for sector in FleetSector.intact(in: bytes, format: format) {
      let span = sector.span
      let place = FleetPlace(rawValue: span.integer(at: 8, as: UInt64.self))
      let length = Int(span.integer(at: 16, as: UInt16.self))
      guard place.event != nil, place.rawValue & FleetMessage.stateBit == 0, length <= FleetEvent.longestEvent,
        let event = FleetEvent(bytes: sector[18..<18 + length]), content.last.map({ $0.record.place < place }) ?? true
      else { continue }
      content.append(
        (
          FleetRecord(place: place, box: box, content: .event(event)),
          span.integer(at: numberOffset, as: UInt64.self)
        ))
    }
    return content
  }

  private static func sector(_ place: FleetPlace, _ event: FleetEvent, _ number: UInt64) -> [UInt8]? {
    let content = event.bytes
    guard content.count <= FleetEvent.longestEvent else { return nil }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: place.rawValue)
    bytes.append(littleEndian: UInt16(content.count))
    bytes += content
    // The sector begins with 8 bytes more.
    bytes += [UInt8](repeating: 0, count: numberOffset - 8 - bytes.count)
    bytes.append(littleEndian: number)
    return FleetSector.sealed(format: format, bytes)
  }
}

/// Decoding of the events' file, for fuzzing and tests.
package enum FleetEventSectors {
  package static func records(in bytes: [UInt8]) -> [FleetRecord] { FleetEventFile.records(in: bytes, box: 1) }
}
