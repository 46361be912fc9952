#!/bin/sh
# `npm run test:cluster`: three processes on one PostgreSQL behind a proxy. Their files are on the S3 server that
# KONTOR_TEST_S3 names; else on Ceph, if it is installed, which is started for the while; else in a shared folder.
# KONTOR_TEST_OPENSEARCH names the OpenSearch node with the search indexes; without it each process has its own.
# KONTOR_TEST_DATABASE_URL selects the PostgreSQL server. Arguments go to the test runner.
set -eu
if [ -z "${KONTOR_TEST_S3:-}" ] && command -v radosgw >/dev/null; then
  trap 'tools/s3-server.sh stop' EXIT
  eval "$(tools/s3-server.sh start)"
fi
vitest run --project cluster --maxWorkers=1 "$@"
