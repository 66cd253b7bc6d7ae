import Foundation
import Glibc
import LoopbackServer
import Testing
import WebFetching

@Suite("Descriptors")
struct DescriptorTests {
  @Test("a program that is started does not inherit the connections to servers")
  func inheritance() async throws {
    try await withAnswer(.init(body: "whole")) { server in
      let fetcher = try server.fetcher()
      _ = try await fetcher.fetch(WebRequest("https://\(host)/file"))
      // The connection stays open for the next request.
      let connections = Self.connections(to: try server.port(.good))
      try #require(!connections.isEmpty)
      for connection in connections {
        #expect(fcntl(connection, F_GETFD) & FD_CLOEXEC != 0)
      }
      withExtendedLifetime(fetcher) {}
    }
  }

  /// This process's descriptors that are connected to a port of the loopback.
  private static func connections(to port: UInt16) -> [Int32] {
    (0..<Int32(1024)).filter { descriptor in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutableBytes(of: &address) { bytes in
        getpeername(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
      }
      return status == 0 && Int32(address.sin_family) == AF_INET
        && UInt16(bigEndian: address.sin_port) == port
    }
  }
}
