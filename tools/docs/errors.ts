/** The manual's page of errors, from the table of all errors that a caller can receive. */
import type { OpenApi } from '@kontor/contract'
import { type ProblemKind, problems } from '../../server/src/errors.ts'
import { textOf } from '../../server/src/reference/samples.ts'
import { fenced, generatedFrom, page, table } from './markdown.ts'

// prettier-ignore
const remedies: Record<ProblemKind, string> = {
  internal:     'Not your fault. Tell the operator the support id; the cause is in the log under it.',
  invalid:      'Mend the message at the place that the text names, for example `/pim/kwds/kwd[3]/name`.',
  mediaType:    'Send and ask for `application/json`, `application/xml` or `application/json+compact`, as far as the call speaks them.',
  notFound:     'Check the identifier. An object that you may not see answers the same.',
  unauthorized: 'Get a new access token. If it is fresh, the user lacks a role.',
  forbidden:    'Ask an administrator for the role that the text names.',
  exists:       'Choose another name or identifier, or update the object that has it.',
  locked:       'Wait until the other user is done, or ask them.',
  inFlight:     'Repeat the same request later: it then gets the reply of the first.',
  inUse:        'Remove the uses that the text names, or send `force` with the action where it is offered.',
  notApplied:   'Mend the item that failed and send the batch again; nothing of it was applied.',
  method:       'Use one of the methods in the header `Allow`.',
  tooLarge:     'Send less at once, or use bulk. The limits are settings of the installation.',
  tooMany:      'Wait as many seconds as the header `Retry-After` says.',
  unavailable:  'Wait as many seconds as the header `Retry-After` says. `/readyz` tells what is missing; if nothing is, the server is overloaded.',
  notMatched:   'Read the object again and repeat the change on what it is now.',
  fileExists:   'Choose another name, or send `doOverwrite` to replace the file.',
  withheld: 'The content is not checked yet, too large to check, damaged or in the archive. The message says which, and what to do.',
  gone: 'Events behind a position are removed after KONTOR_OUTBOX_HOURS. Read everything anew, and follow from now on.',
  range:        'Ask for bytes that the file has; the header `Content-Range` says how many there are.',
  timeout:      'Send faster or in parts: the body did not arrive in time.',
  headersTooLarge: 'Send fewer or shorter headers; all of them together may have 16 KiB.',
}

export function errorsPage(document: OpenApi): string {
  const rows = Object.entries(problems)
    .sort(([, a], [, b]) => a.code.localeCompare(b.code))
    .map(([kind, { code, status, description }]) => [code, String(status), description, remedies[kind as ProblemKind]])
  const content = document.components.responses['notFound']!.content!
  return page(
    '# Errors',
    generatedFrom('server/src/errors.ts'),
    'A call that fails as a whole is answered with a status and an error envelope, in the format of its replies. Every issue has a code, a description and a text that says what is wrong, where, and how to mend it. The support id is the id of the request in the log of the server.',
    'Items of a batch fail alone: their records have the status `ERROR`, the text as `description` and the code in `details`, while the call is answered with 200.',
    '',
    'Frequent refusals also have a reason with parameters (our addition), so that a client can say them in the language of its reader: the items `reason` and `parameter.NAME` beside `errorMessage`, or in the `details` of a record; for a refused value, `reason.ATTRIBUTE` and `parameter.ATTRIBUTE.NAME`. The reasons are listed in `contract/src/reasons.ts`; the SDK reads them into `refusals`.',
    table(['Code', 'Status', 'Description', 'What to do'], rows),
    '## The error envelope',
    fenced('json', textOf(content['application/json']!.example)),
    fenced('xml', textOf(content['application/xml']!.example)),
  )
}
