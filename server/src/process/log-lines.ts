/**
 * The log for people: turns the JSON lines of the logger into one readable line each.
 *
 * It is quiet: of the requests it shows those that write, fail or are slow, and no messages below a warning except those
 * of the server itself. With KONTOR_LOG_LEVEL=debug or trace it shows everything.
 */
import { stripVTControlCharacters, styleText } from 'node:util'

interface LogLine {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number | 'broken'
  readonly ms?: number
  readonly user?: string
  readonly supportId?: string
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string }
}

interface LogLineOptions {
  readonly all: boolean
  readonly colors: boolean
}

const slowMs = 1000
const warnLevel = 40
const errorLevel = 50
const levelNames: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
}
/** These methods and routes only read. */
const readingMethod = /^(GET|HEAD|OPTIONS|QUERY)$/
const readingRoute =
  /\/(query|retrieve|transform|search|suggest|facets|count|wait|token|introspect|preview|presence)(\/|$)/
/** These replies are slow by design: they wait for events, or send a file. */
const waitingRoute = /\/(events|wait|stream|download|bulk|upload)(\/|$)/
const shownFrames = 4

/** Returns undefined for a line that is not shown. */
export function formatLogLine(json: string, { all, colors }: LogLineOptions): string | undefined {
  const line = parse(json)
  if (!line) return json.trimEnd()
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colors ? styleText(format, text, { validateStream: false }) : text
  const time = paint('dim', new Date(line.time).toTimeString().slice(0, 8))
  if (line.msg === 'request') return all || isNotable(line) ? `${time}  ${formatRequest(line, paint)}` : undefined
  if (line.level < warnLevel && !all) return undefined
  const name = levelNames[line.level] ?? 'info'
  const color = line.level >= errorLevel ? 'red' : line.level >= warnLevel ? 'yellow' : 'dim'
  const support = line.supportId === undefined ? '' : paint('dim', `  support id ${line.supportId}`)
  const head = `${time}  ${paint(color, name.padEnd(7))}  ${messageOf(line)}${support}`
  return [head, ...framesOf(line).map((frame) => paint('dim', `          ${frame}`))].join('\n')
}

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string

function parse(json: string): LogLine | undefined {
  try {
    return JSON.parse(json) as LogLine
  } catch {
    return undefined // a library has written to the stream
  }
}

function isNotable({ method = '', route = '', status = 0, ms = 0 }: LogLine): boolean {
  if (status === 'broken') return !waitingRoute.test(route)
  if (status >= 400) return true
  if (ms >= slowMs && !waitingRoute.test(route)) return true
  return !readingMethod.test(method) && !readingRoute.test(route)
}

function formatRequest({ method = '', route = '', status = 0, ms = 0, user }: LogLine, paint: Paint): string {
  const isFailed = status === 'broken' || status >= 500
  const color = isFailed ? 'red' : status >= 400 ? 'yellow' : 'green'
  const duration = paint(ms >= slowMs ? 'yellow' : 'dim', `${Math.round(ms)} ms`)
  const end = [duration, ...(user === undefined ? [] : [paint('dim', printable(user))])].join('  ')
  return `${method.padEnd(7)}  ${printable(route)}  ${paint(color, String(status))}  ${end}`
}

/** The message and its cause, once if they are equal. */
function messageOf({ msg = '', err }: LogLine): string {
  const cause = err?.message ?? ''
  const text = cause === '' || msg.includes(cause) ? msg : msg === '' ? cause : `${msg}: ${cause}`
  return printable(text)
}

/** The first places in Kontor's own code, which help more than those of libraries. */
function framesOf({ level, err }: LogLine): string[] {
  if (level < errorLevel || err?.stack === undefined) return []
  const frames = err.stack.split('\n').filter((frame) => /^\s+at /.test(frame))
  const own = frames.filter((frame) => !frame.includes('node_modules') && !frame.includes('node:'))
  return (own.length > 0 ? own : frames).slice(0, shownFrames).map((frame) => printable(frame.trim()))
}

/** Texts of callers could contain sequences that control the terminal. */
// oxlint-disable-next-line no-control-regex
const printable = (text: string) => stripVTControlCharacters(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '?')
