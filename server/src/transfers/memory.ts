/**
 * The translation memory: the texts of all products that are translated and not stale, as they are now. Nothing is stored
 * twice. The search index finds texts with the same words in the source language, as far as the caller may read them; the
 * best of them are read from the products and compared letter by letter.
 */
import { type Infer, maxSuggestions, plainText, type SuggestedText, type SuggestionRequest } from '@kontor/contract'
import { inTurns } from '../core/batch/turns.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { readProducts } from './contents.ts'
import { comparable } from './layouts/xliff-inline.ts'
import { isRich, placeKey, textsOf, type TranslatedText } from './layouts/xliff-write.ts'
import type { ProductItem } from './mapping.ts'
import type { TransferNeeds } from './needs.ts'
import { kindsOf, readDefinitions } from './open.ts'

interface Pair {
  readonly source: string
  readonly target: string
}
interface Match {
  readonly source: string
  readonly target: string
  /** From 0 to 100, which is the same text. */
  readonly score: number
  readonly product: string
  readonly name: string
  readonly attribute: string
}

/** Products that are compared for one text. */
const candidates = 25
/** Less similar texts are not worth reading. */
const leastScore = 60
const mostMatches = 3
/** Texts of one product, with its articles and variations. */
const mostTexts = 1000
/** Texts that are compared with one text, best products first. */
const mostCompared = 2000
/** Characters of the texts of one product, and of those kept in memory during a call. */
const [mostOfProduct, mostKept] = [1024 * 1024, 64 * 1024 * 1024]

/** `finds` the best translations of a text, best first; those of other texts that are similar if none is the same. */
export async function createMemory(needs: TransferNeeds, now: () => Promise<Context>, pair: Pair) {
  const kinds = kindsOf(await readDefinitions(await now(), needs.retrieveDefinitions))
  const scope = { kindOf: (tid: string) => kinds.get(tid) }
  const known = new Map<string, readonly Approved[]>()
  let kept = 0

  /** Reads the products that are not known yet. */
  const load = async (tids: readonly string[]) => {
    if (kept > mostKept) {
      known.clear()
      kept = 0
    }
    const missing = tids.filter((tid) => !known.has(tid))
    if (missing.length === 0) return
    const ctx = await now()
    const stale = await needs.staleTexts(ctx, missing, pair.target)
    for (const tid of missing) known.set(tid, [])
    for await (const product of readProducts(needs, ctx, { tids: missing }, undefined)) {
      const { texts, size } = firstOf(approvedOf(product, [...textsOf(product, scope, pair)], stale))
      known.set(product.tid!, texts)
      kept += size
    }
  }

  return async (text: string, rich: boolean, except?: string): Promise<Match[]> => {
    const words = wordsOf(beginOf(text, rich))
    if (words.length === 0) return []
    const tids = await needs.findWords(await now(), words, pair.source, candidates)
    await load(tids)
    const found = new Map<string, Match>()
    const scoreOf = scorer(text, rich)
    const texts = tids.flatMap((tid) => known.get(tid) ?? []).filter((one) => one.isRich === rich && one.key !== except)
    await inTurns(texts.slice(0, mostCompared), (one) => {
      const score = scoreOf(one.source)
      if (score >= leastScore && score > (found.get(one.target)?.score ?? 0))
        found.set(one.target, { ...one.match, source: one.source, target: one.target, score })
    })
    return [...found.values()].toSorted((a, b) => b.score - a.score).slice(0, mostMatches)
  }
}
export type Memory = Awaited<ReturnType<typeof createMemory>>

interface Approved {
  readonly key: string
  readonly source: string
  readonly target: string
  readonly isRich: boolean
  readonly match: Pick<Match, 'product' | 'name' | 'attribute'>
}

/** The pairs of a product that are translated and not stale. The values of lists are pairs if there are as many. */
function* approvedOf(
  product: ProductItem,
  texts: readonly TranslatedText[],
  stale: ReadonlySet<string>,
): Generator<Approved> {
  for (const text of texts) {
    const key = placeKey(product.tid!, text)
    if (stale.has(key) || text.source.length !== text.target.length) continue
    const match = { product: product.tid!, name: product.name!, attribute: text.attribute }
    for (const [i, source] of text.source.entries())
      yield { key, source, target: text.target[i]!, isRich: isRich(text.kind), match }
  }
}

