/** Changes while searches run: how long until a change is found, and what it costs. */
import type { SearchIndex } from '@kontor/search-engine'
import { columns, documentOf } from './catalogue.ts'
import { cpuTime, quantile } from './figures.ts'

const perSecond = 200
/** Of which the first third warms up. */
const seconds = 30
const mostAhead = 200
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
    // A machine that cannot keep up is not asked for ever more.
    if (i >= mostAhead) await running[i - mostAhead]
    const isWarm = i >= (perSecond * seconds) / 3
    if (isWarm) cpu ||= cpuTime()
    const changed = change(index, rowOf(1 + ((i * 7919) % count)), i)
    running.push(changed.then((time) => void (isWarm && times.push(time))))
  }
  await Promise.all(running)
  const spent = (cpuTime() - cpu) / times.length
  return [
    [
      `a change to visible at ${perSecond} a second, ms p50 / p99`,
      `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.99).toFixed(1)}`,
    ],
    ['a change with the search that finds it, CPU ms', spent.toFixed(2)],
  ]
}

/** Changes a product so that a new word finds it, and waits until it is found. */
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
  if (total !== 1) throw new Error(`a change is not visible: ${word} finds ${total}`)
  return performance.now() - from
}
