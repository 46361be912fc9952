/** A folder on this machine, below one of the allowed folders also after its symbolic links are resolved. */
import { copyFile, constants, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { ForbiddenAddress } from '../web/post.ts'
import { type FolderPlace, isVisible } from './place.ts'

const isBelow = (path: string, root: string) => {
  const way = relative(root, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}
/** Whether a path is below one of the folders by its name. `openFolder` also looks at symbolic links. */
export const isAllowed = (path: string, roots: readonly string[]) =>
  isAbsolute(path) && roots.some((root) => isBelow(path, root))

export async function openFolder(path: string, roots: readonly string[]): Promise<FolderPlace> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the folder ${path} cannot be opened: ${error.code ?? error.message}`, { cause: error })
  })
  const allowed = await Promise.all(roots.map((root) => realpath(root).catch(() => root)))
  if (!allowed.some((root) => isBelow(real, root)))
    throw new ForbiddenAddress(`the folder ${path} is not below a folder of KONTOR_FEED_FOLDERS`)
  return {
    async put({ name, path: source, key }) {
      const part = join(real, `.${name}.${key}.part`)
      try {
        await copyFile(source, part)
        await rename(part, join(real, name))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async list() {
      const entries = await readdir(real, { withFileTypes: true })
      const names = entries.filter((entry) => entry.isFile() && isVisible(entry.name)).map(({ name }) => name)
      const found = await Promise.all(
        names.map(async (name) => {
          const { size, mtime } = await stat(join(real, name))
          return { name, size, modifiedAt: mtime }
        }),
      )
      return found
    },
    async read(name) {
      // oxlint-disable-next-line no-bitwise
      const file = await open(join(real, name), constants.O_RDONLY | constants.O_NOFOLLOW)
      return file.createReadStream()
    },
    async move(name, folder, as) {
      await mkdir(join(real, folder), { recursive: true })
      await rename(join(real, name), join(real, folder, as)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    close: async () => {},
  }
}
