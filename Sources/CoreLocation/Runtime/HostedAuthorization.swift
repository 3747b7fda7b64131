/// What the process's own service knows: nobody is asked, and nothing changes while this program runs but that its receivers
/// turn out not to be readable, which its managers are told.
struct HostedAuthorization: AuthorizationSource {
  func states() -> AsyncStream<AuthorizationState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      continuation.yield(AuthorizationState(status: LocationService.shared.authorizationStatus))
      continuation.finish()
    }
  }
}
