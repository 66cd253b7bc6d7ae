internal import Glibc

/// The system's words for an `errno`.
func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
