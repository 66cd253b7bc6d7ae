#if canImport(CoreNFC)
  @preconcurrency import CoreNFC
  import Foundation
  public import TagTypes

  // Unchecked: the two references never change, and Core NFC passes each command to its own queue.
  /// A tag of ISO/IEC 14443 type A in front of an iPhone, as a channel for `TagTypes`.
  ///
  /// Commands of Type 2 tags pass unchanged; those of Type 4 tags are APDUs.
  public final class CoreNFCChannel: TagChannel, @unchecked Sendable {
    /// The description of the tag.
    ///
    /// Core NFC does not give ATQA and SAK: they are those of the tag's family.
    public let target: TagTarget

    private let tag: any NFCMiFareTag
    private let session: NFCTagReaderSession

    /// Makes a channel to a tag that the session detected.
    ///
    /// - Parameters:
    ///   - tag: The tag; the session must be connected to it before the first exchange.
    ///   - session: The session that detected the tag.
    public init(_ tag: any NFCMiFareTag, in session: NFCTagReaderSession) {
      self.tag = tag
      self.session = session
      let speaksISODEP = tag.mifareFamily != .ultralight
      target = TagTarget(
        atqa: speaksISODEP ? [0x03, 0x44] : [0x00, 0x44], sak: speaksISODEP ? 0x20 : 0x00,
        uid: [UInt8](tag.identifier))
    }

    /// Sends one command and returns the response without its CRC; that of an APDU ends with its
    /// status word.
    ///
    /// - Parameter command: The command without CRC.
    /// - Throws: `TagChannelError`: `.notCarried` for an APDU that Core NFC does not accept, `.tagLost`
    ///   when the tag left, `.refused` when it answered with a NAK and is selected again.
    public func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
      do {
        guard target.speaksISODEP else {
          return [UInt8](try await tag.sendMiFareCommand(commandPacket: Data(command)))
        }
        guard let apdu = NFCISO7816APDU(data: Data(command)) else {
          throw TagChannelError(.notCarried, "Core NFC does not accept this APDU")
        }
        let (data, first, second) = try await tag.sendMiFareISO7816Command(apdu)
        return [UInt8](data) + [first, second]
      } catch let error as TagChannelError {
        throw error
      } catch {
        let failure = Self.failure(error)
        // A tag is mute after a NAK.
        if failure.code == .refused { try await reselect(fieldCycle: false) }
        throw failure
      }
    }

    /// Connects to the same tag again.
    ///
    /// - Parameter fieldCycle: Core NFC cannot switch the field off; with both values the tag is only
    ///   selected anew.
    /// - Throws: `TagChannelError`: `.tagLost` when it left.
    public func reselect(fieldCycle: Bool) async throws(TagChannelError) {
      do {
        try await session.connect(to: .miFare(tag))
      } catch {
        throw Self.failure(error)
      }
    }

    private static func failure(_ error: any Error) -> TagChannelError {
      let code: TagChannelError.Code =
        switch (error as? NFCReaderError)?.code {
        case .readerTransceiveErrorTagResponseError: .refused
        case .readerTransceiveErrorTagConnectionLost: .tagLost
        case .readerTransceiveErrorTagNotConnected: .tagLost
        case .readerSessionInvalidationErrorUserCanceled: .cancelled
        default: .readerFailed
        }
      return TagChannelError(code, error.localizedDescription)
    }
  }
#endif
