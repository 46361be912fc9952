/** The capacity model: it reads its costs from the benchmarks, computes what it says, and its page is up to date. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limits, loadOf, measurements, needs, report, table } from './capacity.ts'

test('every cost is a number that the benchmarks contain', () => {
  const { cost, ...others } = measurements()
  const figures = [
    ...Object.values(cost).flatMap(({ server, database }) => [server, database]),
    ...[cost.change, cost.stored].flatMap(({ history, outbox }) => [history, outbox]),
    ...Object.values(others).map((figure) => (typeof figure === 'function' ? figure(1e6) : figure)),
  ]
  expect(figures.filter((figure) => !(figure! > 0))).toEqual([])
})

test('costs between and beyond the measured sizes are on the line through both', () => {
  const { searchMs, indexMb } = measurements()
  for (const figure of [searchMs, indexMb]) {
    const [at1, at2, at3] = [1e6, 2e6, 3e6].map(figure)
    expect(at3! - at2!).toBeCloseTo(at2! - at1!, 6)
  }
})

/** Round figures, so that the result can be computed by hand. */
const simple = {
  cost: {
    retrieve: { server: 10, database: 2 },
    page: { server: 0, database: 0 },
    change: { server: 0, database: 0, history: 100, outbox: 50 },
    stored: { server: 0, database: 0, history: 200, outbox: 50 },
  },
  productBytes: 1000,
  searchMs: () => 20,
  searchHttpMs: 5,
  indexMb: () => 500,
  searchMemoryMb: () => 1000,
  buildMemoryMb: () => 2000,
  rebuildSeconds: () => 3600,
  indexingMs: 0,
  previewSeconds: 0.5,
}

test('needs are rates times costs', () => {
  // 3,600 people who do something once an hour do it once a second.
  const load = loadOf({
    products: 1e6,
    files: 1000,
    'file-mb': 1,
    'preview-share': 0.5,
    users: 3600,
    searches: 10,
    pages: 1,
    retrieves: 100,
    edits: 1,
    hours: 1,
    peak: 1,
    imports: 1000,
    'import-hours': 1,
    uploads: 3600,
    'history-days': 730,
    'outbox-days': 1,
    busy: 0.5,
    cached: 0.5,
  })
  const found = needs(load, simple)
  expect(found.rates).toMatchObject({ search: 10, retrieve: 100, change: 1, upload: 1 })
  expect(found.cores).toEqual({
    requests: 100 * 0.01 + 10 * 0.005,
    search: 10 * 0.02,
    database: 100 * 0.002,
    previews: 0.5,
  })
  expect(found.processes).toBe(3)
  expect(found.memoryGb).toEqual({ processes: 3, rebuild: 2, database: 1 })
  expect(found.diskGb).toMatchObject({ products: 1, index: 3, files: 1.5 })
  expect(found.diskGb.history).toBeCloseTo((2 * 3600 * 250 * 100 + 730 * 1000 * 200) / 1e9, 9)
  expect(found.historyRows).toBeCloseTo(2 * 3600 * 250 + 730 * 1000, 6)
  const [first, ...others] = limits(load, simple)
  expect(first).toMatchObject({ what: 'thread that answers requests', used: 2.1 })
  expect(others.find(({ what }) => what === 'rebuild of the embedded search')).toMatchObject({ used: 1 })
})

test('more of anything never needs less', () => {
  const load = loadOf({ products: 2e6, users: 50 })
  const least = needs(load)
  const totals = ({ cores, memoryGb, diskGb, processes }: typeof least) =>
    [cores, memoryGb, diskGb].flatMap((part) => Object.values(part)).concat(processes)
  for (const name of [
    'products',
    'files',
    'users',
    'searches',
    'edits',
    'imports',
    'uploads',
    'history-days',
  ] as const) {
    const more = totals(needs({ ...load, [name]: load[name] * 3 }))
    totals(least).forEach((number, i) => expect(more[i], name).toBeGreaterThanOrEqual(number))
    expect(more, name).not.toEqual(totals(least))
  }
})

test('the report names every limit and the first one that breaks', () => {
  const lines = report(loadOf({ products: 1e8, users: 10 }))
  expect(lines).toMatch(/broken: add OpenSearch/)
  expect(lines).toMatch(/Breaks first: \w.*\.$/)
  expect(report(loadOf({ products: 1e4, users: 1 }))).toMatch(/Nothing breaks\. The next limit is: \w/)
})

test('the page shows the table that the model computes', () => {
  expect(readFileSync('docs/capacity.md', 'utf8'), 'run: node tools/capacity.ts --table').toContain(table())
})
