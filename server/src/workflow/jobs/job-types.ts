/**
 * The jobs that service tasks can name.
 *
 *   prepare   runs before the transaction, for external effects (mail, webhooks). At least once, with the same id
 *   run       runs in the transaction that advances the process, for changes of our own objects. Exactly once
 *
 * A job acts as the user who started the process, with that user's rights at the time the job runs. A refusal is an
 * error with a code, either from the list of errors or named here. Boundary events can catch it.
 */
import { because, transferFormats } from '@kontor/contract'
import { mayAct } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { asText } from '../engine/expressions.ts'
import type { Runtime } from '../runtime.ts'
import { startAll } from '../processes/start.ts'
import { notify } from '../tasks/notices.ts'
import { moveOrCopy, setValues } from './objects.ts'
import { callWebhook, faultOfOther } from './webhook.ts'

export interface RunningJob {
  readonly id: number
  readonly process: {
    readonly id: number
    readonly tid: string
    readonly name: string
    readonly configIdentifier?: string
  }
  readonly variables: Readonly<Record<string, unknown>>
  readonly item: unknown
  /** The evaluated inputs of the service task. */
  readonly inputs: Readonly<Record<string, unknown>>
}

/** A refusal with its own error code. */
export class Refusal extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface JobType {
  readonly doc: string
  /** A description of each input; an asterisk marks it as required. */
  readonly inputs: Readonly<Record<string, string>>
  readonly prepare?: (runtime: Runtime, job: RunningJob) => Promise<unknown>
  readonly run?: (ctx: Context, runtime: Runtime, job: RunningJob) => Promise<unknown>
}

const objects = 'Tids, as a list or separated by commas; those linked to the process when absent.'
const to = { toUsers: 'Names of users.', toRoles: 'Names of roles.' }

/** The tids that the input names, else the objects linked to the process. */
export function tidsOf({ inputs, variables }: RunningJob, linked: 'products' | 'files' | 'projects'): string[] {
  return namesIn(inputs.tids === undefined ? variables[linked] : inputs.tids)
}
const namesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(asText) : asText(value).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')

const textIn = ({ inputs }: RunningJob, name: string) => asText(inputs[name])

