/**
 * The generations of an index: the one that serves, and the next one while it is built.
 *
 *   <folder>/CURRENT          the name of the generation that serves, replaced in one step
 *   <folder>/000003/          its files (files.ts)
 *   <folder>/000004/          being built; nothing reads it until CURRENT names it
 *
 * A crash at any moment leaves CURRENT at the old generation or at the new one, both whole. What CURRENT does not name
 * is removed at the next start.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lexicon } from '../analysis/compounds.ts'
import { createFiles, inspectFiles, openFiles, type IndexFiles, type Inspect } from './files.ts'
import type { Mapping } from './mapping.ts'
import { writeWhole } from './whole-file.ts'

export interface Generations {
  /** The files of the generation that serves; nothing when there is none. Throws DamagedSegment. */
  open(): Promise<IndexFiles | undefined>
  /** Reads all of them. Throws DamagedSegment. */
  inspect(): Promise<void>
  create(mapping: Mapping, lexicon: Lexicon): Promise<NextGeneration>
}

export interface NextGeneration {
  readonly files: IndexFiles
  /** Inspects and opens what is in its files now. */
  reopen(): Promise<IndexFiles>
  /** From now on this generation is the one that a start finds. */
  activate(): Promise<void>
  /** Removes all but the one that serves. */
  removeOthers(): Promise<void>
}

export async function openGenerations(folder: string, inspect: Inspect): Promise<Generations> {
  await mkdir(folder, { recursive: true })
  const current = () => readFile(join(folder, 'CURRENT'), 'utf8').catch(() => '')
  const names = async () => (await readdir(folder)).filter((name) => /^\d{6}$/.test(name))
  async function removeOthers(): Promise<void> {
    const serving = await current()
    for (const name of await names()) {
      if (name !== serving) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
  await removeOthers()
  return {
    async open() {
      const name = await current()
      return name === '' ? undefined : openFiles(join(folder, name))
    },
    async inspect() {
      const name = await current()
      if (name !== '') await inspectFiles(join(folder, name), inspect)
    },
    async create(mapping, lexicon) {
      const name = String(Math.max(0, ...(await names()).map(Number)) + 1).padStart(6, '0')
      return {
        files: await createFiles(join(folder, name), mapping, lexicon),
        async reopen() {
          await inspectFiles(join(folder, name), inspect)
          return openFiles(join(folder, name))
        },
        activate: () => writeWhole(folder, 'CURRENT', Buffer.from(name)),
        removeOthers,
      }
    },
  }
}
