import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import TestSupport

/// The administrator who decides and is asked: this user, to whom the daemon belongs.
final class PersonInCharge {
  struct NoAnswer: Error {}

  private let stream: UnixStream
  private var reader = FrameReader(limit: MessageLimits.event)
  private var nextRequest: UInt32 = 1
  /// The request with whose ID questions come.
  private var agent: RequestID?
  private var questions: [AuthorizationPrompt] = []

  init(_ place: RunningDaemon.Place) throws {
    stream = try UnixStream(connectingTo: UnixAddress(path: place.socket))
    send(.hello(ClientHello(name: "person")))
    guard case .hello? = try next() else { throw NoAnswer() }
  }

  func decide(_ decision: Decision, for user: UInt32) throws {
    try execute(.decide(ClientIdentity(userID: user), decision))
  }

  func setServices(isOn: Bool) throws { try execute(.setServices(isOn: isOn)) }

  /// Receives questions from now on, also those that another connection asks immediately afterwards.
  func serveQuestions() throws {
    let id = newRequest()
    agent = id
    send(.request(.authorization(id, .serveQuestions)))
    // The service handles the requests of one connection in order: when it answers this one, it has handled the previous one.
    try setServices(isOn: true)
  }

  /// Waits for this many positions from now on, like any client with access.
  func awaitFixes(_ count: Int) throws {
    let id = newRequest()
    send(.request(.startUpdates(id, UpdateOptions(waitsForSource: true))))
    var found = 0
    while found < count {
      let message = try next()
      if case .event(.update(id, _, _)) = message { found += 1 }
      try receive(message)
    }
    send(.request(.cancel(id)))
  }

  /// Waits for a position with that time or a later one, which may already exist.
  func awaitFix(of time: GNSSTime) throws {
    let (updates, known) = (newRequest(), newRequest())
    send(.request(.startUpdates(updates, UpdateOptions(waitsForSource: true))))
    send(
      .request(
        .locate(
          known,
          OneShotOptions(
            timeout: .zero, maximumAge: .zero, acceptsLastKnown: true, waitsForSource: true, whenNotDetermined: .fails))
      ))
    while true {
      let message = try next()
      switch message {
      case .event(.update(updates, let fix, _)) where fix.time >= time: return send(.request(.cancel(updates)))
      case .event(.located(known, let fix, _, _)) where fix.time >= time: return send(.request(.cancel(updates)))
      default: try receive(message)
      }
    }
  }

  /// Waits for a question, and answers it.
  func answer(_ choice: PromptAnswer.Choice) throws -> AuthorizationPrompt {
    while questions.isEmpty { try receive(next()) }
    let question = questions.removeFirst()
    try execute(.answer(question.number, PromptAnswer(choice)))
    return question
  }

  private func execute(_ request: AuthorizationRequest) throws {
    let id = newRequest()
    send(.request(.authorization(id, request)))
    while true {
      let message = try next()
      if case .event(.done(id)) = message { return }
      if case .event(.failed(id, let failure)) = message { throw failure }
      try receive(message)
    }
  }

  private func receive(_ message: ServerMessage?) throws {
    guard let message else { throw NoAnswer() }
    if case .event(.authorization(agent, .question(let question))) = message { questions.append(question) }
  }

  private func newRequest() -> RequestID {
    defer { nextRequest += 1 }
    return RequestID(nextRequest)
  }

  private func send(_ message: ClientMessage) { _ = stream.write(message.frame[...]) }

  /// The next message; `nil`: the service has closed the connection.
  private func next() throws -> ServerMessage? {
    while true {
      if let payload = try reader.next() { return try ServerMessage(payload.span) }
      var wait = pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0)
      // A guard against hanging, not a measurement.
      guard unsafe poll(&wait, 1, 60_000) == 1 else { throw NoAnswer() }
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard case .bytes(let count) = stream.read(into: &buffer) else { return nil }
      reader.push(buffer[..<count])
    }
  }
}
