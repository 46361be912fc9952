/** Places outside of Kontor to which files are sent, or from which they are fetched. */

export interface OutgoingFile {
  /** Equal for every attempt, so that a repeated delivery replaces the file instead of adding another. */
  readonly name: string
  /** A copy on disk. */
  readonly path: string
  readonly size: number
  readonly mediaType: string
  /** Identifies the delivery. */
  readonly key: string
}
export interface FoundFile {
  readonly name: string
  readonly size: number
  readonly modifiedAt: Date
}

export interface Place {
  /** Stores the file under its name, as a whole or not at all. */
  put(file: OutgoingFile): Promise<void>
  close(): Promise<void>
}
/** A place with folders, from which files can be fetched, too. */
export interface FolderPlace extends Place {
  /** The files in the folder, without hidden files and those in folders below it. */
  list(): Promise<FoundFile[]>
  read(name: string): Promise<AsyncIterable<Buffer>>
  /** Moves a file into a folder below, which is created if it is missing. Does nothing if the file is gone. */
  move(name: string, folder: string, as: string): Promise<void>
}

/** Hidden files, and names that programs give to files that are still arriving. */
export const isVisible = (name: string) => !name.startsWith('.') && !/\.(part|filepart|tmp|crdownload)$|~$/i.test(name)

/** Files of a folder, and bytes of an answer that is read as a whole. A hostile server could send more and more of both. */
export const [maxListed, maxAnswer] = [100_000, 16 * 1024 * 1024]
export const tooMany = () => new Error(`the folder has more than ${maxListed} files; move old ones away`)
