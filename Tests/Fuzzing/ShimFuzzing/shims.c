/* What each C shim is fuzzed with: libFuzzer's bytes, through the functions that the Swift wrapper
 * above it calls, in the order in which it calls them. Built once for each shim, with -DSHIM_NAME, by
 * Tests/Scripts/fuzz-shims.sh. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes bytes from the front of the input; zeros behind its end. */
static uint8_t take(const uint8_t **data, size_t *size) {
  if (!*size) return 0;
  (*size)--;
  return *(*data)++;
}

#if defined SHIM_CZBar
#include <CZBar.h>
static int fuzz(const uint8_t *data, size_t size) {
  if (czbar_load()) abort();
  unsigned width = 1 + take(&data, &size);
  unsigned height = (unsigned)(size / width);
  if (!height) return 0;
  zbar_image_scanner_t *scanner = czbar_scanner_create();
  czbar_scanner_request_dbus(scanner, 0);
  /* What Swift asks for; DataBar, for one, overflows its stack (CVE-2023-40890). */
  static const zbar_symbol_type_t kinds[] = {ZBAR_QRCODE, ZBAR_CODE93, ZBAR_CODE128, ZBAR_EAN8, ZBAR_EAN13};
  czbar_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0);
  for (size_t at = 0; at < sizeof kinds / sizeof *kinds; at++)
    czbar_scanner_set_config(scanner, kinds[at], ZBAR_CFG_ENABLE, 1);
  czbar_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1);
  czbar_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_POSITION, 1);
  czbar_scanner_enable_cache(scanner, 0);
  zbar_image_t *image = czbar_image_create();
  czbar_image_set_format(image, 0x30303859);
  czbar_image_set_size(image, width, height);
  czbar_image_set_data(image, data, (unsigned long)width * height);
  czbar_scan_image(scanner, image);
  unsigned long sum = 0;
  for (const zbar_symbol_t *symbol = czbar_image_first_symbol(image); symbol;
       symbol = czbar_symbol_next(symbol)) {
    const char *text = czbar_symbol_get_data(symbol);
    for (unsigned at = 0; at < czbar_symbol_get_data_length(symbol); at++) sum += (uint8_t)text[at];
    for (unsigned at = 0; at < czbar_symbol_get_loc_size(symbol); at++)
      sum += (unsigned)(czbar_symbol_get_loc_x(symbol, at) + czbar_symbol_get_loc_y(symbol, at));
  }
  czbar_image_destroy(image);
  czbar_scanner_destroy(scanner);
  return sum == 1;
}

#elif defined SHIM_CNFC
#include <CNFC.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <termios.h>
#include <unistd.h>
/* A PN532 on a pseudo-terminal, whose answers are the input: each begins with its length. */
static int chip = -1;
static const uint8_t *answers;
static size_t answers_left;
static volatile bool is_over;

/* Commands whose answer begins with a status. libnfc calls abort() if its bit 7 is set, or if it is
 * missing and the memory in its place has that bit: a known limitation, see ReadersAndTags. */
static const char with_status[] = "\x16\x40\x42\x46\x4E\x50\x54\x56\x86\x88\x8E\x90\x92\x94";

static void reply(uint8_t command) {
  static const uint8_t acknowledgement[] = {0, 0, 0xFF, 0, 0xFF, 0};
  uint8_t frame[300] = {0, 0, 0xFF};
  size_t count = 0;
  uint8_t payload[256] = {0xD5, (uint8_t)(command + 1)};
  if (command == 0x02) { /* GetFirmwareVersion: libnfc opens nothing else */
    memcpy(payload + 2, "\x32\x01\x06\x07", 4);
    count = 6;
  } else if (command == 0x12 || command == 0x14 || command == 0x32 || command == 0x08) {
    count = 2;
  } else {
    size_t wanted = take(&answers, &answers_left) % 250;
    for (size_t at = 0; at < wanted; at++) payload[2 + at] = take(&answers, &answers_left);
    if (command && strchr(with_status, command)) {
      payload[2] &= 0x7F;
      if (!wanted) wanted = 1;
    }
    count = 2 + wanted;
  }
  frame[3] = (uint8_t)count;
  frame[4] = (uint8_t)(0x100 - count);
  uint8_t sum = 0;
  for (size_t at = 0; at < count; at++) sum = (uint8_t)(sum + payload[at]);
  memcpy(frame + 5, payload, count);
  frame[5 + count] = (uint8_t)(0x100 - sum);
  if (write(chip, acknowledgement, sizeof acknowledgement) < 0 || write(chip, frame, count + 7) < 0)
    is_over = true;
}

