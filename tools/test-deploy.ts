/**
 * `npm run test:deploy`: checks the files under deploy/ with the tools that read them: Helm, kubeconform, Docker Compose,
 * promtool, Caddy, systemd, ShellCheck. A tool that is not installed is named with the command that installs it.
 *
 * KUBERNETES_SCHEMAS names a folder of schemas for kubeconform; without it kubeconform downloads them. tools/test-image.sh
 * builds and starts the image.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'kontor-deploy-'))
const chart = 'deploy/helm/kontor'
/** Long enough for the production profile, and not a secret of anybody. */
const values = ['--set', 'baseUrl=https://pim.example.com']
const example = [
  'DATABASE_URL=postgres://kontor:x@db/kontor',
  'KONTOR_MASTER_KEY=x',
  'KONTOR_METRICS_TOKEN=x',
  'KONTOR_BLOBS=s3://x:x@kontor',
].flatMap((pair) => ['--set-string', `secrets.${pair}`])

/** The installations whose manifests are checked. */
const installations: Readonly<Record<string, readonly string[]>> = {
  'with claims and workers': [...values, ...example],
  'without claims': [...values, ...example, '--set', 'persistence.enabled=false,worker.replicas=0'],
  'in one pod': [...values, ...example, '--set', 'files.storage=volume,api.replicas=1'],
  'with everything': [
    ...values,
    '--set',
    'existingSecret=mine,api.autoscaling.enabled=true,backup.enabled=true,podMonitor.enabled=true,podAnnotations.a=b,nodeSelector.disk=fast',
  ],
}
/** Values that the chart refuses, with a part of the message. */
const refused: readonly (readonly [args: readonly string[], message: string])[] = [
  [[...example], 'baseUrl'],
  [['--set', 'baseUrl=http://pim.example.com', ...example], 'baseUrl'],
  [values, 'DATABASE_URL'],
  [[...values, ...example, '--set', 'files.storage=volume'], 'works with one pod'],
  [
    [...values, ...example, '--set', 'files.storage=volume,api.replicas=1,backup.enabled=true'],
    'backup.enabled needs files.storage s3',
  ],
  [[...values, ...example, '--set', 'replicas=3'], 'replicas'],
]

