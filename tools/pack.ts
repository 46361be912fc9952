/**
 * `npm run pack [-- <name …> --to <folder>]`: packs the server, the CLI and the SDK for other machines, into dist/packages.
 *
 * In this repository Node runs TypeScript directly, and our workspaces import each other by name. Below node_modules Node
 * refuses TypeScript, and none of our workspaces is published. So a package contains the JavaScript of every workspace it
 * needs, below `dist` in the folders of the repository, which keeps the paths between files. Packages of others are
 * ordinary dependencies.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')

interface Recipe {
  readonly description: string
  /** The workspaces inside the package; the first one gives it its name and version. */
  readonly workspaces: readonly string[]
  /** Other files and folders of the repository that the code reads. */
  readonly files?: readonly string[]
  /** Whether users compile against it. */
  readonly types?: boolean
  readonly manifest: object
}

const entry = (path: string) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` })
const recipes: Readonly<Record<string, Recipe>> = {
  sdk: {
    description: 'The typed client of Kontor, for browsers and Node',
    workspaces: ['sdk', 'contract'],
    types: true,
    manifest: {
      exports: { '.': entry('sdk/src/index'), './contract': entry('contract/src/index') },
      sideEffects: false,
    },
  },
  cli: {
    description: 'The command line of Kontor: works with the data of a server, and administers one on its own machine',
    workspaces: ['cli', 'sdk', 'contract'],
    manifest: { bin: { kontor: 'dist/cli/src/main.js' } },
  },
  server: {
    description: 'The server of Kontor, with its console and a PostgreSQL',
    workspaces: ['server', 'contract', 'search-engine', 'demo'],
    files: ['server/migrations', 'server/workflows', 'console/dist'],
    manifest: {
      bin: { 'kontor-server': 'dist/server/src/launch.js' },
      exports: { './admin': './dist/server/src/admin/admin.js', './node': './dist/server/src/node.js' },
    },
  },
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly exports?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

const { values, positionals } = parseArgs({ options: { to: { type: 'string' } }, allowPositionals: true })
const target = resolve(values.to ?? join(root, 'dist', 'packages'))
const names = positionals.length > 0 ? positionals : Object.keys(recipes)
const work = mkdtempSync(join(tmpdir(), 'kontor-pack-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))

compile()
mkdirSync(target, { recursive: true })
for (const name of names) {
  const recipe = recipes[name]
  if (!recipe) throw new Error(`unknown package ${name}; expected ${Object.keys(recipes).join(', ')}`)
  const staged = join(work, name)
  stage(recipe, staged)
  run('npm', 'pack', staged, '--pack-destination', target, '--loglevel=error')
}

/** All workspaces at once. Types are not checked here: `npm run check` does that. */
function compile(): void {
  const workspaces = [...new Set(Object.values(recipes).flatMap((recipe) => recipe.workspaces))]
  const compiled = join(work, 'compiled')
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    rewriteRelativeImportExtensions: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    rootDir: root,
    outDir: compiled,
  }
  const include = workspaces.map((name) => join(root, name, 'src'))
  const exclude = ['**/*.test.ts', '**/*.arbitrary.ts', '**/golden'].map((pattern) => join(root, pattern))
  const config = join(work, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include, exclude }))
  run('tsc', '-p', config)
  const declarations = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--rewriteRelativeImportExtensions',
  ]
  for (const name of workspaces.filter((name) => isTyped(name)))
    run('tsc', '-p', join(root, name), ...declarations, '--rootDir', root, '--outDir', compiled)
}

function isTyped(workspace: string): boolean {
  return Object.values(recipes).some(({ types, workspaces }) => types && workspaces.includes(workspace))
}

function stage(recipe: Recipe, staged: string): void {
  const { workspaces, types = false, files = [] } = recipe
  const isWanted = (file: string) => (types || !file.endsWith('.d.ts')) && !file.endsWith('.sources')
  for (const name of workspaces) {
    cpSync(join(work, 'compiled', name), join(staged, 'dist', name), { recursive: true, filter: isWanted })
    copyOtherSources(join(root, name, 'src'), join(staged, 'dist', name, 'src'))
    const { version, license } = manifestOf(name)
    writeJson(join(staged, 'dist', name, 'package.json'), { version, license, type: 'module' })
  }
  for (const file of files) cpSync(join(root, file), join(staged, 'dist', file), { recursive: true, filter: isWanted })
  for (const name of workspaces) adaptPaths(join(staged, 'dist', name, 'src'), join(staged, 'dist'), workspaces)
  writeManifest(recipe, staged)
  cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
  cpSync(join(root, workspaces[0]!, 'README.md'), join(staged, 'README.md'))
}

/** Style sheets, pictures and scripts that are read from beside the code. None may have the name of a compiled file. */
function copyOtherSources(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    force: false,
    errorOnExist: true,
    filter: (path) => !/(\/golden|\.ts)$/.test(path),
  })
}

/**
 * Corrects the names of files in the code: of our other packages, which are folders of this one, and of the programs of
 * threads and processes (`new URL('./worker.ts', import.meta.url)`), which the compiler does not know as imports.
 */
function adaptPaths(folder: string, dist: string, workspaces: readonly string[]): void {
  const inside = new Map(workspaces.flatMap((name) => entriesOf(name)))
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue
    const path = join(folder, file)
    const pathTo = (entry: string) =>
      relative(dirname(path), join(dist, entry))
        .replaceAll('\\', '/')
        .replace(/^(?!\.)/, './')
    const text = readFileSync(path, 'utf8')
      .replace(/(['"])(@kontor\/[\w/-]+)\1/g, (found, quote: string, name: string) =>
        inside.has(name) ? quote + pathTo(inside.get(name)!) + quote : found,
      )
      .replace(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1')
    writeFileSync(path, text)
  }
}

/** The names under which a workspace can be imported, with their files: @kontor/server/admin is server/src/admin/admin.js. */
function entriesOf(workspace: string): [string, string][] {
  const { name, exports = {} } = manifestOf(workspace)
  const entries = typeof exports === 'string' ? { '.': exports } : exports
  return Object.entries(entries).map(([key, file]) => [join(name, key), join(workspace, file.replace(/\.ts$/, '.js'))])
}

function writeManifest({ description, workspaces, manifest }: Recipe, staged: string): void {
  const { name, version, license } = manifestOf(workspaces[0]!)
  const dependencies = foreign(workspaces.map((workspace) => manifestOf(workspace).dependencies))
  // The server needs Node 24, which is among the optional dependencies of the repository.
  const optional = foreign([
    manifestOf(workspaces[0]!).optionalDependencies,
    name.endsWith('/server') ? manifestOf('.').optionalDependencies : {},
  ])
  writeJson(join(staged, 'package.json'), {
    name,
    version,
    description,
    license,
    type: 'module',
    ...manifest,
    files: ['dist'],
    engines: { node: '>=20' },
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    ...(Object.keys(optional).length > 0 && { optionalDependencies: optional }),
  })
}

/** The packages of others among these dependencies, in order of their names. */
function foreign(dependencies: readonly (Readonly<Record<string, string>> | undefined)[]): Record<string, string> {
  const entries = dependencies.flatMap((some) => Object.entries(some ?? {}))
  const others = entries.filter(([name]) => !name.startsWith('@kontor/'))
  return Object.fromEntries(others.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function writeJson(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`)
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
