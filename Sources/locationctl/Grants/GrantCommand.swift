import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy

/// `locationctl grant WHO`: gives a user or a program access to the location.
struct GrantCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant", abstract: "Grant a user or a program access to the location.",
    discussion: """
      Gives access while in use: to programs in a login session of the user (terminal, ssh or desktop). Cron jobs, services, logs and other machines (net:ADDRESS) need --always.
      """)

  @OptionGroup var who: ClientArgument
  @Flag(help: "Give access in the background, too: for cron, services and logs.")
  var always = false
  @Flag(help: "Grant only an approximate position, to within a few kilometers.")
  var reduced = false
  @OptionGroup var messages: MessageOptions

  func execute() -> CommandStatus {
    let decision: Decision = always ? .always(isReduced: reduced) : .whenInUse(isReduced: reduced)
    let access =
      (reduced ? "approximate location" : "location") + (always ? ", in the background too" : " while in use")
    return GrantRequest.decide(who, decision).confirmed("\(who.shown) has access to the \(access).")
  }
}

/// `locationctl revoke WHO`: revokes the access of a user or a program at once.
struct RevokeCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a user's or program's access to the location, at once.")

  @OptionGroup var who: ClientArgument
  @Flag(help: "Let only root grant access again.")
  var restrict = false
  @Flag(help: "Delete the decision. At the next request, somebody is asked again.")
  var forget = false
  @OptionGroup var messages: MessageOptions

  func validate() throws {
    if restrict, forget { throw ValidationError("Use either --restrict or --forget.") }
  }

  func execute() -> CommandStatus {
    GrantRequest.decide(who, restrict ? .restricted : forget ? .forget : .denied)
      .confirmed(
        forget ? "The decision about \(who.shown) is deleted." : "\(who.shown) has no access to the location any more.")
  }
}

/// Requests about grants, which only the daemon stores.
enum GrantRequest {
  fileprivate static func decide(_ who: ClientArgument, _ decision: Decision) -> CommandStatus {
    do throws(FailureMessage) {
      return decide(.decide(try who.identity(), decision))
    } catch {
      return Diagnostics.report(error)
    }
  }

  /// Sends a request to which the daemon only replies that it was executed or refused.
  static func decide(_ request: AuthorizationRequest) -> CommandStatus {
    CommandSession.withDaemon { $0.request(.authorization(request)) }
  }

  /// Requests the grants, and passes them with the current monotonic time to `show`.
  static func list(_ show: @escaping (GrantList, Instant) -> CommandStatus) -> CommandStatus {
    CommandSession.withDaemon { session in session.request(.grants) { show($0, session.now) } }
  }
}
