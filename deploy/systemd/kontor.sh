#!/bin/sh
# The command `kontor` with the settings and secrets of the service, for root: /usr/local/sbin/kontor.
set -eu
set -a
. /etc/kontor/kontor.env
DATABASE_URL=$(cat /etc/kontor/secrets/database-url)
KONTOR_MASTER_KEY=$(cat /etc/kontor/secrets/master-key)
KONTOR_METRICS_TOKEN=$(cat /etc/kontor/secrets/metrics-token)
KONTOR_DATA=/var/lib/kontor
NODE_COMPILE_CACHE=/var/cache/kontor
HOME=/var/lib/kontor
set +a
exec setpriv --reuid=kontor --regid=kontor --init-groups --no-new-privs \
  /opt/kontor/node_modules/.bin/node /opt/kontor/cli/bin/kontor.mjs "$@"
