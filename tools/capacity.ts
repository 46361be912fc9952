/**
 * The capacity model: what an installation of a given size and load needs, and which limit it reaches first.
 *
 *   node tools/capacity.ts --products 1000000 --users 100
 *   node tools/capacity.ts --table     1, 10 and 100 million products, each with 10, 100 and 1,000 users (docs/capacity.md)
 *
 * Every cost is a measurement, read from the tables in docs/benchmarks.md and docs/benchmarks-search.md. Everything else
 * is an assumption: listed in `assumptions`, printed with the result, and changed by the option of the same name.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** The size and the load, and what is assumed about people and machines. */
// prettier-ignore
const assumptions = {
  'products':      [1e6,  'products'],
  'files':         [1e6,  'files'],
  'file-mb':       [5,    'megabytes of a file'],
  'preview-share': [0.1,  'previews, as a share of the bytes of their files'],
  'users':         [100,  'people who work at the same time'],
  'searches':      [60,   'searches of a person in an hour'],
  'pages':         [60,   'pages of 50 products of a person in an hour'],
  'retrieves':     [120,  'single products of a person in an hour'],
  'edits':         [20,   'changes of a person in an hour'],
  'hours':         [8,    'hours in which people work, 250 days a year'],
  'peak':          [3,    'the busiest minute against the average of these hours'],
  'imports':       [20_000, 'products stored by imports in a day'],
  'import-hours':  [2,    'hours in which imports run'],
  'uploads':       [1000, 'new files in a day'],
  'history-days':  [3650, 'days that history is kept (KONTOR_HISTORY_DAYS)'],
  'outbox-days':   [3,    'days that changes are kept (KONTOR_OUTBOX_HOURS)'],
  'busy':          [0.7,  'share of a core or thread that may be in use at the peak'],
  'cached':        [0.5,  'share of the products that PostgreSQL should have in memory; history is rarely read'],
  'cores':         [8,    'cores of a machine'],
  'memory-gb':     [32,   'memory of a machine'],
  'disk-gb':       [10_000, 'disk of a machine for files'],
  'rebuild-hours': [1,    'time in which a search index must be rebuilt'],
  'search-ms':     [50,   'CPU time of a search, on one core, that people accept'],
  'database-gb':   [2000, 'database that one PostgreSQL can back up and restore in a night'],
} as const satisfies Record<string, readonly [number, string]>

type Setting = keyof typeof assumptions
type Load = Readonly<Record<Setting, number>>

const settings = Object.keys(assumptions) as Setting[]
const defaults = Object.fromEntries(settings.map((name) => [name, assumptions[name][0]])) as Record<Setting, number>

/**
 * A load from what is known of it. Files, imports and uploads that are not given follow the number of products: a file for
 * each, two percent of them stored by imports and a tenth of a percent as many new files in a day.
 */
export function loadOf(known: Partial<Load>): Load {
  const products = known.products ?? defaults.products
  return { ...defaults, files: products, imports: products * 0.02, uploads: products * 0.001, ...known }
}

/** Statements that a call sends to PostgreSQL, beside begin and commit; server/test/statements.test.ts counts them. */
export const statements = { retrieve: 1, page: 2, change: 5 }

// The measurements

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim()).slice(1, -1) // prettier-ignore
const wholeNumber = (text: string) => Number(/[\d.]+/.exec(text.replaceAll(',', ''))?.[0])

/** The rows of the tables below a heading, as cells. */
function rowsBelow(page: string, heading: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, '..', 'docs', page), 'utf8')
  const start = text.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`docs/${page} has no section "${heading}"`)
  const [section] = text.slice(start + heading.length + 2).split(/^#+ /m)
  return section!.split('\n').filter((line) => line.startsWith('| ')).map(cellsOf) // prettier-ignore
}

function rowOf(page: string, heading: string, name: string): string[] {
  const row = rowsBelow(page, heading).find(([first]) => first === name)
  if (!row) throw new Error(`docs/${page}, section "${heading}": there is no row "${name}"`)
  return row.slice(1)
}

const costSection = '### Costs of an operation'
const [small, large] = ['### 100,000 products', '### 1,000,000 products']
const overHttp = '### 1,000,000 products over HTTP'

/** `1.20 ms server, 0.40 ms database, 150 bytes history, 70 bytes outbox, 900 bytes log`, by its last words. */
function costsOf(name: string): Record<string, number> {
  const [rate] = rowOf('benchmarks.md', costSection, name)
  return Object.fromEntries(
    [...rate!.matchAll(/([\d.]+) (?:ms|bytes) (\w+)/g)].map(([, value, word]) => [word!, Number(value)]),
  )
}
const searchFigure = (heading: string, name: string) => rowOf('benchmarks-search.md', heading, name).map(wholeNumber)
/** The mean CPU time of the mix of searches, in ms. */
function searchMix(heading: string): number {
  const rows = rowsBelow('benchmarks-search.md', heading).filter((cells) => cells.length === 7 && cells[0] !== 'search')
  const times = rows.map((cells) => Number(cells[2])).filter(Number.isFinite)
  return times.reduce((sum, time) => sum + time, 0) / times.length
}

