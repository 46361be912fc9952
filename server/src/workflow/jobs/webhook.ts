/**
 * Calls to other systems, signed according to Standard Webhooks. A call is made at least once; `webhook-id` is the same
 * for every attempt, so that a receiver recognizes repeats.
 */
import { createHmac } from 'node:crypto'
import { ForbiddenAddress, post } from '../../adapters/web/post.ts'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'

export async function callWebhook(
  { workflowSecret, webhookPrivate, webhookSeconds }: Config,
  id: string,
  url: string,
  content: object,
): Promise<number> {
  if (workflowSecret === undefined) {
    throw new Problem('invalid', 'KONTOR_WORKFLOW_SECRET is not set: calls to other systems must be signed')
  }
  const body = JSON.stringify(content)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(workflowSecret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const options = { allowPrivate: webhookPrivate, milliseconds: webhookSeconds * 1000 }
  const { status, text } = await postSafely(url, body, headers, options)
  if (status >= 200 && status < 300) return status
  const problem = `${new URL(url).host} answered ${status}: ${text.slice(0, 200)}`
  // Do not retry a request that the receiver would refuse again.
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new Problem('invalid', problem)
  throw new Error(problem)
}

/** A forbidden address is a permanent failure, so it is not retried. */
async function postSafely(...call: Parameters<typeof post>) {
  try {
    return await post(...call)
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new Problem('invalid', `url: ${error.message}`, { cause: error })
    throw faultOfOther(error as Error)
  }
}

/** Another system cannot be reached. Without the code of the socket, because a lost database has the same codes. */
export const faultOfOther = (error: Error) => new Error(error.message, { cause: error })
