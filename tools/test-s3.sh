#!/bin/sh
# `npm run test:s3`: everything about files with the files of every test server on a real S3 server. Where KONTOR_TEST_S3
# names one it is used, else one is started for the while. Arguments go to the test runner.
set -eu
if [ -z "${KONTOR_TEST_S3:-}" ]; then
  trap 'tools/s3-server.sh stop' EXIT
  eval "$(tools/s3-server.sh start)"
fi
export KONTOR_TEST_FILES=s3
node tools/test.ts server/src/adapters/blobs server/src/dam server/src/feeds/places.test.ts server/test/object-matrix.test.ts e2e/dam- --testTimeout=300000 "$@"
