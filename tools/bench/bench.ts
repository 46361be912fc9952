/**
 * `npm run bench [part …]`: speed and memory as ratios against bare baselines of the same run, written to
 * docs/benchmarks.md when every part was run. Parts: assets, channels, codecs, console (as people feel it, on the demo),
 * costs, daily, grid (the console with a million products), history, import, keywords, login, model, overload, products, rules, transform; and peers, a command of its own.
 * A number is the number of rows: `npm run bench import 1000000`, `npm run bench history 100000000`;
 * `npm run bench overload 20` measures twenty rounds.
 * `npm run bench daily 100000 --write` writes its table into its section of docs/benchmarks.md; `npm run bench peers`
 * runs the same rows against a Directus (peers.ts).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { format, resolveConfig } from 'prettier'
import { assets } from './assets.ts'
import { channelTree } from './channels.ts'
import { codecs } from './codecs.ts'
import { consoleGrid } from './console.ts'
import { costs } from './costs.ts'
import { daily } from './daily.ts'
import { consoleFelt } from './felt.ts'
import { historyOfYears } from './history.ts'
import { imports } from './import.ts'
import { keywords } from './keywords.ts'
import { login } from './login.ts'
import { type Table, toMarkdown, withPart } from './measure.ts'
import { model } from './model.ts'
import { overload } from './overload.ts'
import { peers } from './peers.ts'
import { products } from './products.ts'
import { rules } from './rules.ts'
import { type BenchServer, startServer } from './server.ts'
import { transform } from './transform.ts'

/** A number says how many rows. */
const rows = process.argv
  .slice(2)
  .map(Number)
  .find((number) => number > 0)

const parts: Record<string, (server: () => Promise<BenchServer>) => Promise<Table[]>> = {
  assets: async (server) => assets(await server()),
  channels: async (server) => channelTree(await server()),
  codecs: () => codecs(),
  costs: async (server) => costs(await server()),
  daily: () => daily(rows),
  history: () => historyOfYears(rows),
  import: async (server) => imports(await server(), rows),
  keywords: async (server) => [await keywords(await server())],
  login: async (server) => login(await server()),
  model: async (server) => [await model(await server())],
  overload: async (server) => [await overload(await server(), rows)],
  products: async (server) => products(await server()),
  peers: () => peers(rows),
  rules: () => onItsOwn((server) => rules(server, rows)),
  transform: async (server) => [await transform(await server())],
  console: () => onItsOwn(consoleFelt), // with the demo
  grid: async (server) => consoleGrid(await server()), // behind products, which makes the million
}

async function onItsOwn(measure: (server: BenchServer) => Promise<Table[]>): Promise<Table[]> {
  const own = await startServer()
  try {
    return await measure(own)
  } finally {
    await own.stop()
  }
}

const asked = process.argv.slice(2).filter((name) => name in parts)
let server: Promise<BenchServer> | undefined
const tables: Table[] = []
try {
  for (const name of asked.length > 0 ? asked : Object.keys(parts).filter((name) => name !== 'peers')) {
    for (const table of await parts[name]!(() => (server ??= startServer({ KONTOR_ROLES: 'api,worker' })))) {
      tables.push(table)
      console.log(toMarkdown(table))
    }
  }
} finally {
  await (await server)?.stop()
}

const file = 'docs/benchmarks.md'
if (process.argv.includes('--write') && asked.join() === 'daily') {
  const [load] = loadavg()
  const text = `\`npm run bench daily ${rows ?? 100_000} --write\`, on ${cpus().length} cores, Node ${process.versions.node}, with a load average of ${load!.toFixed(1)} at the end. CPU is that of all processes; "bare" is a plain server on the same PostgreSQL that stores and reads the same products as one JSON column.`
  const part = [text, '', ...tables.map(toMarkdown)].join('\n')
  const page = withPart(readFileSync(file, 'utf8'), 'daily', 'Daily work on a wide catalogue', part)
  writeFileSync(file, await format(page, { ...(await resolveConfig(file)), filepath: file }))
}
if (asked.length === 0) {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const head = [
    '# Benchmarks',
    '',
    'Written by `npm run bench`. Machines are shared and noisy, so the ratios count: every row was measured in turns with the first row of its table, in one run.',
    '',
    `Measured on ${machine}. Search has benchmarks of its own: [benchmarks-search.md](benchmarks-search.md).`,
    '',
  ]
  writeFileSync(file, `${[...head, ...tables.map(toMarkdown)].join('\n')}`)
}
