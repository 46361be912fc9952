/** search, reindex, events, webhooks, completion. */
import { indexes } from '@kontor/contract'
import { type Call, type Command, demand, exitCodes, listOf, numberOf, textOf, UsageError } from './command.ts'
import { type Completed, completionFor } from './completion.ts'

export const otherCommands = (all: () => Promise<readonly Completed[]>): readonly Command[] => [
  {
    name: 'search',
    usage: '<words> [--index PRODUCT|ASSET|CHANNEL|GLOBAL] [--count <number>]',
    doc: 'Full-text search.',
    options: { index: { type: 'string' }, count: { type: 'string' } },
    words: Infinity,
    run: search,
  },
  {
    name: 'reindex',
    usage: '[<index> …]',
    doc: 'Rebuilds search indexes, all unless some are named; searching goes on meanwhile.',
    words: Infinity,
    async run(call) {
      const rebuilt = indexes.filter((one) => one !== 'GLOBAL') // which is a view over others
      const unknown = call.args.find((name) => !rebuilt.some((one) => one === name))
      if (unknown !== undefined) throw new UsageError(`${unknown} is none of ${rebuilt.join(', ')}`)
      for (const index of rebuilt.filter((one) => call.args.length === 0 || call.args.includes(one))) {
        const state = await call.client().search.commandIndex({ body: { index, command: 'REBUILD' } } as never)
        call.out.value(state, () => [`${index}: ${(state as { event?: string }).event ?? 'asked for'}`])
      }
    },
  },
  {
    name: 'events follow',
    usage: '[--after <id>] [--type <kontor.product.*> …] [--count <number>]',
    doc: 'Every change as it happens, one JSON object per line.',
    options: { after: { type: 'string' }, type: { type: 'string', multiple: true }, count: { type: 'string' } },
    async run(call) {
      let left = numberOf(call, 'count') ?? Infinity
      const types = listOf(call, 'type')
      for await (const event of call.client().events.follow({ after: textOf(call, 'after'), types })) {
        await call.out.raw(Buffer.from(`${JSON.stringify(event)}\n`))
        if (--left <= 0) return
      }
    },
  },
  {
    name: 'webhooks list',
    usage: '',
    doc: 'Webhooks, and how they are doing.',
    async run(call) {
      const { webhooks = [] } = await call.client().webhooks.listWebhooks()
      call.out.value(webhooks, () =>
        webhooks.map(({ id, url, enabled, waiting = 0, problem }) =>
          [id, enabled ? 'enabled' : 'disabled', `${waiting} waiting`, url, problem ?? ''].join('\t'),
        ),
      )
    },
  },
  {
    name: 'webhooks create',
    usage: '<address> [--type <kontor.product.*> …]',
    doc: 'Makes a webhook; its secret is shown once.',
    words: 1,
    options: { type: { type: 'string', multiple: true } },
    async run(call) {
      const body = { url: demand(call.args[0], 'the address'), types: [...listOf(call, 'type')] }
      const made = await call.client().webhooks.createWebhook({ body })
      call.out.value(made, () => [`webhook ${made.id}, secret ${made.secret}`])
    },
  },
  {
    name: 'webhooks delete',
    usage: '<id>',
    doc: 'Removes a webhook.',
    words: 1,
    async run(call) {
      await call.client().webhooks.deleteWebhook({ params: { id: demand(call.args[0], 'the id') } })
    },
  },
  {
    name: 'completion',
    usage: 'bash|zsh|fish',
    doc: 'A script that completes commands: source <(kontor completion bash)',
    words: 1,
    async run({ args, out }) {
      out.line(completionFor(demand(args[0], 'the shell'), await all()))
    },
  },
]

async function search(call: Call): Promise<number> {
  const value = demand(call.args.join(' '), 'the words')
  const index = textOf(call, 'index') ?? 'PRODUCT'
  const pageSize = numberOf(call, 'count') ?? 20
  const body = { context: { searchType: 'INDEX', index }, query: { queryType: 'FULLTEXT', value }, pageSize }
  const found = await call.client().search.search({ body } as never)
  const { items = [], totalHitCount = 0 } = found as { items?: { attributes?: { name?: string; value?: unknown }[] }[]; totalHitCount?: number } // prettier-ignore
  call.out.value(found, () => [
    ...items.map(({ attributes = [] }) => {
      const said = new Map(attributes.map((one) => [one.name, one.value]))
      return [said.get('itemType'), said.get('tid'), said.get('name')].map((text) => String(text ?? '')).join('\t')
    }),
    `${totalHitCount} found`,
  ])
  return items.length > 0 ? exitCodes.fine : exitCodes.refused
}