static void *serve(void *nothing) {
  uint8_t seen[600];
  size_t count = 0;
  while (!is_over) {
    struct pollfd waiting = {.fd = chip, .events = POLLIN};
    if (poll(&waiting, 1, 5) <= 0) continue;
    ssize_t got = read(chip, seen + count, sizeof seen - count);
    if (got <= 0) continue;
    count += (size_t)got;
    size_t at = 0;
    while (at + 6 <= count) {
      if (seen[at] || seen[at + 1] != 0xFF) {
        at++;
        continue;
      }
      size_t length = seen[at + 2];
      if (!length || length == 0xFF) { /* an acknowledgement */
        at += 4;
        continue;
      }
      if (at + 4 + length + 1 > count) break;
      if (length >= 2 && seen[at + 4] == 0xD4) reply(seen[at + 5]);
      at += 5 + length;
    }
    memmove(seen, seen + at, count - at);
    count -= at;
    if (count == sizeof seen) count = 0;
  }
  return nothing;
}

static void over_the_wire(const uint8_t *data, size_t size) {
  chip = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (chip < 0 || grantpt(chip) || unlockpt(chip)) abort();
  char name[64], connection[128];
  if (ptsname_r(chip, name, sizeof name)) abort();
  int other = open(name, O_RDWR | O_NOCTTY);
  struct termios mode;
  tcgetattr(other, &mode);
  cfmakeraw(&mode);
  tcsetattr(other, TCSANOW, &mode);
  snprintf(connection, sizeof connection, "pn532_uart:%s", name);
  answers = data;
  answers_left = size;
  is_over = false;
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  nfc_context *context = NULL;
  cnfc_init(&context);
  nfc_device *device = cnfc_open(context, connection);
  if (device && cnfc_is_ready(device) && cnfc_initiator_init(device) >= 0) {
    cnfc_target target;
    uint8_t answer[300];
    if (cnfc_select_patiently(device, NULL, 0, 200, &target) > 0) {
      uint8_t command[] = {0x30, 0x04};
      cnfc_initiator_transceive_bytes(device, command, sizeof command, answer, sizeof answer, 100);
      cnfc_initiator_deselect_target(device);
    }
    cnfc_identifier other_tag;
    cnfc_select_other_patiently(device, NMT_FELICA, NBR_212, 100, &other_tag);
  }
  if (device) cnfc_close(device);
  is_over = true;
  pthread_join(server, NULL);
  close(other);
  close(chip);
}

static int fuzz(const uint8_t *data, size_t size) {
  setenv("LIBNFC_LOG_LEVEL", "0", 1);
  if (cnfc_load()) abort();
  cnfc_target target;
  cnfc_identifier identifier;
  cnfc_read_target(data, size, &target);
  cnfc_read_other(NMT_FELICA, data, size, &identifier);
  cnfc_read_other(NMT_JEWEL, data, size, &identifier);
  cnfc_read_other(NMT_ISO14443B, data, size, &identifier);
  over_the_wire(data, size);
  return 0;
}

#elif defined SHIM_CPNG
#include <CPNG.h>
static int fuzz(const uint8_t *data, size_t size) {
  char message[CPNG_MESSAGE_SIZE];
  cpng_header header;
  if (cpng_read_header(data, size, &header, message) != CPNG_DONE) return 0;
  size_t plane = (size_t)header.width * header.height;
  if (!header.width || !header.height || plane > 1 << 20) return 0;
  size_t written = 0;
  for (int planes = 1; planes <= 4; planes += planes == 1 ? 2 : 1) {
    uint8_t *pixels = malloc(plane * (size_t)planes);
    cpng_read(data, size, planes, pixels, plane, &written, message);
    free(pixels);
  }
  for (uint32_t factor = 2; factor <= 3; factor++) {
    size_t count = (size_t)(header.width / factor) * (header.height / factor);
    uint8_t *out = malloc(count + 1);
    cpng_read_reduced(data, size, factor, out, count, message);
    free(out);
  }
  return 0;
}

#elif defined SHIM_CJPEG
#include <CJPEG.h>
static int fuzz(const uint8_t *data, size_t size) {
  char message[CJPEG_MESSAGE_SIZE];
  int reduction = 1 << (take(&data, &size) & 3);
  cjpeg_size shape;
  if (cjpeg_read_size(data, size, reduction, &shape, message) > CJPEG_PATCHED) return 0;
  size_t plane = (size_t)shape.width * shape.height;
  if (!plane || plane > 1 << 18) return 0;
  for (int planes = 1; planes <= 3; planes += 2) {
    uint8_t *pixels = malloc(plane * (size_t)planes);
    cjpeg_read(data, size, reduction, planes, pixels, plane, message);
    free(pixels);
  }
  return 0;
}

