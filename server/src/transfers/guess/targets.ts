/** Everything that a column can mean, and which meaning fits which heading best. */
import type { guessReasons, Infer, TransferColumn } from '@kontor/contract'
import type { Defined } from '../open.ts'
import { columnOf, levels } from '../plan.ts'
import { fold, type Heading, parseHeading, similarity } from './headings.ts'
import { knownWords } from './words.ts'

export type Target = Omit<Infer<typeof TransferColumn>, 'column'>
type Reason = (typeof guessReasons)[number]

export interface GuessedColumn {
  readonly column: string
  readonly target: Target
  readonly reason: Reason
  readonly confidence: number
}

interface Candidate {
  readonly key: string
  readonly target: Target
  readonly reason: 'tid' | 'label' | 'word'
  readonly sure: number
  /** The locale of the label. */
  readonly locale?: string
  readonly isLocalized: boolean
}

export interface Match {
  readonly target: Target
  readonly reason: Reason
  readonly confidence: number
  readonly locale?: string
  readonly isLocalized: boolean
  readonly heading: Heading
}

const certainty = { tid: 0.95, label: 0.9, code: 0.93, word: 0.85 }
/** Less is no better than chance. */
const least = 0.5
/** Headings that are compared letter by letter; comparing takes time. */
const maxCompared = 300
const comparedAtOnce = 20

export interface Targets {
  /** The meanings that fit exactly, the best first. */
  exact(heading: string): Match[]
  /** Also those that fit nearly. Headings of a very wide table are not all compared. */
  all(headings: readonly string[]): Promise<Match[][]>
}

export function createTargets(definitions: readonly Defined[]): Targets {
  const byTid = new Map(definitions.map((one) => [one.tid, one]))
  const candidates = [...attributeCandidates(definitions, byTid), ...wordCandidates()]
  const byKey = Map.groupBy(candidates, ({ key }) => key)
  const exact = (heading: string): Match[] => {
    const own = ownHeading(heading, byTid)
    if (own) return [own]
    const parsed = parseHeading(heading)
    const found = [...(byKey.get(parsed.key) ?? []), ...(parsed.whole === parsed.key ? [] : (byKey.get(parsed.whole) ?? []))] // prettier-ignore
    return best(found.map((one) => matchOf(parsed, one, 1)))
  }
  const nearly = (heading: string): Match[] => {
    const parsed = parseHeading(heading)
    return best(
      candidates.flatMap((one) => {
        const share = similarity(parsed, one.key)
        return share === 0 ? [] : [matchOf(parsed, one, share)]
      }),
    )
  }
  return {
    exact,
    async all(headings) {
      const found: Match[][] = []
      let compared = 0
      for (const heading of headings) {
        const same = exact(heading)
        const isCompared = same.length === 0 && fold(heading) !== '' && compared++ < maxCompared
        found.push(isCompared ? nearly(heading) : same)
        if (isCompared && compared % comparedAtOnce === 0) await new Promise(setImmediate)
      }
      return found
    },
  }
}

const best = (matches: Match[]) =>
  matches.filter(({ confidence }) => confidence >= least).toSorted((a, b) => b.confidence - a.confidence)

const matchOf = (heading: Heading, { target, reason, sure, locale, isLocalized }: Candidate, share: number): Match => ({
  target,
  reason: share === 1 ? reason : 'similar',
  confidence: Math.round(sure * share * 100) / 100,
  ...(locale !== undefined && { locale }),
  isLocalized,
  heading,
})

/** A heading as exports write it. An attribute has to exist, and have languages as the heading says. */
function ownHeading(heading: string, byTid: ReadonlyMap<string, Defined>): Match | undefined {
  const column = columnOf(heading)
  if (!column || column.field === 'ignore' || column.field === 'deleted') return undefined
  const { level, field, attr, parent, locale, position, link } = column
  const known = attr === undefined ? undefined : byTid.get(attr)
  if (attr !== undefined && (!known || (parent !== undefined && !byTid.has(parent)))) return undefined
  const isLocalized = known?.localized === 'true'
  if (isLocalized !== (locale !== undefined)) return undefined
  const target: Target = {
    ...(field && { field }),
    ...(attr !== undefined && { attr: parent === undefined ? attr : `${parent}/${attr}` }),
    ...(level > 0 && { level: levels[level] }),
    ...(locale !== undefined && { locale }),
    ...(position !== undefined && { position }),
    ...(link !== undefined && { linkType: link }),
  }
  return { target, reason: 'heading', confidence: 1, isLocalized: false, heading: parseHeading(heading) }
}

function attributeCandidates(definitions: readonly Defined[], byTid: ReadonlyMap<string, Defined>): Candidate[] {
  const inTables = new Set(definitions.flatMap(columnsOf))
  return definitions.flatMap((one) => {
    if (inTables.has(one.tid)) return []
    if (one.type !== 'table') return ofAttribute(one, one.tid)
    return columnsOf(one).flatMap((tid) => {
      const column = byTid.get(tid)
      return column ? ofAttribute(column, `${one.tid}/${tid}`) : []
    })
  })
}

const columnsOf = ({ references }: Defined) => (references?.itm ?? []).flatMap(({ value, key }) => value ?? key ?? [])

function ofAttribute({ tid, name, localized }: Defined, attr: string): Candidate[] {
  const shared = { target: { attr }, isLocalized: localized === 'true' }
  const labels = (name?.itm ?? []).flatMap(({ value = '', loc }) => {
    const keys = new Set([fold(value), parseHeading(value).key].filter((key) => key !== ''))
    const made = {
      ...shared,
      reason: 'label',
      sure: certainty.label,
      ...(loc !== undefined && { locale: loc }),
    } as const
    return [...keys].map((key): Candidate => ({ ...made, key }))
  })
  return [{ ...shared, key: fold(tid), reason: 'tid', sure: certainty.tid }, ...labels]
}

const wordCandidates = (): Candidate[] =>
  knownWords.map(([word, { field, level }]) => ({
    key: fold(word),
    target: { field, ...(level !== undefined && { level: levels[level] }) },
    reason: 'word',
    sure: field === 'tid' ? certainty.code : certainty.word,
    isLocalized: false,
  }))
