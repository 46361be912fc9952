/**
 * Finds a rendition or makes it. Two requests for the same one, also in two processes, do the work once: the first claims
 * it by a row, the others wait for that row. If the process that made it dies, its claim ends and another takes over.
 */
import { because } from '@kontor/contract'
import { setTimeout as pause } from 'node:timers/promises'
import { piecesOf } from '../../adapters/late-file.ts'
import type { Database, Db } from '../../adapters/postgres/db.ts'
import type { GuardedBlobs } from '../care/hold.ts'
import { Problem } from '../../errors.ts'
import { type DrawnFrom, NotDrawn, type Previews } from '../assets/previews/previews.ts'
import type { Drawn } from '../assets/previews/message.ts'
import { commitWithBlobs } from '../storage/storing.ts'
import { type Recipe, recipeKey } from './recipe.ts'
import * as rows from './renditions.sql.ts'

export interface Rendition {
  readonly sha256: string
  readonly size: number
  readonly mime: string
  readonly width: number
  readonly height: number
}
/** `holder` is who asks: renditions that are being made are counted for each. */
export type FindRendition = (source: DrawnFrom, recipe: Recipe, holder: string) => Promise<Rendition>

interface Needs {
  readonly database: Database
  readonly blobs: GuardedBlobs
  readonly previews: Pick<Previews, 'draw'>
  readonly seconds: number
  /** Mebibytes that renditions may take. */
  readonly space: number
}

export const tidyJob = 'dam.renditions'
export const tidyTimes = '37 * * * *'

/** Forgets renditions that nobody can ask for any more, and those that were not used for the longest time. */
export async function tidyRenditions(database: Database, mebibytes: number): Promise<void> {
  await rows.deleteOrphans(database)
  await rows.deleteBeyond(database, mebibytes * 1024 * 1024)
}

/** How many renditions are made for one holder at the same time, and how many more may wait. */
const [places, queue] = [2, 20]
/** Milliseconds between two looks at a rendition that another process makes. */
const interval = 100

export function createRenditions({ database, blobs, previews, seconds, space }: Needs): FindRendition {
  const running = new Map<string, Promise<Rendition>>()
  const admit = createAdmission()
  const allowance = createAllowance((space * 1024 * 1024) / 4)

  const make = async (source: DrawnFrom, recipe: Recipe, key: string, holder: string): Promise<Rendition> => {
    try {
      return await previews.draw(source, recipe, async (drawn) => {
        const made = await keepRendition({ database, blobs }, source.sha256, key, drawn)
        allowance.spend(holder, made.size)
        return made
      })
    } catch (error) {
      await rows.dropClaim(database, source.sha256, key)
      if (!(error instanceof NotDrawn)) throw error
      throw new Problem('invalid', because('noRendition', { cause: error.message }), { cause: error })
    }
  }

  /** Makes it, or waits for the process that does. */
  const obtain = async (source: DrawnFrom, recipe: Recipe, key: string, holder: string): Promise<Rendition> => {
    for (const until = Date.now() + 2 * seconds * 1000; Date.now() < until;) {
      if (await rows.claimRendition(database, source.sha256, key, 2 * seconds)) return make(source, recipe, key, holder)
      await pause(interval)
      const found = await rows.findRendition(database, source.sha256, key)
      if (isReady(found)) return found
    }
    throw new Problem('unavailable', because('renditionSlow'))
  }

  return async (source, recipe, holder) => {
    const key = recipeKey(recipe)
    const found = await rows.findRendition(database, source.sha256, key)
    if (isReady(found)) {
      if (found.isStale) await rows.touchRendition(database, source.sha256, key)
      return found
    }
    allowance.demand(holder)
    const name = `${source.sha256} ${key}`
    const mine = running.get(name) ?? admit(holder, () => obtain(source, recipe, key, holder))
    running.set(name, mine)
    try {
      return await mine
    } finally {
      running.delete(name)
    }
  }
}

/** Stores a rendition that was made. `also` is written in the same transaction. */
export async function keepRendition(
  { database, blobs }: Pick<Needs, 'database' | 'blobs'>,
  source: string,
  key: string,
  { file, mime, width, height }: Drawn,
  also: (db: Db) => Promise<unknown> = async () => {},
): Promise<Rendition> {
  const staged = await blobs.stage(piecesOf(file), Infinity)
  try {
    const made = { sha256: staged.sha256, size: staged.size, mime, width, height }
    await commitWithBlobs(blobs.raw, [staged], (registerBlobs) =>
      database.transaction(async (db) => {
        await registerBlobs(db)
        await rows.finishRendition(db, source, key, made)
        await also(db)
      }),
    )
    return made
  } finally {
    await staged.drop()
  }
}

/**
 * Bounds the bytes that are made in an hour, because the space is tidied only once an hour and who has the address of
 * an image chooses regions and sizes. One holder gets half of them at most, so that others still get theirs.
 */
function createAllowance(bytesPerHour: number) {
  let hour = 0
  let all = 0
  const byHolder = new Map<string, number>()
  const turn = () => {
    const now = Math.floor(Date.now() / 3_600_000)
    if (now === hour) return
    hour = now
    all = 0
    byHolder.clear()
  }
  return {
    /** Throws if the bytes are used up. */
    demand(holder: string): void {
      turn()
      if (all > bytesPerHour || (byHolder.get(holder) ?? 0) > bytesPerHour / 2)
        throw new Problem('unavailable', because('renditionsHour'))
    },
    spend(holder: string, bytes: number): void {
      turn()
      all += bytes
      byHolder.set(holder, (byHolder.get(holder) ?? 0) + bytes)
    },
  }
}

/** Bounds the work for each holder. */
function createAdmission() {
  const holders = new Map<string, { running: number; readonly waiting: (() => void)[] }>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const holder = holders.get(name) ?? { running: 0, waiting: [] }
    holders.set(name, holder)
    if (holder.waiting.length >= queue)
      throw new Problem('unavailable', `${places + queue} renditions are being made for you; ask for the others later`)
    if (holder.running >= places) await new Promise<void>((resolve) => holder.waiting.push(resolve))
    else holder.running++
    try {
      return await work()
    } finally {
      const next = holder.waiting.shift() // it takes over the place
      if (next) next()
      else if (--holder.running === 0) holders.delete(name)
    }
  }
}

const isReady = (row: rows.RenditionRow | undefined): row is rows.RenditionRow & Rendition =>
  row !== undefined && row.sha256 !== null
