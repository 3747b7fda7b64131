package import FleetDestinations
package import Geodesy
import LocationPolicy

/// Makes messages of records, as the kind of the destination needs them.
package struct FleetRenderer: Sendable {
  private let destination: FleetDestination
  private var settings: FleetSettings { destination.settings }
  private var path: String { destination.address.path }

  package init(_ destination: FleetDestination) { self.destination = destination }

  /// How many records a message may contain.
  package var mostRecords: Int { destination.address.kind == .overland ? OverlandBatch.longest : 1 }

  /// The message of one record, or of several fixes (`mostRecords`); `nil`: this destination has no form for it, and it counts as sent.
  package func message(_ records: [FleetRecord], _ context: FleetContext?, written: GNSSTime?) -> FleetMessage? {
    guard let first = records.first else { return nil }
    switch first.content {
    case .fix(let fix): return message(fix, records, context, written: written)
    case .event(.crossing(let crossing)):
      guard settings.sendsEvents else { return nil }
      return transition(crossing, first)
    case .event(.visit(let visit)):
      guard settings.sendsVisits, destination.address.kind == .mqtt else { return nil }
      return message(
        first, .event, .publish, settings.baseTopic + "/visit",
        OwnTracksPayload.visit(visit, identifier: first.identifier))
    }
  }

  private func message(
    _ fix: PositionFix, _ records: [FleetRecord], _ context: FleetContext?, written: GNSSTime?
  ) -> FleetMessage? {
    guard settings.sendsFixes, let first = records.first else { return nil }
    let identifier = first.identifier
    switch destination.address.kind {
    case .mqtt:
      var message = message(
        first, .fix, .publish, settings.baseTopic,
        OwnTracksPayload.location(
          fix, identifier: identifier, settings, context, topic: nil, written: written))
      message.isRetained = settings.retains
      return message
    case .ownTracksHTTP:
      return message(
        first, .fix, .post, path,
        OwnTracksPayload.location(
          fix, identifier: identifier, settings, context, topic: settings.baseTopic, written: written))
    case .osmAnd:
      return FleetMessage(
        id: first.place.rawValue, kind: .fix, method: .get,
        target: OsmAndQuery.path(fix, identifier: identifier, to: path, settings, context), body: [])
    case .overland:
      return message(first, .fix, .post, path, OverlandBatch.body(records, settings, context))
    case .http:
      return message(
        first, .fix, .post, path,
        FleetTemplate.body(
          settings.template ?? FleetTemplate.standard, fix, identifier: identifier, settings, context))
    }
  }

  private func transition(_ crossing: FleetCrossing, _ record: FleetRecord) -> FleetMessage? {
    switch destination.address.kind {
    case .mqtt:
      message(
        record, .event, .publish, settings.baseTopic + "/event",
        OwnTracksPayload.transition(crossing, identifier: record.identifier, settings, topic: nil))
    case .ownTracksHTTP:
      message(
        record, .event, .post, path,
        OwnTracksPayload.transition(
          crossing, identifier: record.identifier, settings, topic: settings.baseTopic + "/event"))
    case .osmAnd, .overland, .http: nil
    }
  }

  private func message(
    _ record: FleetRecord, _ kind: FleetMessage.Kind, _ method: FleetMessage.Method, _ target: String, _ body: [UInt8]
  ) -> FleetMessage {
    var message = FleetMessage(
      id: record.place.rawValue, kind: kind, method: method, target: target, body: body,
      contentType: "application/json")
    message.qos = settings.qos
    return message
  }
}
