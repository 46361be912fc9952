/** Output of commands: text or JSON on standard output, progress and notes on standard error. */
export interface Output {
  readonly json: boolean
  /** Prints a line of text; nothing with --json. */
  line(text: string): void
  /** Prints a value as JSON with --json, otherwise as lines of text. */
  value(value: unknown, lines: () => readonly string[]): void
  /** Prints bytes as they are; waits while standard output is full. */
  raw(bytes: Uint8Array): Promise<void>
  /** Shows a bar at a terminal; elsewhere a line now and then, so that a log shows that there is progress. */
  progress(done: number, total: number, label: string): void
  /** Prints a line on standard error; nothing with --json. */
  note(text: string): void
  /** Ends the line of the progress bar, so that other lines can follow. */
  settle(): void
}

interface Stream {
  write(text: string | Uint8Array): boolean
  once(event: 'drain', listener: () => void): unknown
  readonly isTTY?: boolean
}

const barWidth = 30
/** Without a terminal: milliseconds between two lines of progress. */
const lineEvery = 30_000

export function createOutput(json: boolean, stdout: Stream, stderr: Stream, now = () => performance.now()): Output {
  let isBarOpen = false
  let lastLine = now()
  const settle = () => {
    if (isBarOpen) stderr.write('\n')
    isBarOpen = false
  }
  const line = (text: string) => {
    settle()
    stdout.write(`${text}\n`)
  }
  return {
    json,
    line: (text) => void (json || line(text)),
    value: (value, lines) => (json ? line(JSON.stringify(value)) : lines().forEach(line)),
    raw: (bytes) =>
      new Promise((resolve) => (stdout.write(bytes) ? resolve() : void stdout.once('drain', () => resolve()))),
    progress(done, total, label) {
      if (json) return
      const share = total > 0 ? Math.min(done / total, 1) : 0
      if (!stderr.isTTY) {
        if (now() - lastLine < lineEvery) return
        lastLine = now()
        stderr.write(`${Math.round(share * 100)} % ${label}\n`)
        return
      }
      const filled = Math.round(share * barWidth)
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
      stderr.write(`\r${bar} ${String(Math.round(share * 100)).padStart(3)} % ${label.slice(0, 40).padEnd(40)}`)
      isBarOpen = true
    },
    note(text) {
      if (json) return
      settle()
      stderr.write(`${text}\n`)
    },
    settle,
  }
}
