import CNFC
import TagTypes

@testable import NFCReader

/// A libnfc without a library: one reader that always has the same tag on it, an NTAG unless said
/// otherwise.
///
/// The driver's name is one that ``ReaderConnection`` does not know, so that no port is looked for.
enum FakeLibNFC {
  static let connectionString = "fake:0"
  static let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]

  static func calls(
    _ target: TagTarget = TagTarget(atqa: [0x00, 0x44], sak: 0, uid: uid)
  ) -> LibNFCCalls {
    LibNFCCalls(
      initialize: { OpaquePointer(bitPattern: 0x10) },
      listDevices: { _, list, count in
        guard count > 0 else { return 0 }
        for (index, byte) in connectionString.utf8CString.enumerated() { list[index] = byte }
        return 1
      },
      open: { _, _ in OpaquePointer(bitPattern: 0x20) },
      isReady: { _ in true },
      close: { _ in },
      information: { _, _ in -8 },
      initiatorInitialize: { _ in 0 },
      setFlag: { _, _, _ in 0 },
      setNumber: { _, _, _ in 0 },
      select: { _, wanted, found in answer(wanted, target, found) },
      selectPatiently: { _, wanted, _, found in answer(wanted, target, found) },
      selectOther: { _, _, _, _ in 0 },
      deselect: { _ in 0 },
      transceive: { _, command, answer, _ in
        guard command.first == 0x30 else { return 0 }
        answer.update(repeating: 0x55)
        return 16
      },
      pause: { _ in })
  }

  private static func answer(
    _ wanted: UnsafeBufferPointer<UInt8>, _ target: TagTarget,
    _ found: UnsafeMutablePointer<cnfc_target>
  ) -> Int32 {
    guard wanted.isEmpty || wanted.elementsEqual(target.uid) else { return 0 }
    found.pointee.atqa = (target.atqa[0], target.atqa[1])
    found.pointee.sak = target.sak
    found.pointee.uid_length = UInt8(target.uid.count)
    withUnsafeMutableBytes(of: &found.pointee.uid) { $0.copyBytes(from: target.uid) }
    found.pointee.ats_length = UInt8(target.ats.count)
    withUnsafeMutableBytes(of: &found.pointee.ats) { $0.copyBytes(from: target.ats) }
    return 1
  }
}
