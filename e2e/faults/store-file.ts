/** Stores one file in the folder that the first argument names, as the server does; power-loss.test.ts runs it. */
import { folderBlobs } from '../../server/src/adapters/blobs/blobs.ts'

const blobs = folderBlobs(process.argv[2]!)
async function* bytes() {
  yield Buffer.from('acknowledged')
}
await blobs.keep(await blobs.stage(bytes(), 1000))
