/**
 * The generations of an index: the active one and, during a rebuild, the next one.
 *
 *   <folder>/CURRENT          the name of the active generation, replaced atomically
 *   <folder>/000003/          its files (files.ts)
 *   <folder>/000004/          being built; not read until CURRENT names it
 *
 * After a crash CURRENT names the old or the new generation, and either is complete. Other generations are removed at
 * the next start.
 */
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lexicon } from '../analysis/compounds.ts'
import { createFiles, inspectFiles, openFiles, type IndexFiles, type Inspect } from './files.ts'
import type { Mapping } from './mapping.ts'
import { writeAtomically } from './atomic-file.ts'

export interface Generations {
  /** Opens the active generation; undefined if there is none. Throws DamagedSegment. */
  open(): Promise<IndexFiles | undefined>
  /** When the active generation became active; undefined if there is none. */
  activatedAt(): Promise<Date | undefined>
  /** Reads and verifies all its files. Throws DamagedSegment. */
  inspect(): Promise<void>
  create(mapping: Mapping, lexicon: Lexicon): Promise<NextGeneration>
}

export interface NextGeneration {
  readonly files: IndexFiles
  /** Verifies the files and opens them. */
  reopen(): Promise<IndexFiles>
  /** Makes this the active generation, also after a restart. */
  activate(): Promise<void>
  /** Removes all generations but the active one. */
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
    activatedAt: async () => (await stat(join(folder, 'CURRENT')).catch(() => undefined))?.mtime,
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
        activate: () => writeAtomically(folder, 'CURRENT', Buffer.from(name)),
        removeOthers,
      }
    },
  }
}
