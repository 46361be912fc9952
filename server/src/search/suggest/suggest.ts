/** Suggestions while typing, limited to documents, fields and locales that the caller may see. */
import type { Infer, Suggest, TypeAhead } from '@kontor/contract'
import { inSpan } from '../../adapters/tracing/tracing.ts'
import { Problem } from '../../errors.ts'
import type { TypeAheadAnswer, TypeAheadRequest } from '@kontor/search-engine'
import { timedHead } from '../reply-head.ts'
import * as history from '../history/history.sql.ts'
import { orUnavailable } from '../query/unavailable.ts'
import { demandIndex } from '../fields/fields.ts'
import { findField, type Scope } from '../query/query.ts'
import { both, everything } from '../query/rights.ts'
import { scopesOf, type Searching } from '../query/search.ts'

const defaultCount = 10
const mostCount = 100
const mostSlop = 20
const longestText = 1000
const mostWords = 8
/** Some languages write without spaces. */
const longestWords = 100

export async function typeAhead(searching: Searching, request: Infer<typeof TypeAhead>) {
  const head = timedHead()
  const { name, slop = 0 } = request
  const text = textOf(request.text, '/typeAhead/text')
  const count = countOf(request.count, '/typeAhead/count')
  if (slop < 0 || slop > mostSlop) throw new Problem('invalid', `/typeAhead/slop: expected 0 to ${mostSlop}`)
  const scopes = scopesOf(searching, demandIndex(request.index, '/typeAhead/index'))
  const searched = scopes.filter(({ entry, isPart }) => !isPart || name === undefined || entry.fields.has(name))
  const field = name === undefined ? undefined : findField(searched[0] ?? scopes[0]!, name, '/typeAhead/name').name
  const { suggestions, corrections } = await complete(searching, searched, {
    text,
    count,
    slop,
    ...(field && { field }),
  })
  return {
    ...head(),
    suggestions: unique(suggestions.map((each) => each.text)),
    advSuggestions: suggestions.map(({ text, field }) => ({ text, from: publicField(searched, field) })),
    corrections: [...corrections],
  }
}

/** Names that begin with the text, then earlier searches of the caller, then corrections. */
export async function suggest(searching: Searching, request: Infer<typeof Suggest>) {
  const head = timedHead()
  const text = textOf(request.text, '/suggest/text')
  const count = countOf(request.count, '/suggest/count')
  const scopes = scopesOf(searching, demandIndex(request.index, '/suggest/index'))
  const [found, before] = await Promise.all([
    complete(searching, scopes, { text, count, field: nameField(scopes) }),
    history.findTexts(searching.db, searching.caller.userName, { text, count }),
  ])
  const texts = unique([...found.suggestions.map(({ text }) => text), ...before, ...found.corrections])
  return { ...head(), suggestions: texts.slice(0, count) }
}

const nameField = ([scope]: readonly Scope[]) =>
  ['name', 'productName', 'text'].find((name) => scope?.entry.fields.has(name)) ?? 'name'

const unique = (texts: readonly string[]) => [...new Set(texts)]

/** Maps an internal field of labels to the field that it labels. */
function publicField(scopes: readonly Scope[], name: string): string {
  if (!scopes.some(({ entry }) => entry.fields.get(name)?.inner)) return name
  const fields = scopes.flatMap(({ entry }) => [...entry.fields.values()])
  return fields.find(({ words }) => words === name)?.name ?? name
}

function textOf(text: string, place: string): string {
  if (text.length <= longestText) return text
  throw new Problem('invalid', `${place}: is longer than ${longestText} letters`)
}

function countOf(count: number | undefined, place: string): number {
  const limit = count ?? defaultCount
  if (limit >= 1 && limit <= mostCount) return limit
  throw new Problem('invalid', `${place}: expected 1 to ${mostCount}`)
}

/**
 * Completes the last word. Only the last words are passed to the engine: each costs as much again, and the first of many
 * say little about the last. Fields that are completed by whole values need the whole text.
 */
async function complete(searching: Searching, scopes: readonly Scope[], request: TypeAheadRequest) {
  const { field, text } = request
  if (text.trim() === '') return { suggestions: [], corrections: [] }
  const definitions = scopes.flatMap(({ entry }) => (field && entry.definitions.get(field)) || [])
  const hasWords = definitions.every(({ type, weight = 0 }) => type === 'text' || weight > 0)
  const lead = hasWords ? text.slice(0, startOfLast(text)) : ''
  const found = await answersTo(searching, scopes, { ...request, text: text.slice(lead.length) })
  return {
    suggestions: found.suggestions.map((each) => ({ ...each, text: lead + each.text })),
    corrections: found.corrections.map((each) => lead + each),
  }
}

/** Where the last words begin. */
function startOfLast(text: string): number {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)]
  return Math.max(words.at(-mostWords)?.index ?? 0, text.length - longestWords)
}

async function answersTo({ running }: Searching, scopes: readonly Scope[], request: TypeAheadRequest) {
  await Promise.all(scopes.map(({ index }) => running.isComplete(index)))
  const answers = await inSpan('type ahead', 'internal', {}, () =>
    orUnavailable(
      Promise.all(
        scopes.flatMap((scope) =>
          requestsOf(scope, request).map((each) => running.feed(scope.index).index.typeAhead(each)),
        ),
      ),
    ),
  )
  return merge(answers, request.count)
}

/** One request for each group of documents with equal visibility. */
function requestsOf({ entry, view }: Scope, request: TypeAheadRequest): TypeAheadRequest[] {
  const named = entry.fields.get(request.field ?? '')
  if (named && view.limits(named)) return []
  const limited = (within = view.within) => (within === everything ? {} : { within })
  if (!view.parts) return [{ ...request, ...limited() }]
  const searched = named && !named.weight ? [...entry.searched, named] : entry.searched
  return view.parts
    .map((part) => ({
      ...request,
      ...limited(both([view.within, part.where])),
      fields: searched.filter(part.allowsField).map(({ name }) => name),
      locales: entry.schema.locales.filter(part.allowsLocale),
    }))
    .filter(({ field, fields }) => field === undefined || fields.includes(field))
}

/** Interleaves the answers by rank, because counts of different indexes cannot be compared. */
function merge(answers: readonly TypeAheadAnswer[], count: number): TypeAheadAnswer {
  const suggestions = new Map<string, TypeAheadAnswer['suggestions'][number]>()
  const corrections = new Set<string>()
  for (let i = 0; i < count; i++) {
    for (const answer of answers) {
      const suggestion = answer.suggestions[i]
      if (suggestion) suggestions.set(`${suggestion.field} ${suggestion.text}`, suggestion)
      const correction = answer.corrections[i]
      if (correction !== undefined) corrections.add(correction)
    }
  }
  return { suggestions: [...suggestions.values()].slice(0, count), corrections: [...corrections].slice(0, count) }
}