interface Finished {
  readonly ok: boolean
  readonly output: string
}
const run = (command: string, args: readonly string[], env: Record<string, string> = {}): Finished => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } })
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}` }
}
const all = (results: readonly Finished[]): Finished => ({
  ok: results.every(({ ok }) => ok),
  output: results
    .filter(({ ok }) => !ok)
    .map(({ output }) => output)
    .join('\n'),
})

/** Helm assumes an old Kubernetes unless it is built with a version. */
const template = (args: readonly string[]) =>
  run('helm', ['template', 'shop', chart, '--kube-version', '1.31.0', ...args])

function checkRefusals(): Finished {
  return all(
    refused.map(([args, message]) => {
      const { ok, output } = template(args)
      return {
        ok: !ok && output.includes(message),
        output: `expected a refusal that names ${message}, found: ${output.slice(-500)}`,
      }
    }),
  )
}

function checkManifests(): Finished {
  const local = process.env.KUBERNETES_SCHEMAS
  const location = local ? ['-schema-location', `${local}/{{ .ResourceKind }}{{ .KindSuffix }}.json`] : []
  return all(
    Object.entries(installations).map(([name, args]) => {
      const file = join(folder, `${name}.yaml`)
      const manifests = template(args)
      if (!manifests.ok) return manifests
      writeFileSync(file, manifests.output)
      // A PodMonitor belongs to the Prometheus operator, whose schemas are elsewhere.
      return run('kubeconform', ['-strict', '-summary', '-skip', 'PodMonitor', ...location, file])
    }),
  )
}

/** The compose files need their secrets to be there. */
function checkCompose([command, ...args]: readonly string[]): Finished {
  const copy = join(folder, 'compose', 'deploy')
  cpSync('deploy', copy, { recursive: true })
  cpSync(join(copy, '.env.example'), join(copy, '.env'))
  return all([
    run('sh', [join(copy, 'make-secrets.sh')]),
    ...['compose.yaml', 'compose.cluster.yaml'].map((file) =>
      run(command!, [...args, '--profile', '*', '-f', join(copy, file), 'config', '--quiet']),
    ),
  ])
}

const units = ['kontor.service', 'kontor-backup.service', 'kontor-backup.timer']

/** The program and the user of the units do not exist here: another program and another user take their place. */
function checkUnits(): Finished {
  for (const name of units) {
    const text = readFileSync(join('deploy/systemd', name), 'utf8')
    writeFileSync(
      join(folder, name),
      text.replaceAll('/opt/kontor/node_modules/.bin/node', '/bin/true').replace(/^(User|Group)=.*$/gm, '$1=root'),
    )
  }
  const { ok, output } = run('systemd-analyze', ['verify', ...units.map((name) => join(folder, name))])
  return { ok: ok && !output.includes(folder), output }
}

const monitoring = 'deploy/monitoring'
const caddy = (env: Record<string, string>) =>
  run('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile'], env)
const has = (command: string, ...args: string[]) => spawnSync(command, args).error === undefined
const compose = [['docker', 'compose'], ['docker-compose'], ['podman', 'compose']].find(
  ([command, ...args]) => run(command!, [...args, 'version']).ok,
)

interface Check {
  readonly name: string
  /** Whether its tool is installed; otherwise the remedy. */
  readonly tool: boolean
  readonly install: string
  readonly check: () => Finished
}
const helm = { tool: has('helm', 'version'), install: 'go install helm.sh/helm/v3/cmd/helm@latest' }
// prettier-ignore
const checks: readonly Check[] = [
  ...Object.entries(installations).map(([name, args]) => ({ ...helm, name: `helm lint, ${name}`, check: () => run('helm', ['lint', '--strict', chart, ...args]) })),
  { ...helm, name: 'the chart refuses values that cannot work', check: checkRefusals },
  { name: 'kubeconform', tool: helm.tool && has('kubeconform', '-v'), install: 'go install github.com/yannh/kubeconform/cmd/kubeconform@latest, and Helm', check: checkManifests },
  { name: 'docker compose config', tool: compose !== undefined, install: 'Docker with its compose plugin', check: () => checkCompose(compose!) },
  { name: 'promtool check rules', tool: has('promtool', '--version'), install: 'apt-get install prometheus', check: () => run('promtool', ['check', 'rules', `${monitoring}/alerts.yaml`]) },
  { name: 'promtool test rules', tool: has('promtool', '--version'), install: 'apt-get install prometheus', check: () => run('promtool', ['test', 'rules', `${monitoring}/alerts.test.yaml`]) },
  { name: 'promtool check config', tool: has('promtool', '--version'), install: 'apt-get install prometheus', check: () => run('promtool', ['check', 'config', '--syntax-only', `${monitoring}/prometheus.yaml`]) },
  { name: 'caddy validate', tool: has('caddy', 'version'), install: 'apt-get install caddy', check: () => all([caddy({}), caddy({ PIM_DOMAIN: 'pim.example.com', SSO_DOMAIN: 'sso.example.com', UPSTREAMS: 'a:8080 b:8080', CADDY_SITES: join(process.cwd(), 'deploy/cluster/*.caddy') })]) },
  { name: 'systemd-analyze verify', tool: has('systemd-analyze', '--version'), install: 'a Linux with systemd', check: checkUnits },
  { name: 'shellcheck', tool: has('shellcheck', '--version'), install: 'apt-get install shellcheck', check: () => run('shellcheck', ['deploy/make-secrets.sh', 'deploy/cluster/create-keycloak-database.sh', 'deploy/systemd/kontor.sh', 'tools/test-image.sh']) },
]

const count = { passed: 0, failed: 0, skipped: 0 }
for (const { name, tool, install, check } of checks) {
  const { ok, output } = tool ? check() : { ok: undefined, output: '' }
  count[ok === undefined ? 'skipped' : ok ? 'passed' : 'failed']++
  console.log(
    ok === undefined
      ? `SKIPPED  ${name}: not installed here; ${install}`
      : ok
        ? `passed   ${name}`
        : `FAILED   ${name}\n${output}`,
  )
}
rmSync(folder, { recursive: true, force: true })
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
process.exit(count.failed === 0 ? 0 : 1)
