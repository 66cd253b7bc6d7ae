#include "CNFC.h"

#include <COnDemand.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Each function by the name and type that the headers give it. */
#define FUNCTIONS(X)                                                                               \
  X(nfc_init)                                                                                      \
  X(nfc_open)                                                                                      \
  X(nfc_close)                                                                                     \
  X(nfc_free)                                                                                      \
  X(nfc_version)                                                                                   \
  X(nfc_list_devices)                                                                              \
  X(nfc_device_get_information_about)                                                              \
  X(nfc_device_get_supported_modulation)                                                           \
  X(nfc_device_set_property_bool)                                                                  \
  X(nfc_device_set_property_int)                                                                   \
  X(nfc_initiator_init)                                                                            \
  X(nfc_initiator_select_passive_target)                                                           \
  X(nfc_initiator_deselect_target)                                                                 \
  X(nfc_initiator_transceive_bytes)

CONDEMAND_TABLE(FUNCTIONS, library)

#ifdef __APPLE__
static const char *const names[] = {"libnfc.6.dylib", NULL};
#else
static const char *const names[] = {"libnfc.so.6", NULL};
#endif

/// Not in libnfc's headers; null when the library at hand does not export it.
static int (*pn53x_transceive)(
    nfc_device *device, const uint8_t *command, size_t command_length, uint8_t *answer,
    size_t answer_size, int timeout);

static char trouble[512];
static bool is_usable;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  is_usable =
      condemand_open(names, library_symbols, &library, sizeof library, trouble, sizeof trouble);
  if (is_usable) *(void **)&pn53x_transceive = condemand_find(names[0], "pn53x_transceive");
}

const char *cnfc_load(void) {
  pthread_once(&once, load);
  return is_usable ? NULL : trouble;
}

void cnfc_init(nfc_context **context) { library.nfc_init(context); }

nfc_device *cnfc_open(nfc_context *context, const char *connection) {
  return library.nfc_open(context, connection);
}

void cnfc_close(nfc_device *device) { library.nfc_close(device); }

/// What stands in for libnfc in a test allocates as C does.
void cnfc_free(void *memory) {
  if (is_usable) library.nfc_free(memory);
  else free(memory);
}

const char *cnfc_version(void) { return library.nfc_version(); }

int cnfc_device_get_information_about(nfc_device *device, char **text) {
  return library.nfc_device_get_information_about(device, text);
}

int cnfc_initiator_init(nfc_device *device) { return library.nfc_initiator_init(device); }

int cnfc_device_set_property_bool(nfc_device *device, nfc_property property, bool value) {
  return library.nfc_device_set_property_bool(device, property, value);
}

int cnfc_device_set_property_int(nfc_device *device, nfc_property property, int value) {
  return library.nfc_device_set_property_int(device, property, value);
}

int cnfc_initiator_deselect_target(nfc_device *device) {
  return library.nfc_initiator_deselect_target(device);
}

int cnfc_initiator_transceive_bytes(
    nfc_device *device, const uint8_t *command, size_t command_length, uint8_t *answer,
    size_t answer_size, int timeout) {
  return library.nfc_initiator_transceive_bytes(
      device, command, command_length, answer, answer_size, timeout);
}

_Static_assert(
    sizeof(nfc_connstring) == CNFC_CONNECTION_STRING_SIZE, "libnfc changed nfc_connstring");

/// A length that libnfc reports, kept inside the buffer it belongs to: a reader that answers
/// nonsense must not make a caller read past the end.
static uint8_t bounded(size_t length, size_t limit) {
  return (uint8_t)(length < limit ? length : limit);
}

/// What libnfc 1.7 and 1.8 keep of each driver; only the beginning of a driver is used.
struct driver_list {
  const struct driver_list *next;
  const char *const *driver; ///< its first member is the name
};

int cnfc_has_driver(const char *name) {
  const char *version = library.nfc_version();
  if (strncmp(version, "1.7", 3) != 0 && strncmp(version, "1.8", 3) != 0) return -1;
  const struct driver_list *const *first = condemand_find(names[0], "nfc_drivers");
  if (!first || !*first) return -1;
  for (const struct driver_list *item = *first; item; item = item->next) {
    if (item->driver && *item->driver && strcmp(*item->driver, name) == 0) return 1;
  }
  return 0;
}

