import LocationIPC

extension ServiceEvent {
  /// What this user may not read may be had in another way, or is another's matter: this program was denied nothing.
  var withoutDenial: ServiceEvent {
    guard case .failed(let id, .permissionDenied) = self else { return self }
    return .failed(id, .noSource)
  }
}