export const jobTypes: ReadonlyMap<string, JobType> = new Map<string, JobType>([
  [
    'setValue',
    {
      doc: 'Sets a value of products or files.',
      inputs: {
        attr: '*The attribute.',
        value: '*The value; a list for several.',
        locale: 'Of a localized attribute.',
        of: 'product (the default) or file.',
        tids: objects,
      },
      run: async (ctx, runtime, job) => {
        const of = textIn(job, 'of') || 'product'
        if (of !== 'product' && of !== 'file') throw new Problem('invalid', `of: "${of}" is neither product nor file`)
        const tids = tidsOf(job, of === 'product' ? 'products' : 'files')
        await setValues(ctx, runtime, of, tids, {
          attr: textIn(job, 'attr'),
          value: job.inputs.value,
          locale: textIn(job, 'locale'),
        })
        return tids.length
      },
    },
  ],
  [
    'requireCompleteness',
    {
      doc: 'Continues only if no required value is missing; otherwise fails with the error code INCOMPLETE.',
      inputs: {
        of: 'product (the default) or project.',
        locales: 'Locales that count; all when absent.',
        tids: objects,
      },
      run: async (ctx, runtime, job) => {
        const ofProjects = textIn(job, 'of') === 'project'
        const tids = tidsOf(job, ofProjects ? 'projects' : 'products')
        const locales = namesIn(job.inputs.locales)
        const request = { ...(locales.length > 0 && { locales }), [ofProjects ? 'tids' : 'productTids']: tids }
        const missing = await runtime.missingValues(ctx, request)
        if (missing.length === 0) return true
        const examples = missing.slice(0, 5).map(({ object, attr, locale }) => `${object} lacks ${attr} in ${locale}`)
        throw new Refusal(
          'INCOMPLETE',
          `${missing.length} values are missing: ${examples.join(', ')}${missing.length > 5 ? ', …' : ''}`,
        )
      },
    },
  ],
  [
    'moveFiles',
    {
      doc: 'Moves files into another directory.',
      inputs: { directory: '*Its path.', tids: objects },
      run: (ctx, runtime, job) => moveOrCopy(ctx, runtime, 'move', tidsOf(job, 'files'), textIn(job, 'directory')),
    },
  ],
  [
    'copyFiles',
    {
      doc: 'Copies files into another directory.',
      inputs: { directory: '*Its path.', tids: objects },
      run: (ctx, runtime, job) => moveOrCopy(ctx, runtime, 'copy', tidsOf(job, 'files'), textIn(job, 'directory')),
    },
  ],
  [
    'makePreviews',
    {
      doc: 'Generates the previews of files again.',
      inputs: { tids: objects },
      run: async (ctx, runtime, job) => {
        const tids = tidsOf(job, 'files')
        const found = (await runtime.targets.get('asset')?.lock(ctx.db, { ids: [], tids })) ?? []
        const readable = found.filter((file) => mayAct(ctx.caller, 'read', 'asset', file))
        if (readable.length < tids.length)
          throw new Problem('notFound', `${tids.length - readable.length} of the files are not there any more`)
        const refused = readable.find((file) => !mayAct(ctx.caller, 'update', 'asset', file))
        if (refused)
          throw new Problem('forbidden', `${ctx.caller.userName} has no role that may update the file ${refused.tid}`)
        return runtime.makePreviews(
          ctx,
          found.map(({ id }) => id),
        )
      },
    },
  ],
  [
    'exportProducts',
    {
      doc: 'Orders an export of products, which is listed among the transfers of the user who started the process. Returns its id.',
      inputs: {
        format: '*csv, xlsx, xml, jsonl or zip.',
        name: 'The name of the file.',
        profile: 'Name of a profile of columns.',
        tids: objects,
      },
      run: (ctx, runtime, job) => {
        const format = transferFormats.find((known) => known === textIn(job, 'format'))
        if (!format)
          throw new Problem(
            'invalid',
            `format: unknown format "${textIn(job, 'format')}"; expected one of ${transferFormats.join(', ')}`,
          )
        const [name, profile] = [textIn(job, 'name'), textIn(job, 'profile')]
        const tids = tidsOf(job, 'products')
        if (tids.length === 0) throw new Problem('invalid', 'there are no products to export; link some, or name tids')
        return runtime.orderExport(ctx, { format, tids, ...(name && { name }), ...(profile && { profile }) })
      },
    },
  ],
  [
    'sendMessage',
    {
      doc: 'Sends a message to the inbox of users or roles.',
      inputs: { ...to, subject: '*The subject.', body: '*The text.', severity: 'INFO, WARN or ERROR.' },
      run: async (ctx, _, job) => {
        const severity = textIn(job, 'severity') || 'INFO'
        if (!['INFO', 'WARN', 'ERROR'].includes(severity))
          throw new Problem('invalid', `severity: unknown severity "${severity}"; expected one of INFO, WARN, ERROR`)
        const users = namesIn(job.inputs.toUsers).map((user) => ({ user }))
        const roles = namesIn(job.inputs.toRoles).map((role) => ({ role }))
        if (users.length + roles.length === 0)
          throw new Problem('invalid', 'the message has no recipients; give toUsers or toRoles')
        const common = {
          subject: textIn(job, 'subject').slice(0, 255),
          body: textIn(job, 'body').slice(0, 65_536),
          severity: severity as 'INFO',
          parameters: { processId: String(job.process.id) },
        }
        await notify(
          ctx,
          [...users, ...roles].map((who) => ({ ...who, ...common })),
        )
        return users.length + roles.length
      },
    },
  ],
  [
    'sendMail',
    {
      doc: 'Sends an e-mail, when KONTOR_SMTP_URL is set.',
      inputs: { to: '*Addresses, or names of users that have one.', subject: '*The subject.', text: '*The text.' },
      prepare: async (runtime, job) => {
        const named = namesIn(job.inputs.to)
        if (!runtime.send) throw new Problem('invalid', because('noMail'))
        const known = await runtime.addressesOf(runtime.services.database, named)
        const addresses = named.map((name) => (name.includes('@') ? name : known.get(name)))
        const at = addresses.indexOf(undefined)
        if (named.length === 0 || at >= 0)
          throw new Problem('notFound', `to: ${named[at] ?? 'nobody'} has no mail address`)
        const mail = { id: `job-${job.id}`, to: addresses.join(', '), subject: textIn(job, 'subject') }
        await runtime.send({ ...mail, text: textIn(job, 'text') }).catch((error: Error) => {
          throw faultOfOther(error)
        })
      },
    },
  ],
  [
    'callWebhook',
    {
      doc: 'Posts to another system, signed with KONTOR_WORKFLOW_SECRET (Standard Webhooks).',
      inputs: {
        url: '*Its address.',
        event: 'Type of the event; workflow when absent.',
        data: 'Data sent in addition to the process and its objects.',
      },
      prepare: ({ services }, job) =>
        callWebhook(services.config, `job_${job.id}`, textIn(job, 'url'), {
          type: textIn(job, 'event') || 'workflow',
          timestamp: new Date().toISOString(),
          data: {
            process: job.process,
            linkedObjects: job.variables.linked,
            ...(job.item !== null && { item: job.item }),
            ...(job.inputs.data !== undefined && { data: job.inputs.data }),
          },
        }),
    },
  ],
  [
    'startWorkflow',
    {
      doc: 'Starts another workflow for the same objects. Returns its tid.',
      inputs: { config: '*Identifier of its configuration.', parameters: 'Its parameters, as JSON: {"key": "value"}.' },
      run: async (ctx, runtime, job) => {
        const parameters = Object.entries(parametersIn(job.inputs.parameters)).map(([key, value]) => ({
          key,
          values: [value].flat().map(asText),
        }))
        const linkedObjects = ((job.variables.linked ?? []) as { type: string; tid: string }[]).map(
          ({ type, tid }) => ({ type, tid }),
        )
        const [reply] = await startAll(ctx, runtime, {
          configIdentifier: textIn(job, 'config'),
          processStartRequests: [{ linkedObjects, parameters }],
        })
        if (reply?.status === 'success') return reply.tid
        throw new Problem('invalid', reply?.issues?.map(({ content = '' }) => content) ?? [])
      },
    },
  ],
])

function parametersIn(value: unknown): Record<string, unknown> {
  if (value === undefined || value === '') return {}
  try {
    const given: unknown = typeof value === 'string' ? JSON.parse(value) : value
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
  } catch {
    // Throw the error below, which is easier to understand.
  }
  throw new Problem('invalid', 'parameters: expected an object in JSON')
}

/** The inputs of each job, for validating definitions. */
export const jobInputs = new Map(
  [...jobTypes].map(([job, { inputs }]) => [
    job,
    Object.fromEntries(Object.entries(inputs).map(([name, doc]) => [name, doc.startsWith('*')])),
  ]),
)
