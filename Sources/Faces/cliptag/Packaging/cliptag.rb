# A formula for Homebrew on Linux. A release fills in the address and the digest of its source archive; the
# command has not been compiled on a Mac, so the formula asks for Linux.
class Cliptag < Formula
  desc "Issue, read and check App Clip codes as QR codes and NFC tags"
  homepage "https://example.com/cliptag"
  url "https://example.com/cliptag/archive/0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on "swift" => :build
  depends_on "curl"
  depends_on "expat"
  depends_on "ghostscript"
  depends_on "harfbuzz"
  depends_on "jpeg-turbo"
  depends_on "libarchive"
  depends_on "libdeflate"
  depends_on "libnfc"
  depends_on "libpng"
  depends_on "libpq"
  depends_on "librsvg"
  depends_on "libxml2"
  depends_on :linux
  depends_on "openssl@3"
  depends_on "pango"
  depends_on "pcsc-lite"
  depends_on "poppler"
  depends_on "qrencode"
  depends_on "sqlite"
  depends_on "zbar"

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "cliptag",
      "--static-swift-stdlib", "--scratch-path", ".build/release-static"
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    ENV["CLIPTAG_REGISTRY"] = testpath/"registry.sqlite"
    system bin/"cliptag", "qr", "https://example.com/menu", "--unregistered", "-o", "code.svg"
    assert_path_exists testpath/"code.svg"
  end
end
