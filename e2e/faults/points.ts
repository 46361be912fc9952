/** Fail points: named lines of the server at which the process can be killed, or an error thrown. inject.ts adds them. */
interface Point {
  readonly file: string
  /** Occurs exactly once in the file; the point is before it, or after it. */
  readonly find: string
  readonly after?: boolean
}

const db = 'server/src/adapters/postgres/db.ts'
const batch = 'server/src/core/batch/batch.ts'
const storing = 'server/src/dam/storage/storing.ts'
const disk = 'server/src/adapters/blobs/disk.ts'
const chunked = 'server/src/dam/assets/bin/chunked/chunked.ts'
const deliver = 'server/src/webhooks/deliver.ts'
const bulk = 'server/src/core/batch/bulk.ts'
const imports = 'server/src/transfers/imports.ts'
const jobs = 'server/src/workflow/jobs/run.ts'
const feed = 'server/src/search/feed/feed.ts'

export const points: Readonly<Record<string, Point>> = {
  'before commit': { file: db, find: `    const last = closing?.(db)\n` },
  'after commit': { file: batch, find: `      if (rows.length > 0) committed?.(rows)\n` },
  'before blob rename': { file: disk, find: `      await rename(file, target)\n` },
  'after blob rename': { file: disk, find: `      await rename(file, target)\n`, after: true },
  'before blob is registered': { file: storing, find: `    await blockCollector(db)\n` },
  'after blob is stored': {
    file: storing,
    find: `    for (const one of staged) if (await blobs.keep(one)) replaced.add(one.sha256)\n`,
    after: true,
  },
  'before chunk is registered': { file: chunked, find: `  const done = await rows.insertChunk(` },
  'before chunks are dropped': { file: chunked, find: `    await blobs.dropChunks(upload.id)\n    if (previewsNow` },
  'before bulk run is released': { file: bulk, find: `        await rows.releaseRun(ctx.db, runId, verb, total)\n` },
  'before bulk job is added': { file: bulk, find: `        await addJob(ctx.db, bulkJob, { runId })\n` },
  'before bulk chunk is noted': { file: bulk, find: `    await rows.settleChunk(ctx.db, runId,` },
  'before import rows are noted': { file: imports, find: `    await rows.noteOutcomes(ctx.db, id, {` },
  'before workflow job ends': { file: jobs, find: `        await rows.endJob(ctx.db, jobId, 'done')\n` },
  'after workflow job': { file: jobs, find: `  } catch (error) {\n    if (isOurs(error)) throw error\n` },
  'before webhook position moves': {
    file: deliver,
    find: `  await rows.takeOver(database, hook.id, position, deliveries)\n`,
  },
  'before webhook is sent': {
    file: deliver,
    find: `  const secrets = hook.secrets.map((secret) => parts.open(secret))\n`,
  },
  'before webhook outcome is noted': { file: deliver, find: `  await rows.noteAttempts(\n` },
  'before documents are applied': { file: feed, find: `    const isLast = at + portion >= ids.length\n` },
  'after documents are applied': { file: feed, find: `    backlog.start()\n` },
}
