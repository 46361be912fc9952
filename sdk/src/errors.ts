/** The error of a call that failed as a whole, read from the error messages of the server's APIs. */
import {
  decode,
  ErrorResponse,
  type Format,
  formats,
  type Infer,
  type ResponseDto,
  SearchError,
} from '@kontor/contract'
import { bytesOf, type Reply } from './runtime.ts'

export class KontorError extends Error {
  readonly status: number
  readonly code: string | undefined
  /** Identifies the failure in the server's log. */
  readonly supportId: string | undefined
  /** One sentence per problem. */
  readonly messages: readonly string[]
  constructor(status: number, messages: readonly string[], code?: string, supportId?: string) {
    super(messages.join('; ') || `the server answered ${status}`)
    this.name = 'KontorError'
    this.status = status
    this.messages = messages
    this.code = code
    this.supportId = supportId
  }
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
  const find = (items: { key?: string; value?: string }[] | undefined, key: string) =>
    items?.find((item) => item.key === key)?.value
  const messages = issues.flatMap(({ itms = [] }) => itms.flatMap(({ itm }) => find(itm, 'errorMessage') ?? []))
  return new KontorError(status, messages, find(issues[0]?.itm, 'code'), find(details?.itm, 'supportId'))
}

function fromSearch(status: number, format: Format, bytes: Uint8Array): KontorError {
  const { message, code, supportId } = decode(format, SearchError, bytes) as Infer<typeof SearchError>
  return new KontorError(status, message ? [message] : [], code, supportId)
}

/** When no workflow was started, the reply is a list with the issues of each; equal messages are reported once. */
function fromWorkflowStart(status: number, _format: Format, bytes: Uint8Array): KontorError {
  const replies = JSON.parse(new TextDecoder().decode(bytes)) as Infer<typeof ResponseDto>[]
  const issues = replies.flatMap((reply) => reply.issues ?? [])
  return new KontorError(status, [...new Set(issues.flatMap(({ content }) => content ?? []))], issues[0]?.code)
}
