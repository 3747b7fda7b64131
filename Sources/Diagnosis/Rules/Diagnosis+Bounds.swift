package import LocationIPC

/// What the service refused because there is as much of it as may be.
extension Diagnosis {
  /// Beyond, it is history.
  private static let recent = Duration.seconds(600)

  var boundFindings: [Finding] {
    bounds.map { reached in
      Finding(
        .serviceBound, reached.ago < Self.recent ? .degrades : .note, reached.bound.sentence,
        command: reached.bound.remedy)
    }
  }
}

extension ServiceBound {
  /// What has happened, for a person.
  package var sentence: String {
    let user = userID.map { "user \($0)" } ?? "an unknown user"
    return switch kind {
    case .clients:
      "The location service refused a client of \(user): \(limit) clients were connected, which is the limit."
    case .clientsOfUser:
      "The location service refused a client of \(user), who had \(limit) clients already, which is the limit."
    case .clientsWithoutGrant:
      "The location service refused a client of \(user): users without access had \(limit) clients already, which is the limit."
    case .clientsOfNamespaces:
      "The location service refused a client of \(user): users of user namespaces had \(limit) clients already, which is the limit."
    case .requests:
      "The location service refused a request of \(user): it was working on \(limit) requests, which is the limit."
    case .requestsOfUser:
      "The location service refused a request of \(user), who had \(limit) open requests, which is the limit."
    case .regions:
      "The location service refused a region of \(user), who had \(limit) regions already, which is the limit."
    case .regionBytes:
      "The location service refused a region of \(user), whose regions took \(limit) bytes already, which is the limit."
    case .lists:
      "The location service refused a list of regions of \(user): there were \(limit) lists already, which is the limit."
    }
  }

  /// What the administrator can do.
  fileprivate var remedy: String {
    switch kind {
    case .clients, .clientsOfUser, .clientsWithoutGrant, .clientsOfNamespaces, .requests, .requestsOfUser:
      "Find these programs with 'sudo locationctl status', and end those that you do not need."
    case .regions, .regionBytes, .lists:
      "List the regions with 'sudo locationctl region list', and remove those that you do not need."
    }
  }
}
