/** The scenarios: each a fault that happens again and again while clients work. */
import { setTimeout as pause } from 'node:timers/promises'
import { backUp } from './backup.ts'
import { calm, cutLine, failReceiver } from './cuts.ts'
import { collectFiles, damageFile, damageIndex } from './damage.ts'
import { judgePoints, killAnything, killAtPoint, killChild, killPostgres, killServer } from './kills.ts'
import { withFewDescriptors, withLittleMemory } from './limits.ts'
import { losePower } from './loss.ts'
import type { DatabaseName } from './databases.ts'
import { type PlaceName, settingOf } from './places.ts'
import { pointsOf } from './points.ts'
import { race } from './races.ts'
import type { Random } from './random.ts'
import { fillData, fillDatabase } from './small-disk.ts'
import { changeVersion, endWithNew } from './versions.ts'
import { setClock, setDisk, type World } from './world.ts'

export interface Scenario {
  readonly doc: string
  /**
   * One fault. `n` counts the attempts from 0. Returns since when (performance.now) everything may recover; undefined: only
   * now. False: nothing could be done.
   */
  fault(world: World, random: Random, n: number): Promise<number | undefined | false>
  /** Milliseconds between two faults. */
  readonly between: readonly [least: number, most: number]
  /** Faults of a short run. */
  readonly short: number
  /** Faults of a full run; twice those of a short one by default. */
  readonly full?: number
  /** There is no fault to recover from. */
  readonly isQuiet?: boolean
  /** The server has its fail points. */
  readonly hasPoints?: boolean
  /** Runs for so many minutes by default; not part of runs of all scenarios. */
  readonly minutes?: number
  /** Milliseconds that a client waits at most before its next step. */
  readonly thinks?: number
  /** Nothing stands between the server and its database, disk and clock, so that it works and starts at its own speed. */
  readonly isDirect?: boolean
  /** How many processes it has, if not one. */
  readonly processes?: number
  /** A server behind a proxy (places.ts). Those that must be installed are not part of runs of all scenarios. */
  readonly place?: PlaceName
  /** Needs the sources of an older version (versions.ts); not part of runs of all scenarios. */
  readonly needsOld?: boolean
  /** The data folder is on a disk that must be mounted; not part of runs of all scenarios. */
  readonly needsMount?: boolean
  /** Needs another PostgreSQL (databases.ts); not part of runs of all scenarios. */
  readonly database?: DatabaseName
  /** Resets what the last fault may have left. */
  end?(world: World): void | Promise<void>
}

/** Milliseconds. PostgreSQL waits 5 seconds for a lock and 30 seconds for a statement. */
const stalls = [
  [1000, 2000],
  [6000, 8000],
  [2000, 20_000],
  [31_000, 40_000],
] as const

/** Once: the other one is not set up again. */
async function failOver(world: World): Promise<number> {
  const since = performance.now()
  world.redirect(await world.postgres.failOver!())
  return since
}

const cutting = (place: PlaceName, what: string): Scenario => ({
  doc: `connections to ${what} are cut, refused, delayed, reordered, and swallow packets`,
  between: [200, 600],
  short: 4,
  place,
  fault: ({ places }, random) => cutLine(places.get(place)!.line, random),
  end: ({ places }) => calm(places.get(place)!.line),
})

