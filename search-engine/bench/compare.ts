/** Sends the same queries to our engine and to the peer, and measures the CPU time of each. */
import type { SearchIndex } from '../src/index.ts'
import { columns, schema } from './catalogue.ts'
import { average, cpuTime, quantile } from './figures.ts'
import type { Peer } from './peer.ts'
import { kinds, prefixes, questionsOf, typos, type Completion, type Question } from './questions.ts'

interface Subjects {
  readonly index: SearchIndex
  readonly peer: Peer | undefined
  /** Reads a product from the primary store. */
  rowOf(id: number): string[]
}

/** Warm-up queries, because both engines run on a just-in-time compiler. */
const warmUp = Number(process.env.BENCH_WARM ?? 1000)
const measured = Number(process.env.BENCH_QUESTIONS ?? 200)
/**
 * Consecutive queries to one engine. Alternating after every query would measure thread wake-ups and cold CPU caches,
 * which take half the time of a small query.
 */
const batchSize = 20
const german = 'de_DE'
const nameAt = columns.indexOf('name_de')
const descriptionAt = columns.indexOf('desc_de')

/** Runs a query, reads the texts of the page and highlights matches. */
async function answer({ index, rowOf }: Subjects, { query, highlight }: Question): Promise<number> {
  const { total, hits } = await index.search(query)
  const rows = hits.map(({ id }) => rowOf(id))
  if (highlight) {
    const marker = index.highlighter(highlight)
    for (const row of rows) {
      marker.highlight(schema.fields[0]!, german, row[nameAt]!)
      marker.highlight(schema.fields[1]!, german, row[descriptionAt]!)
    }
  }
  return total
}

export async function searchRows(subjects: Subjects): Promise<string[][]> {
  const { peer } = subjects
  const rows: string[][] = []
  for (const [name, kind] of Object.entries(kinds)) {
    for (const question of questionsOf(kind, warmUp, 77)) {
      await answer(subjects, question)
      await peer?.ask(name, ...question.peer)
    }
    const own: number[] = []
    const times: number[] = []
    const theirs: number[] = []
    const totals: number[] = []
    const differ: string[] = []
    const questions = questionsOf(kind, measured, 99)
    for (let from = 0; from < measured; from += batchSize) {
      const some = questions.slice(from, from + batchSize)
      const cpu = cpuTime()
      for (const question of some) {
        const time = performance.now()
        totals.push(await answer(subjects, question))
        times.push(performance.now() - time)
      }
      own.push((cpuTime() - cpu) / some.length)
      if (!peer) continue
      const before = peer.cpu()
      for (const [i, question] of some.entries()) {
        const found = await peer.ask(name, ...question.peer)
        const total = totals[from + i]!
        const agree = question.highlight || name === 'wname' ? total >= found.total : total === found.total
        if (!agree) differ.push(`${question.peer.join(' ')}: ${total}, peer ${found.total}`)
      }
      theirs.push((peer.cpu() - before) / some.length)
    }
    for (const each of differ) console.log(`${name} differs: ${each}`)
    const ratio = average(theirs) / average(own)
    rows.push([
      kind.title,
      average(totals).toFixed(0),
      average(own).toFixed(2),
      quantile(times, 0.95).toFixed(1),
      peer ? average(theirs).toFixed(2) : '',
      peer ? ratio.toFixed(1) : '',
      kind.target.toFixed(1),
    ])
    console.log(rows.at(-1)!.join(' | '))
  }
  return rows
}

export async function completionRows(index: SearchIndex, peer: Peer | undefined): Promise<string[][]> {
  const ask = async ({ text, meant }: Completion) => {
    const found = await index.typeAhead({ text, count: meant ? 5 : 10, locale: german })
    return meant ? [...found.suggestions.map((each) => each.text), ...found.corrections] : []
  }
  const rows: string[][] = []
  for (const [title, kind, all] of [
    ['prefixes', 'ta', prefixes(200)],
    ['words with a typing error', 'typo', typos(200)],
  ] as const) {
    for (let round = 0; round < 5; round++) {
      for (const each of all) {
        await ask(each)
        await peer?.ask(kind, each.text)
      }
    }
    let right = 0
    let theirs = 0
    const cpu = cpuTime()
    for (const each of all) if ((await ask(each)).includes(each.meant ?? '')) right++
    const own = (cpuTime() - cpu) / all.length
    const before = peer?.cpu() ?? 0
    for (const each of all) {
      const found = await peer?.ask(kind, each.text)
      if (found?.found.includes(each.meant ?? '')) theirs++
    }
    const spent = peer ? ((peer.cpu() - before) / all.length).toFixed(2) : ''
    const share = kind === 'ta' ? '' : `${(right / 2).toFixed(1)} %, Lucene ${(theirs / 2).toFixed(1)} %`
    rows.push([title, own.toFixed(2), spent, share])
  }
  return rows
}
