#include "CNFC.h"

#include <string.h>

_Static_assert(
    sizeof(nfc_connstring) == CNFC_CONNECTION_STRING_SIZE, "libnfc changed nfc_connstring");

/// A length that libnfc reports, kept inside the buffer it belongs to: a reader that answers
/// nonsense must not make a caller read past the end.
static uint8_t bounded(size_t length, size_t limit) {
  return (uint8_t)(length < limit ? length : limit);
}

int cnfc_select(nfc_device *device, const uint8_t *uid, size_t uid_length, cnfc_target *target) {
  const nfc_modulation modulation = {.nmt = NMT_ISO14443A, .nbr = NBR_106};
  nfc_target found;
  memset(&found, 0, sizeof found);
  int count =
      nfc_initiator_select_passive_target(device, modulation, uid, uid_length, &found);
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

size_t cnfc_list_devices(nfc_context *context, char *list, size_t count) {
  return nfc_list_devices(context, (nfc_connstring *)list, count);
}