export const scenarios: Readonly<Record<string, Scenario>> = {
  calm: {
    doc: 'no fault: races between clients only',
    isQuiet: true,
    between: [700, 800],
    short: 3,
    full: 40,
    async fault() {
      return undefined
    },
  },
  soak: {
    doc: 'no fault, for hours, with pauses between the steps of a client',
    isQuiet: true,
    between: [700, 800],
    short: 3,
    minutes: 120,
    thinks: 400,
    isDirect: true,
    async fault() {
      return undefined
    },
  },
  races: {
    doc: 'races for one name, version, key, user and check-out, and crossing moves: one of each kind',
    isQuiet: true,
    between: [0, 1],
    short: 10,
    fault: race,
  },
  'kill-server': {
    doc: 'the server, or one of its processes, is killed (kill -9) at any moment',
    between: [150, 900],
    short: 2,
    fault: killServer,
  },
  'kill-points': {
    doc: 'the server is killed when it reaches a fail point, one after the other',
    between: [50, 200],
    short: 3,
    full: pointsOf(false).length,
    hasPoints: true,
    fault: killAtPoint,
    end: judgePoints,
  },
  'kill-files': {
    doc: 'the server is killed when it reaches a fail point of files that are stored in S3, one after the other',
    between: [50, 200],
    short: 3,
    full: pointsOf(true).length,
    hasPoints: true,
    place: 'files',
    fault: killAtPoint,
    end: judgePoints,
  },
  'kill-postgres': {
    doc: 'PostgreSQL is killed (kill -9) at any moment',
    between: [300, 1200],
    short: 2,
    fault: killPostgres,
  },
  'kill-children': {
    doc: 'child processes of the server are killed: those that make previews, hash passwords and build search indexes',
    between: [50, 300],
    short: 4,
    fault: killChild,
  },
  kills: {
    doc: 'bursts of 1 to 32 kills (kill -9): server processes, also while they start, their children, PostgreSQL, also while it recovers, and its backends',
    isDirect: true,
    between: [20, 200],
    short: 6,
    fault: killAnything,
  },
  'cut-database': {
    doc: 'connections to PostgreSQL are cut, also right after a commit, refused, delayed, reordered, and swallow packets',
    between: [200, 600],
    short: 4,
    fault: ({ line }, random) => cutLine(line, random),
    end: ({ line }) => calm(line),
  },
  'cut-files': cutting('files', 'the S3 server with the files'),
  'cut-search': cutting('search', 'OpenSearch'),
  'cut-mail': cutting('mail', 'the mail server'),
  'cut-identity': cutting('identity', 'another OpenID provider, whose keys change,'),
  'slow-database': {
    doc: 'packets to and from PostgreSQL are up to 40 milliseconds late, so that transactions overlap for long',
    between: [500, 900],
    short: 3,
    async fault({ line }, random) {
      line.delay = 5 + random.below(35)
      await pause(2000)
      line.delay = 0
      return undefined
    },
    end: ({ line }) => calm(line),
  },
  'cut-webhook': {
    doc: 'the receiver of webhooks fails, does not answer, cuts connections and is late',
    between: [400, 700],
    short: 4,
    fault: failReceiver,
    end: ({ receiver }) => void (receiver.answer = () => 'ok'),
  },
  'power-loss': {
    doc: 'the server is killed, and what is not synced on disk is lost',
    between: [300, 1000],
    short: 2,
    async fault(world) {
      const since = performance.now()
      await world.kill()
      losePower(world.files.journal)
      await world.start()
      return since
    },
  },
  'disk-full': {
    doc: 'writes of files fail or are cut short at random; then the server is killed, and power may be lost',
    between: [200, 600],
    short: 2,
    async fault(world, random) {
      setDisk(world, `${random.pick(['ENOSPC', 'EIO', 'EROFS', 'SHORT', 'SYNC'])} ${random.pick(['0.3', '1'])}`)
      await pause(600)
      setDisk(world, undefined)
      const since = performance.now()
      await world.kill()
      // A loss of power takes away what a failed upload may have left.
      if (random.chance(0.5)) losePower(world.files.journal)
      await world.start()
      return since
    },
    end: (world) => setDisk(world, undefined),
  },
  'postgres-full': {
    doc: 'the disk of PostgreSQL is full for up to three seconds, also for its log, so that it may end',
    between: [300, 900],
    short: 3,
    database: 'small',
    fault: fillDatabase,
  },
  'data-full': {
    doc: 'the disk of the data folder is full for up to three seconds, also for processes that index and make previews',
    between: [300, 900],
    short: 3,
    needsMount: true,
    fault: fillData,
  },
  'slow-disk': {
    doc: 'writes and syncs of files take up to 60 milliseconds longer each',
    between: [500, 900],
    short: 2,
    async fault(world) {
      setDisk(world, 'SLOW 60')
      await pause(2000)
      setDisk(world, undefined)
      return undefined
    },
    end: (world) => setDisk(world, undefined),
  },
  stall: {
    doc: 'the process of the server stands still (SIGSTOP) for one to 40 seconds, so that its locks, its statements and its clients time out',
    between: [200, 600],
    short: 2,
    full: 8,
    async fault(world, random, n) {
      const { child } = world.server(random.below(world.urls.length))
      const [least, most] = stalls[n % stalls.length]!
      child.kill('SIGSTOP')
      await pause(least + random.below(most - least))
      child.kill('SIGCONT')
      return undefined
    },
  },
  clock: {
    doc: 'the clock of the server jumps hours and days, forward and back',
    between: [300, 600],
    short: 2,
    async fault(world, random) {
      const hour = 3_600_000
      setClock(world, random.pick([-48, -1, 1, 0.01, 26]) * hour)
      await pause(600)
      setClock(world, 0)
      return undefined
    },
    end: (world) => setClock(world, 0),
  },
  collector: {
    doc: 'the collector of unused files runs all the time, without a grace period',
    between: [50, 100],
    short: 5,
    fault: collectFiles,
  },
  damage: {
    doc: 'bits of stored files and of search indexes are flipped, and files are cut short',
    between: [300, 600],
    short: 3,
    fault: (world, random, n) => (n % 2 === 0 ? damageFile(world, random) : damageIndex(world, random)),
  },
  backup: {
    doc: 'a backup is taken while the server is killed and connections are cut, restored elsewhere and compared',
    between: [300, 600],
    short: 2,
    fault: backUp,
  },
  failover: {
    doc: 'PostgreSQL ends without warning, and its synchronous replica takes its place',
    between: [1500, 2500],
    short: 1,
    full: 1,
    database: 'replicated',
    fault: (world, _, n) => (n === 0 ? failOver(world) : Promise.resolve(false)),
  },
  versions: {
    doc: 'processes are replaced by those of an older version and back, killed or stopped, while all work on one schema',
    between: [300, 1500],
    short: 3,
    processes: 3,
    needsOld: true,
    fault: changeVersion,
    end: endWithNew,
  },
  descriptors: {
    doc: 'the server has no file descriptors left for a while, also when some of its processes have ended',
    between: [300, 600],
    short: 2,
    fault: withFewDescriptors,
  },
  memory: {
    doc: 'the server gets no more memory while large requests arrive; it may end, and is started again',
    between: [300, 600],
    short: 2,
    fault: withLittleMemory,
  },
}

/** Those that run on any machine. */
export const ordinary = Object.keys(scenarios).filter((name) => {
  const { database, needsOld, needsMount, place, minutes } = scenarios[name]!
  return !database && !needsOld && !needsMount && !minutes && (!place || !settingOf[place])
})
