/** Runs Schemathesis with all checks over the operations that take or return one format, and reads its report. */
import { execFile } from 'node:child_process'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { areas, formats, methods, openapi } from '@kontor/contract'

export interface Finding {
  readonly check: string
  readonly operation: string
  /** The refusal of the server if a valid request was refused, the reply if it is a server error, otherwise the words of the tool. */
  readonly message: string
}

interface Run {
  readonly program: string
  readonly folder: string
  readonly url: string
  /** Address of a service that issues tokens of administrators. */
  readonly tokens: string
  readonly format: string
  readonly examples: string
}

/** The document with one format of each body. Only the first run has the paths whose bodies have a single format. */
function documentIn(format: string) {
  const document = structuredClone(openapi(areas, { version: '1' }))
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const inFormat = methods.flatMap((method) => {
      const operation = item[method]
      const body = operation?.requestBody?.content[format]
      if (!body) return []
      return [
        [method, { ...operation, requestBody: { ...operation.requestBody, content: { [format]: body } } }] as const,
      ]
    })
    // The tool tries all methods of a path, so it must know those without such a body too.
    const isTested = inFormat.length > 0 || format === 'application/json'
    return [path, isTested ? { ...item, ...Object.fromEntries(inFormat) } : {}] as const
  })
  return { ...document, paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) }
}

/** Only that which differs from the defaults of the tool. */
const config = `
[checks.positive_data_acceptance]
# 412: an ETag that is not that of the object
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "412", "429", "5xx"]
[checks.negative_data_rejection]
# 412 and 413 are refusals too
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422", "428", "429", "5xx"]
[[operations]]
include-operation-id = "events.streamEvents"
headers = { Accept = "text/event-stream" }
request-timeout = 2
`

export async function run({ program, folder, url, tokens, format, examples }: Run) {
  const at = (name: string) => join(folder, `${format.replaceAll(/\W/g, '-')}.${name}`)
  writeFileSync(at('openapi.json'), JSON.stringify(documentIn(format)))
  writeFileSync(at('toml'), config)
  const settings = {
    '--url': url,
    '--report-json-path': at('report.json'),
    '--report-ndjson-path': at('ndjson'),
    '--phases': 'examples,coverage,fuzzing',
    '--checks': 'all',
    '--max-examples': examples,
    '--workers': '1',
    '--seed': '1',
    '--generation-database': 'none',
    '--suppress-health-check': 'all',
    '--request-timeout': '130',
    // Some calls wait as long as the caller asks.
    '--max-response-time': '125',
  }
  const flags = ['--no-color', '--no-shrink', '--continue-on-failure']
  const args = ['--config-file', at('toml'), 'run', at('openapi.json'), ...flags, ...Object.entries(settings).flat()]
  const env = {
    ...process.env,
    PYTHONPATH: import.meta.dirname,
    SCHEMATHESIS_HOOKS: 'hooks',
    KONTOR_DOCUMENT: at('openapi.json'),
    KONTOR_TOKENS: tokens,
    KONTOR_CASES: examples,
  }
  // It ends with a failure if it has found something.
  await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 1 << 30 }).catch(() => undefined)
  const report = JSON.parse(readFileSync(at('report.json'), 'utf8')) as Report
  return { ...report, findings: await findings(at('ndjson'), format === formats.xml.mediaType) }
}

interface Report {
  readonly errors: readonly unknown[]
  readonly operations: { readonly total: number; readonly tested: number }
  readonly test_cases: { readonly total?: number }
}

interface Scenario {
  readonly label: string
  readonly checks: Readonly<Record<string, readonly Check[]>>
  readonly interactions: Readonly<Record<string, { readonly response?: { readonly content?: Bytes } | undefined }>>
}
interface Check {
  readonly name: string
  readonly status: string
  readonly failure_info?: { readonly failure: { readonly message: string } }
}
interface Bytes {
  readonly $base64: string
}

/** Every failed check of every request. The report that the tool makes of them leaves out repeated ones. */
async function findings(file: string, isXml: boolean): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (!line.startsWith('{"ScenarioFinished"')) continue
    const { recorder } = (JSON.parse(line) as { ScenarioFinished: { recorder: Scenario | null } }).ScenarioFinished
    for (const [id, checks] of Object.entries(recorder?.checks ?? {}))
      for (const check of checks.filter(({ status }) => status === 'failure'))
        found.push({ check: check.name, operation: recorder!.label, message: messageOf(check, recorder!, id, isXml) })
  }
  return found
}

function messageOf({ name, failure_info }: Check, { interactions }: Scenario, id: string, isXml: boolean): string {
  const { $base64 = '' } = interactions[id]?.response?.content ?? {}
  const reply = Buffer.from($base64, 'base64').toString()
  if (name === 'positive_data_acceptance') return refusal(reply)
  if (name === 'not_a_server_error') return reply
  const message = failure_info?.failure.message ?? ''
  if (name !== 'negative_data_rejection') return message
  const isRecord = /"status":"error"|<status>ERROR</i.test(reply)
  const note = isRecord ? ' (refused in a record)' : isXml ? ' (in XML)' : ''
  return `${message.split('Invalid component:').at(-1)!.trim()}${note}`
}

/** The texts of an error envelope, in any format. */
function refusal(reply: string): string {
  const texts = [
    ...reply.matchAll(/"value":("(?:[^"\\]|\\.)*"),"key":"errorMessage"/g),
    ...reply.matchAll(/"(?:errorMessage|message)":("(?:[^"\\]|\\.)*")/g),
  ].map(([, text]) => JSON.parse(text!) as string)
  const inXml = [...reply.matchAll(/key="errorMessage"[^>]*>([^<]*)</g)].map(([, text]) => text!)
  return [...texts, ...inXml].join('; ') || reply
}