bool cnfc_is_ready(nfc_device *device) {
  const nfc_modulation_type *types = NULL;
  return library.nfc_device_get_supported_modulation(device, N_INITIATOR, &types) >= 0 && types;
}

int cnfc_select(nfc_device *device, const uint8_t *uid, size_t uid_length, cnfc_target *target) {
  const nfc_modulation modulation = {.nmt = NMT_ISO14443A, .nbr = NBR_106};
  nfc_target found;
  memset(&found, 0, sizeof found);
  int count =
      library.nfc_initiator_select_passive_target(device, modulation, uid, uid_length, &found);
  if (count <= 0) return count;

  const nfc_iso14443a_info info = found.nti.nai;
  memset(target, 0, sizeof *target);
  memcpy(target->atqa, info.abtAtqa, sizeof target->atqa);
  target->sak = info.btSak;
  target->uid_length = bounded(info.szUidLen, sizeof target->uid);
  memcpy(target->uid, info.abtUid, target->uid_length);
  target->ats_length = bounded(info.szAtsLen, sizeof target->ats);
  memcpy(target->ats, info.abtAts, target->ats_length);
  return count;
}

/// Writes a UID the way the chip wants it: 88 before every level of the cascade but the last.
static size_t cascade(const uint8_t *uid, size_t uid_length, uint8_t *out) {
  size_t length = 0;
  while (uid_length > 4) {
    out[length++] = 0x88;
    memcpy(out + length, uid, 3);
    length += 3;
    uid += 3;
    uid_length -= 3;
  }
  memcpy(out + length, uid, uid_length);
  return length + uid_length;
}

/// The longest answer to InListPassiveTarget that a PN53x frame can carry, and more.
enum { ANSWER_SIZE = 300 };

/// Sends InListPassiveTarget (PN532 user manual, 7.3.5) for one target.
///
/// Returns how many bytes `answer` holds from the number of targets on; 0 when none was found; a
/// negative code.
static int list_target(
    nfc_device *device, uint8_t baud_and_type, const uint8_t *data, size_t length, int timeout,
    uint8_t answer[ANSWER_SIZE]) {
  if (!pn53x_transceive) return NFC_ENOTIMPL;
  uint8_t command[3 + 12] = {0x4A, 1, baud_and_type};
  if (length > sizeof command - 3) return NFC_EINVARG;
  memcpy(command + 3, data, length);
  int count = pn53x_transceive(device, command, 3 + length, answer, ANSWER_SIZE, timeout);
  if (count < 0) return count;
  if (count > ANSWER_SIZE) return NFC_ECHIP;
  return count < 1 || answer[0] == 0 ? 0 : count;
}

int cnfc_read_target(const uint8_t *answer, size_t count, cnfc_target *target) {
  // Number of targets, target number, ATQA (2), SAK, UID length, UID, then the ATS with its TL.
  const size_t fixed = 6;
  if (count < fixed || fixed + answer[5] > count) return NFC_ECHIP;
  const uint8_t *uid = answer + fixed;
  memset(target, 0, sizeof *target);
  memcpy(target->atqa, answer + 2, sizeof target->atqa);
  target->sak = answer[4];
  switch (answer[5]) {
    case 4:
    case 7:
    case 10:
      target->uid_length = answer[5];
      memcpy(target->uid, uid, answer[5]);
      break;
    case 8: // a PN531 leaves the cascade tags in
      if (uid[0] != 0x88) return NFC_ECHIP;
      target->uid_length = 7;
      memcpy(target->uid, uid + 1, 7);
      break;
    case 12:
      if (uid[0] != 0x88 || uid[4] != 0x88) return NFC_ECHIP;
      target->uid_length = 10;
      memcpy(target->uid, uid + 1, 3);
      memcpy(target->uid + 3, uid + 5, 7);
      break;
    default: return NFC_ECHIP;
  }
  const size_t ats = fixed + answer[5];
  // TL counts itself; one of 0 says nothing, and one that is too long is cut.
  if (ats < count && answer[ats] > 1) {
    const size_t available = count - ats - 1, stated = answer[ats] - 1;
    target->ats_length = bounded(stated < available ? stated : available, sizeof target->ats);
    memcpy(target->ats, answer + ats + 1, target->ats_length);
  }
  return 1;
}

