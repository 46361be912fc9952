/**
 * What keeps bytes under keys: a folder (disk.ts) or an S3 bucket (s3.ts). One suite of tests holds both to this.
 *
 * Keys are made by us, never by callers: letters, digits, `-` and `/`. A key that was written is there whole or not at
 * all, and survives the machine.
 */

export interface Store {
  /** Makes the bytes of a local file durable under the key. The file may be gone afterwards. */
  write(key: string, file: string): Promise<void>
  /** The bytes from the first to the last of the range, or all. Throws `Missing`. */
  read(key: string, range?: Range): Promise<Read>
  /** How many bytes there are, or undefined when there is nothing. */
  size(key: string): Promise<number | undefined>
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<Listed>
  /** Where the bytes are on this machine, if they are. */
  fileOf?(key: string): string
  /** An address that gives the bytes to whoever has it, for a while. */
  presign?(key: string, reply: PresignedReply, seconds: number): Promise<string>
  /** An address under which whoever has it may store so many bytes, no more and no fewer, for a while. */
  presignWrite?(key: string, size: number, seconds: number): Promise<string>
  /**
   * Makes one of several, which stay as they are. No byte of them comes here. All but the last must be large enough.
   * Throws `Unsupported`: not everything that speaks like S3 can do it.
   */
  join?(parts: readonly Part[], key: string): Promise<void>
  /** Removes what writes that broke off before then have left, and tells how many there were. */
  sweep?(before: Date): Promise<number>
}

/** What S3 takes as one of several parts, unless it is the last. */
export const smallestPart = 5 * 1024 * 1024
export interface Part {
  readonly key: string
  readonly size: number
}

/** Both ends count. */
export interface Range {
  readonly first: number
  readonly last: number
}
export interface Read {
  /** Each holds its bytes until the next one is asked for. */
  readonly pieces: AsyncIterable<Buffer>
  /** How many bytes they have together. */
  readonly size: number
  /** Changes when the stored bytes are replaced or touched. */
  readonly print: string
}
export interface Listed {
  readonly key: string
  readonly size: number
  readonly modifiedAt: Date
}
/** The headers under which an address of S3 gives the bytes. */
export interface PresignedReply {
  readonly contentType: string
  readonly contentDisposition: string
}

export class Unsupported extends Error {}

export class Missing extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`nothing is stored as ${key}`, options)
    this.name = 'Missing'
  }
}
