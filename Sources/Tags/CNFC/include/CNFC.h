#ifndef CNFC_H
#define CNFC_H

#include <nfc/nfc.h>
#include <stdbool.h>

/// libnfc is opened when it is first needed and not linked: a command that uses no reader starts
/// without it and without the USB libraries that it brings. The types and constants are those of its
/// headers; every function Swift calls is a trampoline below.
///
/// Opens libnfc, once. Returns null, or why it cannot be used, valid for ever. Until it has returned
/// null, no other function here may be called. May be called from any thread.
const char *cnfc_load(void);

/// The functions of libnfc as they are.
void cnfc_init(nfc_context **context);
nfc_device *cnfc_open(nfc_context *context, const char *connection);
void cnfc_close(nfc_device *device);
void cnfc_free(void *memory);
const char *cnfc_version(void);
int cnfc_device_get_information_about(nfc_device *device, char **text);
int cnfc_initiator_init(nfc_device *device);
int cnfc_device_set_property_bool(nfc_device *device, nfc_property property, bool value);
int cnfc_device_set_property_int(nfc_device *device, nfc_property property, int value);
int cnfc_initiator_deselect_target(nfc_device *device);
int cnfc_initiator_transceive_bytes(
    nfc_device *device, const uint8_t *command, size_t command_length, uint8_t *answer,
    size_t answer_size, int timeout);

/// Bytes of one connection string in the list that `cnfc_list_devices` fills
/// (the fixed width of libnfc's `nfc_connstring`).
#define CNFC_CONNECTION_STRING_SIZE 1024

/// An ISO/IEC 14443-3 type A tag, copied out of libnfc's packed `nfc_target`: Swift cannot take
/// the address of a member of a packed structure, nor read its union safely.
typedef struct {
  uint8_t atqa[2];    ///< high byte first: 00 44
  uint8_t sak;
  uint8_t uid[10];
  uint8_t uid_length; ///< at most 10
  uint8_t ats[254];
  uint8_t ats_length; ///< at most 254; the length byte TL is not part of the ATS here
} cnfc_target;

/// Whether this libnfc has a driver of this name: 1 or 0, or -1 where that cannot be told. libnfc
/// must have been initialised; its list is not in its headers, but exported, and its form is that of
/// versions 1.7 and 1.8.
int cnfc_has_driver(const char *name);

/// Whether a device that nfc_open handed out is whole. libnfc opens one whose firmware version it
/// could not read, leaves its list of modulations null, and follows that null pointer later.
bool cnfc_is_ready(nfc_device *device);

/// Selects one type A tag at 106 kbit/s (`nfc_initiator_select_passive_target`), for drivers of which
/// `cnfc_select_patiently` cannot be used. libnfc 1.8.0 believes every length that the reader states:
/// an ATS of 0 bytes makes it copy SIZE_MAX bytes, and a UID of 255 overwrites what stands behind it.
///
/// `uid` may be null: then any tag that is not halted. Returns what libnfc returns: the number of
/// tags found, or a negative code. `target` is written only when a tag was found.
int cnfc_select(nfc_device *device, const uint8_t *uid, size_t uid_length, cnfc_target *target);

/// Does the same for every reader with a PN53x, believing no length, and waits as long as told: libnfc
/// waits 300 ms, which is too short for some.
///
/// Sends InListPassiveTarget (PN532 user manual, 7.3.5) through `pn53x_transceive`, which Debian's
/// libnfc exports without declaring it; returns NFC_ENOTIMPL where it does not. The device must be
/// one of libnfc's PN53x drivers. `timeout` in milliseconds, more than 0.
int cnfc_select_patiently(
    nfc_device *device, const uint8_t *uid, size_t uid_length, int timeout, cnfc_target *target);

/// Reads the answer to InListPassiveTarget for one type A tag, from the number of targets on: 1, or
/// NFC_ECHIP when it is none. A UID has 4, 7 or 10 bytes; cascade tags in it are left out.
int cnfc_read_target(const uint8_t *answer, size_t count, cnfc_target *target);

/// What a tag of another technology than type A calls itself.
typedef struct {
  uint8_t bytes[8]; ///< FeliCa: NFCID2; Jewel: the identifier; type B: PUPI
  uint8_t length;   ///< at most 8
} cnfc_identifier;

/// Looks for one tag of another technology (`nfc_initiator_select_passive_target` with libnfc's
/// own polling data): FeliCa, Jewel, or ISO/IEC 14443-4 type B.
///
/// Returns what libnfc returns: the number of tags found, or a negative code, among them
/// NFC_EINVARG when the chip cannot do this. `identifier` is written only when a tag was found.
int cnfc_select_other(
    nfc_device *device, nfc_modulation_type type, nfc_baud_rate baud,
    cnfc_identifier *identifier);

/// The same for every reader with a PN53x, believing no length; as `cnfc_select_patiently`. A chip that
/// cannot do this answers with an error frame, which is NFC_EIO.
int cnfc_select_other_patiently(
    nfc_device *device, nfc_modulation_type type, nfc_baud_rate baud, int timeout,
    cnfc_identifier *identifier);

/// Reads the answer to InListPassiveTarget for one tag of another technology: 1, or NFC_ECHIP when it
/// is too short.
int cnfc_read_other(
    nfc_modulation_type type, const uint8_t *answer, size_t count, cnfc_identifier *identifier);

/// Fills `list` with up to `count` connection strings of CNFC_CONNECTION_STRING_SIZE bytes each
/// and returns how many there are (`nfc_list_devices`, whose parameter is an array of arrays).
size_t cnfc_list_devices(nfc_context *context, char *list, size_t count);

#endif
