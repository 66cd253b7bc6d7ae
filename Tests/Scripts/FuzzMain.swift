import CliptagPlatform
import FuzzTargets

/// libFuzzer's entry: feeds one input to the target that `$FUZZ_TARGET` names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  do {
    try target.feed(input)
  } catch {
    fatalError("\(target.name): \(error)")
  }
  return 0
}

private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.named(name) else {
    fatalError("FUZZ_TARGET is “\(name)”; one of \(FuzzTarget.all.map(\.name)) is needed")
  }
  return target
}()
