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

int cnfc_select_patiently(
    nfc_device *device, const uint8_t *uid, size_t uid_length, int timeout, cnfc_target *target) {
  if (!pn53x_transceive) return NFC_ENOTIMPL;
  // InListPassiveTarget: at most one target, type A at 106 kbit/s.
  uint8_t command[3 + 12] = {0x4A, 1, 0};
  size_t command_length = 3;
  if (uid && uid_length > 0 && uid_length <= sizeof target->uid)
    command_length += cascade(uid, uid_length, command + 3);

  uint8_t answer[300] = {0};
  int count =
      pn53x_transceive(device, command, command_length, answer, sizeof answer, timeout);
  if (count < 0) return count;
  if (count < 1 || answer[0] == 0) return 0;
  // Number of targets, target number, ATQA (2), SAK, UID length, UID, then the ATS with its TL.
  const size_t fixed = 6;
  if ((size_t)count < fixed || fixed + answer[5] > (size_t)count) return NFC_ECHIP;
  memset(target, 0, sizeof *target);
  memcpy(target->atqa, answer + 2, sizeof target->atqa);
  target->sak = answer[4];
  target->uid_length = bounded(answer[5], sizeof target->uid);
  memcpy(target->uid, answer + fixed, target->uid_length);
  const size_t ats = fixed + answer[5];
  if (ats < (size_t)count && answer[ats] > 1) {
    const size_t available = (size_t)count - ats - 1, stated = answer[ats] - 1;
    target->ats_length = bounded(stated < available ? stated : available, sizeof target->ats);
    memcpy(target->ats, answer + ats + 1, target->ats_length);
  }
  return 1;
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