#elif defined SHIM_CDeflate
#include <CDeflate.h>
static int fuzz(const uint8_t *data, size_t size) {
  struct libdeflate_compressor *handle = libdeflate_alloc_compressor(1 + take(&data, &size) % 12);
  size_t most = libdeflate_zlib_compress_bound(handle, size);
  uint8_t *out = malloc(most);
  size_t count = libdeflate_zlib_compress(handle, data, size, out, most);
  if (!count) abort();
  uint8_t *back = malloc(size + 1);
  size_t got = 0;
  struct libdeflate_decompressor *reader = libdeflate_alloc_decompressor();
  if (libdeflate_zlib_decompress(reader, out, count, back, size, &got) || got != size ||
      memcmp(back, data, size))
    abort();
  libdeflate_free_decompressor(reader);
  libdeflate_free_compressor(handle);
  free(back);
  free(out);
  return 0;
}

#elif defined SHIM_CExpat
#include <CExpat.h>
static XML_Parser parser;
static void begin(void *count, const XML_Char *name, const XML_Char **attributes) {
  size_t length = strlen(name);
  for (; *attributes; attributes++) length += strlen(*attributes);
  if ((*(size_t *)count += length) > 1 << 20) XML_StopParser(parser, XML_FALSE);
}
static void end(void *count, const XML_Char *name) { *(size_t *)count += strlen(name); }
static void refuse(void *count, const XML_Char *a, int b, const XML_Char *c, int d, const XML_Char *e,
                   const XML_Char *f, const XML_Char *g, const XML_Char *h) {
  (void)count, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  XML_StopParser(parser, XML_FALSE);
}
static int fuzz(const uint8_t *data, size_t size) {
  size_t count = 0;
  parser = XML_ParserCreateNS(NULL, ' ');
  XML_SetUserData(parser, &count);
  XML_SetElementHandler(parser, begin, end);
  XML_SetEntityDeclHandler(parser, refuse);
  XML_Parse(parser, (const char *)data, (int)size, 1);
  XML_ParserFree(parser);
  return 0;
}

#elif defined SHIM_CSQLite
#include <CSQLite.h>
#include <sqlite3.h>
/* A registry file that somebody else made. */
static int fuzz(const uint8_t *data, size_t size) {
  sqlite3 *connection;
  if (sqlite3_open(":memory:", &connection)) abort();
  uint8_t *copy = sqlite3_malloc64(size + 1);
  memcpy(copy, data, size);
  if (!sqlite3_deserialize(connection, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                           SQLITE_DESERIALIZE_FREEONCLOSE)) {
    csqlite_defend(connection);
    csqlite_limit_steps(connection, 20000);
    sqlite3_exec(connection, "SELECT type, name, tbl_name, CAST(sql AS BLOB) FROM sqlite_master", 0, 0, 0);
    sqlite3_exec(connection, "SELECT * FROM code; SELECT * FROM place; PRAGMA user_version", 0, 0, 0);
    csqlite_limit_steps(connection, 0);
  }
  sqlite3_close(connection);
  return 0;
}

#elif defined SHIM_CQREncode
#include <CQREncode.h>
static int fuzz(const uint8_t *data, size_t size) {
  static const QRencodeMode modes[] = {QR_MODE_NUM, QR_MODE_AN, QR_MODE_8, QR_MODE_KANJI};
  if (cqrencode_load()) abort();
  int version = 1 + take(&data, &size) % 40;
  QRecLevel level = take(&data, &size) & 3;
  QRinput *input = NULL;
  if (cqrencode_new(version, level, &input)) return 0;
  while (size > 2) {
    QRencodeMode mode = modes[take(&data, &size) & 3];
    size_t count = take(&data, &size);
    if (count > size) count = size;
    if (count && cqrencode_append(input, mode, (int)count, data)) break;
    data += count;
    size -= count;
  }
  QRcode *symbol = NULL;
  if (!cqrencode_encode(input, &symbol)) {
    unsigned sum = 0;
    for (int at = 0; at < symbol->width * symbol->width; at++) sum += symbol->data[at];
    cqrencode_symbol_free(symbol);
    if (sum == 1) abort();
  }
  cqrencode_free(input);
  return 0;
}

