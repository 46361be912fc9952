#!/bin/sh
# Creates the secrets of compose.yaml and compose.cluster.yaml in the folder `secrets`. Existing ones are kept.
#
# Only you can enter the folder. The files in it can be read by everybody because Docker Compose mounts them as they are,
# and the processes in the containers are other users.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

random() { od -An -v -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }
keep() { # name: stores standard input, unless the file exists
  if [ -s "secrets/$1" ]; then cat > /dev/null; return; fi
  cat > "secrets/$1.new"
  chmod 444 "secrets/$1.new"
  mv "secrets/$1.new" "secrets/$1"
  echo "created secrets/$1"
}

random 24 | keep postgres-password
printf 'postgres://kontor:%s@postgres:5432/kontor' "$(cat secrets/postgres-password)" | keep database-url
random 32 | keep master-key
random 24 | keep metrics-token

# For compose.cluster.yaml
random 24 | keep keycloak-db-password
random 12 | keep keycloak-admin-password
keep keycloak.env << END
KC_DB_PASSWORD=$(cat secrets/keycloak-db-password)
KC_BOOTSTRAP_ADMIN_PASSWORD=$(cat secrets/keycloak-admin-password)
END
random 10 | keep s3-key
random 24 | keep s3-secret
keep s3.json << END
{ "identities": [{ "name": "kontor", "credentials": [{ "accessKey": "$(cat secrets/s3-key)", "secretKey": "$(cat secrets/s3-secret)" }], "actions": ["Admin", "Read", "Write", "List", "Tagging"] }] }
END
printf 's3://%s:%s@kontor?endpoint=http://s3:8333&region=us-east-1&public=none' "$(cat secrets/s3-key)" "$(cat secrets/s3-secret)" | keep blobs
