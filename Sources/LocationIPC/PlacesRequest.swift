package import PlacesCore
package import Positioning

/// A query for places that the data on this machine does not answer, for the server that the administrator has configured. A client
/// sends it only for a single question of a person.
package enum PlacesRequest: Hashable, Sendable {
  /// Answered by at most one place.
  case at(ReverseQuery)
  /// Answered by at most as many places as the query permits. The last word is complete: servers are not asked while a person types.
  case find(ForwardQuery)
}

/// Why a query for places has no answer from a server.
package enum PlacesFailure: Error, Hashable, Sendable {
  /// No server is configured, or this service is not the daemon.
  case noProvider
  /// A server is configured, and the contact that its owner needs is not.
  case noContact
  /// Too many queries wait for the server.
  case busy
  /// The query is empty or too long for a web address.
  case tooLong
  /// The server, by its name, has not answered.
  case failed(host: String, FetchProblem)
}
