/** What a command says: lines for people or JSON for programs on standard output, progress on standard error. */
export interface Output {
  readonly json: boolean
  /** A line for people; nothing with --json. */
  line(text: string): void
  /** A value for programs, or its lines for people. */
  value(value: unknown, lines: () => readonly string[]): void
  raw(bytes: Uint8Array): Promise<void>
  progress(done: number, all: number, what: string): void
  /** Ends the progress bar, so that other lines can follow. */
  settle(): void
}

interface Stream {
  write(text: string | Uint8Array): boolean
  once(event: 'drain', listener: () => void): unknown
  readonly isTTY?: boolean
}

const width = 30

export function createOutput(json: boolean, stdout: Stream, stderr: Stream): Output {
  let drawn = false
  const settle = () => {
    if (drawn) stderr.write('\n')
    drawn = false
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
    progress(done, all, what) {
      if (json || !stderr.isTTY) return
      const share = all > 0 ? Math.min(done / all, 1) : 0
      const filled = Math.round(share * width)
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
      stderr.write(`\r${bar} ${String(Math.round(share * 100)).padStart(3)} % ${what.slice(0, 40).padEnd(40)}`)
      drawn = true
    },
    settle,
  }
}
