#include "CCrypto.h"

#include <limits.h>
#include <openssl/asn1.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/params.h>
#include <openssl/sha.h>
#include <openssl/ts.h>
#include <openssl/x509.h>
#include <time.h>

EVP_PKEY *ccrypto_public_key(const char *curve, const uint8_t *point, size_t count) {
  /* Neither text nor point is written to: the parameters are only read by fromdata. */
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, count),
      OSSL_PARAM_construct_end(),
  };
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (!context || EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(context);
  return key;
}

/* They are deprecated, because a program that uses them cannot be told to use another provider. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
int ccrypto_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  SHA256_CTX context;
  return SHA256_Init(&context) == 1 && SHA256_Update(&context, bytes, count) == 1 &&
         SHA256_Final(digest, &context) == 1;
}
#pragma GCC diagnostic pop

static EVP_PKEY *decoded(const uint8_t *file, size_t count, const char *structure,
                         const char *type, int selection) {
  EVP_PKEY *key = NULL;
  OSSL_DECODER_CTX *context =
      OSSL_DECODER_CTX_new_for_pkey(&key, "PEM", structure, type, selection, NULL, NULL);
  if (!context || OSSL_DECODER_from_data(context, &file, &count) != 1) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  OSSL_DECODER_CTX_free(context);
  return key;
}

EVP_PKEY *ccrypto_private_key(const uint8_t *file, size_t count) {
  return decoded(file, count, "PrivateKeyInfo", "EC", OSSL_KEYMGMT_SELECT_ALL);
}

EVP_PKEY *ccrypto_ed25519_key(const uint8_t *file, size_t count, int is_private) {
  return is_private
             ? decoded(file, count, "PrivateKeyInfo", "ED25519", OSSL_KEYMGMT_SELECT_ALL)
             : decoded(file, count, "SubjectPublicKeyInfo", "ED25519", EVP_PKEY_PUBLIC_KEY);
}

static X509_STORE *store_of(const uint8_t *authorities, size_t count) {
  BIO *file = BIO_new_mem_buf(authorities, (int)count);
  X509_STORE *store = X509_STORE_new();
  int found = 0;
  X509 *certificate;
  while (file && store && (certificate = PEM_read_bio_X509(file, NULL, NULL, NULL))) {
    found += X509_STORE_add_cert(store, certificate) == 1;
    X509_free(certificate);
  }
  BIO_free(file);
  ERR_clear_error();
  if (found) return store;
  X509_STORE_free(store);
  return NULL;
}

/* OpenSSL 3.4 renamed the functions that give a context what it owns from then on. */
#if OPENSSL_VERSION_PREREQ(3, 4)
#define GIVE_DATA TS_VERIFY_CTX_set0_data
#define GIVE_STORE TS_VERIFY_CTX_set0_store
#else
#define GIVE_DATA TS_VERIFY_CTX_set_data
#define GIVE_STORE TS_VERIFY_CTX_set_store
#endif

/* The store and the data are the context's from then on. */
static int verifies(TS_RESP *response, X509_STORE *store, BIO *data) {
  TS_VERIFY_CTX *context = TS_VERIFY_CTX_new();
  if (!context) {
    X509_STORE_free(store);
    BIO_free(data);
    return 0;
  }
  TS_VERIFY_CTX_set_flags(context, TS_VFY_VERSION | TS_VFY_SIGNER | TS_VFY_DATA | TS_VFY_SIGNATURE);
  GIVE_DATA(context, data);
  GIVE_STORE(context, store);
  int verified = TS_RESP_verify_response(context, response) == 1;
  TS_VERIFY_CTX_free(context);
  return verified;
}

int ccrypto_time_stamp(const uint8_t *reply, size_t reply_count, const uint8_t *data, size_t data_count,
                       const uint8_t *authorities, size_t authorities_count, int64_t *seconds,
                       const char **reason) {
  *reason = "it is no reply of a time-stamp authority";
  if (reply_count > INT_MAX || data_count > INT_MAX || authorities_count > INT_MAX) return 0;
  X509_STORE *store = store_of(authorities, authorities_count);
  if (!store) return -1;
  const unsigned char *start = reply;
  TS_RESP *response = d2i_TS_RESP(NULL, &start, (long)reply_count);
  BIO *file = response ? BIO_new_mem_buf(data, (int)data_count) : NULL;
  int result = 0;
  if (!file) {
    X509_STORE_free(store);
  } else if (verifies(response, store, file)) {
    const TS_TST_INFO *info = TS_RESP_get_tst_info(response);
    struct tm parts = {0};
    if (info && ASN1_TIME_to_tm(TS_TST_INFO_get_time(info), &parts) == 1) {
      *seconds = (int64_t)timegm(&parts);
      result = 1;
    }
  } else {
    const char *told = ERR_reason_error_string(ERR_peek_error());
    *reason = told ? told : "OpenSSL gives no reason";
  }
  TS_RESP_free(response);
  ERR_clear_error();
  return result;
}
