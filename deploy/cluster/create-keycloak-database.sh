#!/bin/sh
# Run once by the image of PostgreSQL, when its data folder is empty.
set -eu
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 \
  --set=password="$(cat /run/secrets/keycloak-db-password)" << 'END'
create role keycloak login password :'password';
create database keycloak owner keycloak;
END
