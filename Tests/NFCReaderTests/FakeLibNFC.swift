import CNFC

@testable import NFCReader

/// A libnfc without a library: one reader that always has the same NTAG on it.
///
/// The driver's name is one that ``ReaderConnection`` does not know, so that no port is looked for.
enum FakeLibNFC {
  static let connectionString = "fake:0"
  static let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]

  static func calls() -> LibNFCCalls {
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
      select: { _, wanted, target in answer(wanted, target) },
      selectPatiently: { _, wanted, _, target in answer(wanted, target) },
      transceive: { _, command, answer in
        guard command.first == 0x30 else { return 0 }
        answer.update(repeating: 0x55)
        return 16
      },
      pause: { _ in })
  }

  private static func answer(
    _ wanted: UnsafeBufferPointer<UInt8>, _ target: UnsafeMutablePointer<cnfc_target>
  ) -> Int32 {
    guard wanted.isEmpty || wanted.elementsEqual(uid) else { return 0 }
    target.pointee.atqa = (0x00, 0x44)
    target.pointee.uid_length = UInt8(uid.count)
    withUnsafeMutableBytes(of: &target.pointee.uid) { $0.copyBytes(from: uid) }
    return 1
  }
}
