import ArgumentParser
import LocationIPC
import LocationPolicy
import LocationdClient

/// `locationctl grant WHO`.
struct GrantCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant", abstract: "Give a user or a program access to the location.",
    discussion: """
      Access while in use means: while a login session of the user is online. Cron, services and logs need --always.
      """)

  @OptionGroup var who: ClientArgument
  @Flag(help: "Give access in the background, too: for cron, services and logs.")
  var always = false
  @Flag(help: "Give only an approximate position, to some kilometers.")
  var reduced = false

  func execute() -> CommandStatus {
    let decision: Decision = always ? .always(isReduced: reduced) : .whenInUse(isReduced: reduced)
    return Self.decide(who, decision)
  }
}

/// `locationctl revoke WHO`.
struct RevokeCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Take away a user's or program's access to the location, at once.")

  @OptionGroup var who: ClientArgument
  @Flag(help: "Allow only root to grant it again.")
  var restrict = false
  @Flag(help: "Delete the decision, so that the user can be asked again.")
  var forget = false

  func validate() throws {
    if restrict, forget { throw ValidationError("Give --restrict or --forget, not both.") }
  }

  func execute() -> CommandStatus {
    Self.decide(who, restrict ? .restricted : forget ? .forget : .denied)
  }
}

extension ServiceCommand {
  fileprivate static func decide(_ who: ClientArgument, _ decision: Decision) -> CommandStatus {
    do throws(FailureMessage) {
      return decide(.decide(try who.identity(), decision))
    } catch {
      return Diagnostics.report(error)
    }
  }

  /// Sends a request that the daemon only carries out or refuses.
  static func decide(_ request: AuthorizationRequest) -> CommandStatus {
    withDaemon { Question(host: $0).ask(.authorization(Question.id, request)) { _ in nil } }
  }

  /// Requests the grants from the daemon.
  static func withGrants(_ show: @escaping (GrantList, any ServiceAccess) -> CommandStatus) -> CommandStatus {
    withDaemon { host in
      Question(host: host).ask(.authorization(Question.id, .list)) { event in
        guard case .authorization(Question.id, .grants(let list)) = event else { return nil }
        return show(list, host)
      }
    }
  }
}
