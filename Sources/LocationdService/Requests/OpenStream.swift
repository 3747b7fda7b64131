import LocationPolicy

/// The filter of a stream that is under way, in a place of its own: it is large, and is asked with every epoch, so that
/// moving it in and out of its work would cost more than what it does.
final class OpenStream {
  var filter: UpdateFilter

  init(_ request: UpdateRequest) { filter = UpdateFilter(request) }
}
