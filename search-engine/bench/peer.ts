/**
 * Lucene for comparison: a separate Java program that indexes the same rows and answers the same queries on its standard
 * input. It is not part of the project. SEARCH_PEER names the folder with `Peer.class` and LUCENE_JARS the one with the
 * jars of Lucene 8 (Debian: liblucene8-java).
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Peer {
  /** The total, the ids or words found, and the counts of the facets. */
  ask(kind: string, ...args: (string | number)[]): Promise<{ total: number; found: string[]; facets: string }>
  /** CPU time so far in milliseconds. */
  cpu(): number
  /** The figures of its index build. */
  readonly built: { readonly cpu_total: number; readonly sizeMB: number }
  memory(): number
  stop(): void
}

function classPath(): string | undefined {
  const { SEARCH_PEER: folder, LUCENE_JARS: jars = '/usr/share/java' } = process.env
  if (!folder || !existsSync(join(folder, 'Peer.class'))) return undefined
  const lucene = readdirSync(jars).filter((name) => /^lucene-.*\.jar$/.test(name))
  return [...lucene.map((name) => join(jars, name)), folder].join(':')
}

/** Undefined if the peer is not installed. */
export async function startPeer(rows: string, folder: string): Promise<Peer | undefined> {
  const path = classPath()
  if (path === undefined) return undefined
  const report = join(folder, 'lucene.json')
  const index = join(folder, 'lucene')
  if (!existsSync(report)) {
    const output = execFileSync('java', ['-Xmx1500m', '-cp', path, 'Peer', 'index', rows, index], { encoding: 'utf8' })
    execFileSync('tee', [report], { input: output })
  }
  const child = spawn('java', ['-Xmx1500m', '-XX:+UseSerialGC', '-cp', path, 'Peer', 'serve', index, '1'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting = new Map<string, (line: string[]) => void>()
  let lastId = 0
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') return resolve()
      const [id, ...rest] = line.split('\t')
      waiting.get(id!)?.(rest)
      waiting.delete(id!)
    })
  })
  await ready
  return {
    built: JSON.parse(readFileSync(report, 'utf8')) as Peer['built'],
    async ask(kind, ...args) {
      const id = String(++lastId)
      const answer = new Promise<string[]>((resolve) => waiting.set(id, resolve))
      child.stdin.write(`${[id, kind, ...args].join('\t')}\n`)
      const [total = '', found = '', facets = ''] = await answer
      if (total.startsWith('ERR')) throw new Error(`the peer failed: ${total}`)
      return { total: Number(total), found: found.trim().split(' '), facets }
    },
    cpu: () => threadTimes(child.pid!),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1'))![1]) / 1000,
    stop: () => child.stdin.end(),
  }
}

/**
 * CPU time from the scheduler, in nanoseconds; the usual figures are in ticks of ten milliseconds. The files are read as
 * UTF-8, because without an encoding Node allocates 64 kB for each, and collecting these would distort our own CPU time.
 */
function threadTimes(pid: number): number {
  let sum = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  }
  return sum / 1e6
}
