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
      "The location service refused a client of \(user): \(limit) clients were connected, as many as may be."
    case .clientsOfUser: "The location service refused a client of \(user), who had \(limit) already."
    case .clientsWithoutGrant:
      "The location service refused a client of \(user): users without access had \(limit) already."
    case .clientsOfNamespaces:
      "The location service refused a client of \(user): users of user namespaces had \(limit) already."
    case .requests:
      "The location service refused a request of \(user): \(limit) were under way, as many as may be."
    case .requestsOfUser: "The location service refused a request of \(user), who had \(limit) under way already."
    case .regions: "The location service refused a region of \(user), who had \(limit) already."
    case .regionBytes:
      "The location service refused a region of \(user), whose regions took \(limit) bytes already."
    case .lists: "The location service refused a list of regions of \(user): there were \(limit) already."
    }
  }

  /// What the administrator can do.
  fileprivate var remedy: String {
    switch kind {
    case .clients, .clientsOfUser, .clientsWithoutGrant, .clientsOfNamespaces, .requests, .requestsOfUser:
      "See with 'sudo locationctl status' which programs those are, and end what is not wanted."
    case .regions, .regionBytes, .lists:
      "See with 'sudo locationctl region list' what is watched, and remove what is not wanted."
    }
  }
}
