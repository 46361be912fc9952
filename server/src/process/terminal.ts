/** Output for people in a terminal: steps with marks, the greeting, and a quiet log. */
import { styleText } from 'node:util'
import { formatLogLine } from './log-lines.ts'
import type { Greeting, Output } from './output.ts'

interface Step {
  readonly name: string
  readonly begun: number
  progress: string
}

const redrawMs = 100
const nameWidth = 16
const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const eraseLine = '\r\u001B[2K'

export function createTerminal(stream: NodeJS.WriteStream, logLevel: string): Output {
  const colors = stream.isTTY && stream.hasColors() // false with NO_COLOR
  /** A file has no cursor: a step is printed only when it has ended. */
  const isMovable = stream.isTTY
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colors ? styleText(format, text, { validateStream: false }) : text
  const all = logLevel === 'debug' || logLevel === 'trace'
  let current: Step | undefined
  const lineOf = (mark: string, { name, begun, progress }: Step) => {
    const elapsed = `${((performance.now() - begun) / 1000).toFixed(1)} s`
    return `  ${mark} ${name.padEnd(nameWidth)} ${paint('dim', elapsed.padStart(7))}  ${progress}`.trimEnd()
  }
  const draw = () => {
    if (!current || !isMovable) return
    const turn = Math.floor(performance.now() / redrawMs) % spinner.length
    stream.write(eraseLine + cutTo(lineOf(paint('cyan', spinner[turn]!), current), stream.columns || 80))
  }
  /** Lines that arrive during a step appear above it. */
  const print = (text: string) => {
    stream.write(`${current && isMovable ? eraseLine : ''}${text}\n`)
    draw()
  }
  const finish = (mark: string, step: Step) => {
    current = undefined
    stream.write(`${isMovable ? eraseLine : ''}${lineOf(mark, step)}\n`)
  }
  return {
    log: {
      write(json: string) {
        const line = formatLogLine(json, { all, colors })
        if (line !== undefined) print(line)
      },
    },
    async step(name, work) {
      const step: Step = { name, begun: performance.now(), progress: '' }
      current = step
      draw()
      const timer = setInterval(draw, redrawMs)
      timer.unref()
      try {
        const show = (text: string) => void (step.progress = text)
        const result = await work({ progress: show, part: show })
        finish(paint('green', '✓'), step)
        return result
      } catch (error) {
        finish(paint('red', '✗'), step)
        throw error
      } finally {
        clearInterval(timer)
      }
    },
    note: (text) => print(text),
    greet: (greeting) => stream.write(`\n${greetingLines(greeting, paint).join('\n')}\n\n`),
  }
}

function greetingLines({ version, url, roles, admin, demo }: Greeting, paint: Paint): string[] {
  const row = (name: string, value: string) => `    ${name.padEnd(11)} ${value}`
  const head = `  ${paint('bold', `Kontor ${version} is ready`)}`
  const stop = `  ${paint('dim', 'Press Ctrl-C to stop.')}`
  if (url === undefined) return [head, '', row('Roles', `${roles.join(', ')}, without an HTTP port`), '', stop]
  return [
    head,
    '',
    row('Console', paint(['bold', 'cyan'], url)),
    row('Interface', `${url}/api/docs`),
    ...(admin
      ? ['', row('User', 'admin'), row('Password', paint('bold', admin.password)), row('', passwordNote(admin.file))]
      : []),
    ...(demo ? ['', row('Demo users', demo.users), row('Password', paint('bold', demo.password))] : []),
    '',
    stop,
  ]
}
type Paint = (format: Parameters<typeof styleText>[0], text: string) => string
const passwordNote = (file: string) => `shown only once; stored in ${file}`

/** A line that wraps could not be erased. Colours do not count. */
function cutTo(line: string, columns: number): string {
  // oxlint-disable-next-line no-control-regex
  const parts = line.split(/(\u001B\[\d+m)/)
  let left = columns - 1
  return parts
    .map((part, i) => {
      if (i % 2 === 1) return part
      const kept = part.slice(0, left)
      left -= kept.length
      return kept
    })
    .join('')
}
