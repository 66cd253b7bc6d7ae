// The C library, under the name that it has on each system. A file that calls it imports this module,
// and no other names the system's own.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif
