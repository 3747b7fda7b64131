import Fleet
import FleetDestinations
import LocationStore

/// Any bytes as messages between the service and the fleet helper, as settings, events, commands and stored sectors: what is read is
/// written as it was read, however it was cut.
func checkFleet(_ bytes: [UInt8]) {
  let whole = FleetReading(bytes, pieces: [bytes.count])
  precondition(whole == FleetReading(bytes, pieces: bytes.prefix(64).map { Int($0 & 63) }), "depends on chunking")
  precondition(whole == FleetReading(bytes, pieces: [1]), "depends on chunking byte by byte")
  let written = whole.messages.flatMap(\.bytes)
  precondition(FleetReading(written, pieces: [written.count]).messages == whole.messages, "written differently")

  if let event = FleetEvent(bytes: bytes[...]) { precondition(FleetEvent(bytes: event.bytes[...]) == event, "event") }
  _ = FleetCommand(bytes, allowed: .known)
  precondition(FleetCommand(bytes, allowed: []) == nil, "a command that is not allowed")
  _ = FleetCursorSectors.place(bytes)
  let places = FleetEventSectors.records(in: bytes).map(\.place)
  precondition(places == places.sorted(), "events in order")

  let text = String(decoding: bytes, as: UTF8.self)
  if let destination = try? FleetDestination(text: text) {
    precondition((try? FleetDestination(text: destination.text)) == destination, "destination")
  }
  if let address = try? FleetAddress(parsing: text) {
    precondition((try? FleetAddress(parsing: address.text)) == address, "address")
  }
  if let schedule = FleetSchedule(text) { precondition(FleetSchedule(schedule.text) == schedule, "schedule") }
  if let memory = FleetMemory(text) { precondition(FleetMemory(memory.text) == memory, "memory") }
  _ = FleetTemplate.unknownName(in: text)
}

private struct FleetReading: Equatable {
  var messages: [FleetHelperMessage] = []
  var isRefused = false

  init(_ bytes: [UInt8], pieces: [Int]) {
    var reader = FleetHelperMessageReader()
    forEachPiece(of: bytes, pieces: pieces) { range in messages += reader.push(bytes[range]) }
    isRefused = reader.isMalformed
  }
}
