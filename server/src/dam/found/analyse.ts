/**
 * Analyses files that have no analysis: those stored before there was one, or in storages without previews. Each file is
 * a transaction of its own, so an interrupted run goes on where it ended.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import type { Previews } from '../assets/previews/previews.ts'
import { announceFile, findUnanalysed, writeAnalysis } from './analysis.sql.ts'

export const analyseJob = 'dam.analysis'
export const analyseTimes = '17 * * * *'

const pageSize = 100

/** One file at a time, because uploads wait for the same workers. */
export async function analyseMissing(database: Db, { analyse }: Pick<Previews, 'analyse'>): Promise<void> {
  for (let after = '', count = pageSize; count === pageSize;) {
    const files = await findUnanalysed(database, after, pageSize)
    for (const file of files) {
      // A file that cannot be read now is analysed by a later run.
      const analysis = await analyse(file).catch(() => undefined)
      if (!analysis) continue
      await database.transaction(async (db) => {
        await writeAnalysis(db, file.sha256, analysis)
        await announceFile(db, file.sha256)
      })
    }
    after = files.at(-1)?.sha256 ?? after
    count = files.length
  }
}
