/** events and webhooks. */
import { type Call, type Command, listOf, numberOf, required, textOf } from './command.ts'

export const eventCommands: readonly Command[] = [
  {
    name: 'events follow',
    usage: '[--after <id>] [--type <kontor.product.*> …] [--count <number>]',
    doc: 'Prints every change as it happens, one JSON object per line.',
    options: { after: { type: 'string' }, type: { type: 'string', multiple: true }, count: { type: 'string' } },
    run: followEvents,
  },
  {
    name: 'webhooks list',
    usage: '',
    doc: 'Lists webhooks with their state.',
    run: listWebhooks,
  },
  {
    name: 'webhooks create',
    usage: '<address> [--type <kontor.product.*> …]',
    doc: 'Creates a webhook and shows its secret once.',
    maxArguments: 1,
    options: { type: { type: 'string', multiple: true } },
    async run(call) {
      const body = { url: required(call.args[0], '<address>'), types: [...listOf(call, 'type')] }
      const webhook = await call.client().webhooks.createWebhook({ body })
      call.out.value(webhook, () => [`webhook ${webhook.id}, secret ${webhook.secret}`])
    },
  },
  {
    name: 'webhooks delete',
    usage: '<id>',
    doc: 'Deletes a webhook.',
    maxArguments: 1,
    async run(call) {
      await call.client().webhooks.deleteWebhook({ params: { id: required(call.args[0], '<id>') } })
    },
  },
]

async function followEvents(call: Call): Promise<void> {
  let remaining = numberOf(call, 'count') ?? Infinity
  const types = listOf(call, 'type')
  for await (const event of call.client().events.follow({ after: textOf(call, 'after'), types })) {
    await call.out.raw(Buffer.from(`${JSON.stringify(event)}\n`))
    if (--remaining <= 0) return
  }
}

async function listWebhooks(call: Call): Promise<void> {
  const { webhooks = [] } = await call.client().webhooks.listWebhooks()
  call.out.value(webhooks, () =>
    webhooks.map(({ id, url, enabled, waiting = 0, problem }) =>
      [id, enabled ? 'enabled' : 'disabled', `${waiting} waiting`, url, problem ?? ''].join('\t'),
    ),
  )
}
