#!/bin/sh
# `npm run test:clients`: generates clients from docs/openapi.json for TypeScript, Python and Java, and compiles them
# together with code that uses them without casts (tools/clients). The generators are installed into a folder outside of
# the repository (KONTOR_CLIENTS, by default in the temporary folder) at the first run, from npm, PyPI and Maven Central.
# A language is skipped with a message if its tools cannot be installed. Arguments name the languages; default: all.
set -eu
typescript=7.13.0 python=0.29.1 mypy=2.4.1 java=7.16.0
folder=${KONTOR_CLIENTS:-${TMPDIR:-/tmp}/kontor-clients}
here=$(cd "$(dirname "$0")/.." && pwd)
document=$here/docs/openapi.json
mkdir -p "$folder"

skip() {
  echo "SKIPPED: the $1 client was not tested. $2" >&2
}

test_typescript() {
  work=$folder/typescript
  mkdir -p "$work"
  [ -f "$work/package.json" ] || echo '{"type":"module"}' >"$work/package.json"
  npm install --prefix "$work" --no-audit --no-fund --loglevel=error "openapi-typescript@$typescript" >/dev/null ||
    { skip TypeScript "openapi-typescript $typescript cannot be installed from npm."; return 0; }
  "$work/node_modules/.bin/openapi-typescript" "$document" --output "$work/api.ts" >/dev/null
  cp "$here/tools/clients/use.ts.txt" "$work/use.ts"
  (cd "$work" && "$here/node_modules/.bin/tsc" --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess \
    --module nodenext --target es2022 --types '' --ignoreConfig use.ts)
  echo 'TypeScript: compiled'
}

test_python() {
  work=$folder/python
  if ! [ -x "$work/venv/bin/openapi-python-client" ]; then
    command -v python3 >/dev/null || { skip Python 'Install Python 3 (Debian: python3 python3-venv).'; return 0; }
    { mkdir -p "$work" && python3 -m venv "$work/venv" &&
      "$work/venv/bin/pip" install --quiet "openapi-python-client==$python" "mypy==$mypy"; } ||
      { skip Python "openapi-python-client $python cannot be installed from PyPI."; return 0; }
  fi
  printf 'content_type_overrides:\n  application/json+compact: application/json\npost_hooks: []\n' >"$work/config.yml"
  "$work/venv/bin/openapi-python-client" generate --path "$document" --config "$work/config.yml" --overwrite \
    --output-path "$work/client" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
  # The generator has no XML; anything else that it leaves out is a fault of the document.
  if grep -E '^(Unable|Could not|Cannot|ERROR)' "$work/log"; then return 1; fi
  cp "$here/tools/clients/use.py" "$work/client/use.py"
  (cd "$work/client" && "$work/venv/bin/python" -m compileall -q . &&
    "$work/venv/bin/mypy" --strict --follow-imports=silent use.py && "$work/venv/bin/python" use.py)
  echo 'Python: compiled, checked and run'
}

test_java() {
  work=$folder/java
  jar=$work/openapi-generator-cli-$java.jar
  { command -v javac && command -v mvn; } >/dev/null || { skip Java 'Install a JDK and Maven (Debian: default-jdk-headless maven).'; return 0; }
  mkdir -p "$work"
  if ! [ -f "$jar" ]; then
    (cd "$work" && mvn -q -B dependency:copy "-Dartifact=org.openapitools:openapi-generator-cli:$java" -DoutputDirectory=.) ||
      { skip Java "openapi-generator-cli $java cannot be copied from Maven Central."; return 0; }
  fi
  rm -rf "$work/client"
  # The library okhttp-gson can read a value that is a text, a list or a map. Its imports hide a model named Locale.
  java -jar "$jar" generate -i "$document" -g java --library okhttp-gson -o "$work/client" \
    --model-name-mappings locale=LocaleModel \
    --global-property apiTests=false,modelTests=false,apiDocs=false,modelDocs=false >"$work/log" 2>&1 ||
    { tail -n 40 "$work/log"; return 1; }
  cp "$here/tools/clients/Use.java" "$work/client/src/main/java/Use.java"
  (cd "$work/client" && mvn -q -B -Dmaven.test.skip=true -Dmaven.compiler.source=17 -Dmaven.compiler.target=17 compile)
  echo 'Java: compiled'
}

for language in ${*:-typescript python java}; do "test_$language"; done
