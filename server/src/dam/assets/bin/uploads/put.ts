/** Stores files for other areas at a path, replacing an existing file. */
import type { Caller } from '../../../../core/context.ts'
import { type FileServices, withStored } from '../../../files.ts'
import { storeAsset, toTarget } from './uploads.ts'

/** Returns the tid of the asset. The directory must exist. */
export async function putFile(
  services: FileServices,
  caller: Caller,
  path: string,
  bytes: AsyncIterable<Buffer>,
): Promise<string> {
  const target = toTarget({ path, doOverwrite: true }, '')
  const staged = await services.blobs.stage(bytes, services.config.maxUpload)
  try {
    const done = await withStored(services, caller, staged, (ctx) => storeAsset(ctx, target, staged, false))
    return done.tid!
  } finally {
    await staged.drop()
  }
}