/** As many as are kept of one product. */
function firstOf(all: Iterable<Approved>): { texts: Approved[]; size: number } {
  const texts: Approved[] = []
  let size = 0
  for (const one of all) {
    const length = one.source.length + one.target.length
    if (size + length > mostOfProduct) continue
    size += length
    if (texts.push(one) === mostTexts) break
  }
  return { texts, size }
}

/** The longest words find the fewest texts. */
const mostWords = 10
const wordsOf = (text: string) =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostWords)
    .map((word) => word.slice(0, 50))

/** Long texts are compared by their beginning: so many characters of the text, and so many without elements. */
const [beginning, compared] = [20_000, 2000]
const beginOf = (text: string, rich: boolean) => {
  const begin = text.slice(0, beginning)
  return rich ? plainText(begin) : begin
}

/** Compares others with a text that is read once. */
function scorer(text: string, rich: boolean): (other: string) => number {
  const partsOf = (one: string) => trigramsOf(beginOf(one, rich).slice(0, compared))
  const [whole, parts] = [comparable(text, rich), partsOf(text)]
  return (other) => {
    if (comparable(other, rich) === whole) return 100
    const others = partsOf(other)
    const shared = [...parts].filter((part) => others.has(part)).length
    return Math.min(99, Math.floor((200 * shared) / (parts.size + others.size)))
  }
}

/** Three letters each, in lower case, as in `pg_trgm`. */
function trigramsOf(text: string): ReadonlySet<string> {
  const padded = `  ${text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)))
}

// The call

export async function suggest(needs: TransferNeeds, ctx: Context, request: Infer<typeof SuggestionRequest>) {
  const { target, texts, tid, richtext = false } = request
  const known = await needs.contentLocales(ctx)
  const source = request.source ?? (await needs.sourceLocale(ctx))
  for (const [name, locale] of Object.entries({ source, target }))
    if (!known.includes(locale))
      throw new Problem('invalid', `/suggestionRequest/${name}: unknown locale ${locale.slice(0, 50)}; expected one of ${known.join(', ')}`) // prettier-ignore
  if (source === target) throw new Problem('invalid', `/suggestionRequest/target: ${target} is the locale to translate from`) // prettier-ignore
  if ((texts === undefined) === (tid === undefined))
    throw new Problem('invalid', '/suggestionRequest: give either texts or the tid of a product')
  if (texts && (texts.length === 0 || texts.length > maxSuggestions))
    throw new Problem('invalid', `/suggestionRequest/texts: expected 1 to ${maxSuggestions} texts`)
  const pair = { source, target }
  const memory = await createMemory(needs, async () => ctx, pair)
  const suggestions: Infer<typeof SuggestedText>[] = []
  for (const text of texts ?? []) suggestions.push({ text, matches: await memory(text, richtext) })
  if (tid !== undefined)
    for (const open of await openTexts(needs, ctx, tid, pair)) {
      const [text = ''] = open.source
      const { below, attribute } = open
      const matches = await memory(text, isRich(open.kind), placeKey(tid, open))
      const level = (['product', 'article', 'variant'] as const)[below.length]!
      if (matches.length > 0) suggestions.push({ level, tid: below.at(-1) ?? tid, attribute, text, matches })
    }
  return { source, suggestions }
}

/** The texts of a product that are missing or stale; lists are left out. */
async function openTexts(needs: TransferNeeds, ctx: Context, tid: string, pair: Pair): Promise<TranslatedText[]> {
  let product: ProductItem | undefined
  for await (const one of readProducts(needs, ctx, { tids: [tid] }, undefined)) product = one
  if (!product) throw new Problem('notFound', `no product has the tid ${tid.slice(0, 200)}`)
  const kinds = kindsOf(await readDefinitions(ctx, needs.retrieveDefinitions))
  const stale = await needs.staleTexts(ctx, [tid], pair.target)
  return [...textsOf(product, { kindOf: (attr) => kinds.get(attr) }, pair)]
    .filter((text) => !text.kind.multi && (text.target.length === 0 || stale.has(placeKey(tid, text))))
    .slice(0, maxSuggestions)
}
