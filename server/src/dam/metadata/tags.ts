/** Which tags an attribute is read from and written to: its definition says so, else the table of predefined attributes. */
import { because, embeddedKeys, embeddedTags, predefinedTags } from '@kontor/contract'
import { metaText } from '../../common/api.ts'
import { Problem } from '../../errors.ts'
import type { DefinitionRow } from '../../values/api.ts'
import { tagsByName } from './edits.ts'

type Row = Pick<DefinitionRow, 'tid' | 'definition'>

const listOf = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'none')
const ownOf = ({ definition }: Row, key: (typeof embeddedKeys)[number]) => metaText(definition.meta, key)

export const readTags = (row: Row): string[] => listOf(ownOf(row, 'embedded') ?? predefinedTags[row.tid]?.[0] ?? '')

export const writeTags = (row: Row): string[] =>
  listOf(ownOf(row, 'embeddedOut') ?? ownOf(row, 'embedded') ?? predefinedTags[row.tid]?.[1] ?? '').filter(
    (name) => tagsByName.get(name)?.target,
  )

/** Throws if a definition names a tag that does not exist. Lists that were stored before there was a check stay valid. */
export function checkTags(next: Row, stored: Row | undefined): void {
  for (const key of embeddedKeys) {
    const text = ownOf(next, key)
    if (text === undefined || (stored && ownOf(stored, key) === text)) continue
    for (const tag of listOf(text)) {
      const known = tagsByName.get(tag)
      if (!known)
        throw new Problem('invalid', because('tagUnknown', { key, tag: tag.slice(0, 100), nearest: nearest(tag) }))
      if (key === 'embeddedOut' && !known.target) throw new Problem('invalid', because('tagRead', { key, tag }))
    }
  }
}

/** The name with the fewest changes of letters; the block counts less than the name. */
function nearest(tag: string): string {
  const wanted = tag.slice(0, 60).toLowerCase()
  const nameOf = (text: string) => text.slice(text.indexOf(':') + 1)
  const costs = embeddedTags.map(({ name }) => {
    const other = name.toLowerCase()
    return [2 * distance(nameOf(wanted), nameOf(other)) + Number(wanted.split(':')[0] !== other.split(':')[0]), name] as const // prettier-ignore
  })
  return costs.reduce((best, one) => (one[0] < best[0] ? one : best))[1]
}

/** Levenshtein. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1])))
    row = next
  }
  return row[b.length]!
}
