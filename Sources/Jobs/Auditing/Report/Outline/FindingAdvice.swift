import Verifying
import Invocation

extension Finding.Code {
  /// The heading of the finding, in a few words.
  var title: String {
    if let title = Self.words[self]?.title { return title }
    let words = rawValue.shortened(to: 60).prose.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Whether the finding's own sentence includes the advice.
  var saysWhatToDo: Bool {
    [
      .unconfirmedPlace, .unreadSymbol, .wornPrint, .unfinishedSearch, .oldPicture, .knownPicture,
      .otherLanguage, .foreignCode, .copiedCode,
    ].contains(self)
  }

  /// The advice for the person who visits the place; `nil` if the finding's own sentence must
  /// suffice.
  package var advice: String? { Self.words[self]?.advice }

  /// Codes of parcels have no title, because no page groups by them.
  private static let words: [Finding.Code: (title: String?, advice: String)] = [
    .missingCode: (
      "Missing", "Look for it there. If it is gone, put up a new one, or retire it in the registry."
    ),
    .retiredCode: ("Retired, still hanging", "Take it down."),
    .unissuedCode: (
      "Not made by us", "Take it down, keep it, and find out who put it up."
    ),
    .foreignUID: (
      "Copied tag", "Take the tag down, keep it, and put up a tag that you wrote yourself."
    ),
    .overwrittenTag: (
      "Tag holds something else", "Write it again and lock it, or take it down."
    ),
    .unlockedTag: ("Tag can be changed", "Check what it says and lock it, or replace it."),
    .wornPrint: ("Worn print", "Print it again and replace it."),
    .unsupportedSymbol: (
      "Symbol that no iPhone reads", "Replace it by an ordinary QR code with the same URL."
    ),
    .signDisagrees: ("Sign contradicts itself", "Replace what leads to the wrong place."),
    .copiedCode: (
      "Same code at two places", "Find out which of the two is ours, and take the other down."
    ),
    .wrongPlace: ("At the wrong place", "Take it down here."),
    .movedCode: ("Hangs elsewhere", "Fetch it; do not print it again."),
    .hungTwice: (
      "Hangs twice", "Take down what is one too many, or record that it was printed again."
    ),
    .phishingCode: (
      "Foreign code for payments or phishing",
      "Photograph it, cover it at once, and call the place and the police. Do not follow it."
    ),
    .foreignCode: (
      "Foreign code", "Look whether it covers one of ours, and take it down then."
    ),
    .swappedCodes: ("Swapped", "Swap the two: each hangs at the other's place."),
    .unreadSymbol: (
      "Could not be read", "Go there with a phone: if that does not read it either, replace it."
    ),
    .unconfirmedPlace: (
      "Place not confirmed",
      "Read it again with a better position, or say at which place you stood."
    ),
    .printsNotSeen: (
      "Not every print was seen",
      "Look for the others; if one is gone, print it again, or retire it in the registry."
    ),
    .unfinishedSearch: (
      "Not searched to the end",
      "Take a picture from nearer, or read it again with a larger budget."
    ),
    .oldPicture: ("Old picture", "Take a new picture, if it does not show how things are now."),
    .knownPicture: ("Picture of another walk", "Take a new picture: this one shows nothing new."),
    .otherLanguage: (
      "Sign in another language", "Print it again with the words of the place, and replace it."
    ),
    .outsideRegion: (
      "Outside of its place", "Hang it where it belongs, or correct the place in the registry."
    ),
    .undecidedAccuracy: (
      "Position not exact enough",
      "Read it again with a better position, under open sky if need be."
    ),
    .noPosition: ("No position", "Read it again with a position."),
    .unusablePosition: (
      "No position", "Read it again under open sky, or give the position by hand."
    ),
    .positionJump: (
      "Positions contradict each other", "Read it again standing still, away from walls."
    ),
    .inexactPicture: (
      "Position not exact enough",
      "Say how exact the pictures' positions are, or read it again with a position."
    ),
    .signSuspect: (
      "Coordinates exchanged?", "Correct the position: the latitude stands first, west is negative."
    ),
    .barePrefix: ("Names no place", "Replace the code by one with its place in the URL."),
    .noPlace: ("Belongs to no place", "Say in the registry where it belongs."),
    .unknownPlace: ("Unknown place", "Add the place to the registry, or replace the code."),
    .unknownHost: (
      "Leads to a foreign site", "Take it down if it stands where a code of ours should be."
    ),
    .noMatch: (
      "Opens no App Clip", "Register an experience that covers its URL, or replace the code."
    ),
    .inactiveExperience: (
      "Experience switched off", "Switch the experience on again, or take the code down."
    ),
    .emptyTag: ("Tag is empty", "Write its code to it, or take it down."),
    .tornTag: ("Tag is half written", "Write it again; it takes no harm."),
    .otherData: (
      "Tag holds other data", "Read what it holds. If it is ours, overwrite it; else replace it."
    ),
    .malformedNDEF: ("Tag's message is malformed", "Write the same URL again, or overwrite it."),
    .noURIRecord: ("Tag opens nothing", "Write its URL to it as a URI record."),
    .smartPoster: ("URL in a Smart Poster", "Write the URL as a plain URI record."),
    .uriRecordNotFirst: ("URL is not first on the tag", "Write the URL as the only record."),
    .severalRecords: ("Several records on the tag", "Write the URL as the only record."),
    .hiddenByPassword: (
      "Tag hides its message", "Let the password guard writing only, so that phones can read."
    ),
    .readingDenied: (
      "Tag denies reading", "Write a Type 5 tag again; replace any other by a new one."
    ),
    .multipleBlocks: (
      "Tag that iPhones may pass over",
      "Write it again, which changes its container, or try it with an iPhone."
    ),
    .withoutTerminator: (
      "Tag that iPhones may not read",
      "Use a shorter URL or a larger tag, or try it with an iPhone."
    ),
    .chunkedRecord: ("URL in pieces on the tag", "Write the URL again, as one record."),
    .mifareClassic: (
      "Tag that no iPhone reads",
      "Replace it by a tag of NFC Forum Type 2 or 4, such as an NTAG215."
    ),
    .notGenuine: (
      "Signature not verified",
      "Ask where the tag was bought, and replace it if it may be another maker's."
    ),
    .messageReplayed: (
      "Replayed message",
      "Go there and read the tag itself; take down what is not ours, and keep it."
    ),
    .messageInvalid: (
      "Message is not the tag's", "See that the keys are the tag's; then take it down and keep it."
    ),
    .messageOfAnotherTag: (
      "Another tag's message",
      "Take the tag down, keep it, and put up a tag that you wrote yourself."
    ),
    .messageMissing: ("Message is missing", "Set up the tag's message again, or replace the tag."),
    .wornSymbol: (
      "Damaged or badly seen",
      "Look at it: print it again if it is damaged, or take a better picture."
    ),
    .invertedSymbol: ("Light on dark", "Print it dark on light."),
    .needsDarkGround: (
      "Light on transparent", "Put a dark ground behind it, or print it dark on light."
    ),
    .mirroredSymbol: ("Mirrored", "Hang it the right way round, or print it again."),
    .parcelMissing: (
      nil, "Look for it, or make it before the parcel leaves."
    ),
    .parcelForeign: (nil, "Take it out, and find out where it came from."),
    .parcelDuplicate: (nil, "Take out what is one too many."),
    .parcelIncomplete: (
      nil, "Look for the other prints, make them again, or retire the items that were thrown away."
    ),
    .parcelReadApart: (nil, "Make sure that no print was read twice."),
    .parcelSwapped: (nil, "Put it into the parcel of its place."),
    .parcelRetired: (nil, "Take it out and destroy it."),
    .parcelUnread: (nil, "Read it again from nearer, or print it again."),
    .parcelNotPacked: (
      nil, "Once every code is in the parcel, record the packing list of the place as packed."
    ),
  ]
}
