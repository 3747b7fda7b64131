import Testing

@Suite struct ImportTests {}
