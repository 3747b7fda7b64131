package import Geodesy
package import LocationPolicy

/// Values that the service keeps as they cross the socket: fields may be added, and what is read is checked.
extension Visit {
  package var keptBytes: [UInt8] { MessageWriter.bytes(of: self) }
  package init(kept bytes: [UInt8]) throws(MessageError) { try self.init(MessageFields(bytes.span)) }
}

extension PositionFix {
  package var keptBytes: [UInt8] { MessageWriter.bytes(of: self) }
  package init(kept bytes: [UInt8]) throws(MessageError) { try self.init(MessageFields(bytes.span)) }
}

extension MonitoringEvent {
  package var keptBytes: [UInt8] { MessageWriter.bytes(of: self) }
  package init(kept bytes: [UInt8]) throws(MessageError) { try self.init(MessageFields(bytes.span)) }
}

extension MessageWriter {
  fileprivate static func bytes(of content: some MessageContent) -> [UInt8] {
    var message = MessageWriter()
    content.write(to: &message)
    return message.bytes
  }
}
