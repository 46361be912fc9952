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
import { emptyLexicon } from '../analysis/compounds.ts'
import type { IndexSchema, Position, SearchDocument } from '../port.ts'
import { createFiles, openFiles, writeWhole } from './files.ts'
import { createIndex, lexiconOf, mappingHash, openIndex, type EmbeddedIndex } from './store.ts'

export interface Generations {
  /** The index that serves, with whether its schema is no longer the one wanted; nothing when there is none to trust. */
  open(schema: IndexSchema): Promise<{ index: EmbeddedIndex; outdated: boolean } | undefined>
  build(schema: IndexSchema, from?: EmbeddedIndex): Promise<NextGeneration>
}

export interface NextGeneration {
  readonly index: EmbeddedIndex
  /** Adds documents that are read from the source; each batch becomes a segment. */
  addBatch(documents: readonly SearchDocument[], position: Position): Promise<void>
  /** From now on this generation is the one that a start finds; the one before is removed. */
  activate(): Promise<void>
  /** Gives it up. */
  drop(): Promise<void>
}

export async function openGenerations(folder: string): Promise<Generations> {
  await mkdir(folder, { recursive: true })
  const current = () => readFile(join(folder, 'CURRENT'), 'utf8').catch(() => '')
  const names = async () => (await readdir(folder)).filter((name) => /^\d{6}$/.test(name))
  const remove = async (which: (name: string) => boolean) => {
    for (const name of await names()) if (which(name)) await rm(join(folder, name), { recursive: true, force: true })
  }
  const serving = await current()
  await remove((name) => name !== serving)

  return {
    async open(schema) {
      const name = await current()
      if (name === '') return undefined
      const { files, mapping } = await openFiles(join(folder, name))
      return { index: await openIndex(schema, files), outdated: mapping !== mappingHash(schema) }
    },
    async build(schema, from) {
      const name = String(Math.max(0, ...(await names()).map(Number)) + 1).padStart(6, '0')
      const lexicon = from ? lexiconOf(from.snapshot()) : emptyLexicon
      const files = await createFiles(join(folder, name), mappingHash(schema), lexicon)
      const index = createIndex({ schema, files, lexicon })
      return {
        index,
        async addBatch(documents, position) {
          await index.apply({ put: documents, remove: [] }, position)
          await index.seal()
        },
        async activate() {
          await index.seal()
          await writeWhole(folder, 'CURRENT', Buffer.from(name))
          await remove((each) => each !== name)
        },
        drop: () => remove((each) => each === name),
      }
    },
  }
}
