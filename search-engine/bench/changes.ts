/** Changes: the delay until a change is searchable, and its CPU time. */
import type { SearchIndex } from '../src/index.ts'
import { columns, documentOf } from './catalogue.ts'
import { cpuTime, quantile } from './figures.ts'

const perSecond = 200
/** The first third is warm-up. */
const seconds = 30
const maxPending = 200
const nameAt = columns.indexOf('name_de')

export async function changeRows(
  index: SearchIndex,
  rowOf: (id: number) => string[],
  count: number,
): Promise<string[][]> {
  const times: number[] = []
  let cpu = 0
  const started = performance.now()
  const running: Promise<void>[] = []
  for (let i = 0; i < perSecond * seconds; i++) {
    const early = started + (i * 1000) / perSecond - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    // Limit the number of pending changes on slow machines.
    if (i >= maxPending) await running[i - maxPending]
    const isWarm = i >= (perSecond * seconds) / 3
    if (isWarm) cpu ||= cpuTime()
    const changed = change(index, rowOf(1 + ((i * 7919) % count)), i)
    running.push(changed.then((time) => void (isWarm && times.push(time))))
  }
  await Promise.all(running)
  const spent = (cpuTime() - cpu) / times.length
  return [
    [
      `change to searchable at ${perSecond} changes per second, ms p50 / p99`,
      `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.99).toFixed(1)}`,
    ],
    ['a change and the search that finds it, CPU ms', spent.toFixed(2)],
  ]
}

/** Adds a new word to a product and waits until a search finds it. */
async function change(index: SearchIndex, row: string[], i: number): Promise<number> {
  const word = `neu${i}wort`
  const document = documentOf(row.with(nameAt, `${row[nameAt]} ${word}`))
  const from = performance.now()
  await index.apply({ put: [document], remove: [] }, String(i))
  const { total } = await index.search({
    predicate: { kind: 'text', text: word, locale: 'de_DE' },
    offset: 0,
    limit: 1,
  })
  if (total !== 1) throw new Error(`a change is not searchable: ${word} finds ${total}`)
  return performance.now() - from
}
