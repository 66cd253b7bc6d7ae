#ifndef CPCSC_DECLARATIONS_H
#define CPCSC_DECLARATIONS_H

/* What is called of PC/SC, with the names, types and numbers of its headers, so that the headers need not
 * be found when this is compiled: they include each other without the folder they lie in, and pkg-config's
 * flags would link what is opened on demand. `make lint` compares with the headers where they are. */

#include <stdint.h>

/* Apple's numbers are shorter, and its structures are packed. */
#ifdef __APPLE__
typedef int32_t LONG;
typedef uint32_t DWORD;
#pragma pack(push, 1)
#else
typedef long LONG;
typedef unsigned long DWORD;
#endif

typedef LONG SCARDCONTEXT;
typedef LONG SCARDHANDLE;

typedef struct {
  const char *szReader;
  void *pvUserData;
  DWORD dwCurrentState;
  DWORD dwEventState;
  DWORD cbAtr;
  unsigned char rgbAtr[33];
} SCARD_READERSTATE;

typedef struct {
  DWORD dwProtocol;
  DWORD cbPciLength;
} SCARD_IO_REQUEST;

#ifdef __APPLE__
#pragma pack(pop)
#endif

#define SCARD_SCOPE_SYSTEM 2
#define SCARD_STATE_CHANGED 2
#define SCARD_PROTOCOL_T0 1
#define SCARD_PROTOCOL_T1 2

LONG SCardEstablishContext(
    DWORD scope, const void *reserved, const void *also_reserved, SCARDCONTEXT *context);
LONG SCardReleaseContext(SCARDCONTEXT context);
LONG SCardListReaders(SCARDCONTEXT context, const char *groups, char *readers, DWORD *size);
LONG SCardGetStatusChange(
    SCARDCONTEXT context, DWORD milliseconds, SCARD_READERSTATE *states, DWORD count);
LONG SCardCancel(SCARDCONTEXT context);
LONG SCardConnect(
    SCARDCONTEXT context, const char *reader, DWORD sharing, DWORD protocols, SCARDHANDLE *card,
    DWORD *protocol);
LONG SCardReconnect(
    SCARDHANDLE card, DWORD sharing, DWORD protocols, DWORD initialization, DWORD *protocol);
LONG SCardDisconnect(SCARDHANDLE card, DWORD disposition);
LONG SCardTransmit(
    SCARDHANDLE card, const SCARD_IO_REQUEST *sent_header, const uint8_t *command, DWORD length,
    SCARD_IO_REQUEST *received_header, uint8_t *answer, DWORD *size);

#endif
