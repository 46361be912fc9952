/** search and reindex. */
import { indexes, type Search } from '@kontor/contract'
import { type Call, type Command, exitCodes, numberOf, required, textOf, UsageError } from './command.ts'

export const searchCommands: readonly Command[] = [
  {
    name: 'search',
    usage: '<words> [--index PRODUCT|ASSET|CHANNEL|GLOBAL] [--count <number>]',
    doc: 'Runs a full-text search.',
    options: { index: { type: 'string' }, count: { type: 'string' } },
    maxArguments: Infinity,
    run: search,
  },
  {
    name: 'reindex',
    usage: '[<index> …]',
    doc: 'Rebuilds the named search indexes, or all of them; search remains available.',
    maxArguments: Infinity,
    run: reindex,
  },
]

async function search(call: Call): Promise<number> {
  const value = required(call.args.join(' '), '<words>')
  const index = textOf(call, 'index') ?? 'PRODUCT'
  const pageSize = numberOf(call, 'count') ?? 20
  const body = { context: { searchType: 'INDEX', index }, query: { queryType: 'FULLTEXT', value }, pageSize } as Search
  const found = await call.client().search.search({ body })
  const { items = [], totalHitCount = 0 } = found as { items?: { attributes?: { name?: string; value?: unknown }[] }[]; totalHitCount?: number } // prettier-ignore
  call.out.value(found, () => [
    ...items.map(({ attributes = [] }) => {
      const values = new Map(attributes.map((attribute) => [attribute.name, attribute.value]))
      return ['itemType', 'tid', 'name'].map((name) => String(values.get(name) ?? '')).join('\t')
    }),
    `${totalHitCount} found`,
  ])
  return items.length > 0 ? exitCodes.ok : exitCodes.refused
}

async function reindex(call: Call): Promise<void> {
  const known = indexes.filter((index) => index !== 'GLOBAL') // a view over the other indexes
  const unknown = call.args.find((name) => !known.some((index) => index === name))
  if (unknown !== undefined) throw new UsageError(`unknown index ${unknown}; expected ${known.join(', ')}`)
  for (const index of known.filter((name) => call.args.length === 0 || call.args.includes(name))) {
    const state = await call.client().search.commandIndex({ body: { index, command: 'REBUILD' } })
    call.out.value(state, () => [`${index}: ${(state as { event?: string }).event ?? 'requested'}`])
  }
}
