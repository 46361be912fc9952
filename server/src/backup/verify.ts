/** Verifies a backup: the digests of its records, and the content of every stored file. Changes nothing. */
import { faultOf, readRecords, storedFiles } from './files.ts'
import { readManifest } from './manifest.ts'

export interface Verified {
  readonly rows: number
  readonly files: number
  /** The missing and damaged parts, as sentences. */
  readonly faults: readonly string[]
}

export async function verifyBackup(folder: string): Promise<Verified> {
  const manifest = await readManifest(folder)
  const { tables, jobs, files } = manifest
  const faults = files.missing.map((sha256) => `the file ${sha256} could not be read when the backup was taken`)
  const gone = new Set(files.missing)
  let rows = 0
  for (const records of [...tables, ...(jobs ? [jobs] : [])]) {
    rows += records.rows
    try {
      for await (const _chunk of readRecords(folder, records)); // the digest is compared after the last chunk
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  // the list of files is in the records of blob: if they are damaged, the files cannot be checked
  if (faults.some((fault) => fault.includes('records of blob'))) return { rows, files: 0, faults }
  let count = 0
  for await (const file of storedFiles(folder, manifest)) {
    count++
    const fault = gone.has(file.sha256) ? undefined : await faultOf(folder, file)
    if (fault) faults.push(`the file ${file.sha256} is ${fault}`)
  }
  return { rows, files: count, faults }
}
