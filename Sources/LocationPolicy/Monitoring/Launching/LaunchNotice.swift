/// What a person's desktop is to show.
package struct LaunchNotice: Hashable, Sendable {
  package let title: String
  package let body: String

  /// Bytes.
  package static let (longestTitle, longestBody) = (256, 2048)

  /// `nil`: no title, a NUL, or too long.
  package init?(title: String, body: String) {
    guard !title.isEmpty, title.utf8.count <= Self.longestTitle, body.utf8.count <= Self.longestBody,
      !title.utf8.contains(0), !body.utf8.contains(0)
    else { return nil }
    (self.title, self.body) = (title, body)
  }
}
