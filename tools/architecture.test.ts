/** The rules for imports. The table is the architecture; the test only reads it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { areas } from '@kontor/contract'
import { expect, test } from 'vitest'

const base = ['contract', 'server/src/errors', 'server/src/config', 'server/src/core', 'server/src/adapters']

// prettier-ignore
const rules: Record<string, string[]> = {
  'contract':                 [],
  'search-engine':            ['contract'],
  'sdk':                      ['contract'],
  'demo':                     ['contract'],
  'cli':                      ['contract', 'sdk', 'server/src/admin', 'server/src/node'],
  'console/src/main':         ['sdk', 'console/src'],
  'console/src/app':          ['contract', 'sdk', 'console/src/areas', 'console/src/object', 'console/src/ui'],
  'console/src/areas':        ['contract', 'sdk', 'console/src/object', 'console/src/ui'],
  'console/src/object':       ['contract', 'sdk', 'console/src/ui'],
  'console/src/ui':           [],
  'console/src/languages':    ['console/src/app'],
  'server/src/errors':        ['contract'],
  'server/src/config':        [],
  'server/src/adapters':      ['search-engine'],
  'server/src/core':          base,
  'server/src/values':        [...base, 'server/src/common/api'],
  'server/src/common':        base,
  'server/src/pim':           [...base, 'server/src/values/api', 'server/src/common/api'],
  'server/src/dam':           [...base, 'server/src/values/api', 'server/src/common/api'],
  'server/src/cm':            [...base, 'server/src/values/api', 'server/src/common/api', 'server/src/pim/api', 'server/src/peo/api'],
  'server/src/peo':           [...base, 'server/src/values/api', 'server/src/common/api', 'server/src/pim/api'],
  'server/src/workflow':      [...base, 'server/src/common/api'],
  'server/src/identity':      base,
  'server/src/backup':        [...base, 'server/src/dam/storage', 'server/src/identity/audit'],
  'server/src/events':        [...base, 'server/src/common/api', 'server/src/values/api'],
  'server/src/transfers':     base,
  'server/src/changes':       [...base, 'server/src/values/api', 'server/src/common/api'],
  'server/src/rules':         [...base, 'server/src/common/api', 'server/src/changes/api', 'server/src/feeds/schedule'],
  'server/src/collections':   [...base, 'server/src/common/api', 'server/src/dam/api'],
  'server/src/shares':        [...base, 'server/src/common/api', 'server/src/dam/api', 'server/src/collections/api'],
  'server/src/share':         [...base, 'server/src/dam/api', 'server/src/shares'],
  'server/src/feeds':         [...base, 'server/src/common/api', 'server/src/transfers/api'],
  'server/src/webhooks':      [...base, 'server/src/common/api', 'server/src/events'],
  'server/src/operations':    base,
  'server/src/requests':      [...base, 'server/src/operations'],
  'server/src/system':        [...base, 'server/src/operations'],
  'server/src/presence':      [...base, 'server/src/common/api'],
  'server/src/reference':     base,
  'server/src/console':       base,
  'server/src/search':        [...base, 'search-engine', 'server/src/common/api'],
  'server/src/areas':         ['contract', 'server/src'],
  'server/src/app':           ['contract', 'server/src'],
  'server/src/main':          ['server/src/process'],
  'server/src/node':          [],
  'server/src/launch':        ['server/src/node'],
  'server/src/process':       ['demo', 'server/src'],
  'server/src/admin':         ['contract', 'demo', 'server/src'],
}

/** Third-party code has one door each: who may import it. */
// prettier-ignore
const doors: Record<string, string[]> = {
  'pg':              ['server/src/adapters'],
  'graphile-worker': ['server/src/adapters/jobs'],
  'oidc-provider':   ['server/src/identity'],
  'jose':            ['server/src/identity'],
  '@node-rs/argon2': ['server/src/identity/passwords/argon2'],
  '@zxcvbn-ts':      ['server/src/identity/passwords/strength'],
  'prom-client':     ['server/src/operations'],
  're2js':           ['server/src/values/pattern'],
  'sanitize-html':   ['server/src/values/richtext'],
  '@tiptap':         ['console/src/object/values/richtext-editor'],
  '@mantine/tiptap': ['console/src/object/values/richtext-editor'],
  '@aws-sdk':        ['server/src/adapters/blobs/s3', 'server/src/adapters/blobs/s3-parts', 'server/src/adapters/places/s3'],
  'croner':          ['server/src/feeds/schedule'],
  '@marcbachmann/cel-js': ['server/src/changes/expressions'],
  'ssh2':            ['server/src/adapters/places/sftp'],
  '@fastify/busboy': ['server/src/dam/assets/bin/uploads/form'],
  'sharp':           ['server/src/dam/assets/previews/render', 'server/src/dam/assets/previews/draw', 'server/src/dam/assets/previews/pdf', 'server/src/dam/assets/previews/picture', 'server/src/dam/assets/previews/look', 'server/src/dam/assets/previews/film', 'demo/src/painter-process'],
  'bpmn-elements':   ['server/src/workflow/engine'],
  'bpmn-moddle':     ['server/src/workflow/engine'],
  'moddle-context-serializer': ['server/src/workflow/engine'],
  'nodemailer':      ['server/src/adapters/mail/mail'],
  '@hyzyla/pdfium':  ['server/src/dam/assets/previews/pdf'],
  '@opensearch-project': ['server/src/adapters/opensearch'],
  '@opentelemetry':  ['server/src/adapters/tracing/opentelemetry'],
  'exifreader':      ['server/src/dam/assets/previews/embedded'],
}

