import LocationPolicy

/// The filter of an active stream, as an object: it is large and is used with every epoch, so that moving it in and out of its work
/// would cost more than its work.
final class OpenStream {
  var filter: UpdateFilter

  init(_ request: UpdateRequest) { filter = UpdateFilter(request) }
}
