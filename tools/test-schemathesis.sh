#!/bin/sh
# `npm run test:schemathesis`: calls every operation of the OpenAPI document with generated requests, in all formats, and
# compares the replies with the document. Schemathesis is a Python program: it is installed into a folder outside of the
# repository (KONTOR_SCHEMATHESIS, by default in the temporary folder) at the first run. Arguments go to the test runner.
set -eu
version=4.32.5
folder=${KONTOR_SCHEMATHESIS:-${TMPDIR:-/tmp}/kontor-schemathesis-$version}
program=$folder/bin/schemathesis
if [ ! -x "$program" ]; then
  if ! command -v python3 >/dev/null; then
    echo 'SKIPPED: the OpenAPI document was not tested. Install Python 3 (Debian: python3 python3-venv).' >&2
    exit 0
  fi
  if ! { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet "schemathesis==$version"; }; then
    echo "SKIPPED: the OpenAPI document was not tested. Schemathesis $version cannot be installed from PyPI into $folder." >&2
    exit 0
  fi
fi
KONTOR_TEST_SCHEMATHESIS=$program node tools/test.ts e2e/schemathesis.test.ts "$@"
