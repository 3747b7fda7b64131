/// Why a helper of the service did not run.
enum HelperProblem: Error {
  /// Nobody has handed a socket over; the unit that does.
  case noSocket(unit: String)
  case system(operation: String, errno: Int32)
}
