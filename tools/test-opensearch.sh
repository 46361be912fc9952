#!/bin/sh
# `npm run test:opensearch`: the conformance suite of search engines and the HTTP tests of search, on a running OpenSearch
# node. KONTOR_TEST_OPENSEARCH is its address. Arguments go to the test runner.
#
# Excluded by name, because they are about the files and processes of the embedded engine: damage, builder-processes,
# feed, query.
set -eu
if [ -z "${KONTOR_TEST_OPENSEARCH:-}" ]; then
  echo 'SKIPPED: no OpenSearch was tested. Start a node and set KONTOR_TEST_OPENSEARCH=http://localhost:9200.' >&2
  exit 0
fi
export KONTOR_TEST_SEARCH=opensearch
tests='adapters/opensearch search/admin search/areas search/completeness search/converges search/documents search/hidden'
tests="$tests search/outside search/rights search/search search/shared search/away"
# shellcheck disable=SC2046,SC2086
node tools/test.ts $(for test in $tests; do echo "server/src/$test"; done) --testTimeout=600000 "$@"
