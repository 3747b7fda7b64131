/// Why a helper of the service did not run.
enum HelperProblem: Error {
  /// No socket was passed; the payload is the unit that should pass one.
  case noSocket(unit: String)
  case system(operation: String, errno: Int32)
}
