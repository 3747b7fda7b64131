// The entry point of the test bundle. SwiftPM takes a file of this name; without it, SwiftPM searches the index of the sources for
// tests of XCTest, of which there are none, so that tests could not be built without an index.

import Testing

await Testing.__swiftPMEntryPoint() as Never
