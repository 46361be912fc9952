#!/bin/sh
# A PostgreSQL and a streaming replica of it for tests, on the loopback address (Debian: postgresql). PostgreSQL refuses
# to run as root; root runs it as the user postgres.
#
#   eval "$(tools/replica.sh start)"      starts both; sets KONTOR_TEST_DATABASE_URL and KONTOR_TEST_REPLICA_URL
#   tools/replica.sh pause | resume       stops the replica, and starts it again
#   tools/replica.sh fail-over            ends the first one without warning; the replica takes its place
#   tools/replica.sh stop
set -eu
dir=${KONTOR_REPLICA_DIR:-${TMPDIR:-/tmp}/kontor-replica}
port=${KONTOR_REPLICA_PORT:-5533}
next=$((port + 1))

for bin in "$(command -v pg_basebackup 2>/dev/null | xargs -r dirname)" /usr/lib/postgresql/*/bin; do
  [ -x "$bin/initdb" ] && [ -x "$bin/pg_basebackup" ] && break
  bin=
done
if [ -z "$bin" ]; then
  echo "no PostgreSQL with initdb and pg_basebackup was found; install it (Debian: apt-get install postgresql)" >&2
  exit 69
fi
as=
[ "$(id -u)" = 0 ] && as='setpriv --reuid postgres --regid postgres --clear-groups --'
ctl() { (cd / && $as "$bin/pg_ctl" -w -t 120 -D "$dir/$1" -l "$dir/$1.log" $2 >&2); }

case $1 in
  pause) ctl replica 'stop -m fast' ;;
  resume) ctl replica start ;;
  fail-over)
    ctl primary 'stop -m immediate'
    ctl replica promote
    ;;
  stop)
    for one in replica primary; do [ -d "$dir/$one" ] && ctl $one 'stop -m immediate' || true; done
    rm -rf "$dir"
    ;;
  start)
    rm -rf "$dir" && mkdir -p "$dir"
    [ -z "$as" ] || chown postgres "$dir"
    cd /
    $as "$bin/initdb" -D "$dir/primary" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >&2
    $as tee -a "$dir/primary/postgresql.conf" >&2 <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = $port
fsync = off
max_connections = 200
CONF
    ctl primary start
    $as "$bin/pg_basebackup" -h 127.0.0.1 -p "$port" -U postgres -D "$dir/replica" -R -X stream -c fast --no-sync >&2
    echo "port = $next" | $as tee -a "$dir/replica/postgresql.conf" >&2
    ctl replica start
    echo "export KONTOR_TEST_DATABASE_URL='postgresql://postgres@127.0.0.1:$port/postgres'"
    echo "export KONTOR_TEST_REPLICA_URL='postgresql://postgres@127.0.0.1:$next/postgres'"
    ;;
esac
