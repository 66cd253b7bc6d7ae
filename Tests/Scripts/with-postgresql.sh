#!/bin/sh
# usage: with-postgresql.sh COMMAND [ARGUMENT…]
#
# Runs a command beside a throwaway server of PostgreSQL, which listens on a Unix socket alone and is gone
# afterwards, with all that is in it. CLIPTAG_TEST_POSTGRESQL is the address of its database for the command;
# the login is a superuser's. With CLIPTAG_TEST_DURABLE=1 it writes as a real server does, for benchmarks, and
# CLIPTAG_TEST_POSTGRESQL_TLS is its address over TLS and SCRAM on the loopback interface.
# CLIPTAG_TEST_POSTGRESQL_BIN names the folder of another server's programs, for other major versions.
# Without a server on this machine the command runs all the same, without that variable.
set -u
bin=${CLIPTAG_TEST_POSTGRESQL_BIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)}
[ -n "$bin" ] || bin=$(dirname "$(command -v postgres || echo /nowhere/postgres)")
if [ ! -x "$bin/postgres" ]; then
  echo "with-postgresql.sh: no PostgreSQL server here" >&2
  exec "$@"
fi
# In memory where that has room: each database of a test is hundreds of files that are made and soon removed,
# which costs other file systems ten times as much. Benchmarks want a disk. The path of a socket is short.
folder=/tmp
room=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null)
shared=$(df -k --output=avail /dev/shm 2>/dev/null | awk 'END { print int($1 / 1048576) }')
[ -n "${CLIPTAG_TEST_DURABLE:-}" ] || [ "${room:-0}" -lt 8 ] || [ "${shared:-0}" -lt 8 ] || folder=/dev/shm
# Debian's psql is a script that looks for a version, in six times the time of psql itself.
PATH=$bin:$PATH
base=$(mktemp -d "$folder/ctpg.XXXXXX")
mkdir "$base/sock"
as=
if [ "$(id -u)" = 0 ]; then
  # The server does not run as root.
  user=$(id -u postgres >/dev/null 2>&1 && echo postgres || echo nobody)
  chown -R "$user" "$base"
  as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi
stop() {
  # What the server itself left behind is looked at by nobody.
  $as "$bin/pg_ctl" -D "$base/data" -m immediate -w stop >/dev/null 2>&1
  rm -rf "$base"
}
trap stop EXIT
trap 'exit 130' INT TERM HUP
# Standbys of tests fall behind where many tests run: the log that they still need stays.
options="-c listen_addresses='' -c fsync=off -c wal_keep_size=4GB -c full_page_writes=off -c synchronous_commit=off"
if [ -n "${CLIPTAG_TEST_DURABLE:-}" ]; then
  port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  openssl req -new -x509 -nodes -days 2 -subj /CN=localhost -keyout "$base/key" -out "$base/certificate" 2>/dev/null
  chmod 600 "$base/key"
  [ -z "$as" ] || chown "$user" "$base/key" "$base/certificate"
  options="-c listen_addresses=127.0.0.1 -c ssl=on -c ssl_key_file=$base/key -c ssl_cert_file=$base/certificate"
fi
(
  cd "$base" || exit 1
  $as "$bin/initdb" -D "$base/data" -U cliptag --auth-local=trust --auth-host=scram-sha-256 -E UTF8 --locale=C --no-sync
  $as "$bin/pg_ctl" -D "$base/data" -w -t 60 -l "$base/log" -o "$options -c port=${port:-5432} \
    -c unix_socket_directories='$base/sock' -c max_connections=200 -c shared_buffers=64MB" start
) >"$base/started" 2>&1 || {
  cat "$base/started" "$base/log" >&2
  exit 70
}
if [ -n "${port:-}" ]; then
  ln -s ".s.PGSQL.$port" "$base/sock/.s.PGSQL.5432"
  psql "postgresql:///postgres?host=$base/sock&port=$port&user=cliptag" -qc "ALTER ROLE cliptag PASSWORD 'bench'"
  CLIPTAG_TEST_POSTGRESQL_TLS="postgresql://cliptag:bench@127.0.0.1:$port/postgres?sslmode=require"
  export CLIPTAG_TEST_POSTGRESQL_TLS
fi
CLIPTAG_TEST_POSTGRESQL="postgresql:///postgres?host=$base/sock&user=cliptag"
CLIPTAG_TEST_POSTGRESQL_DATA=$base/data
export CLIPTAG_TEST_POSTGRESQL CLIPTAG_TEST_POSTGRESQL_DATA
"$@"
