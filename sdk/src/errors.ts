/** The error of a call that failed as a whole, read from the error messages of the server's APIs. */
import {
  decode,
  ErrorResponse,
  type Format,
  formats,
  type Infer,
  readReason,
  type ResponseDto,
  type ResponseRecord,
  SearchError,
} from '@kontor/contract'
import { bytesOf, type Reply } from './runtime.ts'

/** Why something was refused: a sentence in English, and, for the reasons of the contract, their code and parameters. */
export interface Refusal {
  readonly message: string
  readonly code?: string | undefined
  readonly reason?: string | undefined
  readonly parameters: Readonly<Record<string, string>>
  /** The attribute whose value was refused. */
  readonly attribute?: string
}

export class KontorError extends Error {
  readonly status: number
  readonly code: string | undefined
  /** Identifies the failure in the server's log. */
  readonly supportId: string | undefined
  /** One per problem. */
  readonly refusals: readonly Refusal[]
  constructor(status: number, problems: readonly (Refusal | string)[], supportId?: string) {
    const refusals = problems.map((one) => (typeof one === 'string' ? { message: one, parameters: {} } : one))
    super(refusals.map(({ message }) => message).join('; ') || `the server answered ${status}`)
    this.name = 'KontorError'
    this.status = status
    this.refusals = refusals
    this.code = refusals[0]?.code
    this.supportId = supportId
  }
  /** One sentence per problem. */
  get messages(): readonly string[] {
    return this.refusals.map(({ message }) => message)
  }
}

const find = (items: Items | undefined, key: string) => items?.find((item) => item.key === key)?.value
type Items = readonly { key?: string; value?: string }[]

function refusalOf(items: Items, message: string, code: string | undefined, attribute?: string): Refusal {
  const { code: reason, parameters } = readReason(items, attribute)
  return {
    message,
    code,
    ...(reason !== undefined && { reason }),
    parameters,
    ...(attribute !== undefined && { attribute }),
  }
}

/** Why an item of a batch was refused: one refusal for each of its refused values, else one for the item. */
export function refusalsOf({ description = '', details }: Infer<typeof ResponseRecord>): Refusal[] {
  const items = details?.itm ?? []
  const code = find(items, 'code')
  const values = items.flatMap(({ key = '', value = '' }) =>
    key.startsWith('attribute.') ? [refusalOf(items, value, code, key.slice('attribute.'.length))] : [],
  )
  return values.length > 0 ? values : [refusalOf(items, description, code)]
}

/** The Core API, the Search API and workflow starts each have an error format; another body yields only the status. */
export async function toError(reply: Reply): Promise<KontorError> {
  const mediaType = (reply.headers.get('content-type') ?? '').split(';')[0]!.trim()
  const format = Object.values(formats).find((known) => known.mediaType === mediaType) ?? formats.json
  const bytes = await bytesOf(reply)
  for (const read of [fromCore, fromSearch, fromWorkflowStart]) {
    try {
      return read(reply.status, format, bytes)
    } catch {
      continue
    }
  }
  return new KontorError(reply.status, [])
}

function fromCore(status: number, format: Format, bytes: Uint8Array): KontorError {
  const { details, issues = [] } = decode(format, ErrorResponse, bytes) as Infer<typeof ErrorResponse>
  const refusals = issues.flatMap(({ itm: issue, itms = [] }) =>
    itms.flatMap(({ itm = [] }) => {
      const message = find(itm, 'errorMessage')
      return message === undefined ? [] : [refusalOf(itm, message, find(issue, 'code'))]
    }),
  )
  return new KontorError(status, refusals, find(details?.itm, 'supportId'))
}

function fromSearch(status: number, format: Format, bytes: Uint8Array): KontorError {
  const { message, code, supportId } = decode(format, SearchError, bytes) as Infer<typeof SearchError>
  return new KontorError(status, message ? [refusalOf([], message, code)] : [], supportId)
}

/** When no workflow was started, the reply is a list with the issues of each; equal messages are reported once. */
function fromWorkflowStart(status: number, _format: Format, bytes: Uint8Array): KontorError {
  const replies = JSON.parse(new TextDecoder().decode(bytes)) as Infer<typeof ResponseDto>[]
  const issues = replies.flatMap((reply) => reply.issues ?? [])
  const byMessage = new Map(
    issues.flatMap(({ content, code }) => (content ? [[content, refusalOf([], content, code)]] : [])),
  )
  return new KontorError(status, [...byMessage.values()])
}