/** A straight line through two measurements, at 100,000 and 1,000,000 products. */
const line = (atSmall: number, atLarge: number) => (products: number) =>
  Math.max(atSmall + ((atLarge - atSmall) * (products - 1e5)) / 9e5, 0)

export function measurements() {
  const cost = {
    retrieve: costsOf('retrieve of one product'),
    page: costsOf('retrieve of a page of 50 products'),
    change: costsOf('change of one value of a product'),
    stored: costsOf('new product, 1,000 per request'),
  }
  const figure = (name: string) => line(searchFigure(small, name)[0]!, searchFigure(large, name)[0]!)
  const searchMs = line(searchMix(small), searchMix(large))
  const slowest = (name: string) => searchFigure(overHttp, name)
  const previews = rowOf('benchmarks.md', '### Previews of 24-megapixel JPEGs, two at a time', 'the processes that make previews, metadata read too') // prettier-ignore
  return {
    cost,
    productBytes: wholeNumber(
      rowOf('benchmarks.md', costSection, 'a stored product with 30 values, with its indexes')[0]!,
    ),
    searchMs,
    /** Beside the search itself, in the thread that answers requests. */
    searchHttpMs: 1000 / Math.min(...slowest('8 clients, searches per CPU second').slice(0, 3)) - searchMs(1e6),
    indexMb: figure('index, MB'),
    searchMemoryMb: (products: number) => figure('memory, MB')(products) + slowest('memory of the server, MB')[0]! - figure('memory, MB')(1e6), // prettier-ignore
    buildMemoryMb: figure('memory while building, all processes, MB'),
    rebuildSeconds: (products: number) => (Math.max(...slowest('rebuild from the database, s').slice(0, 3)) * products) / 1e6, // prettier-ignore
    indexingMs: 1000 / Math.min(...slowest('products per CPU second').slice(0, 3)),
    previewSeconds: 2 / wholeNumber(previews[0]!), // two cores
  }
}

// The model

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** How often something happens in a second, at the peak. */
function ratesOf(load: Load) {
  const byPeople = (perHour: number) => (load.users * perHour * load.peak) / 3600
  return {
    search: byPeople(load.searches),
    page: byPeople(load.pages),
    retrieve: byPeople(load.retrieves),
    change: byPeople(load.edits),
    stored: load.imports / (load['import-hours'] * 3600),
    upload: (load.uploads * load.peak) / (load.hours * 3600),
  }
}

export function needs(load: Load, measured = measurements()) {
  const { cost } = measured
  const rates = ratesOf(load)
  const kinds = ['retrieve', 'page', 'change', 'stored'] as const
  const coresFor = (part: 'server' | 'database') => sum(kinds.map((kind) => rates[kind] * cost[kind][part]!)) / 1000
  const cores = {
    requests: coresFor('server') + (rates.search * measured.searchHttpMs) / 1000,
    search:
      (rates.search * measured.searchMs(load.products) + (rates.change + rates.stored) * measured.indexingMs) / 1000,
    database: coresFor('database'),
    previews: rates.upload * measured.previewSeconds,
  }
  const processes = Math.max(1, Math.ceil(cores.requests / load.busy))
  const edits = load.users * load.edits * load.hours * 250
  const changesPerDay = (edits + load.imports * 365) / 365
  const days = load['history-days']
  const diskGb = {
    products: (load.products * measured.productBytes) / 1e9,
    history: (days * ((edits / 365) * cost.change.history! + load.imports * cost.stored.history!)) / 1e9,
    outbox: (load['outbox-days'] * changesPerDay * cost.change.outbox!) / 1e9,
    /** A rebuild keeps the old index until the new one is complete. */
    index: (2 * processes * measured.indexMb(load.products)) / 1e3,
    files: (load.files * load['file-mb'] * (1 + load['preview-share'])) / 1e3,
  }
  const databaseGb = diskGb.products + diskGb.history + diskGb.outbox
  const memoryGb = {
    processes: (processes * measured.searchMemoryMb(load.products)) / 1e3,
    rebuild: measured.buildMemoryMb(load.products) / 1e3,
    database: Math.max(1, diskGb.products * load.cached),
  }
  return {
    rates,
    statements: rates.retrieve * statements.retrieve + rates.page * statements.page + rates.change * statements.change, // prettier-ignore
    historyRows: days * changesPerDay,
    cores,
    processes,
    memoryGb,
    diskGb,
    databaseGb,
    rebuildHours: measured.rebuildSeconds(load.products) / 3600,
    searchMs: measured.searchMs(load.products),
  }
}

interface Limit {
  readonly what: string
  /** How much of it is used; it breaks above 1. */
  readonly used: number
  readonly add: string
}

