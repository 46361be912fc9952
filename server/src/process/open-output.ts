/** Chooses the output of the server process: for people in a terminal, or as JSON lines. */
import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import type { Output } from './output.ts'
import { createTerminal } from './terminal.ts'

type Stream = Pick<NodeJS.WriteStream, 'write'>

export function createOutput(
  { logFormat, logLevel }: Pick<Config, 'logFormat' | 'logLevel'>,
  stream: NodeJS.WriteStream = process.stdout,
): Output {
  const isForPeople = logFormat === 'text' || (logFormat === 'auto' && stream.isTTY)
  return isForPeople ? createTerminal(stream, logLevel) : createJsonLines(stream)
}

function createJsonLines(stream: Stream): Output {
  const origin = { pid: process.pid, hostname: hostname() }
  const write = (msg: string, fields: object = {}) =>
    void stream.write(`${JSON.stringify({ level: 30, time: Date.now(), ...origin, ...fields, msg })}\n`)
  return {
    log: stream,
    async step(name, work) {
      const begun = performance.now()
      const result = await work({ progress: () => {}, part: (text) => write(`${name}: ${text}`) })
      write(`${name}: done`, { ms: Math.round(performance.now() - begun) })
      return result
    },
    note: (text) => write(text),
    greet({ url, roles, admin, demo }) {
      if (admin) write(`first administrator: admin, password: ${admin.password}`, { file: admin.file })
      if (demo) write(`demo users: ${demo.users}; password: ${demo.password}`)
      write(`Kontor is ready: ${url ?? `${roles.join(', ')}, without an HTTP port`}`)
    },
  }
}