#elif defined SHIM_CCrypto
#include <CCrypto.h>
static int fuzz(const uint8_t *data, size_t size) {
  int64_t seconds;
  const char *reason;
  EVP_PKEY_free(ccrypto_public_key("P-224", data, size));
  EVP_PKEY_free(ccrypto_private_key(data, size));
  EVP_PKEY_free(ccrypto_ed25519_key(data, size, 0));
  EVP_PKEY_free(ccrypto_ed25519_key(data, size, 1));
  size_t half = size / 2;
  ccrypto_time_stamp(data, half, data, half, data + half, size - half, &seconds, &reason);
  return 0;
}

#elif defined SHIM_CHarfBuzz
#include <CHarfBuzz.h>
#include <sys/mman.h>
#include <unistd.h>
/* A font that somebody installed: read from a file, as fonts are. */
static int fuzz(const uint8_t *data, size_t size) {
  if (charfbuzz_load()) abort();
  int file = memfd_create("font", 0);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (write(file, data, size) != (ssize_t)size) abort();
  hb_blob_t *blob = charfbuzz_blob_create_from_file_or_fail(path);
  if (blob) {
    hb_face_t *face = charfbuzz_face_create(blob, 0);
    hb_font_t *font = charfbuzz_font_create(face);
    hb_codepoint_t glyph = 0;
    for (hb_codepoint_t letter = 'A'; letter < 'F'; letter++) {
      charfbuzz_font_get_nominal_glyph(font, letter, &glyph);
      charfbuzz_font_get_glyph_h_advance(font, glyph);
    }
    char name[64];
    unsigned int length = sizeof name;
    charfbuzz_ot_name_get_utf8(face, HB_OT_NAME_ID_FONT_FAMILY, HB_LANGUAGE_INVALID, &length, name);
    hb_subset_input_t *input = charfbuzz_subset_input_create_or_fail();
    charfbuzz_set_add(charfbuzz_subset_input_glyph_set(input), glyph);
    charfbuzz_set_add(charfbuzz_subset_input_glyph_set(input), 3);
    hb_face_t *subset = charfbuzz_subset_or_fail(face, input);
    if (subset) {
      hb_blob_t *made = charfbuzz_face_reference_blob(subset);
      charfbuzz_blob_destroy(made);
      charfbuzz_face_destroy(subset);
    }
    charfbuzz_subset_input_destroy(input);
    charfbuzz_font_destroy(font);
    charfbuzz_face_destroy(face);
    charfbuzz_blob_destroy(blob);
  }
  close(file);
  return 0;
}

#elif defined SHIM_CPango
#include <CPango.h>
static int fuzz(const uint8_t *data, size_t size) {
  static cpango_shaper *shaper;
  if (!shaper) {
    if (cpango_load()) abort();
    shaper = cpango_open();
  }
  cpango_request request = {.families = "Noto Sans", .weight = 400, .width = -1};
  uint8_t choice = take(&data, &size);
  if (choice & 1) request.width = 40 * CPANGO_EM / (1 + (choice >> 4));
  request.breaks_words = choice >> 1 & 1;
  request.letter_spacing = choice & 4 ? CPANGO_EM / 20 : 0;
  if (choice & 8) request.features = "smcp=1";
  /* Swift gives valid UTF-8 without U+0000: other bytes become question marks. */
  char *text = malloc(size + 1);
  for (size_t at = 0; at < size; at++) text[at] = data[at] && data[at] < 0x80 ? (char)data[at] : '?';
  text[size] = 0;
  cpango_free(cpango_shape(shaper, text, (int)size, &request));
  free(text);
  return 0;
}

#elif defined SHIM_CHTML
#include <CHTML.h>
static bool opened(void *context, const char *name, const char *const *attributes, size_t offset) {
  size_t *sum = context;
  *sum += strlen(name) + offset;
  for (; attributes && *attributes; attributes++) *sum += strlen(*attributes);
  return *sum < 1 << 24;
}
static void closed(void *context, const char *name) { *(size_t *)context += strlen(name); }
static int fuzz(const uint8_t *data, size_t size) {
  if (chtml_load()) abort();
  size_t sum = 0;
  chtml_listener listener = {&sum, opened, closed};
  char *page = malloc(size + 1);
  for (size_t at = 0; at < size; at++) page[at] = data[at] ? (char)data[at] : ' ';
  chtml_read(page, size, &listener);
  free(page);
  return 0;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz(data, size);
  return 0;
}
