#!/bin/sh
# The command `kontor` with the settings and secrets of the service, for root: /usr/local/sbin/kontor.
set -eu
secret() { cat "/etc/kontor/secrets/$1"; }
set -a
# shellcheck source=/dev/null
. /etc/kontor/kontor.env
set +a
DATABASE_URL=$(secret database-url) KONTOR_MASTER_KEY=$(secret master-key) KONTOR_METRICS_TOKEN=$(secret metrics-token)
export DATABASE_URL KONTOR_MASTER_KEY KONTOR_METRICS_TOKEN
# The secrets are not among the arguments, which other users can see.
exec setpriv --reuid=kontor --regid=kontor --init-groups --no-new-privs \
  env HOME=/var/lib/kontor KONTOR_DATA=/var/lib/kontor NODE_COMPILE_CACHE=/var/cache/kontor \
  /opt/kontor/node_modules/.bin/node /opt/kontor/cli/bin/kontor.mjs "$@"
