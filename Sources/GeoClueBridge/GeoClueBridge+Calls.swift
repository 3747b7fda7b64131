import BusMessages
import Geodesy

/// Calls: which object and interface they name, and whether the caller may.
extension GeoClueBridge {
  mutating func receive(
    _ call: BusCall, _ number: CallNumber, _ caller: Caller, at now: Instant, _ actions: inout [BridgeAction]
  ) throws(BusError) {
    guard let object = GeoClue.object(at: call.path) else { throw .unknownObject(call.path) }
    try check(object, call.path, caller, at: now)
    switch (call.interface, call.member) {
    case (StandardInterface.introspectable, "Introspect"), ("", "Introspect"):
      actions.append(
        .answer(number, [.string(Introspection.xml(interfaces(of: object), children: children(of: object)))]))
    case (StandardInterface.properties, _):
      try receiveProperties(call, object, number, at: now, &actions)
    default:
      guard let own = ownInterface(of: object), call.interface == own.name || call.interface.isEmpty else {
        throw .unknownInterface(call.interface)
      }
      guard let method = own.method(call.member) else { throw .unknownMethod(call.member) }
      let expected = method.takes.reduce("") { $0 + $1.signature }
      guard call.signature == expected else { throw .invalidArguments("\(call.member) takes (\(expected))") }
      switch object {
      case .manager: try callManager(call, number, caller, &actions)
      case .client(let client): try callClient(client, call.member, number, at: now, &actions)
      case .location, .node: throw .unknownMethod(call.member)
      }
    }
  }

  /// Whether the object exists, and belongs to the caller.
  private func check(_ object: GeoClue.Object, _ path: String, _ caller: Caller, at now: Instant) throws(BusError) {
    let number: Int
    switch object {
    case .manager, .node: return
    case .client(let client): number = client
    case .location(_, let client): number = client
    }
    guard let client = clients[number] else { throw .unknownObject(path) }
    guard client.owner == caller.name else { throw .accessDenied("Access denied") }
    if case .location(let location, _) = object, client.location(location, at: now) == nil {
      throw .unknownObject(path)
    }
  }

  private func ownInterface(of object: GeoClue.Object) -> BusInterface? {
    switch object {
    case .manager: GeoClue.manager
    case .client: GeoClue.client
    case .location: GeoClue.location
    case .node: nil
    }
  }

  private func interfaces(of object: GeoClue.Object) -> [BusInterface] {
    guard let own = ownInterface(of: object) else { return [BusInterface.standard[1]] }
    return BusInterface.standard + [own]
  }

  /// A client's own path is known to its owner alone, so the manager is the only child that is named.
  private func children(of object: GeoClue.Object) -> [String] { object == .node ? ["Manager"] : [] }

  // MARK: - The manager

  private mutating func callManager(
    _ call: BusCall, _ number: CallNumber, _ caller: Caller, _ actions: inout [BridgeAction]
  ) throws(BusError) {
    switch call.member {
    case "GetClient":
      let client: Int
      if let known = firstClients[caller.name] {
        client = known
      } else {
        client = try makeClient(caller)
        firstClients[caller.name] = client
      }
      actions.append(.answer(number, [.objectPath(GeoClue.path(ofClient: client))]))
    case "CreateClient":
      actions.append(.answer(number, [.objectPath(GeoClue.path(ofClient: try makeClient(caller)))]))
    case "DeleteClient":
      // The path of another connection, or of no client: nothing happens, and the caller learns nothing.
      if let path = call.arguments.first?.text, case .client(let client)? = GeoClue.object(at: path),
        clients[client]?.owner == caller.name
      {
        delete(client, &actions)
      }
      actions.append(.answer(number, []))
    case "AddAgent":
      try agents.add(caller, id: call.arguments.first?.text ?? "", number)
      // GeoClue reads the agent's properties before it answers, and agents rely on that order.
      actions.append(.readAgent(caller.name))
    default: throw .unknownMethod(call.member)
    }
  }

  private mutating func makeClient(_ caller: Caller) throws(BusError) -> Int {
    var (ofConnection, ofUser) = (0, 0)
    for client in clients.values where client.userID == caller.userID {
      ofUser += 1
      if client.owner == caller.name { ofConnection += 1 }
    }
    guard ofConnection < Self.mostOfConnection, ofUser < Self.mostOfUser, clients.count < Self.most else {
      throw .limitsExceeded("There are too many clients")
    }
    defer { nextClient += 1 }
    clients[nextClient] = BridgeClient(number: nextClient, owner: caller.name, userID: caller.userID)
    return nextClient
  }

  // MARK: - A client

  private mutating func callClient(
    _ client: Int, _ member: String, _ number: CallNumber, at now: Instant, _ actions: inout [BridgeAction]
  ) throws(BusError) {
    switch member {
    case "Start": try start(client, number, at: now, &actions)
    case "Stop":
      // The calls of a client are answered in their order.
      refuseStart(client, .failed("The client was stopped"), &actions)
      actions.append(.answer(number, []))
      stop(client, &actions)
    default: throw .unknownMethod(member)
    }
  }

  // MARK: - Properties

  private mutating func receiveProperties(
    _ call: BusCall, _ object: GeoClue.Object, _ number: CallNumber, at now: Instant, _ actions: inout [BridgeAction]
  ) throws(BusError) {
    guard let method = BusInterface.standard[0].method(call.member) else { throw .unknownMethod(call.member) }
    let expected = method.takes.reduce("") { $0 + $1.signature }
    guard call.signature == expected else { throw .invalidArguments("\(call.member) takes (\(expected))") }
    let interface = call.arguments[0].text ?? ""
    guard let own = ownInterface(of: object), interface == own.name || interface.isEmpty else {
      throw .unknownInterface(interface)
    }
    switch call.member {
    case "Get":
      let name = call.arguments[1].text ?? ""
      guard let value = value(name, of: object, at: now) else { throw .unknownProperty(name) }
      actions.append(.answer(number, [.variant(value)]))
    case "GetAll":
      let values = own.properties.compactMap { property in
        value(property.name, of: object, at: now).map { (name: property.name, value: $0) }
      }
      actions.append(.answer(number, [.properties(values)]))
    default:
      let name = call.arguments[1].text ?? ""
      guard case .client(let client) = object else {
        throw own.property(name) == nil ? .unknownProperty(name) : .readOnly(name)
      }
      try clients[client]?.set(name, to: call.arguments[2].content)
      actions.append(.answer(number, []))
      noteSet(name, of: client, at: now, &actions)
    }
  }

  private func value(_ name: String, of object: GeoClue.Object, at now: Instant) -> BusValue? {
    switch object {
    case .manager:
      switch name {
      case "InUse": .boolean(isInUse)
      case "AvailableAccuracyLevel": .uint32(available.rawValue)
      default: nil
      }
    case .client(let client): clients[client]?.value(name)
    case .location(let location, let client): clients[client]?.location(location, at: now)?.value(name)
    case .node: nil
    }
  }

  /// The owner learns of a property that it has set together with the start, as from GeoClue, or soon.
  private mutating func noteSet(_ name: String, of client: Int, at now: Instant, _ actions: inout [BridgeAction]) {
    clients[client]?.unannounced.insert(name)
    if clients[client]?.isActive == true {
      announce(client, [], &actions)
      if name == "RequestedAccuracyLevel" { applyLevel(of: client, &actions) }
    } else {
      announcementDue = announcementDue ?? now + Self.announcementTime
    }
  }
}
