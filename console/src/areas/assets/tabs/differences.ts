/** How two files differ, as words for people: "3 MB smaller", "400 px wider", "PNG instead of JPEG". */
import type { Infer, Meta } from '@kontor/contract'
import { fact } from '../../../object/items.ts'
import type { Format } from '../../../ui/format.ts'

interface File {
  readonly meta?: Infer<typeof Meta> | undefined
}
type Word = 'larger' | 'smaller' | 'wider' | 'narrower' | 'higher' | 'lower' | 'otherFormat' | 'sameFile' | 'sameLook'
/** The name of a text and its values. */
type Difference = readonly [name: Word, values: Record<string, string>]

const measures = [
  { key: 'fileSize', more: 'larger', less: 'smaller', unit: 'bytes' },
  { key: 'width', more: 'wider', less: 'narrower', unit: 'pixels' },
  { key: 'height', more: 'higher', less: 'lower', unit: 'pixels' },
] as const

export function differencesOf(now: File, then: File, format: Pick<Format, 'bytes' | 'number'>): Difference[] {
  const checksum = fact(now, 'checksum')
  if (checksum !== undefined && checksum === fact(then, 'checksum')) return [['sameFile', {}]]
  const amounts = measures.flatMap(({ key, more, less, unit }): Difference[] => {
    const difference = Number(fact(now, key)) - Number(fact(then, key))
    if (!difference) return [] // also if one of them is unknown
    const size = Math.abs(difference)
    const amount = unit === 'bytes' ? format.bytes(size) : `${format.number(size)} px`
    return [[difference > 0 ? more : less, { amount }]]
  })
  const [mimeNow = '', mimeThen = ''] = [fact(now, 'mimeType'), fact(then, 'mimeType')]
  const formats: Difference[] =
    mimeNow === mimeThen ? [] : [['otherFormat', { now: shortOf(mimeNow), before: shortOf(mimeThen) }]]
  const all = [...formats, ...amounts]
  return all.length > 0 ? all : [['sameLook', {}]]
}

/** image/svg+xml is SVG. */
const shortOf = (mime: string) =>
  mime
    .replace(/^.*\/(?:x-)?/, '')
    .replace(/\+.*$/, '')
    .toUpperCase()
