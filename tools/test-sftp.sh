#!/bin/sh
# `npm run test:sftp`: the tests of feeds with a real OpenSSH server, which they start. KONTOR_TEST_SFTP can name its sshd.
set -eu
for program in "${KONTOR_TEST_SFTP:-}" /usr/sbin/sshd /usr/local/sbin/sshd /opt/homebrew/sbin/sshd; do
  [ -n "$program" ] && [ -x "$program" ] && break
done
if [ -x "$program" ] && command -v ssh-keygen >/dev/null; then
  KONTOR_TEST_SFTP=$program node tools/test.ts server/src/feeds/places.test.ts "$@"
else
  echo "SKIPPED: the tests with a real SFTP server did not run: no sshd is on this machine (Debian: openssh-server)"
fi