int cnfc_select_patiently(
    nfc_device *device, const uint8_t *uid, size_t uid_length, int timeout, cnfc_target *target) {
  uint8_t wanted[12] = {0}, answer[ANSWER_SIZE] = {0};
  size_t length = 0;
  if (uid && uid_length > 0 && uid_length <= sizeof target->uid)
    length = cascade(uid, uid_length, wanted);
  int count = list_target(device, 0, wanted, length, timeout, answer);
  return count <= 0 ? count : cnfc_read_target(answer, (size_t)count, target);
}

int cnfc_read_other(
    nfc_modulation_type type, const uint8_t *answer, size_t count, cnfc_identifier *identifier) {
  size_t start, length;
  switch (type) {
    case NMT_FELICA: // length and code of the polling response, NFCID2
      start = 4, length = 8;
      break;
    case NMT_JEWEL: // SENS_RES, identifier
      start = 4, length = 4;
      break;
    case NMT_ISO14443B: // the first byte of ATQB, PUPI
      start = 3, length = 4;
      break;
    default: return NFC_EINVARG;
  }
  if (count < start + length) return NFC_ECHIP;
  memset(identifier, 0, sizeof *identifier);
  identifier->length = (uint8_t)length;
  memcpy(identifier->bytes, answer + start, length);
  return 1;
}

int cnfc_select_other_patiently(
    nfc_device *device, nfc_modulation_type type, nfc_baud_rate baud, int timeout,
    cnfc_identifier *identifier) {
  // Polling for any system code, one time slot; an AFI that asks every application family.
  static const uint8_t polling[] = {0x00, 0xFF, 0xFF, 0x01, 0x00}, family[] = {0x00};
  uint8_t answer[ANSWER_SIZE] = {0};
  int count;
  switch (type) {
    case NMT_FELICA:
      count = list_target(
          device, baud == NBR_212 ? 1 : 2, polling, sizeof polling, timeout, answer);
      break;
    case NMT_ISO14443B:
      count = list_target(device, 3, family, sizeof family, timeout, answer);
      break;
    case NMT_JEWEL: count = list_target(device, 4, family, 0, timeout, answer); break;
    default: return NFC_EINVARG;
  }
  return count <= 0 ? count : cnfc_read_other(type, answer, (size_t)count, identifier);
}

int cnfc_select_other(
    nfc_device *device, nfc_modulation_type type, nfc_baud_rate baud,
    cnfc_identifier *identifier) {
  const nfc_modulation modulation = {.nmt = type, .nbr = baud};
  nfc_target found;
  memset(&found, 0, sizeof found);
  int count = library.nfc_initiator_select_passive_target(device, modulation, NULL, 0, &found);
  if (count <= 0) return count;

  memset(identifier, 0, sizeof *identifier);
  switch (type) {
    case NMT_FELICA:
      identifier->length = sizeof found.nti.nfi.abtId;
      memcpy(identifier->bytes, found.nti.nfi.abtId, identifier->length);
      break;
    case NMT_JEWEL:
      identifier->length = sizeof found.nti.nji.btId;
      memcpy(identifier->bytes, found.nti.nji.btId, identifier->length);
      break;
    case NMT_ISO14443B:
      identifier->length = sizeof found.nti.nbi.abtPupi;
      memcpy(identifier->bytes, found.nti.nbi.abtPupi, identifier->length);
      break;
    default:
      break;
  }
  return count;
}

size_t cnfc_list_devices(nfc_context *context, char *list, size_t count) {
  return library.nfc_list_devices(context, (nfc_connstring *)list, count);
}
