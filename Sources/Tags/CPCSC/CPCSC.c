#include "CPCSC.h"

#include <COnDemand.h>
#include <string.h>

#ifdef SHIM_OF_SYSTEM_HEADERS
#include <winscard.h>
#else
#include "Declarations.h"
#endif

/* Each function by the name and type that it is declared with. */
#define FUNCTIONS(X)                                                                               \
  X(SCardEstablishContext)                                                                         \
  X(SCardReleaseContext)                                                                           \
  X(SCardListReaders)                                                                              \
  X(SCardGetStatusChange)                                                                          \
  X(SCardCancel)                                                                                   \
  X(SCardConnect)                                                                                  \
  X(SCardReconnect)                                                                                \
  X(SCardDisconnect)                                                                               \
  X(SCardTransmit)

CONDEMAND_TABLE(FUNCTIONS, library)

#ifdef __APPLE__
static const char *const names[] = {"/System/Library/Frameworks/PCSC.framework/PCSC", NULL};
#else
static const char *const names[] = {"libpcsclite.so.1", NULL};
#endif
CONDEMAND_LOAD(cpcsc_load, library, names)

uint32_t cpcsc_establish(cpcsc_context *context) {
  SCARDCONTEXT made = 0;
  uint32_t result = library.SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &made);
  *context = made;
  return result;
}

uint32_t cpcsc_release(cpcsc_context context) { return library.SCardReleaseContext(context); }

uint32_t cpcsc_list(cpcsc_context context, char *readers, size_t *size) {
  DWORD room = *size;
  uint32_t result = library.SCardListReaders(context, NULL, readers, &room);
  *size = room;
  return result;
}

uint32_t cpcsc_wait(
    cpcsc_context context, const char *reader, uint32_t milliseconds, uint32_t *state, uint8_t *atr,
    size_t *atr_length) {
  SCARD_READERSTATE asked;
  memset(&asked, 0, sizeof asked);
  asked.szReader = reader;
  asked.dwCurrentState = *state & ~(uint32_t)SCARD_STATE_CHANGED;
  uint32_t result = library.SCardGetStatusChange(context, milliseconds, &asked, 1);
  *state = asked.dwEventState;
  size_t length = asked.cbAtr;
  if (length > sizeof asked.rgbAtr) length = sizeof asked.rgbAtr;
  memcpy(atr, asked.rgbAtr, length);
  *atr_length = length;
  return result;
}

uint32_t cpcsc_cancel(cpcsc_context context) { return library.SCardCancel(context); }

uint32_t cpcsc_connect(
    cpcsc_context context, const char *reader, uint32_t sharing, cpcsc_card *card,
    uint32_t *protocol) {
  SCARDHANDLE handle = 0;
  DWORD active = 0;
  uint32_t result = library.SCardConnect(
      context, reader, sharing, SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1, &handle, &active);
  *card = handle;
  *protocol = active;
  return result;
}

uint32_t cpcsc_reconnect(
    cpcsc_card card, uint32_t sharing, uint32_t initialization, uint32_t *protocol) {
  DWORD active = 0;
  uint32_t result = library.SCardReconnect(
      card, sharing, SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1, initialization, &active);
  if (active) *protocol = active;
  return result;
}

uint32_t cpcsc_disconnect(cpcsc_card card, uint32_t disposition) {
  return library.SCardDisconnect(card, disposition);
}

uint32_t cpcsc_transmit(
    cpcsc_card card, uint32_t protocol, const uint8_t *command, size_t command_length,
    uint8_t *answer, size_t *answer_size) {
  SCARD_IO_REQUEST header = {.dwProtocol = protocol, .cbPciLength = sizeof header};
  DWORD room = *answer_size;
  uint32_t result = library.SCardTransmit(
      card, &header, command, command_length, NULL, answer, &room);
  *answer_size = result == 0 ? room : 0;
  return result;
}