const files = ['contract/src', 'search-engine/src', 'sdk/src', 'demo/src', 'cli/src', 'console/src', 'server/src']
  .filter((root) => existsSync(root))
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)))
  .filter((file) => /(?<!\.test|\.arbitrary|\.d)\.tsx?$/.test(file))
const specifiersOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, specifier]) => specifier!)
const importsOf = (file: string) =>
  specifiersOf(file).flatMap((specifier) =>
    specifier.startsWith('.')
      ? [join(dirname(file), specifier)]
      : specifier.startsWith('@kontor/')
        ? [specifier.replace('@kontor/', '').replace(/^server\//, 'server/src/')]
        : [],
  )
const within = (part: string) => (path: string) =>
  path === part || (path.startsWith(part) && /^[/.]/.test(path.slice(part.length)))

test.each(Object.entries(rules))('%s imports only what it may', (part, may) => {
  const allowed = [part, ...may].map(within)
  const strays = files.filter(within(part)).flatMap((file) =>
    importsOf(file)
      .filter((to) => !allowed.some((fits) => fits(to)))
      .map((to) => `${file} -> ${to}`),
  )
  expect(strays).toEqual([])
})

test('an area of the console imports no other: a page can be deleted', () => {
  const areaOf = (path: string) => /^console\/src\/areas\/([^/]+)/.exec(path)?.[1]
  const strays = files.filter(areaOf).flatMap((file) =>
    importsOf(file)
      .filter((to) => areaOf(to) && areaOf(to) !== areaOf(file))
      .map((to) => `${file} -> ${to}`),
  )
  expect(strays).toEqual([])
})

test('no file needs itself by way of others', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '))
    if (done.has(file)) return
    done.add(file)
    for (const to of importsOf(file)) if (files.includes(to)) visit(to, [...way, file])
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

test('every file is under a rule', () => {
  expect(files.filter((file) => !Object.keys(rules).some((part) => within(part)(file)))).toEqual([])
})

test.each(Object.entries(doors))('%s is used only behind its door', (name, may) => {
  const users = files.filter((file) =>
    specifiersOf(file).some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
  )
  expect(users.filter((file) => !may.some((part) => within(part)(file)))).toEqual([])
})

test('the environment is read in one place', () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8')))
  expect(
    readers.filter(
      (file) =>
        !['server/src/main.ts', 'server/src/process/serve.ts', 'server/src/admin/admin.ts', 'cli/src/main.ts'].includes(
          file,
        ),
    ),
  ).toEqual([])
})

/** Stored work gets its caller, with the rights of now, from Services.callerNow only. */
test('roles become permissions in one place', () => {
  const users = files.filter((file) => /permissionsOf\b/.test(readFileSync(file, 'utf8')))
  const may = ['server/src/identity', 'server/src/app']
  expect(users.filter((file) => !may.some((part) => within(part)(file)))).toEqual([])
})

/** URLs whose deciding file has another name than the URL says, and why. */
// prettier-ignore
const elsewhere: Record<string, string> = {
  'care':                    'dam/care/module.ts',                     // the care of the files of the DAM
  'care/held':               'dam/care/quarantine.ts',
  'care/scrubs':              'dam/care/scrubs.ts',
  'care/archive':            'dam/care/archive.ts',
  'care/statistics':         'dam/care/statistics.ts',
  'care/scans':              'dam/care/quarantine.ts',
  'cm/admin/channel-types':  'cm/channels/types/types.ts',             // the types that /cm/channels/types lists
  'dam/assets/bin':          'dam/assets/bin/download/download.ts',    // one address sends and receives files
  'dam/assets/bin/retrieve': 'dam/assets/bin/download/download.ts',
  'dam/assets/bin/persist':  'dam/assets/bin/uploads/uploads.ts',
  'dam/assets/embedded':     'dam/metadata/metadata.ts',               // what downloads of every kind write into files
  'dam/assets/presigned-url': 'dam/assets/signed/signed.ts',           // makes the addresses that /dam/assets/signed answers
  'dam/renditions/bin':      'dam/renditions/answer.ts',               // with a token, or by a public address
  'dam/renditions/files':    'dam/renditions/answer.ts',
  'pim/relation-types':      'pim/relations/relations.ts',             // with the relations themselves
  'search/index':            'search/indexes/indexes.ts',              // a file named index.ts looks like a barrel
  'search/index/state':      'search/indexes/indexes.ts',
  'search/service-search-version': 'search/module.ts',                 // one line
  'search/type-ahead':       'search/suggest/suggest.ts',              // completion and correction are one subject
  'search/version':          'search/module.ts',                       // one line
  'search':                  'search/query/search.ts',
  'search/query':            'search/query/search.ts',
  'workflow/job-types':      'workflow/definitions/definitions.ts',    // job types of service tasks in definitions
  'workflow/start':          'workflow/processes/start.ts',            // starts a process
  'workflow/statistics':     'workflow/processes/processes.ts',        // counts processes
}
/** Segments that say who may call, or what is done, rather than which object it is about. */
const notFolders = new Set(['admin'])

/** From a URL below the base of its area: the deepest folder with its name, then the file named like it or like what follows. */
function decidingFile(room: string, path: string): string | undefined {
  const names = path.split('/').filter((segment) => segment && !/[{*]/.test(segment) && !notFolders.has(segment))
  const own = room.slice(room.lastIndexOf('/') + 1)
  let [folder, name, rest] = [room, own, names]
  while (rest[0] !== undefined && existsSync(join(folder, rest[0]))) {
    ;[folder, name, rest] = [join(folder, rest[0]), rest[0], rest.slice(1)]
  }
  const stems = [...(rest[0] === undefined ? [] : [`${name}.${rest[0]}`, rest[0]]), name]
  return stems
    .flatMap((stem) => [`${folder}/${stem}.ts`, `${folder}/${stem}.routes.ts`])
    .find((file) => existsSync(file))
}

const urls = areas.flatMap(({ base, resources, routes }) => {
  const area = base.slice(base.lastIndexOf('/') + 1)
  const paths = [...Object.keys(resources), ...Object.values(routes).map((route) => route.path.slice(1))]
  return [...new Set(paths)].map((path) => [area, path] as const)
})

test.each(urls)('/%s/%s leads to the file that decides', (area, path) => {
  const url = path === '' ? area : `${area}/${path.split('/{')[0]}`
  const exception = elsewhere[url]
  const found = decidingFile(`server/src/${area}`, path)
  expect(exception === undefined ? found : `server/src/${exception}`).toBeDefined()
  if (exception !== undefined) expect(existsSync(`server/src/${exception}`)).toBe(true)
})
