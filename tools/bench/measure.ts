/**
 * Measuring on machines that others use too: CPU time, not wall time, and always beside a bare baseline of the same run.
 *
 * Subject and baseline take turns, so that a busy moment hits both; the median of the turns counts.
 */

export interface Row {
  what: string
  /** How much work per CPU second (or per second, where waiting is part of the matter). */
  rate: string
  /** Against the baseline of the same table, 1 = the same; higher is better. In a table with aims: the rate to the bare one. */
  ratio?: number
  /** The same work without Kontor. */
  bare?: string
  aim?: string
}
export interface Table {
  title: string
  baseline: string
  rows: Row[]
}

export interface Subject {
  what: string
  /** Does the work once and returns how many units it did. */
  run(): number | Promise<number>
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!

/** Units per CPU second of this process, for each subject; the first is the baseline. */
export async function compareCpu(
  title: string,
  unit: string,
  scale: number,
  subjects: Subject[],
  turns = 5,
): Promise<Table> {
  return compare(title, `${unit}/CPU s`, scale, subjects, turns, () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
}

/** Units per second, where another process (the database) does part of the work. */
export async function compareTime(
  title: string,
  unit: string,
  scale: number,
  subjects: Subject[],
  turns = 5,
  warm = warmRounds,
): Promise<Table> {
  return compare(title, `${unit}/s`, scale, subjects, turns, () => performance.now() / 1000, warm)
}

/** How often a subject is run before it counts. */
export const warmRounds = 3

async function compare(
  title: string,
  unit: string,
  scale: number,
  subjects: Subject[],
  turns: number,
  clock: () => number,
  warm = warmRounds,
): Promise<Table> {
  const rates = new Map<Subject, number[]>(subjects.map((subject) => [subject, []]))
  // Warm: the compiler has seen each subject a few times before it counts. No forced collections: they throw code away.
  for (let round = 0; round < warm; round++) for (const subject of subjects) await subject.run()
  for (let turn = 0; turn < turns; turn++) {
    for (const subject of subjects) {
      const before = clock()
      const units = await subject.run()
      rates.get(subject)!.push(units / (clock() - before))
    }
  }
  const base = median(rates.get(subjects[0]!)!)
  const rows = subjects.map((subject) => {
    const rate = median(rates.get(subject)!)
    return {
      what: subject.what,
      rate: `${(rate / scale).toFixed(rate / scale < 10 ? 2 : 0)} ${unit}`,
      ratio: rate / base,
    }
  })
  return { title, baseline: subjects[0]!.what, rows }
}

export function toMarkdown({ title, rows }: Table): string {
  if (rows.some(({ aim }) => aim !== undefined)) return [`### ${title}`, '', aimsTable(rows), ''].join('\n')
  const lines = rows.map(
    ({ what, rate, ratio }) => `| ${what} | ${rate} | ${ratio === undefined ? '' : ratio.toFixed(2)} |`,
  )
  return [`### ${title}`, '', '| | rate | against the first row |', '|---|---|---|', ...lines, ''].join('\n')
}

function aimsTable(rows: readonly Row[]): string {
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`
  const lines = rows.map(({ what, rate, bare = '', ratio, aim = '' }) =>
    line(what, rate, bare, ratio === undefined ? '' : `${ratio.toFixed(2)} ×`, aim),
  )
  return [line('', 'measured', 'bare', 'ratio', 'aim'), line('---', '---', '---', '---', '---'), ...lines].join('\n')
}

/** Replaces the part of a document between the marks of a name, or adds it at the end under a heading. */
export function withPart(document: string, name: string, heading: string, part: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const marked = `${begin}\n\n${part.trim()}\n\n${end}`
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < 0) return `${document.trimEnd()}\n\n## ${heading}\n\n${marked}\n`
  return document.slice(0, from) + marked + document.slice(to + end.length)
}
