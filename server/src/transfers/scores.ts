/**
 * Columns of exports with the completeness and the quality of products in a channel, in percent: `quality/SHOP@de_DE`. They
 * are computed, so imports ignore them. Cells are empty for products that are not in the channel, and for what the user may
 * not see.
 */
import type { Context } from '../core/context.ts'

interface ProductItem {
  readonly tid?: string
}

const grammar = /^(completeness|quality)\/(.+)@([a-z]{2,3}_[A-Z]{2,3})$/

const scoreOf = (heading: string) => {
  const [, score, channel = '', locale = ''] = grammar.exec(heading.trim()) ?? []
  return score === undefined ? undefined : { score: score as 'completeness' | 'quality', channel, locale }
}
export const isScore = (heading: string): boolean => scoreOf(heading) !== undefined

/** The scores of a product in a channel and a locale. */
export interface Score {
  readonly tid: string
  readonly channel: string
  readonly locale: string
  readonly completeness?: number | undefined
  readonly quality?: number | undefined
}
export interface ScoreNeeds {
  /** The scores of at most 1,000 products. */
  scoresOf(
    ctx: Context,
    tids: readonly string[],
    channels: readonly string[],
    locales: readonly string[],
  ): Promise<readonly Score[]>
}

const keyOf = ({ tid, channel, locale }: Pick<Score, 'tid' | 'channel' | 'locale'>) => `${tid}\n${channel}\n${locale}`

/** Fills the columns of scores in the rows of a page of products; undefined if there are none. */
export function scoreFiller({ scoresOf }: ScoreNeeds, headings: readonly string[]) {
  const columns = headings.flatMap((heading, index) => {
    const score = scoreOf(heading)
    return score ? [{ index, ...score }] : []
  })
  if (columns.length === 0) return undefined
  const channels = [...new Set(columns.map(({ channel }) => channel))]
  const locales = [...new Set(columns.map(({ locale }) => locale))]
  return async (ctx: Context, page: readonly ProductItem[]) => {
    const tids = page.flatMap(({ tid }) => tid ?? [])
    const known = new Map((await scoresOf(ctx, tids, channels, locales)).map((one) => [keyOf(one), one]))
    return ({ tid = '' }: ProductItem, row: string[]): string[] => {
      for (const { index, score, channel, locale } of columns)
        row[index] = String(known.get(keyOf({ tid, channel, locale }))?.[score] ?? '')
      return row
    }
  }
}
