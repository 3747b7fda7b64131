import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import TestSupport

/// Who decides, and is asked: this user, whose daemon it is.
final class PersonInCharge {
  struct NoAnswer: Error {}

  private let stream: UnixStream
  private var reader = FrameReader(limit: MessageLimits.event)
  private var nextRequest: UInt32 = 1
  /// The request under which questions come.
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

  /// Is asked from now on, also what another connection asks at once.
  func serveQuestions() throws {
    let id = newRequest()
    agent = id
    send(.request(.authorization(id, .serveQuestions)))
    // What is asked on one connection is taken in its order: once this is answered, that was heard.
    try setServices(isOn: true)
  }

  /// Waits for so many positions from now on, as whoever may have them is told.
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

  /// Waits for a position of that time or a later one, which may have been there before.
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

  /// Waits to be asked, and answers.
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

  /// The next message; `nil`: the service has closed.
  private func next() throws -> ServerMessage? {
    while true {
      if let payload = try reader.next() { return try ServerMessage(payload.span) }
      var wait = pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0)
      // A guard against hanging, not a measure.
      guard unsafe poll(&wait, 1, 60_000) == 1 else { throw NoAnswer() }
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard case .bytes(let count) = stream.read(into: &buffer) else { return nil }
      reader.push(buffer[..<count])
    }
  }
}
