#!/usr/bin/env bash
# The tests of the virus scanner with the real clamd (Debian: apt-get install clamav-daemon), which this starts with one
# signature of its own: that of the EICAR test string. No signatures are downloaded.
set -euo pipefail
cd "$(dirname "$0")/.."
clamd=$(command -v clamd || ls /usr/sbin/clamd 2>/dev/null || true)
if [ -z "$clamd" ]; then
  echo 'SKIPPED: there is no clamd on this machine; install it (Debian: apt-get install clamav-daemon)' >&2
  exit 0
fi
folder=$(mktemp -d)
pid=
stop() {
  if [ -n "$pid" ]; then kill "$pid" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap stop EXIT
mkdir "$folder/signatures"
# name:type:offset:hex of the text in the middle of the test string
echo "Eicar-Test-Signature:0:*:$(printf 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!' | od -An -tx1 | tr -d ' \n')" >"$folder/signatures/test.ndb"
cat >"$folder/clamd.conf" <<END
DatabaseDirectory $folder/signatures
LocalSocket $folder/clamd.sock
TemporaryDirectory $folder
StreamMaxLength 1M
Foreground yes
LogFile $folder/clamd.log
END
chmod 755 "$folder" "$folder/signatures"
"$clamd" --config-file="$folder/clamd.conf" >"$folder/out" 2>&1 &
pid=$!
for _ in $(seq 100); do [ -S "$folder/clamd.sock" ] && break; sleep 0.1; done
[ -S "$folder/clamd.sock" ] || { cat "$folder/out" "$folder/clamd.log" >&2; exit 1; }
KONTOR_TEST_CLAMAV="unix:$folder/clamd.sock" node tools/test.ts \
  server/src/adapters/clamav server/src/dam/care/scan.test.ts "$@"