/** Every limit of one Kontor process with the embedded search on one machine, the most used one first. */
export function limits(load: Load, measured = measurements()): Limit[] {
  const { cores, memoryGb, diskGb, databaseGb, rebuildHours, searchMs } = needs(load, measured)
  const machine = load.cores * load.busy
  // prettier-ignore
  const all: Limit[] = [
    { what: 'thread that answers requests', used: cores.requests / load.busy, add: 'more processes on the same PostgreSQL' },
    { what: 'cores of the machine', used: sum(Object.values(cores)) / machine, add: 'a machine of its own for PostgreSQL, then for more processes' },
    { what: 'cores of PostgreSQL', used: cores.database / machine, add: 'a read replica for exports and retrieves, then a larger machine' },
    { what: 'memory of the machine', used: sum(Object.values(memoryGb)) / load['memory-gb'], add: 'OpenSearch instead of the embedded search, then memory for PostgreSQL' },
    { what: 'disk for files', used: diskGb.files / load['disk-gb'], add: 'S3 for files (KONTOR_BLOBS)' },
    { what: 'rebuild of the embedded search', used: rebuildHours / load['rebuild-hours'], add: 'OpenSearch, with a shard for every ten million products' },
    { what: 'time of a search', used: searchMs / load['search-ms'], add: 'OpenSearch, with a shard for every ten million products' },
    { what: 'size of the database', used: databaseGb / load['database-gb'], add: 'fewer days of history, or continuous archiving instead of nightly backups' },
  ]
  return all.toSorted((a, b) => b.used - a.used)
}

// The output

const round = (number: number) => (number >= 10 ? Math.round(number).toLocaleString('en') : String(Number(number.toPrecision(2)))) // prettier-ignore
const total = (parts: Readonly<Record<string, number>>) => sum(Object.values(parts))
const listed = (parts: Readonly<Record<string, number>>) =>
  Object.entries(parts).map(([name, number]) => `${name} ${round(number)}`).join(', ') // prettier-ignore

export function report(load: Load): string {
  const found = needs(load)
  const [first] = limits(load)
  return [
    ...settings.map((name) => `  --${name.padEnd(14)} ${round(load[name]).padStart(11)}  ${assumptions[name][1]}`),
    '',
    `calls a second, peak   ${listed(found.rates)}; ${round(found.statements)} statements for pages, retrieves and changes`,
    `processes              ${found.processes}`,
    `cores in use, peak     ${round(total(found.cores))}: ${listed(found.cores)}`,
    `memory, GB             ${round(total(found.memoryGb))}: ${listed(found.memoryGb)}`,
    `disk, GB               ${round(total(found.diskGb))}: ${listed(found.diskGb)}`,
    `history                ${round(found.historyRows)} rows`,
    `search                 ${round(found.searchMs)} ms of CPU each; a rebuild takes ${round(found.rebuildHours)} h`,
    '',
    ...limits(load).map(({ what, used, add }) => `${round(used * 100).padStart(7)} %  ${what.padEnd(31)} ${used > 1 ? `broken: add ${add}` : ''}`.trimEnd()), // prettier-ignore
    '',
    first!.used > 1 ? `Breaks first: ${first!.what}.` : `Nothing breaks. The next limit is: ${first!.what}.`,
  ].join('\n')
}

export function table(): string {
  const head = ['products', 'users', 'processes', 'cores', 'memory GB', 'database GB', 'index GB', 'files GB', 'beyond one process on one machine, worst first'] // prettier-ignore
  const rows = [1e6, 1e7, 1e8].flatMap((products) =>
    [10, 100, 1000].map((users) => {
      const load = loadOf({ products, users })
      const { processes, cores, memoryGb, databaseGb, diskGb } = needs(load)
      const broken = limits(load).filter(({ used }) => used > 1)
      const text = broken.map(({ what, used }) => `${what} (${round(used)}×)`).join(', ')
      const numbers = [
        products,
        users,
        processes,
        total(cores),
        total(memoryGb),
        databaseGb,
        diskGb.index,
        diskGb.files,
      ]
      return [...numbers.map(round), text || `nothing; next: ${limits(load)[0]!.what}`]
    }),
  )
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)))
  const lineOf = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...rows.map(lineOf)].join('\n')
}

function readLoad(): Load | undefined {
  const options = Object.fromEntries([...settings.map((name) => [name, { type: 'string' }]), ['table', { type: 'boolean' }]]) as Record<string, { type: 'string' | 'boolean' }> // prettier-ignore
  const { values } = parseArgs({ options })
  if (values.table === true) return undefined
  const given = settings.flatMap((name) => (values[name] === undefined ? [] : [[name, positive(name, values[name])]]))
  return loadOf(Object.fromEntries(given) as Partial<Load>)
}

function positive(name: string, text: unknown): number {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`--${name}: expected a number above 0, found ${String(text)}`)
  return number
}

if (import.meta.main) {
  const load = readLoad()
  console.log(load ? report(load) : table())
}
