#!/bin/sh
# `npm run test:replica`: reads from a real streaming replica, which is started for the while. Arguments go to the test
# runner.
set -eu
if started=$(tools/replica.sh start); then
  trap 'tools/replica.sh stop' EXIT
  eval "$started"
  node tools/test.ts e2e/replica.test.ts "$@"
else
  [ $? -eq 69 ] || exit 1
  echo "SKIPPED: the tests of the read replica did not run, for the reason above"
fi
